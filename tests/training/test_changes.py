"""A changed text differs from the true one in what the change is named for, and in nothing else."""

from random import Random

import pytest

from training.changes import (
    date_rewritten,
    falsified,
    names_in,
    negated,
    number_in_words,
    other_name,
    other_number,
    other_word,
    roles_swapped,
    wrong_detail,
)

SOURCE = "In 1911 Marie Curie received the Nobel Prize in Stockholm. Pierre Curie had died in Paris in 1906."


@pytest.mark.parametrize("seed", range(20))
def test_another_number_is_not_one_of_the_source(seed: int) -> None:
    made = other_number(Random(seed), "She received it in 1911.", SOURCE)
    assert made is not None and made.startswith("She received it in ") and made.endswith(".")
    year = made.removeprefix("She received it in ").removesuffix(".")
    assert year.isdigit() and year not in SOURCE


def test_grouped_numbers_stay_grouped() -> None:
    made = other_number(Random(1), "It has 1,250,000 people.", "")
    assert made is not None and "," in made and made != "It has 1,250,000 people."


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It opened in March.", "It opened in {}."),
        ("about 5 million", "about 5 {}"),
        ("the largest lake", "the {} lake"),
    ],
)
def test_another_word_is_of_the_same_kind(text: str, kept: str) -> None:
    made = other_word(Random(0), text, "")
    assert made is not None and made != text
    before, after = kept.split("{}")
    assert made.startswith(before) and made.endswith(after)


def test_another_name_comes_from_the_source() -> None:
    assert other_name(Random(0), "The prize went to Marie Curie.", "Pierre Curie met Lise Meitner.") in (
        "The prize went to Pierre Curie.",
        "The prize went to Lise Meitner.",
    )


def test_not_is_added_and_taken_away() -> None:
    added = negated(Random(0), "She was born in Warsaw.", "")
    assert added in ("She was not born in Warsaw.", "She was never born in Warsaw.")
    assert negated(Random(0), "She was not born in Paris.", "") == "She was born in Paris."


def test_roles_change_places() -> None:
    assert roles_swapped(Random(0), "In chess Bobby Fischer defeated the champion Boris Spassky.", "") == (
        "In chess Boris Spassky defeated the champion Bobby Fischer."
    )


def test_names_in_a_list_do_not_change_places() -> None:
    assert roles_swapped(Random(0), "It was found by Marie Curie and Pierre Curie.", "") is None


def test_a_detail_is_added_before_the_stop() -> None:
    made = wrong_detail(Random(3), "She received the prize.", SOURCE)
    assert made is not None and made.startswith("She received the prize") and made.endswith(".") and len(made) > 24


def test_a_text_with_nothing_to_change_is_left_alone() -> None:
    assert falsified(Random(0), "hello there", "") is None


def test_a_word_is_no_name_for_starting_a_sentence() -> None:
    assert names_in("Later they met Ada Lovelace. Everyone cheered.") == ["Ada Lovelace"]


@pytest.mark.parametrize(
    ("text", "same"),
    [("3 million", "3,000,000"), ("2,500,000", "2.5 million"), ("1,234", "1234"), ("7", "seven"), ("Seven", "7")],
)
def test_numbers_written_otherwise(text: str, same: str) -> None:
    assert number_in_words(Random(0), text, "") == same


@pytest.mark.parametrize("text", ["June 5, 1995", "5 June 1995", "June 5 , 1995"])
def test_dates_written_otherwise(text: str) -> None:
    forms = {date_rewritten(Random(seed), text, "") for seed in range(40)}
    assert forms <= {"5 June 1995", "June 5, 1995", "1995-06-05", "Jun 5 1995"}
    assert len(forms) >= 3


def test_initials_and_small_words_belong_to_a_name() -> None:
    assert names_in("There, J. K. Rowling met the Duke of York and Anna.") == ["J. K. Rowling", "Duke of York", "Anna"]
