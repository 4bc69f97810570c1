"""The mean of paired differences, with an interval over questions, and its non-inferiority within a margin.

Many differences over the same questions (metrics, pairs of pipelines) are one matrix product. A question may stand for
several rows: what is drawn again is the question.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ringtrue.stats.bootstrap import DEFAULT_METHOD, ONE_CLUSTER, Method, cluster_codes, estimate, resamples
from ringtrue.stats.confusion import Array
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import student_quantile

__all__ = ["ALL_ALIKE", "LEAST_QUESTIONS", "expanded", "mean_differences", "non_inferior", "standard_error", "summed"]

ALL_ALIKE = "every question gives the same difference: the interval is for how many might yet differ"

LEAST_QUESTIONS = 5  # of fewer, resamples do not reach as far as a 95 % interval has to
_NO_ROWS = "no row is scored on both sides"
_ALIKE_UNBOUNDED = "no interval: every question gives the same difference"


def summed(differences: Array, clusters: Sequence[Hashable] | None = None) -> tuple[Array, NDArray[np.int64]]:
    """The sum of the `differences` (rows × columns) of each question, and how many rows it has."""
    codes, count = cluster_codes(clusters, len(differences))
    sums = np.zeros((count, differences.shape[1]))
    np.add.at(sums, codes, differences)
    return sums, np.bincount(codes, minlength=count)


def mean_differences(
    sums: Array,
    counts: NDArray[np.int64],
    spans: Sequence[float | None],
    *,
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = DEFAULT_METHOD,
) -> list[Figure]:
    """The mean difference of each column of `sums` (questions × columns), over rows, with its interval.

    `spans` are the greatest differences there can be, by column (``None``: no such limit). Where all questions differ
    by the same, resampling cannot tell: then the interval is by the greatest share of questions that may differ from
    these and yet none of them be seen (Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404), each by all of the span.
    """
    questions, rows = len(counts), int(counts.sum())
    if not rows:
        return [Figure(None, why=_NO_ROWS) for _ in spans]
    values = sums.sum(0) / rows
    if questions < LEAST_QUESTIONS or not draws:
        why = ONE_CLUSTER if questions == 1 else f"no interval: {questions} questions are too few to resample"
        return [Figure(float(value), why=why if draws else None) for value in values]
    cells = np.concatenate([sums, counts[:, None].astype(np.float64)], axis=1)
    drawn = np.concatenate([weights @ cells for weights in resamples(questions, draws, seed)])
    replicates, left = drawn[:, :-1] / drawn[:, -1:], cells.sum(0) - cells
    jackknife = left[:, :-1] / left[:, -1:]
    wide = expanded(questions, confidence)
    found = []
    for place, span in enumerate(spans):
        value = float(values[place])
        if np.ptp(sums[:, place] / counts) <= 1e-12:
            found.append(_alike(value, span, questions, confidence))
            continue
        figure = estimate(value, replicates[:, place], jackknife[:, place], _NO_ROWS, wide, method)
        found.append(_within(figure, span))
    return found


@lru_cache(maxsize=64)
def expanded(questions: int, confidence: float = 0.95) -> float:
    """The confidence to take the bootstrap's quantiles at, so that the interval is as wide as Student's.

    A resample of n questions varies less than n questions do, and its quantiles are a normal's rather than Student's
    (Hesterberg 2015, doi:10.1080/00031305.2015.1089789, section 5.2). Above a hundred questions it is all one.
    """
    t = student_quantile((1 + confidence) / 2, questions - 1)
    return 1 - 2 * NormalDist().cdf(-t * sqrt(questions / (questions - 1)))


def standard_error(sums: Array, counts: NDArray[np.int64]) -> Array:
    """The standard error of each column's mean difference, over questions of unequal sizes (linearised)."""
    questions, rows = len(counts), counts.sum()
    apart = sums - sums.sum(0) / rows * counts[:, None]
    error: Array = np.sqrt(questions / (questions - 1) * (apart**2).sum(0)) / rows
    return error


def non_inferior(difference: Figure, margin: float) -> bool | None:
    """Whether the first side is worse by less than `margin`, where more is better; ``None`` where that is not known.

    By the lower end of the interval: at 95 %, a one-sided test at .025.
    """
    return None if difference.low is None else difference.low > -margin


def _alike(value: float, span: float | None, questions: int, confidence: float) -> Figure:
    if span is None:
        return Figure(value, why=_ALIKE_UNBOUNDED)
    share = 1 - ((1 - confidence) / 2) ** (1 / questions)
    middle = value * (1 - share)
    return Figure(value, middle - share * span, middle + share * span, ALL_ALIKE)


def _within(figure: Figure, span: float | None) -> Figure:
    """The interval inside what can be."""
    if span is None or figure.low is None or figure.high is None:
        return figure
    return Figure(figure.value, max(figure.low, -span), min(figure.high, span), figure.why)
