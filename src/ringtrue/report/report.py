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

    `mean` is ``None`` where no row was scored or the metric gives labels; `low` and `high` where the samples cannot
    tell (there is one, or all are equal). `reasons` counts why rows were skipped or failed; `labels` counts labels.
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
    """One gate: what was asked, of which pipeline and slice, and what came out.

    `mean` is ``None`` where nothing was scored.
    """

    metric: str
    pipeline: str
    where: str | None
    require: str
    mean: float | None
    scored: int
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
    """Everything a renderer prints. `summary` is by pipeline, then metric label; `rows` are in the dataset's order."""

    run: RunInfo
    dataset: Dataset
    metrics: Mapping[str, MetricUse]
    summary: Mapping[str, Mapping[str, Cell]]
    rows: Sequence[ReportRow]
    thresholds: Sequence[ThresholdResult] = ()
    exit_code: int = 0

    def __repr__(self) -> str:
        return f"<Report of run {self.run.id}: {len(self.rows)} samples, exit code {self.exit_code}>"

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
        place, key = judged[score.sample_id], (score.pipeline, score.repeat)
        if key not in place:
            place[key] = {}
        place[key][score.metric] = score
    order = {name: place for place, name in enumerate(run.pipelines)}
    if len(metrics) > 1:
        for place in judged.values():
            for key, found in place.items():
                place[key] = {label: found[label] for label in metrics if label in found}
    rows = [
        ReportRow(
            sample=sample,
            responses=_sorted(responses[sample.id], order),
            scores=_sorted(judged[sample.id], order),
        )
        for sample in dataset
    ]
    summary = {
        pipeline: {label: cell(found, metrics[label].metric.range) for label, found in by_label.items()}
        for pipeline, by_label in _by_cell(rows, run.pipelines, metrics).items()
    }
    return Report(run=run, dataset=dataset, metrics=metrics, summary=summary, rows=rows)


def cell(scores: Iterable[Score], range: tuple[float | None, float | None] = (None, None)) -> Cell:
    """Sum up the Scores of one metric, whose least and greatest values are its `range`.

    Repeats of one sample are averaged first, so that each sample counts once in the mean and in its interval.
    """
    given = list(scores)
    scored = [score for score in given if score.status == "scored"]
    unscored = [score for score in given if score.status != "scored"]
    valued = [(score.sample_id, score.value) for score in scored if score.value is not None]
    values = _cluster_means(valued)
    interval = mean_interval(values, range)
    skipped = sum(score.status == "skipped" for score in unscored)
    return Cell(
        mean=fsum(values) / len(values) if values else None,
        low=interval[0] if interval else None,
        high=interval[1] if interval else None,
        scored=len(scored),
        skipped=skipped,
        failed=len(unscored) - skipped,
        reasons=_counted(score.error or score.status for score in unscored),
        labels=_counted(score.label for score in scored if score.label is not None),
    )


def _cluster_means(valued: Sequence[tuple[str, float]]) -> list[float]:
    """One value a sample: its own, or the mean over its repeats."""
    by_sample = dict(valued)
    if len(by_sample) == len(valued):
        return list(by_sample.values())
    clusters: dict[str, list[float]] = {}
    for sample_id, value in valued:
        clusters.setdefault(sample_id, []).append(value)
    return [fsum(repeats) / len(repeats) for repeats in clusters.values()]


def _counted(texts: Iterable[str]) -> dict[str, int]:
    return dict(Counter(texts).most_common())


def _sorted(by_key: Mapping[tuple[str, int], T], order: Mapping[str, int]) -> Mapping[tuple[str, int], T]:
    if len(by_key) < 2:
        return by_key
    return dict(sorted(by_key.items(), key=lambda item: (order[item[0][0]], item[0][1])))


def _by_cell(
    rows: Iterable[ReportRow], pipelines: Iterable[str], labels: Iterable[str]
) -> dict[str, dict[str, list[Score]]]:
    """The Scores of each pipeline and metric label, in one pass."""
    known = tuple(labels)
    found: dict[str, dict[str, list[Score]]] = {name: {label: [] for label in known} for name in pipelines}
    for row in rows:
        for (pipeline, _), by_metric in row.scores.items():
            lists = found[pipeline]
            for label, score in by_metric.items():
                lists[label].append(score)
    return found
