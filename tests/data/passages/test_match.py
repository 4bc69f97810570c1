"""Which retrieved passage is a golden one: by id, else by words, each golden one once."""

import pytest

from ringtrue.data.passages.match import Incomparable, find_golden
from ringtrue.types import Passage


def texts(*given: str) -> list[Passage]:
    return [Passage(text=one) for one in given]


def ids(*given: str) -> list[Passage]:
    return [Passage(text=None, id=one) for one in given]


def test_ids_decide_where_both_have_one_whatever_the_texts_say() -> None:
    found = find_golden([Passage(text="same", id="b"), Passage(text="other", id="a")], [Passage(text="same", id="a")])
    assert found.golden == ((), (0,))


def test_texts_decide_where_ids_are_asked_not_to() -> None:
    found = find_golden([Passage(text="Same.", id="b")], [Passage(text="same", id="a")], by="text")
    assert found.right == [True]


def test_case_punctuation_and_articles_do_not_count_and_a_golden_sentence_is_found_in_a_longer_passage() -> None:
    passage = "Orders ship from Porto. The refund takes 14 days, not more."
    assert find_golden(texts(passage), texts("the refund takes 14 days")).right == [True]
    assert find_golden(texts("a refund takes 1"), texts("the refund takes 14 days")).right == [False]
    assert find_golden(texts("七天内退款。"), texts("退款")).right == [True]


def test_a_second_copy_counts_no_more_and_two_golden_ones_in_one_passage_share_a_place() -> None:
    twice = find_golden(ids("a", "a", "b"), ids("a", "b"))
    assert (twice.right, twice.held, twice.relevant) == ([True, False, True], 2, 2)
    together = find_golden(texts("One here. Two here."), texts("one here", "two here", "three here"))
    assert (together.golden, together.held, together.relevant) == (((0, 1),), 2, 2)


def test_ids_alone_and_texts_alone_cannot_be_compared() -> None:
    with pytest.raises(Incomparable, match="ids or texts"):
        find_golden(texts("one"), ids("a"))
    with pytest.raises(Incomparable, match="ids to be compared"):
        find_golden(texts("one"), texts("one"), by="id")
    assert find_golden([], ids("a")).right == []
