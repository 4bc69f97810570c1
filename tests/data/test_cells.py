"""Cells that no spreadsheet takes for a formula."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.cells import guard_cell, unguard_cell


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x")', "+1+2", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "+1-800-555-0100", "-A1"]
)
def test_what_may_be_a_formula_gets_an_apostrophe(text: str) -> None:
    assert guard_cell(text) == "'" + text


@pytest.mark.parametrize(
    "text",
    [
        "-41.27%",
        "+49 30 555 0100",
        "-5",
        "+3,5 %",
        "-1,234.5",
        "-.5",
        "1e-5",
        "-1.5e+3",
        "+49 (30) 5550100",
        "a=b",
        "",
        "'tis",
        "'90s",
    ],
)
def test_plain_numbers_phone_numbers_and_other_texts_stay(text: str) -> None:
    assert guard_cell(text) == text
    assert unguard_cell(text) == text


def test_an_apostrophe_that_was_there_is_kept() -> None:
    assert unguard_cell(guard_cell("'=x")) == "'=x"
    assert unguard_cell(guard_cell("'-41.27%")) == "'-41.27%"


@given(st.one_of(st.text(), st.text(alphabet="'=+-@\t\r1 %x")))
def test_every_text_comes_back(text: str) -> None:
    assert unguard_cell(guard_cell(text)) == text
