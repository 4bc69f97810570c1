"""Majorities, agreement among raters, and the ceiling they set."""

from math import nan

import pytest

from ringtrue.stats.raters import (
    ceiling,
    flip_rate,
    item_agreement,
    majorities,
    majority,
    majority_share,
    pairwise_agreement,
    rater_pairs,
    skew,
)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([1, 1, 0], 1),
        ([1, 1, None], 1),
        ([0, None, nan], 0),
        ([1, 0], None),
        (["a", "b", "c"], None),
        (["a", "a", "b", "c"], None),  # commonest, but not more than half
        ([None, nan], None),
        ([], None),
        ([True, 1, 1.0, 0], 1),
    ],
)
def test_a_majority_is_more_than_half_of_the_ratings_given(labels: list[object], expected: object) -> None:
    assert majority(labels) == expected


def test_the_share_of_items_with_a_majority_leaves_out_unrated_items() -> None:
    ratings = [(1, 1, 0), (1, 0, None), (None, None, None), (0, None, None)]
    assert majorities(ratings) == [1, None, None, 0]
    assert majority_share(ratings).value == pytest.approx(2 / 3)
    assert majority_share([(None, None)]).why == "no rated items"


def test_skew_is_the_share_of_the_commonest_label() -> None:
    assert skew([1, 1, 1, 0, None]).value == 0.75
    assert skew([None]).why == "no labels"


def test_pairs_of_raters_by_item() -> None:
    assert item_agreement([(1, 1, 0), (1, 1, None), (1, None, None)]) == [pytest.approx(1 / 3), 1.0, None]
    ratings = list(zip([1] * 6, [1] * 6, [1] * 5 + [0], strict=True))
    assert pairwise_agreement(ratings).value == pytest.approx(16 / 18)
    assert pairwise_agreement([(1, None), (None, 0)]).why == "no item that two raters have rated"
    assert pairwise_agreement([(1,), (0,)]).why == "fewer than two raters"


def test_the_flip_rate_is_the_chance_that_two_runs_differ() -> None:
    assert flip_rate([(1, 1, 1), (1, 1, 0)]).value == pytest.approx(1 / 3)
    assert flip_rate([(1,), (0,)]).why == "one run only, or no row judged twice"


def test_every_two_raters_that_have_rated() -> None:
    ratings = [(1, 1, None, None), (0, 0, None, 1), (1, 0, None, 1), (1, 1, None, 1)]
    pairs = {(pair.first, pair.second): pair for pair in rater_pairs(ratings)}
    assert list(pairs) == [(0, 1), (0, 3), (1, 3)]
    assert pairs[0, 1].n == 4
    assert pairs[0, 1].agreement.value == 0.75
    assert pairs[0, 1].kappa.value == pytest.approx(0.5)  # by hand: (0.75 - 0.5) / (1 - 0.5)
    assert pairs[0, 3].n == 3


def test_the_ceiling_of_two_raters_is_their_agreement() -> None:
    ratings = [(1, 1), (0, 0), (1, 0), (1, 1)]
    found = ceiling(ratings)
    assert (found.agreement.value, found.n) == (0.75, 8)
    assert found.kappa.value == pytest.approx(0.5)


def test_each_rater_meets_the_majority_of_the_others() -> None:
    # rater 3 is against the two others on one of four items; there the others are tied for raters 1 and 2
    ratings = [(1, 1, 1), (0, 0, 0), (1, 1, 0), (0, 0, 0)]
    found = ceiling(ratings)
    assert found.n == 12
    assert found.agreement.value == pytest.approx((3.5 + 3.5 + 3) / 12)


def test_a_third_rater_who_only_breaks_ties_does_not_lift_the_ceiling() -> None:
    ratings = [(1, 1, None)] * 4 + [(0, 0, None)] * 4 + [(1, 0, 1), (1, 0, 0)]
    found = ceiling(ratings)
    assert found.n == 22
    # 16 agreements; on the two tied items two raters get a half each, and the outvoted one nothing
    assert found.agreement.value == pytest.approx((16 + 2) / 22)


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([(1,), (0,)], "fewer than two raters"),
        ([(1, None), (None, 0)], "no item that two raters have rated"),
        ([(None, None)], "fewer than two raters"),
        ([], "fewer than two raters"),
    ],
)
def test_a_ceiling_that_cannot_be_measured_says_why(ratings: list[tuple[int | None, ...]], why: str) -> None:
    found = ceiling(ratings)
    assert (found.agreement.value, found.agreement.why, found.kappa.why, found.n) == (None, why, why, 0)


def test_raters_of_one_mind_have_a_ceiling_but_no_kappa() -> None:
    found = ceiling([(1, 1, 1)] * 10)
    assert found.agreement.value == 1.0
    assert found.agreement.low == pytest.approx(0.7224672001371109)  # Wilson's interval of 10 of 10
    assert (found.kappa.value, found.kappa.why) == (None, "one category only")


def test_a_majority_of_scores_means_nothing() -> None:
    found = ceiling([(x / 7, x / 11) for x in range(1500)])
    assert found.agreement.why is not None
    assert "too many for a majority" in found.agreement.why


def test_ratings_are_a_matrix() -> None:
    with pytest.raises(ValueError, match="item 2 has 3 places for raters, item 1 has 2"):
        ceiling([(1, 1), (1, 0, 1)])
