"""Marks that mean the same, made the same: digits of all scripts, minus signs, spaces, apostrophes, letter case."""

import unicodedata
from html import unescape

import regex

__all__ = ["LETTER", "SCRIPT_RUN", "UNSPACED", "after_gap", "clean", "fold", "key"]

# Scripts written without spaces between words, for use inside a character set.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰ〆"
# A letter, mark or numeral that makes one word with the digit beside it ("Q2", "3D"); in unspaced scripts and Hangul,
# whose counters follow a number directly ("5个", "5명"), none does.
LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{UNSPACED}\p{{Hangul}}]]"
# A word that ends where the script changes to one of these ("km" in "5kmです"). Both need `regex.V1`.
SCRIPT_RUN = rf"(?:[[\p{{L}}\p{{M}}]--[{UNSPACED}\p{{Hangul}}]]+|[\p{{L}}\p{{M}}]+)"

_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00a0\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032\u00b4\uff07", "'"),
        **{chr(0xFF01 + i): chr(0x21 + i) for i in range(94) if chr(0x21 + i) not in ",.-'"},
        **{chr(0x2080 + i): str(i) for i in range(10)},
        **dict(zip("\u066a\u066b\u066c\uffe1\uffe5\u02da", "%.,£¥°", strict=True)),
    }
)
_ONE_I = str.maketrans({"ı": "i", "\u200c": None, "\u200d": None})
_OTHER_DIGIT = regex.compile(r"[\p{Nd}--[0-9]]", regex.V1)
_WIDE_MARK = regex.compile(r"(?<=[０-９])[，．](?=[０-９])")
# What may stand between a number and its unit: spaces, marks of Markdown, HTML and LaTeX, a hyphen, a wrapped line.
_GAP = regex.compile(
    r"(?:[ \t*_}~]|</?[a-z]{1,6}>|\\(?:text|mathrm|mathbf|textbf)\{|\\[,;:! ]?|-(?=\p{L})|\r?\n(?=\p{Ll})){0,6}+"
)
_GAP_STARTS = frozenset(" \t*_}~<\\-\r\n")
_ENTITY = regex.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_DEGREE = regex.compile(r"\^(?:\\circ|\{\s?\\circ\s?\})(?:[\s~\\,;]{0,3}\\(?:text|mathrm)\{\s?([CF])\s?\})?")
_SHORT_FRACTION = regex.compile(r"\\[dt]?frac\s?(\d)\s?(\d)(?!\d)")
_INVISIBLE = regex.compile(r"[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")


def fold(text: str) -> str:
    """`text` with alike marks made ASCII, one character for one, so that offsets stay true.

    Minus signs and short dashes become ``-``, spaces of all widths a space, apostrophes ``'``, decimal digits of any
    script and subscripts ``0-9``, full-width forms their ASCII twins. Superscripts stay, since "x²" is not "x2".
    """
    if text.isascii():
        return text
    text = _WIDE_MARK.sub(lambda mark: "," if mark[0] == "，" else ".", text).translate(_SAME)
    # The regex library knows digits of a newer Unicode than Python does; these are no letters and no figures.
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0], "\ufffd")), text)


def clean(text: str) -> str:
    """`text` composed (NFC), without the invisible characters that only guide typesetting (soft hyphen, direction).

    HTML entities are decoded, and a degree or a fraction of LaTeX is written in its usual form.
    """
    if "&" in text:
        text = _ENTITY.sub(lambda entity: unescape(entity[0]), text)
    if "\\" in text:
        text = _DEGREE.sub(lambda degree: f"°{degree[1] or ''}", _SHORT_FRACTION.sub(r"\\frac{\1}{\2}", text))
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


def key(word: str) -> str:
    """What a word is compared by: composed and case-folded; Turkish dotted and dotless i are one, joiners none."""
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFC", word).casefold().translate(_ONE_I)
    return unicodedata.normalize("NFC", folded.replace("i\u0307", "i"))


def after_gap(text: str, index: int) -> int:
    """Where the unit of a number that ends at `index` would begin."""
    if text[index : index + 1] not in _GAP_STARTS:
        return index
    found = _GAP.match(text, index)
    return found.end() if found else index
