"""The measures of a ranking, each a short formula over which of its places are right.

`right` says of each place, best first, whether what stands there is right; `relevant` is how many right things there
are to find; `k` is how many places are looked at (all of them where it is 0). Values are equal to those of trec_eval.
"""

from collections.abc import Sequence
from math import fsum, log2

__all__ = ["average_precision", "hit_rate", "ndcg", "precision", "reciprocal_rank"]


def precision(right: Sequence[bool], k: int = 0) -> float | None:
    """Share of the first `k` places that are right; a place that nothing stands at is not.

    ``None`` where all places are looked at and there is none.
    """
    places = k or len(right)
    return sum(_first(right, k)) / places if places else None


def hit_rate(right: Sequence[bool], k: int = 0) -> float:
    """1 where any of the first `k` places is right, else 0."""
    return float(any(_first(right, k)))


def reciprocal_rank(right: Sequence[bool], k: int = 0) -> float:
    """1 / the rank of the first right place; 0 where none is right (Voorhees 1999, TREC-8)."""
    return next((1 / rank for rank, one in enumerate(_first(right, k), 1) if one), 0.0)


def average_precision(right: Sequence[bool], relevant: int, k: int = 0) -> float:
    """The sum of precision at each right place, by the number of right things (Manning et al. 2008, 8.4)."""
    ranks = [rank for rank, one in enumerate(_first(right, k), 1) if one]
    return fsum(found / rank for found, rank in enumerate(ranks, 1)) / relevant


def ndcg(right: Sequence[bool], relevant: int, k: int = 0) -> float:
    """Gain discounted by the logarithm of the rank, by that of the best ranking (Järvelin and Kekäläinen 2002)."""
    best = min(relevant, k) if k else relevant
    gain = fsum(1 / log2(rank + 1) for rank, one in enumerate(_first(right, k), 1) if one)
    return gain / fsum(1 / log2(rank + 1) for rank in range(1, best + 1))


def _first(right: Sequence[bool], k: int) -> Sequence[bool]:
    return right[:k] if k else right
