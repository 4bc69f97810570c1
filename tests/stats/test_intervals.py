"""Intervals of a mean against scipy's figures, and how often they hold what they should."""

from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from ringtrue.stats.intervals import mean_interval, student_quantile, wilson_interval


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # scipy 1.17: binomtest(successes, n).proportion_ci(0.95, method="wilson")
    [
        (0, 10, 0.0, 0.27753279986288926),
        (1, 2, 0.09453120573423074, 0.9054687942657693),
        (4, 10, 0.16818032970623614, 0.6873262302663417),
        (8, 10, 0.4901624715366418, 0.9433178485456248),
        (10, 10, 0.7224672001371109, 1.0),
        (501, 1000, 0.47006583523375295, 0.5319265112492759),
    ],
)
def test_wilsons_interval(successes: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(successes, n) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 30, 99, 100, 399, 400, 401, 1000, 100_000])
@pytest.mark.parametrize("p", [0.5, 0.75, 0.9, 0.95, 0.975, 0.995])
def test_students_quantile(degrees: int, p: float) -> None:
    expected = float(stdtrit(degrees, p))
    assert student_quantile(p, degrees) == pytest.approx(expected, abs=1e-8)
    assert student_quantile(1 - p, degrees) == pytest.approx(-expected, abs=1e-8)


def test_a_mean_has_students_interval() -> None:
    # scipy 1.17: t.interval(0.95, 4, loc=mean, scale=sem) of these five values
    low, high = mean_interval([1.0, 2.0, 4.0, 8.0, 16.0]) or (0, 0)
    assert (low, high) == pytest.approx((-1.3731325632789027, 13.773132563278903))


def test_shares_have_wilsons_interval_and_only_shares() -> None:
    values = [1.0] * 8 + [0.0] * 2
    assert mean_interval(values, (0, 1)) == wilson_interval(8, 10)
    assert mean_interval(values, (0, None)) != wilson_interval(8, 10)  # seconds that happen to be 0 or 1
    assert mean_interval([*values, 0.5], (0, 1)) != wilson_interval(8, 10)


def test_an_interval_ends_where_the_range_does() -> None:
    low, high = mean_interval([0.5, 0.9], (0, 1)) or (None, None)
    assert (low, high) == (0, 1)
    low, high = mean_interval([0.5, 0.9], (0, None)) or (0.0, 0.0)
    assert low == 0
    assert high > 1
    assert (mean_interval([-5.0, 5.0], (None, 6)) or (0, 0))[1] == 6


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5, 0.5]])
def test_without_spread_nothing_is_told(values: list[float]) -> None:
    assert mean_interval(values, (0, 1)) is None


def test_confidence_widens() -> None:
    low, high = mean_interval([0.2, 0.4, 0.6], confidence=0.99) or (0, 0)
    inner_low, inner_high = mean_interval([0.2, 0.4, 0.6], confidence=0.9) or (0, 0)
    assert low < inner_low < inner_high < high


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_mean_lies_in_its_interval(values: list[float]) -> None:
    found = mean_interval(values, (0, 1))
    if found is not None:
        mean = sum(values) / len(values)
        assert 0 <= found[0] <= mean + 1e-12
        assert mean - 1e-12 <= found[1] <= 1


@pytest.mark.parametrize("n", [10, 40, 200])
def test_wilsons_interval_covers_about_95_percent(n: int) -> None:
    """Exactly computed over all outcomes and averaged over shares, as Brown, Cai and DasGupta (2001) do it."""
    shares = [step / 50 for step in range(1, 50)]
    intervals = [wilson_interval(k, n) for k in range(n + 1)]
    covered = [
        sum(
            comb(n, k) * share**k * (1 - share) ** (n - k)
            for k, (low, high) in enumerate(intervals)
            if low <= share <= high
        )
        for share in shares
    ]
    assert sum(covered) / len(covered) == pytest.approx(0.953, abs=0.006)
    assert min(covered) > 0.83


def test_students_interval_covers_about_95_percent() -> None:
    random = Random(20261130)
    runs = 3000
    held = 0
    for _ in range(runs):
        low, high = mean_interval([random.gauss(3, 2) for _ in range(6)]) or (0, 0)
        held += low <= 3 <= high
    assert held / runs == pytest.approx(0.95, abs=0.012)  # three standard errors
