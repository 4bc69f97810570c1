"""Repeats: pass@k by its formula and by trying all choices."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.stats.comparing.repeats import agreeing, all_of_k, pass_at_k, spread


@given(st.integers(1, 7), st.data())
def test_pass_at_k_is_the_share_of_all_choices(n: int, data: st.DataObject) -> None:
    passed, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    answers = [1] * passed + [0] * (n - passed)
    chosen = list(combinations(answers, k))
    assert pass_at_k([(passed, n)], k).value == pytest.approx(sum(map(max, chosen)) / len(chosen))
    assert all_of_k([(passed, n)], k).value == pytest.approx(sum(map(min, chosen)) / len(chosen))


def test_pass_at_k_is_a_mean_over_questions_with_enough_repeats() -> None:
    # Chen et al. 2021: 1 - C(7, 2) / C(10, 2) = 24/45
    assert pass_at_k([(3, 10)], 2).value == pytest.approx(24 / 45)
    found = pass_at_k([(3, 10), (0, 10), (1, 1)], 2)
    assert found.value == pytest.approx(12 / 45)
    assert pass_at_k([(1, 1)], 2).why == "no question has so many repeats"


def test_repeats_that_agree() -> None:
    assert agreeing([(3, 3), (0, 3)]).value == 1.0
    assert agreeing([(1, 2)]).value == 0.0
    assert agreeing([(2, 3)]).value == pytest.approx(1 / 3)  # of three pairs one agrees
    assert agreeing([(1, 1)]).value is None


def test_the_spread_is_within_questions() -> None:
    assert spread([[0.0, 2.0], [10.0, 12.0]]).value == pytest.approx(2**0.5)
    assert spread([[1.0], [5.0]]).value is None
