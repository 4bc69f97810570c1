"""What so many questions can show: against statsmodels, by simulation, and where there is nothing to go by."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest
from statsmodels.stats.power import TTestPower

from ringtrue.stats.comparing.power import detectable, detectable_share, mcnemar_power


@pytest.mark.parametrize("n", [10, 30, 100, 1000])
def test_graded_values_as_in_statsmodels(n: int) -> None:
    expected = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)  # in standard deviations
    found = detectable(1 / np.sqrt(n), n, None).value
    assert found == pytest.approx(expected, rel=0.01)  # central in place of noncentral t


def test_ten_verdicts_show_a_difference_of_two_thirds_at_best() -> None:
    # Six of ten must differ, all to one side: P(X >= 6 | 10, p) = .8 at p = .6732.
    found = detectable_share(0.4, 10).value
    assert found == pytest.approx(0.6732, abs=1e-4)
    assert binom.sf(5, 10, found) == pytest.approx(0.8)
    assert detectable_share(0.0, 10).value == found  # nothing differs: what would be shown is the same


def simulated_power(difference: float, discordant: float, n: int) -> float:
    random = np.random.default_rng(9)
    up, down = (discordant + difference) / 2, (discordant - difference) / 2
    counts = random.multinomial(n, [up, down, 1 - discordant], size=4000)
    return float(np.mean([binomtest(int(a), int(a + b)).pvalue < 0.05 if a + b else False for a, b, _ in counts]))


@pytest.mark.parametrize(("difference", "discordant", "n"), [(0.3, 0.4, 40), (0.2, 0.3, 80), (0.15, 0.3, 150)])
def test_the_power_of_mcnemars_test_is_what_simulation_gives(difference: float, discordant: float, n: int) -> None:
    # three standard errors of 4,000 simulations; above a hundred questions it is an approximation
    assert mcnemar_power(difference, discordant, n) == pytest.approx(
        simulated_power(difference, discordant, n), abs=0.021
    )


def test_more_questions_show_smaller_differences() -> None:
    found = [detectable_share(0.3, n).value for n in (6, 10, 30, 90, 300, 1000, 10_000)]
    assert None not in found
    assert found == sorted(found, reverse=True)  # type: ignore[type-var]
    assert found[-1] == pytest.approx(2.8 * np.sqrt(0.3 / 10_000), rel=0.02)


@pytest.mark.parametrize(("n", "told"), [(0, "0 questions"), (1, "1 question"), (5, "5 questions")])
def test_fewer_than_six_questions_show_nothing(n: int, told: str) -> None:
    for found in (detectable_share(0.5, n), detectable(0.1, n, 1.0)):
        assert (found.value, found.why) == (None, f"{told} cannot show any difference at .05; it takes 6 at least")


def test_where_nothing_varies_the_span_of_the_metric_is_gone_by() -> None:
    share = detectable_share(0.0, 30).value
    assert share is not None
    assert detectable(0.0, 30, 4.0).value == pytest.approx(4 * share)
    assert detectable(0.0, 30, None, seen=-2.0).value == pytest.approx(2 * share)
    nothing = detectable(0.0, 30, None)
    assert (nothing.value, nothing.why) == (None, "no question differs, and the metric has no greatest value to go by")


def test_what_is_more_than_can_be_is_not_said() -> None:
    assert detectable(0.5, 6, 1.0).value is None
