"""Gates: what a mean must reach, whether it did, and the exit code that follows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite

from ringtrue.catalogue import MetricUse
from ringtrue.data.where import predicate
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.plain import count, number, one_line
from ringtrue.report.report import Report, ThresholdResult, cell
from ringtrue.types import Score

__all__ = [
    "Requirement",
    "Threshold",
    "check_thresholds",
    "exit_code",
    "find_label",
    "parse_requirement",
    "threshold_text",
]

INCOMPLETE, NOT_REACHED = 3, 100

_REQUIREMENT = re.compile(r"\s*(>=|<=|==|>|<|≥|≤)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(%?)\s*")
_WRITTEN = {"≥": ">=", "≤": "<="}
_CLOSE = 1e-9  # a mean that differs from its bound by less is equal to it: 0.1 + 0.2 is 0.3 here


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a mean must be: `operator` is ``>=``, ``>``, ``<=``, ``<`` or ``==``; a percentage is its hundredth."""

    operator: str
    bound: float

    def holds(self, mean: float) -> bool:
        """Whether `mean` is what was asked for. A difference below 1e-9 is none."""
        if not isfinite(mean):
            return False
        if isclose(mean, self.bound, rel_tol=_CLOSE, abs_tol=_CLOSE):
            return "=" in self.operator
        return (mean > self.bound and ">" in self.operator) or (mean < self.bound and "<" in self.operator)


@dataclass(frozen=True, slots=True)
class Threshold:
    """One gate as asked for: of every pipeline where none is named, over the samples that `where` selects.

    `where` is a JMESPath over the sample's record (``metadata.lang == 'de'``).
    """

    metric: str
    require: str
    pipeline: str | None = None
    where: str | None = None


def parse_requirement(text: str) -> Requirement:
    """Read ``">= 0.8"``, ``"≥ 80%"``, ``"< 2.5"``. Raises UsageError."""
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        raise UsageError(
            f"threshold {text!r} cannot be read", mend="write an operator (>= > <= < ==) and a number, such as '>= 0.8'"
        )
    operator, bound, percent = found.groups()
    return Requirement(_WRITTEN.get(operator, operator), float(bound) / (100 if percent else 1))


def find_label(metrics: Mapping[str, MetricUse], name: str) -> str:
    """The label of the run's metric that `name` means: the label itself, or the metric's name where one label has it.

    Raises UnknownNameError, or UsageError where several labels have that metric.
    """
    if name in metrics:
        return name
    named = [label for label, use in metrics.items() if _fold(name) in (_fold(label), _fold(use.metric.name))]
    if len(named) > 1:
        raise UsageError(f"threshold for {name!r}: the run has it as {', '.join(named)}", mend="write one of them")
    if not named:
        raise UnknownNameError("metric", name, metrics, where="thresholds")
    return named[0]


def check_thresholds(report: Report, wanted: Sequence[Threshold]) -> tuple[ThresholdResult, ...]:
    """Hold the report's means against the thresholds. Where nothing was scored, nothing is passed.

    Raises UnknownNameError for a metric or pipeline that the run has not, UsageError for what cannot be read.
    """
    return tuple(
        _check(report, one, find_label(report.metrics, one.metric), pipeline)
        for one in wanted
        for pipeline in _pipelines(report, one.pipeline)
    )


def exit_code(
    report: Report, thresholds: Iterable[ThresholdResult], max_failed: float, *, must_score: bool = False
) -> int:
    """0 passed, 100 a threshold failed, 3 the run is not finished or too many Scores failed.

    Too many: more than the share `max_failed` (0 to 1) of all Scores of any one pipeline. Where there are thresholds,
    missing answers count like failed ones: a pipeline must not pass a gate by leaving out what is hard. With
    `must_score`, a metric that scored no row of any pipeline is incomplete too: somebody asked for it by name.
    """
    gates = list(thresholds)
    if report.run.status != "finished":
        return INCOMPLETE
    for cells in report.summary.values():
        failed = sum(one.failed + (one.reasons.get("no answer", 0) if gates else 0) for one in cells.values())
        total = sum(one.scored + one.skipped + one.failed for one in cells.values())
        if failed and failed / total > max_failed:
            return INCOMPLETE
    if not all(result.passed for result in gates):
        return NOT_REACHED
    idle = any(not any(cells[label].scored for cells in report.summary.values()) for label in report.metrics)
    return INCOMPLETE if must_score and idle else 0


def threshold_text(result: ThresholdResult) -> str:
    """``facts_matched >= 0.8 for base, where metadata.lang == 'de': 0.500 over 4 samples scored``."""
    where = f", where {one_line(result.where, 120)}" if result.where else ""
    asked = f"{result.metric} {result.require} for {one_line(result.pipeline, 60)}{where}"
    if result.mean is None:
        return f"{asked}: nothing was scored" if not result.scored else f"{asked}: labels have no mean"
    mean = number(result.mean)
    if not result.passed and mean == number(parse_requirement(result.require).bound):
        mean = f"{result.mean:.6g}"  # else it would seem to be the bound that it misses
    return f"{asked}: {mean} over {count(result.scored, 'score')}"


def _pipelines(report: Report, name: str | None) -> Sequence[str]:
    if name is None:
        return report.pipelines
    if name not in report.pipelines:
        raise UnknownNameError("pipeline", name, report.pipelines, where="thresholds")
    return (name,)


def _check(report: Report, wanted: Threshold, label: str, pipeline: str) -> ThresholdResult:
    requirement = parse_requirement(wanted.require)
    result = report.summary[pipeline][label]
    if wanted.where is not None:
        result = cell(_slice(report, wanted.where, label, pipeline), report.metrics[label].metric.range)
    return ThresholdResult(
        metric=label,
        pipeline=pipeline,
        where=wanted.where,
        require=wanted.require.strip(),
        mean=result.mean,
        scored=result.scored,
        passed=result.mean is not None and requirement.holds(result.mean),
    )


def _slice(report: Report, where: str, label: str, pipeline: str) -> Iterable[Score]:
    fits = predicate(where)
    for row in report.rows:
        if fits(row.sample):
            for (name, _), by_metric in row.scores.items():
                if name == pipeline and label in by_metric:
                    yield by_metric[label]


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_")
