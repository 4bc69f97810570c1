"""Scale words after a number: "134.4 billion", "5k", "3 Mrd.", "5 mil millones", "12 lakh crore", "5万", "× 10^8"."""

from dataclasses import dataclass

import regex

from ringtrue.text.folding import SCRIPT_RUN, after_gap, key

__all__ = ["Scale", "read_lower", "read_power", "read_scale"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Ten to the `exponent`; ``None`` where the word means different numbers in different countries.

    `plain` is true of English words, beside which a point is a decimal mark and a comma groups thousands; `end` is the
    offset after the word.
    """

    exponent: int | None
    plain: bool
    end: int


def _by_word(table: str) -> dict[str, int]:
    """The exponent of every word of a table."""
    rows = (row.split() for row in table.strip().splitlines())
    return {word: int(exponent) for exponent, *words in rows for word in words}


_ENGLISH = _by_word("""
2  hundred
3  thousand thousands
5  lakh lakhs lac
6  million mn mln
7  crore crores
9  billion bn bln
12 trillion tn trn
15 quadrillion
""")
_OTHER = _by_word("""
3  tausend mil mila duizend tusen тыс тысяча тысячи тысяч tys tysięcy tisíc ngàn nghìn ribu ألف हज़ार bin χιλιάδες
5  लाख
6  millions millionen mio millón millon millones milhão milhao milhões milhoes milione milioni miljoen miljon miljoner
6  milionů miliony milionów milioner milioane millioner triệu juta εκατομμύρια מיליון мільйон мільйони мільйонів
6  milyon млн миллион миллиона миллионов مليون
7  करोड़
9  milliarde milliarden mrd milliard milliards bilhão bilhao bilhões bilhoes miliardo miliardi mld miljard miljarden
9  milliarder miliard miliardów tỷ מיליארד мільярд мільярдів
9  miljarder milyar млрд миллиард миллиарда миллиардов مليار
12 billionen trilhão trilhao trilhões trilhoes
""")
_ABBREVIATED = frozenset(("mio", "mrd", "mln", "mld", "тыс", "млн", "млрд", "tys"))
# "billones" is 10^12 in Spain and 10^9 in some American texts, French "billions" 10^12 and sloppy English 10^9.
_UNSURE = "billions billon billón billones trillions trillon trillón trillones"
_NAMED: dict[str, tuple[int | None, bool]] = {
    **{key(word): (exponent, False) for word, exponent in _OTHER.items()},
    **{word: (exponent, True) for word, exponent in _ENGLISH.items()},
    **{key(word): (None, False) for word in _UNSURE.split()},
}
# Letters that are scales only directly at the figures ("5k", "7B"), or beside a currency ("$5 M"); as written.
_GLUED = _by_word("""
3 k K
6 M
9 B
""")
_BESIDE_MONEY = _GLUED | _by_word("""
5  L
6  m mm MM mi
7  cr Cr
9  b bi
12 t T
""")
_CHARACTERS = _by_word("""
3  千 천 พัน
4  万 萬 만 หมื่น
5  十万 十萬 십만 แสน
6  百万 百萬 백만 ล้าน
7  千万 千萬 천만 สิบล้าน
8  亿 億 억 ร้อยล้าน
9  十亿 十億 십억 พันล้าน
10 百亿 百億 백억
11 千亿 千億 천억
12 万亿 兆 조 ล้านล้าน
""")
_LETTERS = regex.compile(rf"(?>{SCRIPT_RUN})(?!\p{{N}})", regex.V1)
_CHARACTER = regex.compile("|".join(sorted(_CHARACTERS, key=len, reverse=True)))
_GOES_ON = regex.compile(r" ?(\d{1,4}+(?:,\d{3})*+)(?![.,:/-]?\d)")
_CHARACTER_ENDS = frozenset(written[-1] for written in _CHARACTERS)
_AND_SCALE = regex.compile(r"[ -]{1,2}([\p{L}\p{M}]+)")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = regex.compile(
    r"(?:[eE](?P<e>[+-]?\d{1,3})|(?:\s{0,2}(?:[×x*·]|\\times|\\cdot)\s{0,2}10|(?<=(?<![\d.,])10))"
    r"(?:\^\s?\{?(?P<caret>[+-]?\d{1,3})\}?|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{1,3})))(?![\p{L}\p{N}]|\.\d)"
)
_POWER_STARTS = frozenset(" eE×x*·\\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")


def read_scale(text: str, index: int, *, money: str = "") -> Scale | None:
    """The scale word, or two that multiply, after a number that ends at `index`; `money` is the currency before it."""
    start = after_gap(text, index)
    if not text[start : start + 1].isalpha():
        return None
    if character := _CHARACTER.match(text, start):
        return Scale(_CHARACTERS[character[0]], True, character.end())
    if (found := _LETTERS.match(text, start)) is None:
        return None
    short = _BESIDE_MONEY if money else _GLUED if start == index else {}
    if (exponent := short.get(found[0])) is not None:
        return Scale(exponent, True, found.end())
    if (named := _NAMED.get(key(found[0]))) is None:
        return None
    first, plain = named
    if found[0] == "mil" and money.endswith("$") and money != "R$":
        first = None  # English slang for a million, Spanish for a thousand
    again = _AND_SCALE.match(text, found.end())
    second = _NAMED.get(key(again[1])) if again else None
    if again is None or second is None:
        stopped = key(found[0]) in _ABBREVIATED and text[found.end() : found.end() + 1] == "."
        return Scale(first, plain, found.end() + stopped)
    exponent = None if first is None or second[0] is None else first + second[0]
    return Scale(exponent, plain and second[1], again.end())


def read_lower(text: str, scale: Scale) -> tuple[int, int, int] | None:
    """What goes on with an East Asian scale: the 58,000,000 of "1億5800万", as (value, exponent, end)."""
    if scale.exponent is None or text[scale.end - 1] not in _CHARACTER_ENDS:
        return None
    if (found := _GOES_ON.match(text, scale.end)) is None:
        return None
    lower = _CHARACTER.match(text, found.end())
    exponent = _CHARACTERS[lower[0]] if lower else 0
    value = int(found[1].replace(",", "")) * 10**exponent
    if value >= 10**scale.exponent or (lower is None and found[0][0] == " "):
        return None
    return value, exponent, lower.end() if lower else found.end()


def read_power(text: str, index: int) -> tuple[int, int, bool] | None:
    """The power of ten after a number that ends at `index`: (exponent, end, alone).

    `alone` is true where the number is the 10 itself ("10^6"), so that the exponent counts from one.
    """
    if text[index : index + 1] not in _POWER_STARTS or (found := _POWER.match(text, index)) is None:
        return None
    written = found["e"] or found["caret"] or found["raised"].translate(_SUPERSCRIPT)
    alone = not found["e"] and found[0][0] in "^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
    return int(written), found.end(), alone
