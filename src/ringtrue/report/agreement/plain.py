"""Figures as people read them."""

from ringtrue.report.plain import interval_text, number
from ringtrue.stats.figure import Figure
from ringtrue.stats.raters import Ceiling

__all__ = ["DASH", "ceiling_text", "figure_text"]

DASH = "–"


def figure_text(figure: Figure) -> str:
    """``0.830 [0.79, 0.86]``, or a dash where it is undefined."""
    if figure.value is None:
        return DASH
    if figure.low is None or figure.high is None:
        return number(figure.value)
    return f"{number(figure.value)} {interval_text(figure.low, figure.high)}"


def ceiling_text(ceiling: Ceiling) -> str:
    """``agreement 0.858 [0.83, 0.88], kappa …``, or why there is none."""
    if ceiling.agreement.value is None:
        return f"not known ({ceiling.agreement.why})"
    return f"agreement {figure_text(ceiling.agreement)}, kappa {figure_text(ceiling.kappa)}"
