"""How large a difference is beside its own spread, and on how many questions each side is ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, sqrt

import numpy as np

from ringtrue.stats.confusion import Array
from ringtrue.stats.figure import Figure

__all__ = ["Tally", "cohens_dz", "cohens_h", "tally"]

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Tally:
    """Questions on which the first side is ahead, neither is, and the second is."""

    wins: int
    ties: int
    losses: int


def cohens_dz(differences: Array) -> Figure:
    """Mean of the questions' `differences` in their standard deviations (Cohen 1988, chapter 2): .2 small, .8 large."""
    if len(differences) < 2:
        return Figure(None, why="one question has no spread")
    spread = float(np.std(differences, ddof=1))
    if spread <= 1e-12:
        return Figure(None, why="every question gives the same difference")
    return Figure(float(np.mean(differences)) / spread)


def cohens_h(first: float, second: float) -> float:
    """Difference of two shares on the scale where their spread is even (Cohen 1988, chapter 6): .2 small, .8 large."""
    return 2 * asin(sqrt(min(max(first, 0.0), 1.0))) - 2 * asin(sqrt(min(max(second, 0.0), 1.0)))


def tally(differences: Sequence[float] | Array) -> Tally:
    """Count the questions by the sign of the first side's advantage; below 1e-9 it is a tie."""
    values = np.asarray(differences, dtype=np.float64)
    wins, losses = int((values > _CLOSE).sum()), int((values < -_CLOSE).sum())
    return Tally(wins, len(values) - wins - losses, losses)
