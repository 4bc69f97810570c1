"""A judge's cut and calibration, fitted to people's labels."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.agreement.candidates import Candidate, Labels, Person
from ringtrue.stats.platt import Platt, fit_platt
from ringtrue.stats.ranking import best_cut, sweep

__all__ = ["FittedCut", "fit_cut"]

_DIGITS = 6  # of slope and intercept: more than any number of labels can tell


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedCut:
    """From `cut` on, a calibrated probability means the positive label. Of the `n` rows it was fitted on, `kappa`."""

    cut: float
    calibration: Platt
    n: int
    kappa: float


def fit_cut(candidate: Candidate, rows: Sequence[Person], labels: Labels) -> FittedCut | None:
    """The calibration of greatest likelihood, and the cut of greatest kappa on its scale.

    ``None`` where the probabilities do not rise with people's labels: then no cut is better than chance. Rows without a
    probability are left out. Raises DataError where too few of them are left to fit.
    """
    (said,) = candidate.runs
    known = [
        (row.label == labels.positive, one.score)
        for row in rows
        if (one := said.get(row.id)) is not None and one.score is not None
    ]
    truth, raw = [right for right, _ in known], [score for _, score in known]
    fitted = fit_platt(truth, raw)
    calibration = Platt(round(fitted.slope, _DIGITS), round(fitted.intercept, _DIGITS))
    if calibration.slope <= 0:
        return None
    scores = [calibration.calibrated(one) for one in raw]
    best = best_cut(sweep(truth, scores))
    if best is None or best.kappa is None or best.kappa <= 0:
        return None
    below = max((one for one in scores if one < best.at), default=0.0)
    return FittedCut(cut=_between(below, best.at), calibration=calibration, n=len(known), kappa=best.kappa)


def _between(low: float, high: float) -> float:
    """The middle of the gap in which every cut parts the rows alike, with as few digits as will do."""
    middle = (low + high) / 2
    return next((short for digits in range(2, 16) if low < (short := round(middle, digits)) <= high), high)
