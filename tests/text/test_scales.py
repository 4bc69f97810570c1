"""Scale words and powers of ten after a number."""

import pytest

from ringtrue.text.scales import Scale, read_power, read_scale


@pytest.mark.parametrize(
    ("text", "money", "exponent", "plain"),
    [
        ("5 billion", "", 9, True),
        ("5 Billion", "", 9, True),
        ("5k", "", 3, True),
        ("5B", "", 9, True),
        ("5 MM", "$", 6, True),
        ("5 t", "$", 12, True),
        ("5 lakh crore", "", 12, True),
        ("5 Mio", "", 6, False),
        ("5 Mrd", "", 9, False),
        ("5 Billionen", "", 12, False),
        ("5 mil", "", 3, False),
        ("5 mil", "R$", 3, False),
        ("5 mil millones", "", 9, False),
        ("5 bilhões", "", 9, False),
        ("5 milliards", "", 9, False),
        ("5 млрд", "", 9, False),
        ("5万", "", 4, True),
        ("5万亿", "", 12, True),
        ("5-million", "", 6, True),
    ],
)
def test_scale_words_are_read(text: str, money: str, exponent: int, plain: bool) -> None:
    assert read_scale(text, 1, money=money) == Scale(exponent, plain, len(text))


@pytest.mark.parametrize(
    ("text", "money"), [("5 billones", ""), ("5 billions", ""), ("5 mil", "$"), ("5 trillones", "")]
)
def test_words_of_more_than_one_meaning_are_unsure(text: str, money: str) -> None:
    scale = read_scale(text, 1, money=money)
    assert scale is not None
    assert scale.exponent is None


@pytest.mark.parametrize("text", ["5", "5 people", "5 k", "5 M", "5m", "5 b", "5B2", "5\nMillion", "5 % of a million"])
def test_other_words_are_no_scale(text: str) -> None:
    assert read_scale(text, 1) is None


def test_the_full_stop_of_an_abbreviation_belongs_to_it() -> None:
    scale = read_scale("5 Mio. Euro", 1)
    assert scale is not None
    assert scale.end == len("5 Mio.")


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("1.5e6", 3, (6, 5, False)),
        ("3 × 10^8", 1, (8, 8, False)),
        ("3x10⁸", 1, (8, 5, False)),
        ("3\\times 10^{-8}", 1, (-8, 15, False)),
        ("10^6", 2, (6, 4, True)),
        ("10⁶", 2, (6, 3, True)),
        ("110^6", 3, None),
        ("5^6", 1, None),
        ("5 × 10", 1, None),
        ("5ex", 1, None),
    ],
)
def test_powers_of_ten_are_read(text: str, index: int, expected: tuple[int, int, bool] | None) -> None:
    assert read_power(text, index) == expected
