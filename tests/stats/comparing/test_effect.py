"""Effect sizes and tallies."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_effectsize

from ringtrue.stats.comparing.effect import Tally, cohens_dz, cohens_h, tally


def test_cohens_h_is_statsmodels() -> None:
    assert cohens_h(0.8, 0.4) == pytest.approx(proportion_effectsize(0.8, 0.4))
    assert cohens_h(1.0, 0.0) == pytest.approx(np.pi)
    assert cohens_h(1 + 1e-16, 1) == 0


def test_cohens_dz_is_the_mean_in_standard_deviations_or_says_why_not() -> None:
    assert cohens_dz(np.array([1.0, 2, 3])).value == pytest.approx(2.0)
    assert cohens_dz(np.array([1.0])).why == "one question has no spread"
    assert cohens_dz(np.array([0.5, 0.5])).why == "every question gives the same difference"


def test_rounding_is_a_tie() -> None:
    assert tally([0.1 + 0.2 - 0.3, 1, -1, 2]) == Tally(2, 1, 1)
