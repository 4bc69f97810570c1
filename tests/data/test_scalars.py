"""Any value as text, number, JSON, or missing."""

import math
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ringtrue.data.scalars import Written, is_missing, json_ready, mend_surrogates, to_number, to_text


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is \n", "as it is \n"),
        (42, "42"),
        (0, "0"),
        (True, "true"),
        (False, "false"),
        (3.0, "3.0"),
        (-0.5, "-0.5"),
        (2**80, "1208925819614629174706176"),
        (["Lyon"], "Lyon"),
        ([0], "0"),
        (["a", "b"], '["a", "b"]'),
        ({"total": 5, "unit": "€"}, '{"total": 5, "unit": "€"}'),
        (date(2024, 1, 15), "2024-01-15"),
        (datetime(2024, 1, 15, 12, 30), "2024-01-15T12:30:00"),
        (Decimal("3.10"), "3.10"),
        (np.int64(7), "7"),
        (np.float64(3.0), "3.0"),
        (np.bool_(True), "true"),
        (np.array(["a", "b"], dtype=object), '["a", "b"]'),
        (pd.Timestamp("2024-01-15"), "2024-01-15T00:00:00"),
        (Colour.RED, "red"),
        (Written("007"), "007"),
        (float("inf"), "Infinity"),
    ],
)
def test_a_value_as_text(value: Any, text: str) -> None:
    assert to_text(value) == text
    assert not is_missing(value)


@pytest.mark.parametrize(
    "value", [None, "", "  \n\t", "\u00a0\u2028", math.nan, np.nan, np.float64("nan"), pd.NA, pd.NaT]
)
def test_what_is_missing(value: Any) -> None:
    assert to_text(value) is None
    assert is_missing(value)


@pytest.mark.parametrize("value", [[], [None], [""]])
def test_an_empty_list_is_no_text_but_not_missing(value: Any) -> None:
    assert to_text(value) is None
    assert not is_missing(value)


@pytest.mark.parametrize(("value", "number"), [("0.5", 0.5), (3, 3.0), (" 2e3 ", 2000.0), (Written("7"), 7.0)])
def test_a_number(value: Any, number: float) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize("value", ["n/a", "", None, True, "nan", "inf", [1], 10**400])
def test_what_is_no_number(value: Any) -> None:
    assert to_number(value) is None


def test_json_ready_values() -> None:
    value = {1: (1, 2), "s": {3}, "n": math.nan, "b": b"x", "big": 2**64, "w": Written("3"), "t": Written("true")}
    assert json_ready(value) == {
        "1": [1, 2],
        "s": [3],
        "n": None,
        "b": "x",
        "big": "18446744073709551616",
        "w": 3,
        "t": True,
    }


@pytest.mark.parametrize("written", ["007", "3.10", "1_000", "no", "Off", "0x1F", "1e3", "12:30", "+5"])
def test_written_scalars_that_a_number_would_not_give_back_stay_text(written: str) -> None:
    assert json_ready(Written(written)) == written


def test_halves_of_surrogate_pairs_are_mended() -> None:
    assert mend_surrogates("a\ud83db") == "a\ufffdb"
