"""Dates in many languages and forms."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.dates import Date, find_dates, same_date

FORMS = [
    "2023-02-22",
    "2023/02/22",
    "22.02.2023",
    "22. 02. 2023",
    "2/22/2023",
    "22/2/2023",
    "22-02-2023",
    "February 22, 2023",
    "Feb 22 2023",
    "Feb. 22nd, 2023",
    "February the 22nd, 2023",
    "FEBRUARY 22,2023",
    "22 Feb 2023",
    "22-Feb-2023",
    "22nd of February, 2023",
    "22 February of 2023",
    "22. Februar 2023",
    "22 février 2023",
    "22 fe\u0301vrier 2023",
    "22 de febrero de 2023",
    "22 febbraio 2023",
    "22 de fevereiro de 2023",
    "22 februari 2023",
    "2023年2月22日",
    "2023년 2월 22일",
    "Wednesday, February 22, 2023",
    "Wed, 22 Feb 2023",
    "Mittwoch, den 22. Februar 2023",
    "quarta-feira, 22 de fevereiro de 2023",
]


@pytest.mark.parametrize("text", FORMS)
def test_a_day_is_read_from_its_first_letter_to_its_last(text: str) -> None:
    [date] = find_dates(f"It was {text}.")
    assert (date.year, date.month, date.day) == (2023, 2, 22)
    assert f"It was {text}."[date.start : date.end] == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("June 2023", (2023, 6, None)),
        ("June, 2023", (2023, 6, None)),
        ("juin 2023", (2023, 6, None)),
        ("junho de 2023", (2023, 6, None)),
        ("2023年6月", (2023, 6, None)),
        ("June 30", (None, 6, 30)),
        ("30 June", (None, 6, 30)),
        ("1er mars", (None, 3, 1)),
        ("2월 22일", (None, 2, 22)),
        ("3/3/2023", (2023, 3, 3)),
        ("June 30, 500 of them", (None, 6, 30)),
    ],
)
def test_a_part_of_a_date_is_read(text: str, expected: tuple[int | None, int | None, int | None]) -> None:
    [date] = find_dates(text)
    assert (date.year, date.month, date.day) == expected


NO_DATES = [
    "2023",
    "June",
    "February 30, 2023",
    "2023-13-01",
    "31/31/2023",
    "10.0.0.2023",
    "version 2.22.2023.1",
    "March 10,000 people",
    "May 5%",
    "5 people 2023",
    "June 1990s",
]


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date_is_left(text: str) -> None:
    assert find_dates(text) == ()


def test_day_and_month_that_could_change_places_are_unsure() -> None:
    [date] = find_dates("02/03/2023")
    assert (date.year, date.month, date.day, date.written) == (2023, None, None, "2/3")


def test_dates_stand_beside_each_other() -> None:
    text = "30 June–2 July 2023 and 2023-02-22"
    assert [text[date.start : date.end] for date in find_dates(text)] == ["30 June", "2 July 2023", "2023-02-22"]


@given(st.dates(min_value=datetime.date(1000, 1, 1), max_value=datetime.date(2999, 12, 31)))
def test_every_day_is_the_same_in_all_forms(day: datetime.date) -> None:
    forms = [day.isoformat(), f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b} {day.year}"]
    dates = [found for form in forms for found in find_dates(form)]
    assert len(dates) == len(forms)
    assert all(same_date(one, other) for one in dates for other in dates)


def date(year: int | None, month: int | None, day: int | None, written: str = "") -> Date:
    return Date(0, 0, year, month, day, written)


@pytest.mark.parametrize(
    ("fact", "answer", "expected"),
    [
        (date(2023, 6, None), date(2023, 6, 30), True),
        (date(2023, 6, 30), date(2023, 6, None), False),
        (date(None, 6, 30), date(2023, 6, 30), True),
        (date(2023, 6, 30), date(None, 6, 30), False),
        (date(2023, 6, 30), date(2024, 6, 30), False),
        (date(2023, None, None, "2/3"), date(2023, None, None, "2/3"), True),
        (date(2023, None, None, "2/3"), date(2023, None, None, "3/2"), False),
        (date(2023, None, None, "2/3"), date(2023, 3, 2), False),
    ],
)
def test_an_answer_states_all_that_the_fact_does(fact: Date, answer: Date, expected: bool) -> None:
    assert same_date(fact, answer) == expected
