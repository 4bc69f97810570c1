"""A card a metric: each pipeline's mean with its interval on an axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.pages.spread import Spread, spread_of
from ringtrue.report.plain import best_pipelines, coverage, finite, interval_text, labels_text, number, value_text
from ringtrue.report.report import Report

__all__ = ["Card", "Line", "metric_card"]


@dataclass(frozen=True, slots=True)
class Line:
    """One pipeline's mean on a card. `low`, `width` and `at` place interval and mean on the axis, in percent."""

    pipeline: str
    mean: str
    interval: str
    coverage: str
    partial: bool
    labels: str
    best: bool
    low: str | None
    width: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class Card:
    """One metric: what it means, a Line for each pipeline, and how its values are spread, where that tells more."""

    label: str
    summary: str
    scale: str
    range: str
    better: str
    source: str
    signature: str
    lines: Sequence[Line]
    spread: Spread | None


def metric_card(report: Report, label: str) -> Card:
    """What the page shows of one metric."""
    use = report.metrics[label]
    metric = use.metric
    span = _span(*metric.range)
    better = "" if metric.better is None else f"{metric.better} is better"
    axis = _axis(report, label)
    best = best_pipelines(report, label)
    return Card(
        label=label,
        summary=metric.summary,
        scale=", ".join(filter(None, (metric.unit, span, better))),
        range=", ".join(filter(None, (metric.unit, span))),
        better=metric.better or "–",
        source=metric.source,
        signature=use.signature,
        lines=[_line(report, name, label, axis, name in best) for name in report.pipelines],
        spread=spread_of(report, label, axis),
    )


def _span(least: float | None, most: float | None) -> str:
    if least is None:
        return "any number" if most is None else f"up to {value_text(most)}"
    return f"from {value_text(least)}" if most is None else f"{value_text(least)} to {value_text(most)}"


def _axis(report: Report, label: str) -> tuple[float, float]:
    """Where the axis of a metric begins and ends: its own range, else what the pipelines' intervals take."""
    least, most = report.metrics[label].metric.range
    cells = [cells[label] for cells in report.summary.values()]
    known = [value for cell in cells for value in (cell.low, cell.mean, cell.high) if finite(value) is not None]
    values = [value for value in known if value is not None]
    low = least if least is not None else min([0.0, *values])
    high = most if most is not None else max([low, *values])
    return low, high if high > low else low + 1.0


def _line(report: Report, name: str, label: str, axis: tuple[float, float], best: bool) -> Line:
    cell = report.summary[name][label]
    low, high = finite(cell.low), finite(cell.high)
    known = low is not None and high is not None
    start, end = _percent(low, axis), _percent(high, axis)
    return Line(
        pipeline=name,
        mean="–" if cell.mean is None else number(cell.mean),
        interval=interval_text(low or 0.0, high or 0.0) if known else "",
        coverage=coverage(cell) or f"{cell.scored:,}",
        partial=bool(coverage(cell)),
        labels=labels_text(cell.labels) if cell.mean is None else "",
        best=best,
        low=None if start is None else f"{start:.2f}",
        width=None if start is None or end is None else f"{max(end - start, 0.5):.2f}",
        at=None if (at := _percent(cell.mean, axis)) is None else f"{at:.2f}",
    )


def _percent(value: float | None, axis: tuple[float, float]) -> float | None:
    if (known := finite(value)) is None:
        return None
    return min(max((known - axis[0]) / (axis[1] - axis[0]), 0.0), 1.0) * 100
