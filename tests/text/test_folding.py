"""Marks that mean the same become the same, one character for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.folding import after_gap, clean, fold, key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("−5 –5 \u20115 －5", "-5 -5 -5 -5"),
        ("7\u00a0250\u202f000\u2009000", "7 250 000 000"),
        ("it’s it‘s itʼs", "it's it's it's"),
        ("५ ٣ ５ ৭", "5 3 5 7"),
        ("１，０００．５％", "1,000.5%"),
        ("5，6", "5，6"),  # a comma of a Chinese sentence is no separator
        ("٣٫٥٪", "3.5%"),
        ("H₂O x²", "H2O x²"),
        ("plain ASCII - text", "plain ASCII - text"),
    ],
)
def test_marks_are_folded(text: str, expected: str) -> None:
    assert fold(text) == expected


@given(st.text())
def test_folding_keeps_every_offset_and_changes_nothing_twice(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_invisible_characters_are_dropped_and_letters_composed() -> None:
    assert clean("co\u00adop\u2060erate e\u0301 \u200e5") == "cooperate é 5"


@pytest.mark.parametrize(
    ("word", "expected"), [("Straße", "strasse"), ("İSTANBUL", "istanbul"), ("Isparta", "isparta"), ("E\u0301", "é")]
)
def test_words_are_compared_without_case(word: str, expected: str) -> None:
    assert key(word) == expected


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("5 km", "km"),
        ("5-km", "km"),
        ("**5** km", "km"),
        ("5\\,\\text{km}", "km"),
        ("<b>5</b> km", "km"),
        ("5\nkm", "km"),
    ],
)
def test_a_unit_begins_after_the_marks(text: str, unit: str) -> None:
    assert text[after_gap(text, text.index("5") + 1) :].startswith(unit)


def test_the_next_line_is_no_unit() -> None:
    assert after_gap("5\nMiles", 1) == 1
    assert after_gap("5\n\nkm", 1) == 1
