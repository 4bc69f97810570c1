"""Pass rates corrected for the errors of the judge, and how many labels an interval still needs."""

from math import ceil, sqrt
from statistics import NormalDist

from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import wilson_interval

__all__ = ["corrected_rate", "design_effect", "labels_for_agreement", "labels_for_kappa"]


def corrected_rate(
    passed: int,
    rows: int,
    *,
    true_positives: int,
    positives: int,
    true_negatives: int,
    negatives: int,
    confidence: float = 0.95,
) -> Figure:
    """The share of rows that people would pass, from the judge's `passed` of `rows` rows without labels.

    On the labelled rows the judge called `true_positives` of `positives` and `true_negatives` of `negatives` right.
    The value is Rogan and Gladen's (1978, doi:10.1093/oxfordjournals.aje.a112510), cut to 0 and 1; its interval carries
    the uncertainty of all three shares (Lang and Reiczigel 2014, doi:10.1016/j.prevetmed.2013.09.015). `why` says why
    there is none, or that it was cut.
    """
    lack = _lack(rows, positives, negatives)
    if lack:
        return Figure(None, why=lack)
    tpr, tnr, observed = true_positives / positives, true_negatives / negatives, passed / rows
    # In whole numbers: .55 + .55 - 1 is above .1 in floats.
    better = true_positives * negatives + true_negatives * positives - positives * negatives
    if 10 * better <= positives * negatives:
        return Figure(None, why=f"the judge is too near to chance: TPR {tpr:.2f} + TNR {tnr:.2f} - 1 is not above 0.1")
    raw = (observed + tnr - 1) / (tpr + tnr - 1)
    value = min(max(raw, 0.0), 1.0)
    low, high = _interval(observed, rows, tpr, positives, tnr, negatives, confidence)
    why = None
    if value != raw:
        says = "less than its errors alone would let through" if raw < 0 else "more than its errors allow"
        why = f"cut at {value:.0f}: the judge passes {says}"
    return Figure(value, max(0.0, min(low, value)), min(1.0, max(high, value)), why)


def _lack(rows: int, positives: int, negatives: int) -> str | None:
    if not rows:
        return "no rows to correct"
    if not positives or not negatives:
        return f"no labelled {'negatives' if positives else 'positives'}, so that the judge's errors are not known"
    return None


def _interval(
    observed: float, rows: int, tpr: float, positives: int, tnr: float, negatives: int, confidence: float
) -> tuple[float, float]:
    """Lang and Reiczigel's: every share is drawn a little to the middle, and the centre is moved."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n, n_pos, n_neg = rows + z * z, positives + 2, negatives + 2
    p = (rows * observed + z * z / 2) / n
    se, sp = (positives * tpr + 1) / n_pos, (negatives * tnr + 1) / n_neg
    youden = se + sp - 1
    if youden <= 0:  # drawn to the middle, so few labels say nothing
        return 0.0, 1.0
    rate = (p + sp - 1) / youden
    part_se, part_sp = se * (1 - se) / n_pos, sp * (1 - sp) / n_neg
    moved = rate + 2 * z * z * (rate * part_se - (1 - rate) * part_sp)
    half = z * sqrt(p * (1 - p) / n + rate**2 * part_se + (1 - rate) ** 2 * part_sp) / youden
    return moved - half, moved + half


def labels_for_agreement(agreement: float, within: float, *, design: float = 1.0, confidence: float = 0.95) -> int:
    """How many labelled rows in all give an interval of ± `within` at this `agreement`.

    Solves Wilson's interval (1927) for its rows, so that an agreement of 1 needs rows too. `design` is the design
    effect of clustered rows (Kish 1965, Survey Sampling, 5.4): that many times more are needed.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    # within² (n + z²)² = z² (n · p (1 - p) + z² / 4)
    a, b = within**2, 2 * within**2 * z**2 - z**2 * agreement * (1 - agreement)
    c = z**4 * (within**2 - 0.25)
    inner = b * b - 4 * a * c
    root = (-b + sqrt(inner)) / (2 * a) if inner > 0 else 0.0
    return max(1, ceil(root * design - 1e-9))


def labels_for_kappa(
    agreement: float, chance: float, within: float, *, design: float = 1.0, confidence: float = 0.95
) -> int:
    """The same for Cohen's kappa, approximately: `chance` is the agreement expected by chance, taken as known.

    Kappa is then (agreement - chance) / (1 - chance), and so is its standard error (Cohen 1960).
    """
    return labels_for_agreement(agreement, within * (1 - chance), design=design, confidence=confidence)


def design_effect(figure: Figure, rows: int, *, confidence: float = 0.95) -> float | None:
    """How much wider a share's clustered interval is than that of `rows` independent rows, squared; at least 1.

    ``None`` where the figure has no interval.
    """
    if figure.value is None or figure.low is None or figure.high is None or not rows:
        return None
    low, high = wilson_interval(round(figure.value * rows), rows, confidence)
    return max(1.0, ((figure.high - figure.low) / (high - low)) ** 2)
