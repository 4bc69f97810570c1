import pytest

from ringtrue.judges.local.likeness import LIKENESS, likeness


def test_every_number_is_explained_and_finite() -> None:
    for references, answer in ((["Ann Lee"], "Ann"), (["?"], "!"), (["the"], "a"), (["5 km", "five"], "5,000 m")):
        found = likeness("Who?", references, answer)
        assert list(found) == list(LIKENESS)
        assert all(-1 < value < 20 for value in found.values())


def test_an_equal_answer_holds_all() -> None:
    found = likeness("Who wrote it?", ["Jane Austen"], "Jane Austen")
    assert {name: found[name] for name in ("equal", "stated", "words held", "names held")} == {
        "equal": 1.0,
        "stated": 1.0,
        "words held": 1.0,
        "names held": 1.0,
    }
    assert found["other words"] == 0.0


def test_numbers_are_compared_as_numbers() -> None:
    same = likeness("How much?", ["134,383 million"], "About 134.4 billion.")
    other = likeness("How much?", ["134,383 million"], "About 170 billion.")
    assert (same["numbers held"], same["numbers differ"]) == (1.0, 0.0)
    assert (other["numbers held"], other["numbers differ"]) == (0.0, 1.0)


def test_the_golden_answer_that_fits_best_counts() -> None:
    found = likeness("Who?", ["somebody quite different", "Ann Lee"], "It was Ann Lee.")
    assert found["words held"] == 1.0


def test_words_of_the_question_are_not_new() -> None:
    found = likeness("Which colour is the sea?", ["the sea is blue"], "the sea")
    assert found["new words held"] == 0.0
    assert found["words held"] == pytest.approx(1 / 2)  # sea of sea, blue
