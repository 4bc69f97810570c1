"""The Report: what is computed from one Run's stored Scores. A pure function of them; renderers only print it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeVar

from ringtrue.catalogue import MetricUse
from ringtrue.stats.intervals import mean_interval
from ringtrue.types import Answered, Dataset, Response, RunInfo, Sample, Score

T = TypeVar("T")

__all__ = ["Cell", "Report", "ReportRow", "ThresholdResult", "build_report", "cell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One pipeline and one metric: the mean over scored rows, its 95 % interval, and how many rows stand behind it.

    `mean` is ``None`` where no row was scored or the metric gives labels; `low` and `high` where one sample cannot tell.
    `reasons` counts why rows were skipped or failed; `labels` counts labels.
    """

    mean: float | None
    low: float | None
    high: float | None
    scored: int
    skipped: int
    failed: int
    reasons: Mapping[str, int]
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """One sample with every pipeline's responses (by repeat) and their Scores by metric label."""

    sample: Sample
    responses: Mapping[tuple[str, int], Response]
    scores: Mapping[tuple[str, int], Mapping[str, Score]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdResult:
    """One gate: what was asked, of which pipeline and slice, what came out. `mean` is ``None`` where nothing was scored."""

    metric: str
    pipeline: str
    where: str | None
    require: str
    mean: float | None
    scored: int
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a renderer prints. `summary` is by pipeline, then metric label; `rows` are in the dataset's order."""

    run: RunInfo
    dataset: Dataset
    metrics: Mapping[str, MetricUse]
    summary: Mapping[str, Mapping[str, Cell]]
    rows: Sequence[ReportRow]
    thresholds: Sequence[ThresholdResult] = ()
    exit_code: int = 0

    @property
    def pipelines(self) -> tuple[str, ...]:
        return self.run.pipelines

    def scores(self) -> Iterable[Score]:
        """All Scores: by sample, pipeline, repeat, then metric."""
        for row in self.rows:
            for by_metric in row.scores.values():
                yield from by_metric.values()


def build_report(
    run: RunInfo,
    dataset: Dataset,
    metrics: Mapping[str, MetricUse],
    answers: Iterable[Answered],
    scores: Iterable[Score],
) -> Report:
    """Join answers and Scores to the samples and sum them up. `metrics` maps each label to what it stands for."""
    responses: dict[str, dict[tuple[str, int], Response]] = {sample.id: {} for sample in dataset}
    judged: dict[str, dict[tuple[str, int], dict[str, Score]]] = {sample.id: {} for sample in dataset}
    for one in answers:
        responses[one.sample_id][one.pipeline, one.repeat] = one.response
    for score in scores:
        judged[score.sample_id].setdefault((score.pipeline, score.repeat), {})[score.metric] = score
    order = {name: place for place, name in enumerate(run.pipelines)}
    rows = [
        ReportRow(
            sample=sample,
            responses=_sorted(responses[sample.id], order),
            scores={
                key: {label: found[label] for label in metrics if label in found}
                for key, found in _sorted(judged[sample.id], order).items()
            },
        )
        for sample in dataset
    ]
    summary = {pipeline: {label: cell(_of(rows, pipeline, label)) for label in metrics} for pipeline in run.pipelines}
    return Report(run=run, dataset=dataset, metrics=metrics, summary=summary, rows=rows)


def cell(scores: Iterable[Score]) -> Cell:
    """Sum up the Scores of one metric. Repeats of one sample count as one cluster in the interval."""
    values: dict[str, list[float]] = {}
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for score in scores:
        counts[score.status] += 1
        if score.status != "scored":
            reasons[score.error or score.status] += 1
        if score.value is not None:
            values.setdefault(score.sample_id, []).append(score.value)
        if score.label is not None:
            labels[score.label] += 1
    flat = [value for repeats in values.values() for value in repeats]
    interval = mean_interval([fsum(repeats) / len(repeats) for repeats in values.values()])
    return Cell(
        mean=fsum(flat) / len(flat) if flat else None,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        scored=counts["scored"],
        skipped=counts["skipped"],
        failed=counts["failed"],
        reasons=dict(reasons.most_common()),
        labels=dict(labels.most_common()),
    )


def _sorted(by_key: Mapping[tuple[str, int], T], order: Mapping[str, int]) -> dict[tuple[str, int], T]:
    return dict(sorted(by_key.items(), key=lambda item: (order[item[0][0]], item[0][1])))


def _of(rows: Iterable[ReportRow], pipeline: str, label: str) -> Iterable[Score]:
    for row in rows:
        for (name, _), by_metric in row.scores.items():
            if name == pipeline and label in by_metric:
                yield by_metric[label]
