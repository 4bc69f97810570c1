"""Currency signs, codes and names beside a number."""

import pytest

from ringtrue.text.currencies import money_after, money_before


@pytest.mark.parametrize(
    ("text", "codes", "sign"),
    [
        ("US$ 5", {"USD"}, "US$"),
        ("R$ 5", {"BRL"}, "R$"),
        ("€5", {"EUR"}, "€"),
        ("EUR 5", {"EUR"}, "EUR"),
        ("eur 5", {"EUR"}, "eur"),
        ("EUR5", {"EUR"}, "EUR"),
        ("¥5", {"JPY", "CNY"}, "¥"),
        ("人民币5", {"CNY"}, "人民币"),
        ("TRY 5", {"TRY"}, "TRY"),
    ],
)
def test_a_currency_before_a_number_is_read(text: str, codes: set[str], sign: str) -> None:
    found = money_before(text, text.index("5"))
    assert found is not None
    assert (set(found[0].codes), found[1], found[2]) == (codes, 0, sign)


@pytest.mark.parametrize("text", ["try 5", "about 5", "5", "(5", "word 5", "XEUR 5"])
def test_other_words_before_a_number_are_no_currency(text: str) -> None:
    assert money_before(text, text.index("5")) is None


def test_a_bare_dollar_sign_is_any_dollar() -> None:
    found = money_before("$5", 1)
    assert found is not None
    assert {"USD", "CAD", "AUD"} <= found[0].codes
    assert "BRL" not in found[0].codes


@pytest.mark.parametrize(
    ("text", "codes", "factor"),
    [
        ("5 €", {"EUR"}, 1),
        ("5 US dollars", {"USD"}, 1),
        ("5 U.S. dollars", {"USD"}, 1),
        ("5 Swiss francs", {"CHF"}, 1),
        ("5 reais", {"BRL"}, 1),
        ("5 pence", {"GBP"}, 0.01),
        ("5元", {"CNY", "NTD"}, 1),
        ("5美元", {"USD"}, 1),
        ("5 Kč", {"CZK"}, 1),
        ("5 KES", {"KES"}, 1),
        ("5₠", {"₠"}, 1),
    ],
)
def test_a_currency_after_a_number_is_read_to_its_end(text: str, codes: set[str], factor: float) -> None:
    found = money_after(text, 1)
    assert found is not None
    assert (set(found[0].codes), float(found[0].factor), found[1]) == (codes, factor, len(text))


@pytest.mark.parametrize("text", ["5 try", "5 p.m.", "5 $10", "5 USD 10", "5 R$ 10", "5", "5 of dollars"])
def test_what_is_not_the_currency_of_this_number_is_left(text: str) -> None:
    assert money_after(text, 1) is None


def test_after_a_scale_word_a_currency_may_follow_of() -> None:
    assert money_after("5 millions d'euros", 10, scaled=True) is not None
    assert money_after("5 milhões de reais", 9, scaled=True) is not None
