"""Numbers that state one amount together, and ranges."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.combined import combined
from ringtrue.text.folding import fold
from ringtrue.text.quantities import Quantity, numerals


def values(text: str) -> list[Decimal]:
    return [one.value for one in combined(text, numerals(text)) if isinstance(one, Quantity)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 hour 30 minutes", ["90"]),
        ("2 h 5 min 10 s", ["7510"]),
        ("6 feet 2 inches", ["74"]),
        ("2 years and 3 months", ["27"]),
        ("$5 and 20 cents", ["520"]),
        ("-1 hour 30 minutes", ["-90"]),
        ("5 million 300 thousand", ["5300000"]),
        ("1 hour 90 minutes", ["1", "90"]),  # the second is more than one of the first
        ("1 hour, 30 minutes", ["1", "30"]),  # a list
        ("3 kg and 200 g", ["3", "200"]),
        ("30 minutes 1 hour", ["30", "1"]),
        ("5 km 30 minutes", ["5", "30"]),
        ("10-20 million", ["10000000", "20000000"]),
        ("1.5 to 2.25 billion", ["1500000000", "2250000000"]),
    ],
)
def test_what_states_one_amount_is_one(text: str, expected: list[str]) -> None:
    assert values(text) == [Decimal(value) for value in expected]


def test_the_unit_of_a_range_belongs_to_both_numbers() -> None:
    units = {one.unit for one in combined("10-20%", numerals("10-20%")) if isinstance(one, Quantity)}
    assert len(units) == 1


@given(st.text(alphabet="0123456789.,' -$€()%khmin億万½/and tofe\n", max_size=40))
def test_what_is_combined_stays_in_order_and_in_the_text(text: str) -> None:
    folded = fold(text)
    found = combined(folded, numerals(folded))
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
