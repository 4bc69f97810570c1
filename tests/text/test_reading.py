"""What holds of every phrase and answer, and that the work stays in proportion."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ringtrue.text import reading
from ringtrue.text.phrases import contains, find
from ringtrue.text.reading import read
from ringtrue.text.words import LONG

WRITTEN = """
5 - − – % $ € R$ USD . , ' ’ 1,000 1.482 12 km m million May 2023 2023-02-22 22 one hundred and of A A- C++ C# U.S. J.
R. ( ) 北京 서울은 é İ ½ ² 1/2 10:30 k s minus x & < > °C {,} ^ th 1st per / pounds cents * 10^6 Wednesday + # 5m 90s ー
५ 07 Mrd. mil de <b>
"""
PIECES = st.sampled_from(WRITTEN.split())
PHRASES = st.one_of(
    st.lists(PIECES, min_size=1, max_size=7).map(" ".join),
    st.lists(PIECES, min_size=1, max_size=7).map("".join),
    st.text(max_size=12),
)
WORDS_OF_MANY = ("Paris", "café", "Größe", "ΟΔΟΣ", "Łódź", "naïve", "Москва", "well-known")
PLAIN_WORDS = st.lists(st.sampled_from(WORDS_OF_MANY), min_size=1, max_size=4)
INTEGERS = st.integers(min_value=0, max_value=10**15)


@given(PHRASES)
@example("22 USD 22")  # the code belongs to one of the numbers
@example("\U0001ccf0")  # a digit of Unicode 16
@example("\ud800 5")  # a lone surrogate
def test_a_phrase_is_contained_in_itself(phrase: str) -> None:
    if read(phrase).words:
        assert contains(f"x {phrase} y", phrase)


@given(PHRASES)
def test_a_phrase_without_atoms_never_matches_everything(phrase: str) -> None:
    if not read(phrase).words:
        assert not contains("Nothing of it is here at all", phrase)


@given(PHRASES, PHRASES)
def test_composition_does_not_count(answer: str, phrase: str) -> None:
    decomposed = unicodedata.normalize("NFD", answer), unicodedata.normalize("NFD", phrase)
    assert contains(*decomposed) == contains(answer, phrase)


@given(PLAIN_WORDS.map(" ".join), INTEGERS)
def test_case_does_not_count(words: str, number: int) -> None:
    phrase = f"{words} {number}"
    assert contains(f"x {phrase.upper()} y", phrase)
    assert contains(f"x {phrase} y", phrase.upper())


@given(INTEGERS)
def test_thousands_separators_do_not_count(number: int) -> None:
    written = (f"{number:,}", f"{number:,}".replace(",", "\u202f"), f"{number:,}".replace(",", "'"), str(number))
    for fact in written:
        for answer in written:
            assert contains(f"It was {answer}.", fact)


@given(INTEGERS, INTEGERS, st.sampled_from(["{}", "{:,}", "${:,}", "{} km", "{:,} %", "about {}, or so"]))
def test_different_integers_never_match(fact: int, answer: int, written: str) -> None:
    assert contains(written.format(answer), f"{fact:,}") == (fact == answer)


@given(st.integers(1, 999_999), st.integers(0, 3), st.sampled_from(["", " thousand", " million", " billion"]))
def test_an_amount_a_thousand_times_off_never_matches(value: int, places: int, scale: str) -> None:
    scales = ["", " thousand", " million", " billion"]
    fact = f"{value / 10**places:.{places}f}{scale}"
    for other in scales:
        if other != scale:
            assert not contains(f"It was {fact.removesuffix(scale)}{other}.", fact)


@given(st.integers(1, 10**12))
def test_a_sign_is_never_lost(value: int) -> None:
    for minus in "-−–":
        assert contains(f"It was {minus}{value}.", f"-{value}")
        assert not contains(f"It was {minus}{value}.", str(value))
    assert not contains(f"It was {value}.", f"-{value}")


def test_places_are_told_left_to_right() -> None:
    answer = read("Sales: US$134,383 million, that is 134.4 billion dollars; costs: 5.")
    spans = find(answer, read("134.4 billion"))
    assert [answer.text[start:end] for start, end in spans] == ["US$134,383 million", "134.4 billion dollars"]


def test_an_empty_phrase_is_nowhere() -> None:
    assert not contains("anything", "")
    assert not contains("", "")


def test_many_phrases_over_one_short_answer_read_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = "An answer that no other test has: 134.4 billion."
    read(answer)
    monkeypatch.setattr(reading, "numerals", lambda text: pytest.fail("read again"))
    assert read(answer) is read(answer)


LONG_AND_NASTY = {
    "list": "1,",
    "version": "1.",
    "groups": "123 ",
    "hyphens": "1-",
    "slashes": "1/",
    "clocks": "1:",
    "dashes": "-",
    "number words": "one hundred and ",
    "initials": "A. ",
    "abbreviation": "a.",
    "days": "february 5 ",
    "scales": "5 mil mil ",
    "powers": "3 × 10^",
    "units": "5 km per ",
    "money": "$(",
    "quotes": "a's",
    "tags": "<b ",
    "LaTeX": "1{,}",
    "LaTeX mathematics": "$1 ",
    "LaTeX degrees": "1^{\\circ",
    "entities": "&amp",
    "eastern scales": "1億",
    "mixed numbers": "1 1/2 ",
    "millions in words": "one million, ",
    "compounds": "1 hour ",
    "ranges": "1 to ",
    "versions": "v 1.1 ",
    "list dates": "1. May. ",
    "one word": "a",
    "marks": "\u0301",
    "spaces": "     5",
}


@pytest.mark.parametrize("unit", LONG_AND_NASTY.values(), ids=LONG_AND_NASTY.keys())
def test_work_grows_no_faster_than_the_answer(unit: str) -> None:
    """Counts the calls for a text and for one four times as long; a quadratic rule would make sixteen times as many."""

    def calls(length: int) -> int:
        text, count = unit * (length // len(unit)), 0

        def see(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(see)
        try:
            contains(text, "134.4 billion")
            contains(text, "a b c")
        finally:
            sys.setprofile(None)
        return count

    assert calls(8_000) <= 4.5 * calls(2_000) + 500


@pytest.mark.parametrize("unit", LONG_AND_NASTY.values(), ids=LONG_AND_NASTY.keys())
def test_a_long_answer_is_read_to_its_end(unit: str) -> None:
    """Patterns that backtrack would not come to an end here."""
    answer = unit * (24_000 // len(unit)) + "\n\nNet sales were $134,383 million."
    assert len(answer) > LONG  # hence only the last one is kept
    assert contains(answer, "134.4 billion")


def test_the_last_long_answer_is_read_once() -> None:
    answer = "word " * LONG
    assert read(answer) is read(answer)
