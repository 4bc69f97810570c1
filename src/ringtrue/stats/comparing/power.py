"""The minimum detectable difference: the smallest that so many questions show at 80 % power, two-sided at .05.

Fewer than six questions show nothing at .05: where all five speak for one side, chance does as much in 2 of 32 cases.
"""

from functools import lru_cache
from math import lgamma, log, sqrt
from statistics import NormalDist

import numpy as np

from ringtrue.stats.confusion import Array
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import student_quantile

__all__ = ["ALPHA", "LEAST", "POWER", "detectable", "detectable_share", "mcnemar_power"]

ALPHA, POWER = 0.05, 0.8
LEAST = 6  # questions that an exact test at .05 needs

_EXACT = 100  # questions up to which the power of the exact test is summed
_STEPS = 40


def detectable(error: float, questions: int, span: float | None, *, seen: float = 0.0) -> Figure:
    """From the standard `error` of a mean difference over `questions`, by Student's t.

    Where the error is 0, nothing is known of the spread: then it is the smallest difference by which questions that
    change by `span` each, all to one side, would be shown; or by what was `seen`, where the metric has no span.
    """
    if questions < LEAST:
        return _too_few(questions)
    if error > 1e-12:
        value = _units(questions) * error
        if span is not None and value > span:
            return Figure(None, why=f"{questions} questions that vary so much show no difference that there can be")
        return Figure(value)
    step = span if span is not None else abs(seen)
    if not step:
        return Figure(None, why="no question differs, and the metric has no greatest value to go by")
    share = detectable_share(0.0, questions)
    return Figure(None, why=share.why) if share.value is None else Figure(share.value * step)


def detectable_share(discordant: float, questions: int) -> Figure:
    """Of two shares over the same questions, where `discordant` is the share of questions that differ.

    A difference beyond that share means that more questions differ, all to one side. By the exact McNemar test up to a
    hundred questions, above by the normal approximation (Connor 1987, doi:10.2307/2531961) with Edwards' continuity
    correction, which comes near to the exact test.
    """
    if questions < LEAST:
        return _too_few(questions)
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if mcnemar_power(middle, discordant, questions) >= POWER else (middle, high)
    return Figure(high)


def mcnemar_power(difference: float, discordant: float, questions: int) -> float:
    """The chance that McNemar's test shows this `difference` of two shares at .05, two-sided."""
    differ = max(discordant, difference)
    if differ <= 0:
        return 0.0
    if questions > _EXACT:
        normal = NormalDist()
        bound = normal.inv_cdf(1 - ALPHA / 2) * sqrt(differ)
        spread = sqrt(max(differ - difference**2, 1e-12))
        return normal.cdf((difference * sqrt(questions) - 1 / sqrt(questions) - bound) / spread)
    one_way = min((1 + difference / differ) / 2, 1.0)
    reject = (_binomials(one_way, questions) * _rejected(questions)).sum(1)
    return float(_binomials(differ, questions)[questions] @ reject)


@lru_cache(maxsize=64)
def _units(questions: int) -> float:
    degrees = questions - 1
    return student_quantile(1 - ALPHA / 2, degrees) + student_quantile(POWER, degrees)


@lru_cache(maxsize=8)
def _choices(n: int) -> Array:
    """The logarithm of "m choose k", by m and k; minus infinity where k is more than m."""
    factorial = np.array([lgamma(one + 1) for one in range(n + 1)])
    m, k = np.arange(n + 1)[:, None], np.arange(n + 1)
    logs: Array = np.where(k <= m, factorial[m] - factorial[k] - factorial[np.maximum(m - k, 0)], -np.inf)
    return logs


def _binomials(p: float, n: int) -> Array:
    """The chance of k of m, by m and k, each up to n."""
    m, k = np.arange(n + 1)[:, None], np.arange(n + 1)
    if p >= 1:
        return np.asarray(k == m, dtype=np.float64)
    chances: Array = np.exp(_choices(n) + k * log(p) + np.maximum(m - k, 0) * log(1 - p))
    return chances


@lru_cache(maxsize=8)
def _rejected(n: int) -> Array:
    """Whether k of m discordant questions are rejected by the exact test, by m and k."""
    half = _binomials(0.5, n)
    tail = np.cumsum(half, axis=1)
    m, k = np.arange(n + 1)[:, None], np.arange(n + 1)
    fewer = np.minimum(k, np.maximum(m - k, 0))
    inside = (k <= m) & (2 * k != m)
    rejected: Array = (inside & (2 * np.take_along_axis(tail, fewer, axis=1) <= ALPHA + 1e-12)).astype(np.float64)
    return rejected


def _too_few(questions: int) -> Figure:
    told = "1 question cannot" if questions == 1 else f"{questions} questions cannot"
    return Figure(None, why=f"{told} show any difference at .05; it takes {LEAST} at least")
