"""Runs made by hand, row by row, and what is asked of their diagnosis."""

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.catalogue import Metric
from ringtrue.data.facts import parse_facts
from ringtrue.report.diagnosis.diagnosis import diagnose
from ringtrue.report.diagnosis.found import PipelineDiagnosis
from ringtrue.report.report import Report, build_report
from ringtrue.types import Answered, Dataset, Passage, Response, RunInfo, Sample, Score, UsedMetric

SKIPPED = "skipped"


def passages(given: Sequence[Any] | None) -> tuple[Passage, ...] | None:
    """Texts, (id, text) pairs, or Passages."""
    if given is None:
        return None
    return tuple(
        one
        if isinstance(one, Passage)
        else Passage(text=one)
        if isinstance(one, str)
        else Passage(id=one[0], text=one[1])
        for one in given
    )


def row(
    question: str,
    *,
    answer: str | None = "It is so.",
    contexts: Sequence[Any] | None = None,
    reference: str | None = None,
    facts: str | None = None,
    golden: Sequence[Any] | None = None,
    error: str | None = None,
    repeat: int = 0,
    id: str | None = None,
    parts: Mapping[str, Any] | None = None,
    **values: Any,
) -> dict[str, Any]:
    """One answer with the values of its metrics by name."""
    sample = Sample(
        id=id or question,
        question=question,
        reference=(reference,) if reference else (),
        facts=parse_facts(facts) if facts else None,
        reference_contexts=passages(golden),
    )
    response = Response(answer=answer, contexts=passages(contexts), error=error)
    return {"sample": sample, "response": response, "repeat": repeat, "values": values, "parts": parts or {}}


def report_of(pipelines: Mapping[str, Sequence[dict[str, Any]]], **more: Any) -> Report:
    """The report of these pipelines' rows."""
    samples = {one["sample"].id: one["sample"] for rows in pipelines.values() for one in rows}
    names = list(dict.fromkeys(name for rows in pipelines.values() for one in rows for name in one["values"]))
    uses = {name: _metric(name).bind() for name in names}
    dataset = Dataset(name="made", samples=tuple(samples.values()), hashes=(), fingerprint="0123456789abcdef")
    info = RunInfo(
        id="run-1",
        status="finished",
        started="2026-11-30T12:00:00+00:00",
        finished="2026-11-30T12:00:05+00:00",
        dataset_name="made",
        dataset_fingerprint=dataset.fingerprint,
        dataset_version=None,
        pipelines=tuple(pipelines),
        metrics=tuple(UsedMetric(label=name, written=name, signature=name) for name in names),
        repeats=1,
        config={"config": {"dataset": "made.jsonl"}},
        environment={},
        **more,
    )
    answers = [
        Answered(pipeline=name, sample_id=one["sample"].id, repeat=one["repeat"], response=one["response"])
        for name, rows in pipelines.items()
        for one in rows
    ]
    scores = [
        _score(one, name, metric, value)
        for name, rows in pipelines.items()
        for one in rows
        for metric, value in one["values"].items()
    ]
    return build_report(info, dataset, uses, answers, scores)


def diagnosed(rows: Sequence[dict[str, Any]], **more: Any) -> PipelineDiagnosis:
    """The diagnosis of one pipeline."""
    if "corpus" in more:
        more["corpus"] = passages(more["corpus"])
    (found,) = diagnose(report_of({"app": rows}), **more).pipelines
    return found


def _metric(name: str) -> Metric:
    return Metric(
        name=name,
        function=lambda *_: None,
        summary=name,
        doc=name,
        needs=(),
        range=(0, 1),
        better="higher",
        source="made",
        version=1,
        unit="",
        params=(),
        explain=None,
    )


def _score(one: Mapping[str, Any], pipeline: str, metric: str, value: Any) -> Score:
    scored = value != SKIPPED
    label = value if isinstance(value, str) and scored else None
    return Score(
        sample_id=one["sample"].id,
        pipeline=pipeline,
        repeat=one["repeat"],
        metric=metric,
        status="scored" if scored else "skipped",
        signature=metric,
        value=float(value) if not isinstance(value, str) else None,
        label=label,
        error=None if scored else "no contexts",
        parts=one["parts"].get(metric),
    )
