"""Runs made by hand: `make_source` from a table of values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from ringtrue.catalogue import Metric, metric
from ringtrue.data.records import make_dataset
from ringtrue.report.comparing.sides import Source
from ringtrue.report.report import build_report
from ringtrue.types import Answered, Response, RunInfo, Sample, Score, UsedMetric

Cell: TypeAlias = "float | str | tuple[str, str] | None"
MakeSource = Callable[..., Source]


def a_metric(name: str, **given: Any) -> Metric:
    def function(sample: Sample, response: Response) -> float:
        raise AssertionError("a comparison computes nothing")

    function.__name__, function.__doc__ = name, f"What {name} means."
    return metric(**{"needs": ("answer",), "range": (0, 1), "better": "higher", "source": "this test"} | given)(
        function
    )


METRICS = {
    one.name: one.bind()
    for one in (
        a_metric("right"),
        a_metric("f1"),
        a_metric("seconds", range=(0, None), better="lower", unit="s"),
        a_metric("words", range=(0, None), better=None),
        a_metric("tone", better=None),
    )
}


def _score(sample: str, pipeline: str, repeat: int, label: str, cell: Cell, signature: str) -> Score:
    """A number is a value, a text a label, None was skipped, a pair failed."""
    base = {"sample_id": sample, "pipeline": pipeline, "repeat": repeat, "metric": label, "signature": signature}
    if cell is None:
        return Score(**base, status="skipped", error="no reference")
    if isinstance(cell, tuple):
        return Score(**base, status="failed", error=cell[1])
    if isinstance(cell, str):
        return Score(**base, status="scored", label=cell)
    return Score(**base, status="scored", value=float(cell))


@pytest.fixture(scope="session")
def make_source() -> MakeSource:
    """A run: `scores` by pipeline and metric, a cell for each sample, or for each repeat of each sample in turn."""

    def make(
        scores: Mapping[str, Mapping[str, Sequence[Cell]]],
        *,
        samples: Sequence[Sample] | None = None,
        repeats: int = 1,
        called: str | None = None,
        id: str = "20261201-120000-aaaa",
        signatures: Mapping[str, str] | None = None,
        response: Callable[[str, int], Response] | None = None,
        **run: Any,
    ) -> Source:
        labels = list(dict.fromkeys(label for by_label in scores.values() for label in by_label))
        longest = max(len(cells) for by_label in scores.values() for cells in by_label.values())
        rows = list(samples or (Sample(id=f"s{n}", question=f"Question {n}?") for n in range(longest // repeats)))
        dataset = make_dataset("golden", rows)
        made = {label: (signatures or {}).get(label, METRICS[label].signature) for label in labels}
        info = RunInfo(
            **{
                "id": id,
                "status": "finished",
                "started": "2026-12-01T12:00:00+00:00",
                "finished": None,
                "dataset_name": dataset.name,
                "dataset_fingerprint": dataset.fingerprint,
                "dataset_version": None,
                "pipelines": tuple(scores),
                "metrics": tuple(UsedMetric(label=one, written=one, signature=made[one]) for one in labels),
                "repeats": repeats,
                "config": {},
                "environment": {},
                **run,
            }
        )
        report = build_report(
            info,
            dataset,
            {label: METRICS[label] for label in labels},
            [
                Answered(
                    pipeline=name,
                    sample_id=rows[n // repeats].id,
                    repeat=n % repeats,
                    response=response(name, n) if response else Response(answer="an answer"),
                )
                for name in scores
                for n in range(len(rows) * repeats)
            ],
            [
                _score(rows[n // repeats].id, name, n % repeats, label, cell, made[label])
                for name, by_label in scores.items()
                for label, cells in by_label.items()
                for n, cell in enumerate(cells)
            ],
        )
        return Source(report, called or id)

    return make
