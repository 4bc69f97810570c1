"""The Report: what is computed from one Run's stored Scores. A pure function of them; renderers only print it."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from typing import TypeVar, overload

from ringtrue.catalogue import MetricUse
from ringtrue.report.readings.rules import RULES, Rule
from ringtrue.stats.intervals import mean_interval
from ringtrue.types import Answered, Calibration, Dataset, Response, RunInfo, Sample, Score

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
    """Everything a renderer prints. `summary` is by pipeline, then metric label; `rows` are in the dataset's order.

    `judges` are the labels of the metrics that ask models; `calibrations` are by metric label, where a metric was
    measured against people's labels. `reading_rules` say what combinations of metrics mean.
    """

    run: RunInfo
    dataset: Dataset
    metrics: Mapping[str, MetricUse]
    summary: Mapping[str, Mapping[str, Cell]]
    rows: Sequence[ReportRow]
    judges: tuple[str, ...] = ()
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    thresholds: Sequence[ThresholdResult] = ()
    reading_rules: Sequence[Rule] = RULES
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
    *,
    calibrations: Mapping[str, Calibration] | None = None,
) -> Report:
    """Join answers and Scores to the samples and sum them up. `metrics` maps each label to what it stands for.

    `calibrations` are what was measured of metrics against people, by signature.

    Where a place has several Scores of one metric, the last one counts.
    """
    given = list(scores)
    by_cell = _by_cell(given, run.pipelines, metrics)
    summary = {
        pipeline: {label: cell(found.values(), metrics[label].metric.range) for label, found in by_label.items()}
        for pipeline, by_label in by_cell.items()
    }
    judges = [label for label in metrics if any(_asks(cells[label].values()) for cells in by_cell.values())]
    rows = _Rows(run, dataset, metrics, list(answers), given)
    signatures = {one.label: one.signature for one in run.metrics}
    return Report(
        run=run,
        dataset=dataset,
        metrics=metrics,
        summary=summary,
        rows=rows,
        judges=tuple(judges),
        calibrations={
            label: known for label in metrics if (known := (calibrations or {}).get(signatures.get(label, "")))
        },
    )


class _Rows(Sequence[ReportRow]):
    """The rows of a report, joined when they are first looked at: a gate needs the summary alone."""

    def __init__(
        self,
        run: RunInfo,
        dataset: Dataset,
        metrics: Mapping[str, MetricUse],
        answers: Sequence[Answered],
        scores: Sequence[Score],
    ) -> None:
        self._run, self._dataset, self._metrics = run, dataset, metrics
        self._answers, self._scores = answers, scores

    def __len__(self) -> int:
        return len(self._dataset)

    @overload
    def __getitem__(self, place: int) -> ReportRow: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ReportRow]: ...
    def __getitem__(self, place: int | slice) -> ReportRow | Sequence[ReportRow]:
        return self._joined[place]

    @cached_property
    def _joined(self) -> list[ReportRow]:
        responses: dict[str, dict[tuple[str, int], Response]] = {sample.id: {} for sample in self._dataset}
        judged: dict[str, dict[tuple[str, int], dict[str, Score]]] = {sample.id: {} for sample in self._dataset}
        for one in self._answers:
            responses[one.sample_id][one.pipeline, one.repeat] = one.response
        for score in self._scores:
            judged[score.sample_id].setdefault((score.pipeline, score.repeat), {})[score.metric] = score
        for place in judged.values():
            for key, found in place.items():
                place[key] = {label: found[label] for label in self._metrics if label in found}
        order = {name: place for place, name in enumerate(self._run.pipelines)}
        return [
            ReportRow(
                sample=sample,
                responses=_sorted(responses[sample.id], order),
                scores=_sorted(judged[sample.id], order),
            )
            for sample in self._dataset
        ]


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


def _asks(scores: Iterable[Score]) -> bool:
    """Whether these Scores of one metric come of asking models. One of them tells: the rest is not looked at."""
    told = next((score for score in scores if score.status == "scored" or score.source == "judge"), None)
    return told is not None and (told.source == "judge" or told.usage is not None)


def _counted(texts: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(texts).items(), key=lambda counted: (-counted[1], counted[0])))


def _sorted(by_key: Mapping[tuple[str, int], T], order: Mapping[str, int]) -> Mapping[tuple[str, int], T]:
    if len(by_key) < 2:
        return by_key
    return dict(sorted(by_key.items(), key=lambda item: (order[item[0][0]], item[0][1])))


def _by_cell(
    scores: Iterable[Score], pipelines: Iterable[str], labels: Iterable[str]
) -> dict[str, dict[str, dict[Hashable, Score]]]:
    """The Scores of each pipeline and metric label by their place, the last one of each place."""
    known = tuple(labels)
    found: dict[str, dict[str, dict[Hashable, Score]]] = {name: {label: {} for label in known} for name in pipelines}
    for score in scores:
        place = (score.sample_id, score.repeat) if score.repeat else score.sample_id
        found[score.pipeline][score.metric][place] = score
    return found
