"""Figures of a judge's probabilities: Brier score, calibration, and the expected calibration error."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ringtrue.errors import DataError
from ringtrue.stats.bootstrap import cluster_codes
from ringtrue.stats.confusion import Array, Statistic, divided
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import wilson_interval
from ringtrue.stats.ranking import known_rows

__all__ = ["BRIER", "Bin", "brier", "brier_cells", "calibration", "calibration_error"]

_NO_ROWS = "no rows with a label and a probability"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """The `n` rows whose probability lies from `low` to `high`: their mean probability, and the share of positives.

    `share` has Wilson's interval. A calibrated judge has `mean` within it.
    """

    low: float
    high: float
    n: int
    mean: float
    share: Figure


def _mean_square(cells: Array) -> Array:
    return divided(cells[..., 0], cells[..., 1])


BRIER = Statistic(_mean_square, _NO_ROWS)


def brier(truth: Sequence[bool | None], probabilities: Sequence[float | None]) -> Figure:
    """Mean squared distance of the probability from 1 or 0 (Brier 1950); 0 is best, a constant 0.5 gets 0.25."""
    total = brier_cells(truth, [probabilities]).sum((0, 1))
    return Figure(float(total[0] / total[1])) if total[1] else Figure(None, why=_NO_ROWS)


def brier_cells(
    truth: Sequence[bool | None],
    runs: Sequence[Sequence[float | None]],
    clusters: Sequence[Hashable] | None = None,
) -> Array:
    """What `bootstrap` needs for the Brier score: (sum of squares, rows) by run and cluster."""
    cluster, count = cluster_codes(clusters, len(truth))
    cells = np.zeros((len(runs), count, 2))
    for place, run in enumerate(runs):
        rows, positive, values = _probabilities(truth, run)
        cells[place, :, 0] = np.bincount(cluster[rows], (values - positive) ** 2, minlength=count)
        cells[place, :, 1] = np.bincount(cluster[rows], minlength=count)
    return cells


def calibration(
    truth: Sequence[bool | None],
    probabilities: Sequence[float | None],
    *,
    bins: int = 10,
    by: Literal["count", "width"] = "count",
) -> tuple[Bin, ...]:
    """The rows in bins by probability: of about equal `count` of rows, or of equal `width`.

    Equal probabilities are never parted, and empty bins are left out, so that there may be fewer than `bins`.
    """
    _, positive, values = _probabilities(truth, probabilities)
    if not len(values):
        return ()
    steps = np.linspace(0, 1, bins + 1)
    edges = steps if by == "width" else np.unique(np.quantile(values, steps, method="inverted_cdf"))
    place = np.searchsorted(edges[1:-1], values, side="right")
    found = []
    for one in np.unique(place).tolist():
        inside = place == one
        n, hits = int(inside.sum()), int(positive[inside].sum())
        low, high = float(edges[one]), float(edges[min(one + 1, len(edges) - 1)])
        share = Figure(hits / n, *wilson_interval(hits, n))
        found.append(Bin(low=low, high=high, n=n, mean=float(values[inside].mean()), share=share))
    return tuple(found)


def calibration_error(bins: Sequence[Bin]) -> Figure:
    """Mean gap between probability and share of positives (Naeini et al. 2015), by rows; it depends on the bins."""
    n = sum(one.n for one in bins)
    if not n:
        return Figure(None, why=_NO_ROWS)
    return Figure(fsum(one.n * abs(one.mean - (one.share.value or 0.0)) for one in bins) / n)


def _probabilities(
    truth: Sequence[bool | None], values: Sequence[float | None]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], Array]:
    rows, positive, known = known_rows(truth, values)
    wrong = np.flatnonzero((known < 0) | (known > 1))
    if len(wrong):
        first = wrong[0]
        raise DataError(
            f"row {int(rows[first]) + 1} has {float(known[first])!r} as a probability",
            mend="probabilities lie between 0 and 1; a score of another range can be swept and ranked, not calibrated",
        )
    return rows, positive, known
