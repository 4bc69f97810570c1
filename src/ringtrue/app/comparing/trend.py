"""A metric over the stored runs."""

from collections.abc import Sequence
from dataclasses import replace

from ringtrue.data.store import Store
from ringtrue.errors import UnknownNameError
from ringtrue.report.comparing.trend import TrendPoint, trend_points
from ringtrue.types import RunInfo, UsedMetric

__all__ = ["trend_of"]


def trend_of(store: Store, runs: Sequence[RunInfo], metric: str) -> list[TrendPoint]:
    """The metric's mean by run and pipeline, the first run first. Raises UnknownNameError where no run has it.

    `metric` is a label, or the metric's name; only its own Scores are read.
    """
    found = [(run, used) for run in reversed(runs) if (used := _used(run, metric)) is not None]
    if not found:
        known = dict.fromkeys(used.label for run in runs for used in run.metrics)
        raise UnknownNameError("metric", metric, known, where="--trend")
    narrowed = [replace(run, metrics=(used,)) for run, used in found]
    return trend_points([(run, list(store.scores(run))) for run in narrowed])


def _used(run: RunInfo, metric: str) -> UsedMetric | None:
    name = metric.casefold().replace("-", "_")
    labelled = (used for used in run.metrics if used.label.casefold().replace("-", "_") == name)
    named = (used for used in run.metrics if used.written.partition("(")[0].casefold().replace("-", "_") == name)
    return next(labelled, None) or next(named, None)
