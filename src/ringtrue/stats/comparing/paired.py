"""One judge against another on the same rows: exact McNemar, Holm's correction, and the difference of a figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan

import numpy as np

from ringtrue.stats.bootstrap import DEFAULT_METHOD, ONE_CLUSTER, Method, estimate, replicate_cells, without_each
from ringtrue.stats.confusion import Array, Statistic
from ringtrue.stats.figure import Figure

__all__ = ["Difference", "McNemar", "holm", "mcnemar", "mcnemar_counts", "paired_difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Rows that only the first, or only the second, has right, of `n`; the two-sided exact p; and it in words."""

    only_first: int
    only_second: int
    n: int
    p: float
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """First minus second, with its interval; `p` is two-sided, of the same resamples (``None``: they cannot tell)."""

    figure: Figure
    p: float | None


def mcnemar(first_right: Sequence[bool], second_right: Sequence[bool]) -> McNemar:
    """Compare two judges by the rows where one is right and the other wrong (McNemar 1947, doi:10.1007/BF02295996).

    The rows are paired by the caller, and taken as independent: where questions come up in several rows, trust the
    interval of `paired_difference`.
    """
    only_first = sum(a and not b for a, b in zip(first_right, second_right, strict=True))
    only_second = sum(b and not a for a, b in zip(first_right, second_right, strict=True))
    return mcnemar_counts(only_first, only_second, len(first_right))


def mcnemar_counts(only_first: int, only_second: int, n: int) -> McNemar:
    """The same from counts: a two-sided binomial test that a discordant row goes either way with one half."""
    discordant, fewer = only_first + only_second, min(only_first, only_second)
    ways = tail = 1  # of choosing none of the discordant rows, then up to `fewer` of them
    for k in range(fewer):
        ways = ways * (discordant - k) // (k + 1)
        tail += ways
    p = float(min(Fraction(2 * tail, 2**discordant), Fraction(1)))
    if not discordant:
        says = f"no difference: 0 of {n} rows changed"
    else:
        says = f"{only_first} of {n} rows right in the first only, {only_second} in the second only"
    return McNemar(only_first=only_first, only_second=only_second, n=n, p=p, says=says)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm's correction for several tests (Holm 1979, jstor.org/stable/4615733), in the order given.

    Tests without a p (``None``) keep none, and do not count.
    """
    order = sorted((value, place) for place, value in enumerate(p) if value is not None)
    corrected: list[float | None] = [None] * len(p)
    most = 0.0
    for done, (value, place) in enumerate(order):
        most = max(most, min(1.0, value * (len(order) - done)))
        corrected[place] = most
    return corrected


def paired_difference(
    first: Array,
    second: Array,
    statistic: Statistic,
    *,
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = DEFAULT_METHOD,
) -> Difference:
    """A figure of the first minus that of the second, from cells (runs, clusters, cells) over the same clusters.

    Both are resampled with the same clusters; their runs are drawn apart. The p is twice the share of resamples at or
    beyond zero on the thinner side, (r + 1) / (draws + 1) each (Davison and Hinkley 1997, section 4.4).
    """
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"{first.shape[1]} clusters against {second.shape[1]}: they must be the same")
    value = float(statistic.of(first.sum((0, 1))) - statistic.of(second.sum((0, 1))))
    if not draws or first.shape[1] < 2:
        why = ONE_CLUSTER if draws else None
        figure = Figure(None, why=statistic.why) if isnan(value) else Figure(value, why=why)
        return Difference(figure=figure, p=None)
    drawn = statistic.of(replicate_cells(first, draws, seed, 1)) - statistic.of(replicate_cells(second, draws, seed, 2))
    jackknife = statistic.of(without_each(first)) - statistic.of(without_each(second))
    figure = estimate(value, drawn, jackknife, statistic.why, confidence, method)
    known = drawn[~np.isnan(drawn)]
    if figure.low is None:
        return Difference(figure=figure, p=1.0 if value == 0 and not known.any() else None)
    thinner = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return Difference(figure=figure, p=min(1.0, 2 * (thinner + 1) / (len(known) + 1)))
