"""Normalisation as FMEval, its walk-through and SQuAD do it."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.normal import fmeval_normal, fmeval_words, squad_words, walkthrough_words, word_pair
from ringtrue.text.words import LONG

# Pieces that the protocols treat apart: articles, marks, twins of marks, white space of several kinds.
PIECES = ["a", "An", "the", "THE", "cat", "o'clock", "1,000", "’", "–", ".", "  ", " ", "\t", "\n", "\u00a0", "é", "退"]
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join)


def fmeval_by_steps(text: str) -> str:
    """The protocol in plain steps: lower case, marks deleted, cut at the space, articles dropped."""
    bare = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(piece for piece in bare.split(" ") if piece not in ("", "a", "an", "the"))


def squad_by_steps(text: str) -> list[str]:
    """SQuAD's script in plain steps: lower case, marks deleted, articles blanked, cut at white space."""
    bare = "".join(character for character in text.lower() if character not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


@given(TEXTS | st.text())
def test_fmeval_normal_is_the_protocol_step_by_step(text: str) -> None:
    assert fmeval_normal(text) == fmeval_by_steps(text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Cat, a dog!", "cat dog"),
        ("well-known", "wellknown"),
        ("134.4", "1344"),
        ("-5", "5"),
        ("10:30", "1030"),
        ("the\ncat", "the\ncat"),  # a line break does not part words, so this "the" is no article
        ("the\u00a0cat", "the\u00a0cat"),
        ("Amazon’s “plan”", "amazon’s “plan”"),  # only ASCII marks are deleted
        ("STRASSE straße", "strasse straße"),
        ("the the a an the", ""),
        ("plan a", "plan"),
        ("?!", ""),
        ("退款。", "退款。"),
        ("\ud800 b", "\ud800 b"),  # a lone surrogate survives
    ],
)
def test_fmeval_normal_keeps_the_corners_of_the_protocol(text: str, normal: str) -> None:
    assert fmeval_normal(text) == normal


def test_a_long_text_is_normalised_like_a_short_one() -> None:
    text = "The cost, in total: 5.5 million. " * (LONG // 20)
    assert fmeval_normal(text) == fmeval_by_steps(text)
    assert squad_words(text) == tuple(squad_by_steps(text))


def test_fmeval_words_are_cut_at_any_white_space() -> None:
    assert fmeval_words("  the cat\u00a0sat\nthe\tmat the cat ") == {"cat", "sat", "the", "mat"}


def test_walkthrough_words_keep_articles_and_repetitions() -> None:
    assert walkthrough_words("The cat's mat, the CAT") == ("the", "cats", "mat", "the", "cat")


@given(st.text(st.characters(max_codepoint=126, min_codepoint=32)))
def test_squad_words_are_those_of_the_script_for_ascii_text(text: str) -> None:
    if expected := squad_by_steps(text):
        assert squad_words(text) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Amazon’s 1990–1995 “plan”", ("amazons", "19901995", "plan")),  # as with ASCII marks
        ("well—no", ("well", "no")),  # a long dash parts words
        ("ＡＢＣ １２", ("abc", "12")),  # full-width letters and digits
        ("退款 in 7 天", ("退", "款", "in", "7", "天")),
        ("ठेक्का मिति", ("ठेक्का", "मिति")),
        ("cafe\u0301", ("café",)),
        ("A", ("a",)),
        ("The a", ("the", "a")),
        ("+", ("+",)),
        ("€", ("€",)),
        ("  ", ()),
    ],
)
def test_squad_words_work_in_any_script_and_empty_nothing(text: str, words: tuple[str, ...]) -> None:
    assert squad_words(text) == words


def test_articles_count_in_the_answer_where_the_reference_is_an_article() -> None:
    assert word_pair("A", "The answer is A", "squad") == (("a",), ("the", "answer", "is", "a"))
    assert word_pair("Plan A", "The plan is A", "squad") == (("plan",), ("plan", "is"))


def test_word_pair_gives_the_words_of_its_mode() -> None:
    pair = ("The tin, the tin", "tin of the tin")
    assert word_pair(*pair, "fmeval") == (("tin",), ("tin", "of"))
    assert word_pair(*pair, "squad") == (("tin", "tin"), ("tin", "of", "tin"))
    assert word_pair(*pair, "walkthrough") == (("the", "tin", "the", "tin"), ("tin", "of", "the", "tin"))
