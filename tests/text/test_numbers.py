"""Figures and number words: a table of spellings, and what holds of every number."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.numbers import Figures, read_figures, split_figures, spoken_numbers

VALUES = [
    ("7250", "7250"),
    ("7,250", "7250"),
    ("7 250", "7250"),
    ("7'250", "7250"),
    ("7_250", "7250"),
    ("7{,}250", "7250"),
    ("7\\,250", "7250"),
    ("10,\\!000", "10000"),
    ("3{,}14", "3.14"),
    ("1.482.305", "1482305"),
    ("1.482.305,60", "1482305.60"),
    ("1,482,305.60", "1482305.60"),
    ("1 482 305,60", "1482305.60"),
    ("1'482'305.60", "1482305.60"),
    ("12,34,567", "1234567"),
    ("12,34,567.89", "1234567.89"),
    ("1.234,567", "1234.567"),
    ("12,5", "12.5"),
    ("12.5", "12.5"),
    ("0.482", "0.482"),
    ("0,482", "0.482"),
    ("1482.305", "1482.305"),
    ("1482,305", "1482.305"),
    ("0", "0"),
    ("0.0", "0.0"),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_separators_of_any_country_are_read(text: str, value: str) -> None:
    read = read_figures(text)
    assert read is not None
    assert (read.value, read.mark) == (Decimal(value), "")


@pytest.mark.parametrize("text", ["1.2.3", "192.168.1.1", "22.02.2023", "1,234.567.8", "1,2,3", "007", "00", "9" * 41])
def test_what_states_no_number_is_none(text: str) -> None:
    assert read_figures(text) is None


@pytest.mark.parametrize(
    ("text", "scale", "value", "mark"),
    [
        ("1.482", "", "1.482", "."),
        ("1.482", "plain", "1.482", ""),
        ("1.482", "foreign", "1.482", "."),
        ("1,482", "", "1482", ""),
        ("1,482", "plain", "1482", ""),
        ("1,482", "foreign", "1.482", ","),
    ],
)
def test_one_separator_before_three_figures_is_sure_or_ambiguous_by_its_company(
    text: str, scale: str, value: str, mark: str
) -> None:
    read = read_figures(text, scale=scale)  # type: ignore[arg-type]
    assert read is not None
    assert (read.value, read.mark) == (Decimal(value), mark)


@pytest.mark.parametrize(
    ("text", "step", "digits"),
    [("12.5", "0.1", 3), ("12", "1", 2), ("0.05", "0.01", 1), ("1.50", "0.01", 3), ("134,383", "1", 6), ("0", "1", 1)],
)
def test_what_is_stated_tells_how_precisely(text: str, step: str, digits: int) -> None:
    read = read_figures(text)
    assert read is not None
    assert (read.step, read.digits) == (Decimal(step), digits)


def test_forty_figures_are_not_rounded() -> None:
    figures = "1234567890" * 4
    read = read_figures(figures)
    assert read is not None
    assert int(read.times(3).value) == int(figures) * 1000


def test_a_scale_multiplies_value_and_step() -> None:
    assert Figures(Decimal("134.4"), Decimal("0.1"), 4).times(9) == Figures(
        Decimal("134.4E9"), Decimal("1E8"), 4, scaled=True
    )


@given(st.integers(0, 10**30))
def test_grouped_integers_are_read_back(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", " "), f"{number:_}", f"{number:,}.0"):
        read = read_figures(written)
        assert read is not None
        assert read.value == number


@pytest.mark.parametrize(
    ("run", "numerals"),
    [
        ("7 250,50", ["7 250,50"]),
        ("1,2,3", ["1", "2", "3"]),
        ("1.5,2.5,3.5", ["1.5", "2.5", "3.5"]),
        ("2023 500", ["2023", "500"]),
        ("2023 500 000", ["2023", "500 000"]),
        ("0 500", ["0", "500"]),
        ("1{,}2{,}3", ["1", "2", "3"]),
        ("7{,}250", ["7{,}250"]),
        ("10 200,5 300", ["10 200,5", "300"]),
        ("1.2.3", ["1.2.3"]),
    ],
)
def test_a_run_of_figures_is_cut_into_its_numerals(run: str, numerals: list[str]) -> None:
    assert [run[start:end] for start, end in split_figures(run)] == numerals


def test_in_a_telephone_number_spaces_group_nothing() -> None:
    assert list(split_figures("555 123", spaces=False)) == [(0, 3), (4, 7)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twelve", [("twelve", 12)]),
        ("Twenty-two", [("Twenty-two", 22)]),
        ("twelve hundred", [("twelve hundred", 1200)]),
        ("two hundred and five", [("two hundred and five", 205)]),
        ("two hundred and five thousand three hundred forty-one", [(None, 205_341)]),
        ("five million", [("five million", 5_000_000)]),
        ("a hundred and one", [("a hundred and one", 101)]),
        ("a million", [("a million", 1_000_000)]),
        ("half a million", []),
        ("one two three", [("one", 1), ("two", 2), ("three", 3)]),
        ("five and six", [("five", 5), ("six", 6)]),
        ("twenty and one", [("twenty", 20), ("one", 1)]),
        ("one", [("one", 1)]),
        ("one of them", []),
        ("no one", []),
        ("another one", []),
        ("twenty-first", []),
        ("one million, five hundred thousand", [(None, 1_500_000)]),
        ("one million, two", [("one million", 1_000_000), ("two", 2)]),
        ("two and a half million", [(None, 2_500_000)]),
        ("nineteen ninety-five", [(None, 1995)]),
        ("hundred", []),
        ("often", []),
    ],
)
def test_number_words_are_read(text: str, expected: list[tuple[str | None, int]]) -> None:
    found = [
        (text[start:end], int(figures.value))
        for start, end, figures in spoken_numbers(text)
        if not isinstance(figures, str)
    ]
    assert found == [(text if words is None else words, value) for words, value in expected]


@pytest.mark.parametrize(
    ("text", "code"), [("two-thirds", "2/3"), ("one third", "1/3"), ("three quarters", "3/4"), ("one half", "1/2")]
)
def test_a_fraction_in_words_is_a_code(text: str, code: str) -> None:
    assert list(spoken_numbers(text)) == [(0, len(text), code)]


def test_a_scale_word_at_the_end_says_how_precise_number_words_are() -> None:
    [(_, _, figures)] = spoken_numbers("five hundred million")
    assert not isinstance(figures, str)
    assert (figures.scaled, figures.step, figures.digits) == (True, Decimal(10**6), 3)


UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(number: int) -> str:
    """An independent speller for the property test."""
    if number < 18:
        return UNITS.split()[number]
    if number < 20:
        return {18: "eighteen", 19: "nineteen"}[number]
    if number < 100:
        tens = TENS.split()[number // 10 - 2]
        return f"{tens}-{in_words(number % 10)}" if number % 10 else tens
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            joint = " and " if rest and rest < 100 else " "
            return f"{in_words(number // size)} {name}" + (joint + in_words(rest) if rest else "")
    raise AssertionError


@given(st.integers(0, 10**12 - 1).filter(lambda number: number != 1))
def test_every_number_in_words_is_read_whole(number: int) -> None:
    text = in_words(number)
    [(start, end, figures)] = spoken_numbers(f"it is {text}.")
    assert (start, end, figures.value) == (6, 6 + len(text), number)
