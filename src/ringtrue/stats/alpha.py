"""Krippendorff's alpha: how far raters agree beyond chance, for any number of raters and with missing ratings.

Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability" (repository.upenn.edu/asc_papers/43). One minus the
disagreement within items over the disagreement of all ratings paired at random; items with one rating drop out.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.stats.bootstrap import bootstrap, cluster_codes
from ringtrue.stats.confusion import ONE_CATEGORY, Array, Label, Statistic, divided, known_labels
from ringtrue.stats.figure import Figure
from ringtrue.stats.raters import Ratings, coded_ratings

__all__ = ["Alpha", "Level", "krippendorff"]

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]

_MOST_CELLS = 20_000_000  # 160 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha:
    """Alpha, and what stands behind it: `units` items with two ratings or more of `items`, and the raters who rated."""

    alpha: Figure
    units: int
    items: int
    raters: int


def krippendorff(
    ratings: Ratings,
    level: Level = "nominal",
    *,
    order: Sequence[Label] | None = None,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
) -> Alpha:
    """Alpha of `ratings` (items × raters) with a bootstrap interval over `clusters` of items.

    `order` lists the labels of an ordinal scale from low to high; without it they are numbers. Interval and ratio
    scales need numbers (else ``ValueError``), ratio scales none below zero.
    """
    values = _values(ratings, level, order)
    coded = coded_ratings(ratings, values)
    raters = int((coded >= 0).any(0).sum())
    given = (coded >= 0).sum(1)
    pairable = given >= 2
    units = int(pairable.sum())
    if raters < 2 or not units:
        why = "fewer than two raters" if raters < 2 else "no item that two raters have rated"
        return Alpha(alpha=Figure(None, why=why), units=units, items=len(ratings), raters=raters)
    cluster, count = cluster_codes(clusters, len(ratings))
    scale = _scale(values, level)
    where, kinds, kind, weights = _disagreements(coded, given, len(values))
    low, high = kinds // len(values), kinds % len(values)
    if level != "ordinal":  # how far two labels are apart does not depend on the others: one cell is enough
        weights, kind = weights * _apart(scale, level, low, high)[kind], np.zeros_like(kind)
    width = len(kinds) if level == "ordinal" else 1
    many = count * (len(values) + width) > _MOST_CELLS
    if many:
        cluster, count = np.zeros_like(cluster), 1
    coded = np.where(pairable[:, None], coded, -1)
    observed = np.bincount(cluster[where] * width + kind, weights, minlength=count * width).reshape(count, width)
    cells = np.hstack([_marginals(coded, cluster, count, len(values)), observed])[None]

    def alpha(flat: Array) -> Array:
        return _alpha(flat[..., : len(values)], flat[..., len(values) :], level, scale, low, high)

    figure = bootstrap(cells, {"alpha": Statistic(alpha, ONE_CATEGORY)}, draws=draws, seed=seed)["alpha"]
    if many and draws and figure.value is not None:
        figure = Figure(figure.value, why="no interval: too many different labels")
    return Alpha(alpha=figure, units=units, items=len(ratings), raters=raters)


def _values(ratings: Ratings, level: Level, order: Sequence[Label] | None) -> Sequence[Label]:
    if order is not None:
        return tuple(order)
    values = known_labels(*ratings)
    if level != "nominal" and not all(isinstance(value, int | float) for value in values):
        raise ValueError(f"alpha at the {level} level needs numbers" + (" or an order" if level == "ordinal" else ""))
    if level == "ratio" and any(value < 0 for value in values if isinstance(value, int | float)):
        raise ValueError("alpha at the ratio level needs numbers of zero or more")
    return values


def _scale(values: Sequence[Label], level: Level) -> Array:
    """Where the labels stand. Interval scales are centred, so that their squares can be summed without loss."""
    if level in ("nominal", "ordinal"):
        return np.arange(len(values), dtype=np.float64)
    scale = np.array([float(value) for value in values if isinstance(value, int | float)])
    return scale - scale.mean() if level == "interval" else scale


def _marginals(coded: NDArray[np.int64], cluster: NDArray[np.int64], count: int, size: int) -> Array:
    """How often each label is given in each cluster: (clusters, labels)."""
    rows, columns = np.nonzero(coded >= 0)
    given = np.bincount(cluster[rows] * size + coded[rows, columns], minlength=count * size)
    return given.reshape(count, size).astype(np.float64)


def _disagreements(
    coded: NDArray[np.int64], given: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Array]:
    """Every two different ratings of one item: the item, all kinds of pairs, the kind of each, and 1 / (ratings - 1).

    A kind is the two labels' places as lower × `size` + higher.
    """
    items, pairs = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for first, second in combinations(range(coded.shape[1]), 2):
        one, other = coded[:, first], coded[:, second]
        differ = np.flatnonzero((one >= 0) & (other >= 0) & (one != other))
        items.append(differ)
        pairs.append(np.minimum(one, other)[differ] * size + np.maximum(one, other)[differ])
    where = np.concatenate(items)
    kinds, kind = np.unique(np.concatenate(pairs), return_inverse=True)
    return where, kinds, kind, 1 / (given[where] - 1)


def _apart(scale: Array, level: Level, low: NDArray[np.int64], high: NDArray[np.int64]) -> Array:
    """Squared distance of two different labels, for the levels where it is fixed."""
    if level == "nominal":
        return np.ones(len(low))
    apart = (scale[high] - scale[low]) ** 2
    return apart / (scale[high] + scale[low]) ** 2 if level == "ratio" else apart


def _alpha(
    marginals: Array, observed: Array, level: Level, scale: Array, low: NDArray[np.int64], high: NDArray[np.int64]
) -> Array:
    n = marginals.sum(-1)
    if level == "ordinal":
        # The distance of two ranks is that of their mean ranks among all ratings.
        ranks = np.cumsum(marginals, -1) - marginals / 2 - n[..., None] / 2
        within = (observed * (ranks[..., high] - ranks[..., low]) ** 2).sum(-1)
        expected = 2 * n * (marginals * ranks**2).sum(-1)
    else:
        within, expected = observed[..., 0], _expected(marginals, n, level, scale)
    some = expected > 1e-12 * n**2 * (1.0 if level != "interval" else np.max(scale**2))
    return 1 - divided(2 * within * (n - 1), np.where(some, expected, 0.0))


def _expected(marginals: Array, n: Array, level: Level, scale: Array) -> Array:
    """Sum of the squared distances over all ordered pairs of ratings."""
    total: Array = np.zeros(np.shape(n))
    if level == "nominal":
        total += n**2 - (marginals**2).sum(-1)
    elif level == "interval":
        total += 2 * (n * (marginals @ scale**2) - (marginals @ scale) ** 2)
    for place, value in enumerate(scale if level == "ratio" else ()):  # row by row: the matrix can be large
        apart = np.divide(scale - value, scale + value, out=np.zeros(len(scale)), where=scale + value > 0) ** 2
        total += marginals[..., place] * (marginals @ apart)
    return total
