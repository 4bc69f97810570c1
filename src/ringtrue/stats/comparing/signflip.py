"""The sign-flip test: were the two sides alike, each question's difference might as well have the other sign.

Fisher's randomisation test for pairs (1935, The Design of Experiments, section 21). Whole questions are flipped, so
that rows of one question stay together. For 0 and 1, one row a question, it is the exact McNemar test.
"""

from functools import lru_cache

import numpy as np

from ringtrue.stats.confusion import Array

__all__ = ["sign_flip"]

_EXACT = 14  # questions that differ, up to which all 2^n signs are tried
_CHUNK = 4_000_000  # signs held at once: 32 MB
_CLOSE = 1e-9


def sign_flip(sums: Array, *, draws: int = 9999, seed: int = 0) -> list[float]:
    """The two-sided p of each column of `sums` (questions × columns): that their total is as far from 0, or farther.

    Exact where few questions differ; else by `draws` random signs, (r + 1) / (draws + 1), the same for all columns.
    """
    differing = (sums != 0).sum(0)
    found = [1.0] * sums.shape[1]
    for place in np.flatnonzero((differing > 0) & (differing <= _EXACT)):
        column = sums[:, place]
        found[place] = _exact(column[column != 0])
    many = np.flatnonzero(differing > _EXACT)
    if len(many):
        for place, p in zip(many, _drawn(sums[:, many], draws, seed), strict=True):
            found[place] = float(p)
    return found


def _exact(values: Array) -> float:
    """Half of all signs is enough: the other half are their negatives."""
    totals = np.abs(_all_signs(len(values)) @ values)
    return float((totals >= _reached(values[:, None])[0]).mean())


@lru_cache(maxsize=_EXACT)
def _all_signs(things: int) -> Array:
    patterns = np.arange(2 ** (things - 1))[:, None] >> np.arange(things) & 1
    return np.where(patterns, 1.0, -1.0)


def _drawn(sums: Array, draws: int, seed: int) -> Array:
    questions, total, reached = len(sums), sums.sum(0), _reached(sums)
    random = np.random.Generator(np.random.PCG64([seed, 3]))
    beyond = np.zeros(sums.shape[1])
    step = max(1, _CHUNK // questions)
    for start in range(0, draws, step):
        packed = random.integers(0, 256, size=(min(step, draws - start), -(-questions // 8)), dtype=np.uint8)
        plus = np.unpackbits(packed, axis=1, count=questions).astype(np.float64)
        beyond += (np.abs(2 * (plus @ sums) - total) >= reached).sum(0)
    return (beyond + 1.0) / (draws + 1)


def _reached(sums: Array) -> Array:
    """The observed distance from 0, less what rounding may do."""
    distance: Array = np.abs(sums.sum(0)) - _CLOSE * np.abs(sums).sum(0)
    return distance
