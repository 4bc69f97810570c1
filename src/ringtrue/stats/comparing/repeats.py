"""What repeats of a question say: the chance that one of k passes, that all k pass, and how alike repeats are."""

from collections.abc import Sequence
from math import comb, fsum, sqrt

from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import mean_interval

__all__ = ["agreeing", "all_of_k", "pass_at_k", "spread"]

_NONE = "no question has so many repeats"


def pass_at_k(passes: Sequence[tuple[int, int]], k: int) -> Figure:
    """Chance that at least one of `k` answers passes; `passes` are (passed, repeats) of each question.

    The unbiased estimate 1 - C(n - c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374). Questions of fewer than `k`
    repeats are left out.
    """
    return _mean([1 - comb(n - c, k) / comb(n, k) for c, n in passes if n >= k])


def all_of_k(passes: Sequence[tuple[int, int]], k: int) -> Figure:
    """Chance that all of `k` answers pass: C(c, k) / C(n, k) (Yao et al. 2024, arXiv:2406.12045)."""
    return _mean([comb(c, k) / comb(n, k) for c, n in passes if n >= k])


def agreeing(passes: Sequence[tuple[int, int]]) -> Figure:
    """Chance that two repeats of a question get the same verdict: 1 where every question is always or never passed."""
    return _mean([(c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1)) for c, n in passes if n > 1])


def spread(values: Sequence[Sequence[float]]) -> Figure:
    """Standard deviation between the repeats of one question, pooled over the questions."""
    able = [one for one in values if len(one) > 1]
    if not able:
        return Figure(None, why=_NONE)
    apart = fsum(fsum((value - fsum(one) / len(one)) ** 2 for value in one) for one in able)
    return Figure(sqrt(apart / sum(len(one) - 1 for one in able)))


def _mean(values: Sequence[float]) -> Figure:
    if not values:
        return Figure(None, why=_NONE)
    interval = mean_interval(values, (0, 1))
    mean = fsum(values) / len(values)
    return Figure(mean) if interval is None else Figure(mean, *interval)
