"""Platt's calibration: two numbers that make of a judge's probability one that fits people's labels.

Platt 1999, "Probabilistic outputs for support vector machines", here over the log-odds of the judge's probability.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from ringtrue.errors import DataError

__all__ = ["Platt", "fit_platt"]

_EDGE = 1e-6  # a probability of 0 or 1 has no finite log-odds: it is taken to be this far from it
_STEPS, _HALVINGS, _DONE = 100, 40, 1e-12


@dataclass(frozen=True, slots=True)
class Platt:
    """The calibrated log-odds are `slope` · log-odds + `intercept`; a slope above 0 leaves the order of rows as it is.

    Slope 1 and intercept 0 change nothing.
    """

    slope: float
    intercept: float

    def calibrated(self, probability: float) -> float:
        """The calibrated probability."""
        return _logistic(self.slope * _log_odds(probability) + self.intercept)


def fit_platt(truth: Sequence[bool], probabilities: Sequence[float]) -> Platt:
    """The calibration of greatest likelihood, by Newton's method; no chance is involved.

    The truths are taken for (P + 1) / (P + 2) and 1 / (N + 2), with P positive and N negative rows, as Platt has it,
    so that rows which a threshold parts without an error still give finite numbers. Raises DataError where a label is
    missing or no probability differs from the others: then there is nothing to fit.
    """
    odds = [_log_odds(one) for one in probabilities]
    positives = sum(truth)
    negatives = len(truth) - positives
    if not positives or not negatives or max(odds) - min(odds) < _DONE:
        raise DataError(
            "a calibration needs rows of both labels, and probabilities that differ",
            mend="label more rows, or leave the calibration out",
        )
    high, low = (positives + 1) / (positives + 2), 1 / (negatives + 2)
    rows = [(x, high if positive else low) for x, positive in zip(odds, truth, strict=True)]
    slope, intercept = 0.0, log((positives + 1) / (negatives + 1))
    loss = _loss(rows, slope, intercept)
    for _ in range(_STEPS):
        step, turn = _newton(rows, slope, intercept)
        size = 1.0
        for _ in range(_HALVINGS):
            tried = _loss(rows, slope + size * step, intercept + size * turn)
            if tried <= loss:
                break
            size /= 2
        else:
            break  # as near as numbers of this size can come
        slope, intercept = slope + size * step, intercept + size * turn
        loss = tried
        if abs(step) + abs(turn) < _DONE * (1 + abs(slope) + abs(intercept)):
            break
    return Platt(slope, intercept)


def _newton(rows: Sequence[tuple[float, float]], slope: float, intercept: float) -> tuple[float, float]:
    """The step that goes to the least of the parabola through here."""
    by_slope = by_intercept = 0.0
    xx = x1 = one = 1e-12  # keeps the matrix of second derivatives from being singular
    for x, target in rows:
        share = _logistic(slope * x + intercept)
        weight = share * (1 - share)
        by_slope += (share - target) * x
        by_intercept += share - target
        xx += weight * x * x
        x1 += weight * x
        one += weight
    area = xx * one - x1 * x1
    return (x1 * by_intercept - one * by_slope) / area, (x1 * by_slope - xx * by_intercept) / area


def _loss(rows: Sequence[tuple[float, float]], slope: float, intercept: float) -> float:
    """The negative log-likelihood, -Σ t·log p + (1 - t)·log(1 - p)."""
    total = 0.0
    for x, target in rows:
        z = slope * x + intercept
        total += (1 - target) * z + _softplus(-z)
    return total


def _softplus(z: float) -> float:
    """log(1 + e^z)."""
    return z + log(1 + exp(-z)) if z > 0 else log(1 + exp(z))


def _logistic(z: float) -> float:
    return 1 / (1 + exp(-z)) if z >= 0 else exp(z) / (1 + exp(z))


def _log_odds(probability: float) -> float:
    if not 0 <= probability <= 1:
        raise DataError(f"{probability!r} is no probability", mend="probabilities lie between 0 and 1")
    inside = min(max(probability, _EDGE), 1 - _EDGE)
    return log(inside / (1 - inside))
