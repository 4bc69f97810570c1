"""Wilcoxon's signed-rank test of paired differences (1945, doi:10.2307/3001968)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from ringtrue.stats.confusion import Array

__all__ = ["SignedRank", "signed_rank"]

_EXACT = 50  # differences up to which the ranks' own distribution is summed


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRank:
    """`plus` and `minus` are the sums of the ranks of positive and negative differences, `n` how many are not 0.

    `exact` says that p is of the ranks' own distribution rather than of a normal one. `p` is two-sided.
    """

    plus: float
    minus: float
    n: int
    p: float
    exact: bool

    @property
    def rank_biserial(self) -> float | None:
        """From -1 to 1: the share of ranks that speak for the first side less the others'. ``None`` without any."""
        return (self.plus - self.minus) / (self.plus + self.minus) if self.n else None


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Test whether paired `differences` lie around 0. Those that are 0 are left out, as Wilcoxon did.

    Exact for 50 differences or fewer without ties; else by the normal approximation, its variance corrected for ties.
    """
    values = np.array([value for value in differences if value], dtype=np.float64)
    n = len(values)
    if not n:
        return SignedRank(plus=0.0, minus=0.0, n=0, p=1.0, exact=True)
    # Differences that are equal but for rounding are ties.
    sizes, place, ties = np.unique(np.round(np.abs(values), 12), return_inverse=True, return_counts=True)
    ends = np.cumsum(ties)
    ranks = (ends - (ties - 1) / 2)[place]
    plus = float(ranks[values > 0].sum())
    minus = n * (n + 1) / 2 - plus
    exact = n <= _EXACT and len(sizes) == n
    p = _exact(n, round(min(plus, minus))) if exact else _normal(n, plus, ties.astype(np.float64))
    return SignedRank(plus=plus, minus=minus, n=n, p=p, exact=exact)


def _exact(n: int, less: int) -> float:
    ways = float(_ways(n)[: less + 1].sum())
    return min(1.0, 2 * ways / float(2**n))


@lru_cache(maxsize=_EXACT)
def _ways(n: int) -> Array:
    """How many subsets of the ranks 1 to n have each sum; below 2^53, so exact."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] = ways[rank:] + ways[:-rank]
    return ways


def _normal(n: int, plus: float, ties: Array) -> float:
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    z = (plus - n * (n + 1) / 4) / sqrt(variance)
    return min(1.0, 2 * NormalDist().cdf(-abs(z)))
