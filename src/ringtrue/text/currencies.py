"""Currency signs, codes and names before or after a number: "R$ 5", "5 US dollars", "EUR 5", "5 €", "50 cents".

A sign stands for every currency it can mean ("$" for all dollars and some pesos); two conflict where they share none.
"""

from fractions import Fraction

import regex

from ringtrue.text.folding import after_gap, key
from ringtrue.text.units import Unit

__all__ = ["CODES", "money_after", "money_before"]

_DOLLARS = "USD CAD AUD NZD SGD HKD TWD"
_SIGNS = {
    "$": f"{_DOLLARS} MXN ARS CLP COP UYU",
    "US$": "USD",
    "U.S.$": "USD",
    "A$": "AUD",
    "AU$": "AUD",
    "C$": "CAD",
    "CA$": "CAD",
    "NZ$": "NZD",
    "S$": "SGD",
    "HK$": "HKD",
    "NT$": "TWD",
    "MX$": "MXN",
    "R$": "BRL",
    "€": "EUR",
    "£": "GBP EGP",
    "¥": "JPY CNY",
    "CN¥": "CNY",
    "JP¥": "JPY",
    "円": "JPY",
    "元": "CNY TWD",
    "人民币": "CNY",
    "원": "KRW",
    "₩": "KRW",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
    "₫": "VND",
    "₦": "NGN",
    "₱": "PHP",
    "฿": "THB",
    "₴": "UAH",
    "₿": "BTC",
}
CODES = frozenset(
    f"{_DOLLARS} EUR GBP JPY CNY INR BRL CHF SEK NOK DKK MXN ARS CLP COP UYU ZAR KRW RUB TRY PLN CZK HUF ILS AED SAR "
    "EGP THB IDR MYR PHP VND PKR NGN UAH RON BTC".split()
)
# Codes that are words when not in capitals ("try 5 times").
_CAPITALS_ONLY = {"TRY", "COP", "RON", "SAR", "CAD"}
_NAMES = {
    "dollar dollars dólar dólares dollari": _DOLLARS,
    "us_dollar us_dollars american_dollar american_dollars u.s._dollar u.s._dollars": "USD",
    "canadian_dollar canadian_dollars": "CAD",
    "australian_dollar australian_dollars": "AUD",
    "euro euros": "EUR",
    "pound pounds quid": "GBP EGP",
    "pound_sterling pounds_sterling british_pound british_pounds": "GBP",
    "yen japanese_yen": "JPY",
    "yuan renminbi rmb chinese_yuan": "CNY",
    "won korean_won": "KRW",
    "rupee rupees rs": "INR PKR LKR NPR",
    "indian_rupee indian_rupees": "INR",
    "reais brazilian_real brazilian_reais": "BRL",
    "franc francs franken fr": "CHF XOF XAF",
    "swiss_franc swiss_francs schweizer_franken": "CHF",
    "krona kronor krone kroner kr": "SEK NOK DKK ISK",
    "peso pesos": "MXN ARS CLP COP UYU PHP DOP CUP",
    "mexican_peso mexican_pesos": "MXN",
    "ruble rubles rouble roubles рубль рубля рублей руб": "RUB",
    "lira liras": "TRY",
    "zloty zlotys złoty złotych zł": "PLN",
    "shekel shekels": "ILS",
    "dirham dirhams": "AED MAD",
    "riyal riyals": "SAR QAR",
    "rand": "ZAR",
    "baht": "THB",
    "dong": "VND",
    "naira": "NGN",
    "hryvnia hryvnias": "UAH",
    "bitcoin bitcoins": "BTC",
}
_HUNDREDTHS = {"cent cents centavo centavos": f"{_DOLLARS} EUR ZAR MXN BRL", "pence penny": "GBP"}


def _money(codes: str, factor: Fraction = Fraction(1)) -> Unit:
    return Unit("money", factor, codes=frozenset(codes.split()))


_LOWER_CODES = {code.lower(): _money(code) for code in CODES - _CAPITALS_ONLY}
_BY_SIGN = {sign: _money(codes) for sign, codes in _SIGNS.items()} | {"¢": _money(f"{_DOLLARS} EUR", Fraction(1, 100))}
_BY_NAME = {
    key(name.replace("_", " ")): _money(codes, factor)
    for table, factor in ((_NAMES, Fraction(1)), (_HUNDREDTHS, Fraction(1, 100)))
    for names, codes in table.items()
    for name in names.split()
} | _LOWER_CODES
_BY_CODE = {code: _money(code) for code in CODES}
_ANY_SIGN = "|".join(regex.escape(sign) for sign in sorted(_BY_SIGN, key=len, reverse=True))
_LETTER_BEFORE = r"(?<![\p{L}\p{M}\p{N}])"
_BEFORE = regex.compile(
    rf"(?:(?:{_LETTER_BEFORE}|(?!\p{{Latin}}))(?P<sign>{_ANY_SIGN})"
    rf"|{_LETTER_BEFORE}(?P<name>[A-Za-z]{{2,3}})\.?) {{0,2}}\Z"
)
_SIGN_STARTS = frozenset(sign[0] for sign in _BY_SIGN)
_SIGN_ENDS = frozenset(sign[-1] for sign in _BY_SIGN)
_LONG_WORD = regex.compile(r"(?:[a-z]{4}|[^\p{L}.]|^)\Z")
_BEFORE_NAMES = {name: _BY_NAME[name] for name in ("rs", "rmb", "fr", "kr", *_LOWER_CODES)}
# What stands before another number belongs to that one ("5 USD 10").
_NEXT = regex.compile(r"\.? {0,2}[\p{N}]")
_SIGN_AFTER = regex.compile(_ANY_SIGN)
_NAME_AFTER = regex.compile(r"(?P<first>(?:U\.S\.|[\p{L}\p{M}]+))(?:[ -](?P<second>[\p{L}\p{M}]+))?")
_OF = regex.compile(r"d'|(?:of|de|di) ")


def money_before(text: str, index: int) -> tuple[Unit, int, str] | None:
    """The currency written directly before `index`, the offset where it begins, and its sign or code."""
    start = max(0, index - 9)
    near = text[start:index].rstrip(" ")
    if near[-1:] not in _SIGN_ENDS and _LONG_WORD.search(near):  # most numbers: no need to look closer
        return None
    if (found := _BEFORE.search(text[start:index])) is None:
        return None
    if found["sign"]:
        return _BY_SIGN[found["sign"]], start + found.start(), found["sign"]
    unit = _BY_CODE.get(found["name"]) or _BEFORE_NAMES.get(found["name"].lower())
    return (unit, start + found.start(), found["name"]) if unit else None


def money_after(text: str, index: int, *, scaled: bool = False) -> tuple[Unit, int] | None:
    """The currency after a number that ends at `index`; after a scale word also with "of" ("5 millions d'euros")."""
    start = after_gap(text, index)
    first = text[start : start + 1]
    if not first.isalpha() and first not in _SIGN_STARTS:
        return None
    if scaled and (of := _OF.match(text, start)):
        start = of.end()
    if sign := _SIGN_AFTER.match(text, start):
        return None if _NEXT.match(text, sign.end()) else (_BY_SIGN[sign[0]], sign.end())
    if (name := _NAME_AFTER.match(text, start)) is None:
        return None
    first, second = name["first"], name["second"]
    if second and (unit := _BY_NAME.get(key(f"{first} {second}"))):
        return unit, name.end()
    unit = _BY_CODE.get(first) or _BY_NAME.get(key(first))
    taken = (first in _BY_CODE or key(first) in _BEFORE_NAMES) and _NEXT.match(text, name.end("first"))
    return (unit, name.end("first")) if unit and not taken else None
