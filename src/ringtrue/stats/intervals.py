"""95 % intervals of a mean."""

from collections.abc import Sequence
from math import atan, cos, fsum, pi, sin, sqrt
from statistics import NormalDist

__all__ = ["mean_interval", "student_quantile", "wilson_interval"]


def mean_interval(
    values: Sequence[float], range: tuple[float | None, float | None] = (None, None), *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Interval of the mean of independent `values`, within `range`; ``None`` where they cannot tell.

    Wilson's score interval where `range` is (0, 1) and every value is one of these; Student's t elsewhere, cut at the
    least and greatest value there can be. Fewer than two values, or values that are all equal, have no spread to go by.
    Values of one cluster (repeats of a question) must be averaged before.
    """
    n = len(values)
    if n < 2:
        return None
    total = fsum(values)
    least, most = range
    if least == 0 and most == 1 and all(value in (0.0, 1.0) for value in values):
        return wilson_interval(round(total), n, confidence)
    mean = total / n
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    if not spread > 0:
        return None
    half = student_quantile((1 + confidence) / 2, n - 1) * spread
    return (
        mean - half if least is None else max(mean - half, least),
        mean + half if most is None else min(mean + half, most),
    )


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927, doi:10.1080/01621459.1927.10502953)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At the ends the exact bound is 0 or 1; rounding must not move it past the mean.
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == n else centre + half)


def student_quantile(p: float, degrees: int) -> float:
    """Quantile of Student's t for whole `degrees` of freedom and 0 < `p` < 1, to about 1e-9.

    Bisection on the closed form of the distribution (Abramowitz and Stegun 26.7.3 and 26.7.4).
    """
    if p < 0.5:
        return -student_quantile(1 - p, degrees)
    normal = NormalDist().inv_cdf(p)
    if degrees > 400:  # Cornish-Fisher: the error is below 1e-9 here (Abramowitz and Stegun 26.7.5)
        return (
            normal
            + (normal**3 + normal) / (4 * degrees)
            + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * degrees**2)
            + (3 * normal**7 + 19 * normal**5 + 17 * normal**3 - 15 * normal) / (384 * degrees**3)
        )
    low, high = 0.0, 1.0
    while _student_cdf(high, degrees) < p:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _student_cdf(middle, degrees) < p else (low, middle)
    return (low + high) / 2


def _student_cdf(t: float, degrees: int) -> float:
    theta = atan(t / sqrt(degrees))
    square = cos(theta) ** 2
    term, total = 1.0, 0.0
    if degrees % 2:
        if degrees > 1:
            term = cos(theta)
            for k in range(1, (degrees - 1) // 2 + 1):
                total += term
                term *= square * (2 * k) / (2 * k + 1)
        return 0.5 + (theta + sin(theta) * total) / pi
    for k in range(degrees // 2):
        total += term
        term *= square * (2 * k + 1) / (2 * k + 2)
    return 0.5 + sin(theta) * total / 2
