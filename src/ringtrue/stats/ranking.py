"""Figures of a score that ranks the rows: area under the curve, and the sweep over every threshold."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from ringtrue.stats.bootstrap import (
    DEFAULT_METHOD,
    ONE_CLUSTER,
    Method,
    cluster_codes,
    estimate,
    resamples,
    run_weights,
)
from ringtrue.stats.confusion import Array, agreement, divided, kappa, tnr, tpr
from ringtrue.stats.figure import Figure

__all__ = ["Cut", "auc", "auc_interval", "best_cut", "known_rows", "sweep"]

_UNDEFINED = "people use one label only on the scored rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What a judge is worth that calls a row positive where its score is `at` or more; ``None`` is undefined."""

    at: float
    agreement: float | None
    kappa: float | None
    tpr: float | None
    tnr: float | None


@dataclass(frozen=True, slots=True)
class _Sides:
    """The positive and the negative rows of one run, each in the order of its ranks (of its scores)."""

    positives: NDArray[np.int64]
    positive_clusters: NDArray[np.int64]
    negatives: NDArray[np.int64]
    negative_clusters: NDArray[np.int64]


def known_rows(
    truth: Sequence[bool | None], scores: Sequence[float | None]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], Array]:
    """The rows that have both a truth and a score (neither ``None`` nor NaN): their places, truths and scores."""
    values = np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
    known = np.array([one is not None for one in truth], dtype=np.bool_)
    if len(values) != len(known):
        raise ValueError(f"{len(known)} truths and {len(values)} scores: they must be the same rows")
    places = np.flatnonzero(known & ~np.isnan(values))
    return places, np.array([bool(truth[place]) for place in places.tolist()], dtype=np.bool_), values[places]


def auc(truth: Sequence[bool | None], scores: Sequence[float | None]) -> Figure:
    """Chance that a positive row scores above a negative one, ties count half (Mann and Whitney 1947).

    Rows without a truth or a score are left out.
    """
    return auc_interval(truth, [scores], draws=0)


def auc_interval(
    truth: Sequence[bool | None],
    runs: Sequence[Sequence[float | None]],
    *,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = DEFAULT_METHOD,
) -> Figure:
    """The mean area over a judge's `runs` (runs × rows of scores) with its bootstrap interval, as in `bootstrap`."""
    cluster, count = cluster_codes(clusters, len(truth))
    sides = [_sides(truth, scores, cluster) for scores in runs]
    value = float(_mean(np.stack([_areas(run, np.ones((1, count))) for run in sides], -1))[0])
    if isnan(value):
        return Figure(None, why=_UNDEFINED)
    if not draws or count < 2:
        return Figure(value, why=ONE_CLUSTER if draws else None)
    rows = max(len(run.positives) + len(run.negatives) for run in sides)
    chunks = resamples(count, draws, seed, widest=rows)
    areas = [np.stack([_areas(run, weights) for run in sides], -1) for weights in chunks]
    drawn = _mean(np.concatenate(areas), run_weights(len(sides), draws, seed))
    jackknife = _mean(np.stack([_areas_without(run, count) for run in sides], -1))
    return estimate(value, drawn, jackknife, _UNDEFINED, confidence, method)


def _sides(truth: Sequence[bool | None], scores: Sequence[float | None], cluster: NDArray[np.int64]) -> _Sides:
    places, positive, values = known_rows(truth, scores)
    ranks = np.unique(values, return_inverse=True)[1]
    order = np.argsort(ranks, kind="stable")
    up, down = order[positive[order]], order[~positive[order]]
    return _Sides(ranks[up], cluster[places[up]], ranks[down], cluster[places[down]])


def _areas(run: _Sides, weights: Array) -> Array:
    """The area of each resample; `weights` say how often each cluster is drawn: (resamples, clusters).

    Each positive wins against the negatives below it, and half against those of the same score.
    """
    positives = weights[:, run.positive_clusters]
    negatives = np.zeros((len(weights), len(run.negatives) + 1))
    np.cumsum(weights[:, run.negative_clusters], axis=1, out=negatives[:, 1:])
    below = np.searchsorted(run.negatives, run.positives, side="left")
    upto = np.searchsorted(run.negatives, run.positives, side="right")
    wins = np.einsum("bn,bn->b", positives, negatives[:, below])
    if np.any(below != upto):
        wins = (wins + np.einsum("bn,bn->b", positives, negatives[:, upto])) / 2
    return divided(wins, positives.sum(1) * negatives[:, -1])


def _areas_without(run: _Sides, count: int) -> Array:
    """The area with each of `count` clusters left out: all wins, less those of a row of the cluster."""
    own, others = run.positive_clusters, run.negative_clusters
    won = _below(run.positives, run.negatives)
    lost = len(run.positives) - _below(run.negatives, run.positives)
    # The same inside the clusters: a rank in a cluster is a place in a row of all clusters one after the other.
    ranks = int(max(run.positives.max(initial=0), run.negatives.max(initial=0))) + 1
    inner = np.sort(others * ranks + run.negatives)
    won_inside = _below(own * ranks + run.positives, inner) - np.searchsorted(inner, own * ranks)
    wins = won.sum() - _summed(own, won, count) - _summed(others, lost, count) + _summed(own, won_inside, count)
    positives = len(run.positives) - np.bincount(own, minlength=count)
    negatives = len(run.negatives) - np.bincount(others, minlength=count)
    return divided(wins, (positives * negatives).astype(np.float64))


def _below(ranks: NDArray[np.int64], others: NDArray[np.int64]) -> Array:
    """How many of the sorted `others` are below each rank; equal ones count half."""
    twice = np.searchsorted(others, ranks, side="left") + np.searchsorted(others, ranks, side="right")
    return twice / 2.0


def _summed(cluster: NDArray[np.int64], values: Array, count: int) -> Array:
    return np.bincount(cluster, values, minlength=count).astype(np.float64)


def _mean(areas: Array, weights: Array | None = None) -> Array:
    """Mean over the runs (last axis) whose area is defined."""
    weights = np.where(np.isnan(areas), 0.0, 1.0 if weights is None else weights)
    return divided((np.nan_to_num(areas) * weights).sum(-1), weights.sum(-1))


def sweep(truth: Sequence[bool | None], scores: Sequence[float | None]) -> tuple[Cut, ...]:
    """Every score that occurs as a threshold, from low to high: one sort, and sums from the top."""
    _, positive, values = known_rows(truth, scores)
    if not len(values):
        return ()
    order = np.argsort(values, kind="stable")
    positive, values = positive[order].astype(np.float64), values[order]
    starts = np.unique(values, return_index=True)[1]
    total, n = positive.sum(), len(values)
    missed: Array = (np.cumsum(positive) - positive)[starts]  # positives below the cut
    true_negatives = starts - missed
    hit = total - missed
    tables = np.stack([true_negatives, n - starts - hit, missed, hit], -1).reshape(-1, 2, 2)
    columns = [[None if isnan(x) else x for x in of(tables).tolist()] for of in (agreement, kappa, tpr, tnr)]
    return tuple(
        Cut(at=at, agreement=right, kappa=beyond, tpr=up, tnr=down)
        for at, right, beyond, up, down in zip(values[starts].tolist(), *columns, strict=True)
    )


def best_cut(cuts: Sequence[Cut]) -> Cut | None:
    """The cut of greatest kappa; of equal ones that of greatest agreement, then the highest. ``None`` without a kappa.

    Choose on dev rows and measure on others: on the rows it was chosen on, it flatters the judge.
    """
    able = [cut for cut in cuts if cut.kappa is not None]
    return max(able, key=lambda cut: (cut.kappa, cut.agreement, cut.at)) if able else None
