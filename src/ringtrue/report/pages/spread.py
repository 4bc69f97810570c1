"""How the values of a metric are spread: a table of counts, shaded, that reads as a histogram a pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from statistics import median

from ringtrue.report.plain import finite, number
from ringtrue.report.report import Report

__all__ = ["Spread", "spread_of"]

_BINS = 10


@dataclass(frozen=True, slots=True)
class Spread:
    """`bins` are (lower edge, span) as text; a row has a pipeline, its (count, shade of 0 to 10) by bin, its median."""

    bins: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[tuple[str, int]], str]]


def spread_of(report: Report, label: str, axis: tuple[float, float]) -> Spread | None:
    """The values of all answers by pipeline over `axis`; ``None`` where all are 0 or 1, since the means say as much."""
    by_pipeline: dict[str, list[float]] = {name: [] for name in report.pipelines}
    for row in report.rows:
        for (name, _), scores in row.scores.items():
            if label in scores and scores[label].status == "scored":
                value = finite(scores[label].value)
                if value is not None:
                    by_pipeline[name].append(value)
    values = [value for given in by_pipeline.values() for value in given]
    if not values or set(values) <= {0.0, 1.0}:
        return None
    edges = _edges(min(axis[0], *values), max(axis[1], *values))
    rows = [
        (name, _counts(given, edges), number(median(given)) if given else "–") for name, given in by_pipeline.items()
    ]
    return Spread([(_plain(low), f"{_plain(low)} to {_plain(high)}") for low, high in pairwise(edges)], rows)


def _edges(low: float, high: float) -> list[float]:
    """The edges of at most ten bins, of a width that is read well: 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / _BINS, 1e-9 * max(abs(low), abs(high), 1.0)) if high > low else 1.0
    power = 10.0 ** floor(log10(rough))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))
    start = floor(low / width + 1e-9)
    bins = max(ceil(high / width - 1e-9) - start, 1)
    return [round((start + place) * width, 12) for place in range(bins + 1)]


def _counts(values: Sequence[float], edges: Sequence[float]) -> list[tuple[str, int]]:
    """How many values lie in each bin, from its lower edge up to the next; the last bin has its upper edge too."""
    counts = [0] * (len(edges) - 1)
    width = edges[1] - edges[0]
    for value in values:
        counts[min(max(int((value - edges[0]) / width + 1e-9), 0), len(counts) - 1)] += 1
    return [(f"{n:,}" if n else "", ceil(10 * n / len(values)) if values else 0) for n in counts]


def _plain(edge: float) -> str:
    return f"{edge:g}".replace("-", "−")
