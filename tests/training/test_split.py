"""A question is on one side, whatever its case, punctuation or file."""

from collections import Counter

from training.split import SHARES, side_of, unit_of


def test_case_and_punctuation_do_not_make_another_unit() -> None:
    assert unit_of("Who wrote  Emma?") == unit_of("who wrote emma") == "who wrote emma"


def test_texts_that_start_alike_are_one_unit() -> None:
    start = "a passage that is told again and again " * 10
    assert unit_of(start + "first end") == unit_of(start + "second end")


def test_sides_are_fixed_for_good() -> None:
    # Worked out once with salt ringtrue-judge-1: a change here would move test rows into training.
    assert [side_of(unit) for unit in ("who wrote emma", "capital of france", "boiling point of water", "a", "b")] == [
        "test",
        "dev",
        "train",
        "train",
        "dev",
    ]


def test_sides_have_their_shares() -> None:
    found = Counter(side_of(f"question {number}") for number in range(4000))
    for side, share in SHARES:
        assert abs(found[side] / 40 - share) < 3
