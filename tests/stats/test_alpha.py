"""Krippendorff's alpha against the `krippendorff` package, published examples, and what is undefined."""

from math import nan
from typing import get_args

import krippendorff as reference
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ringtrue.stats.alpha import Level, krippendorff

RATINGS = st.integers(1, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.sampled_from((0, 1, 2, 3.5, 7)), min_size=raters, max_size=raters),
        min_size=1,
        max_size=25,
    )
)


def items(*raters: list[float | None]) -> list[tuple[float | None, ...]]:
    return list(zip(*raters, strict=True))


@given(RATINGS, st.sampled_from(get_args(Level)))
def test_alpha_equals_the_reference_package(ratings: list[list[float | None]], level: Level) -> None:
    found = krippendorff(ratings, level, draws=0)
    rated = [[one for one in row if one is not None] for row in ratings]
    pairable = [one for row in rated if len(row) > 1 for one in row]
    if len(set(pairable)) < 2:
        assert found.alpha.value is None
        assert found.alpha.why
        return
    matrix = np.array([[nan if one is None else one for one in row] for row in ratings]).T
    expected = reference.alpha(matrix, level_of_measurement=level)
    assert found.alpha.value == pytest.approx(expected, abs=1e-12)
    assert found.units == sum(len(row) > 1 for row in rated)


def test_alpha_of_krippendorffs_own_example() -> None:
    # Krippendorff 2011, section C: four observers, twelve units, missing values; nominal .743, ordinal .815,
    # interval .849, ratio .797
    ratings = items(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    )
    for level, expected in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)):
        assert krippendorff(ratings, level, draws=0).alpha.value == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("raters", "alpha", "units"),
    [  # the values are the krippendorff package's, 0.9.0
        ([[1, 1, 0, None], [1, None, 0, 1], [None, 1, 0, None]], 1.0, 3),
        ([[1, 1, 0, 1, None], [1, 0, 0, None, None], [None, 1, 0, None, 1]], 0.5625, 3),
        ([[1, 1, 0], [1, 0, 0], [None, 1, 0]], 0.5625, 3),  # the same without the items of a single rating
    ],
)
def test_missing_ratings_are_no_category(raters: list[list[float | None]], alpha: float, units: int) -> None:
    found = krippendorff(items(*raters))
    assert found.alpha.value == pytest.approx(alpha, abs=1e-12)
    assert (found.units, found.items, found.raters) == (units, len(raters[0]), 3)


def test_alpha_is_zero_where_disagreement_is_as_by_chance() -> None:
    # 16 of 18 pairs agree, but so they would by chance
    assert krippendorff(items([1] * 6, [1] * 6, [1] * 5 + [0])).alpha.value == 0.0


@pytest.mark.parametrize(
    ("raters", "why"),
    [
        ([[1, 0, 1, 1]], "fewer than two raters"),
        ([[1, 0], [None, nan]], "fewer than two raters"),
        ([[1, None], [None, 0]], "no item that two raters have rated"),
        ([[1, 1], [1, 1]], "one category only"),
        ([[1, 1, 0], [1, 1, None]], "one category only"),
        ([[], []], "fewer than two raters"),
    ],
)
@pytest.mark.parametrize("level", get_args(Level))
def test_an_undefined_alpha_says_why(raters: list[list[float | None]], why: str, level: Level) -> None:
    found = krippendorff(items(*raters), level)
    assert (found.alpha.value, found.alpha.low, found.alpha.why) == (None, None, why)


def test_an_ordinal_scale_may_have_words_in_an_order() -> None:
    words = [("bad", "fair"), ("good", "good"), ("fair", "fair"), ("bad", "bad")]
    found = krippendorff(words, "ordinal", order=("bad", "fair", "good"))
    assert found.alpha.value == krippendorff([(0, 1), (2, 2), (1, 1), (0, 0)], "ordinal").alpha.value
    with pytest.raises(ValueError, match="needs numbers or an order"):
        krippendorff(words, "ordinal")
    with pytest.raises(ValueError, match="interval level needs numbers"):
        krippendorff(words, "interval")


def test_a_ratio_scale_starts_at_zero() -> None:
    with pytest.raises(ValueError, match="zero or more"):
        krippendorff([(1, -1)], "ratio")


def test_many_different_numbers_have_an_alpha() -> None:
    random = np.random.default_rng(3)
    ratings = (random.random((3000, 1)) + 0.1 * random.random((3000, 3))).tolist()
    for level in ("ordinal", "interval"):
        found = krippendorff(ratings, level, draws=200)
        assert found.alpha.value == pytest.approx(0.99, abs=0.01)
        assert found.alpha.why == "no interval: too many different labels"


@settings(max_examples=30)
@given(RATINGS, st.sampled_from(get_args(Level)))
def test_the_interval_is_seeded_and_lies_on_the_scale(ratings: list[list[float | None]], level: Level) -> None:
    found = krippendorff(ratings, level, draws=50, seed=7)
    assert found == krippendorff(ratings, level, draws=50, seed=7)
    assume(found.alpha.low is not None)
    assert found.alpha.high is not None
    assert -1 <= found.alpha.low <= found.alpha.high <= 1 + 1e-12


def test_items_of_one_question_are_drawn_together() -> None:
    random = np.random.default_rng(11)
    truth = np.repeat(random.integers(0, 2, 60), 5)  # five items a question that are all easy or all hard
    hard = np.repeat(random.random(60) < 0.4, 5)
    ratings = np.stack([np.where(hard & (random.random(300) < 0.5), 1 - truth, truth) for _ in range(3)], 1).tolist()
    alone = krippendorff(ratings).alpha
    clustered = krippendorff(ratings, clusters=np.repeat(range(60), 5).tolist()).alpha
    assert alone.value == clustered.value
    assert None not in (alone.low, alone.high, clustered.low, clustered.high)
    assert clustered.high - clustered.low > 1.2 * (alone.high - alone.low)
