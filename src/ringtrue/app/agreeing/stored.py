"""A stored run that people have labelled: its answers as labelled rows, and its Scores as judges."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ringtrue.app.service import report_of
from ringtrue.catalogue import MetricUse
from ringtrue.data.labelled import NEGATIVE, POSITIVE, Labelled, LabelledRow
from ringtrue.data.records import make_dataset
from ringtrue.data.store import Store
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.stats.raters import majority
from ringtrue.types import Response, Sample, Score

__all__ = ["Held", "HeldRun", "labelled_of_run"]

_Place = tuple[str, str, int]  # sample id, pipeline, repeat
_HUMAN = "human:"


@dataclass(frozen=True, slots=True)
class Held:
    """A metric of a run, with its Scores by the ids of the labelled rows."""

    use: MetricUse
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class HeldRun:
    """What a run gives: labelled rows, the metric that they are about, and every metric's Scores over them by label."""

    labelled: Labelled
    metric: str
    held: Mapping[str, Held]


def labelled_of_run(
    store: Store, run_id: str | None, *, metric: str | None = None, cluster_by: str | None = None
) -> HeldRun:
    """The answers of a run with people's labels of `metric`, the only one that they have labelled where none is named.

    Answers to one question hang together, whichever pipeline gave them. Raises UsageError where nobody labelled it.
    """
    report = report_of(store, run_id)
    by_metric: dict[str, dict[_Place, dict[str, Score]]] = {}
    for score in store.labels(report.run):
        place = (score.sample_id, score.pipeline, score.repeat)
        by_metric.setdefault(score.metric, {}).setdefault(place, {})[score.source.removeprefix(_HUMAN)] = score
    metric = _one_metric(metric, by_metric, report.run.id)
    many = len(report.pipelines) > 1 or report.run.repeats > 1
    rows: list[LabelledRow] = []
    samples: list[Sample] = []
    answers: dict[tuple[str, int], Response] = {}
    scores: dict[str, list[Score]] = {label: [] for label in report.metrics}
    for row in report.rows:
        for (pipeline, repeat), response in row.responses.items():
            given = by_metric[metric].get((row.sample.id, pipeline, repeat))
            if given is None:
                continue
            id = f"{row.sample.id} · {pipeline} #{repeat + 1}" if many else row.sample.id
            raters = {name: _label(score) for name, score in sorted(given.items())}
            most = majority(list(raters.values()))
            cluster = id if cluster_by == "row" else row.sample.id
            rows.append(LabelledRow(id=id, cluster=cluster, label=None if most is None else str(most), raters=raters))
            metadata = {**row.sample.metadata, "pipeline": pipeline}
            samples.append(replace(row.sample, id=id, metadata=metadata))
            answers[id, 0] = response
            for label, score in row.scores.get((pipeline, repeat), {}).items():
                scores[label].append(replace(score, sample_id=id))
    labels = tuple(sorted({row.label for row in rows if row.label is not None}))
    labelled = Labelled(
        dataset=make_dataset(report.dataset.name, samples, report.dataset.version),
        answers=answers,
        rows=tuple(rows),
        labels=(NEGATIVE, POSITIVE) if set(labels) <= {NEGATIVE, POSITIVE} else labels,
        notes=(f"people's labels of run {report.run.id}",),
    )
    held = {label: Held(report.metrics[label], tuple(found)) for label, found in scores.items()}
    return HeldRun(labelled, metric, held)


def _one_metric(metric: str | None, labelled: Iterable[str], run: str) -> str:
    known = sorted(labelled)
    if not known:
        raise UsageError(f"nobody has labelled run {run}", mend="bring labels in with: ringtrue labels import FILE")
    if metric is None and len(known) > 1:
        told = f"people have labelled {len(known)} metrics of run {run}: {', '.join(known)}"
        raise UsageError(told, mend=f"name one: --metric {known[0]}")
    if metric is not None and metric not in known:
        raise UnknownNameError("labelled metric", metric, known, where=f"run {run}")
    return metric or known[0]


def _label(score: Score) -> str | None:
    if score.status != "scored":
        return None
    return score.label if score.label is not None else None if score.value is None else f"{score.value:g}"
