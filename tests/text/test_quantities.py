"""Quantities: how they are found, with sign and span, and when two are the same."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.folding import fold
from ringtrue.text.quantities import Code, find_quantities, numerals, same_quantity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Sales fell by −41.27% to US$134,383 million.",
            [("−41.27%", "-41.27"), ("US$134,383 million", "134383000000")],
        ),
        ("3-5 days", [("3", "3"), ("5 days", "5")]),
        ("1990–1995", [("1990", "1990"), ("1995", "1995")]),
        ("covid-19", [("19", "19")]),
        ("-$5 and $-5", [("-$5", "-5"), ("$-5", "-5")]),
        ("($5), $(1.2) million, (41.27)%", [("$5", "5"), ("$(1.2) million", "-1200000"), ("(41.27)%", "-41.27")]),
        ("5€-10€", [("5€", "5"), ("10€", "10")]),
        ("minus five degrees", [("minus five degrees", "-5")]),
        ("10 minus 5", [("10", "10"), ("5", "5")]),
        ("R$ 1.482.305,60", [("R$ 1.482.305,60", "1482305.60")]),
        ("7{,}250 and $5$", [("7{,}250", "7250"), ("$5", "5")]),
        ("twelve hundred dollars", [("twelve hundred dollars", "1200")]),
        ("1.5e6 or 3.0 × 10^8 m/s", [("1.5e6", "1500000"), ("3.0 × 10^8 m/s", "300000000")]),
        ("10am, 5pm", [("10", "10"), ("5", "5")]),
        (".5 and $.50", [(".5", "0.5"), ("$.50", "0.50")]),
        ("5万元", [("5万元", "50000")]),
        ("⅓ of 3/4 at 10:30, v1.2.3, 22nd, Q2, 3D, 007, 1990s", []),
    ],
)
def test_quantities_are_found_with_their_spans(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(text[one.start : one.end], one.value) for one in find_quantities(text)]
    assert found == [(span, Decimal(value)) for span, value in expected]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("at 09:30 and 10:30:15", ["9:30", "10:30:15"]),
        ("1.2.3 and 192.168.1.1", ["1.2.3", "192.168.1.1"]),
        ("½, 1/2, \\frac{1}{2}", ["1/2", "1/2", "1/2"]),
        ("2/22/23", ["2/22/23"]),
        ("agent 007", ["007"]),
        ("5 billones", ["5 billones"]),
        ("2^10", ["2^10"]),
    ],
)
def test_other_figures_are_codes(text: str, codes: list[str]) -> None:
    assert [one.text for one in numerals(fold(text)) if isinstance(one, Code)] == codes


def test_an_unclear_unit_is_read_both_ways() -> None:
    assert [one.unit and one.unit.dimension for one in find_quantities("5 pounds")] == ["money", "mass"]
    assert [(one.value, one.certain) for one in find_quantities("5m")] == [(Decimal("5E6"), True), (Decimal(5), False)]


@given(st.text(alphabet="0123456789.,' -−+$€()%kmMBe^x/:{}\\ \n½²", max_size=30))
def test_any_figures_can_be_read(text: str) -> None:
    found = numerals(fold(text))
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)


# (fact, answer, whether they are the same); the values are worked by hand
SAME = [
    ("134.4 billion", "134,383 million", True),  # 134.383 rounds to 134.4
    ("134,383 million", "134.4 billion", True),
    ("134.4 billion", "134,350 million", True),  # half up
    ("134.4 billion", "134,450 million", True),  # half to even
    ("134.5 billion", "134,450 million", True),  # half up
    ("134.3 billion", "134,350 million", False),  # neither
    ("134.4 billion", "134.5 billion", False),
    ("134,383 million", "130 billion", False),
    ("1 billion", "600 million", False),
    ("1 billion", "1.04 billion", True),
    ("2.0 billion", "2 billion", True),
    ("5", "5.0", True),
    ("5", "5.3", False),
    ("5", "-5", False),
    ("5%", "5", False),
    ("5", "5%", True),
    ("1.482", "1.482", True),
    ("1.482", "1,482", False),
    ("1.482 kg", "1.482 kg", True),
    ("1.482 kg", "1.482 g", False),
    ("$1.482", "1.482", True),
    ("5 miles", "8.05 km", True),  # 8.04672
    ("8.05 km", "5 miles", True),
    ("5 miles", "8.04 km", False),
    ("5 miles", "8 km", False),
    ("5 °C", "41 °F", True),
    ("5 degrees", "5 °F", True),
    ("5 °F", "5 degrees", False),
    ("50 cents", "$0.50", True),
    ("50 cents", "50", False),
]


@pytest.mark.parametrize(("fact", "answer", "expected"), SAME)
def test_quantities_are_the_same_within_stated_rounding(fact: str, answer: str, expected: bool) -> None:
    assert (
        any(same_quantity(one, other) for one in find_quantities(fact) for other in find_quantities(answer)) == expected
    )


@given(st.decimals(min_value=Decimal("0.1"), max_value=Decimal(10**6), places=4))
def test_what_rounds_to_a_fact_of_three_figures_matches_it(value: Decimal) -> None:
    [exact] = find_quantities(f"{value:f} million")
    stated = f"{value:.3g}"
    if "e" not in stated:
        [fact] = find_quantities(f"{stated} million")
        assert same_quantity(fact, exact)
