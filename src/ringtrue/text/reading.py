"""A text read into atoms, the words and numerals that phrases are compared by."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

import regex

from ringtrue.text.combined import combined
from ringtrue.text.dates import Date, dates_in
from ringtrue.text.folding import LETTER, UNSPACED, clean, fold, key
from ringtrue.text.quantities import Code, Quantity, is_sign, numerals
from ringtrue.text.words import LONG

__all__ = ["Item", "Reading", "read"]

Item: TypeAlias = str | Quantity | Date
Items: TypeAlias = dict[int, tuple[tuple[int, Item], ...]]
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read into atoms.

    `words` holds each atom's word, ``None`` for a numeral; `spans` where it stands in `text` (the composed text).
    `items` holds, by the atom where it begins, what is more than one word: (atom after it, quantity, date or code).
    `parts` are items that only an answer offers (the year in "2023-02-22"); `joined` are atoms tied to the one before.
    """

    text: str
    words: tuple[str | None, ...]
    spans: tuple[tuple[int, int], ...]
    items: Mapping[int, tuple[tuple[int, Item], ...]]
    parts: Mapping[int, tuple[tuple[int, Item], ...]]
    joined: frozenset[int]


_ALNUM = r"[\p{L}\p{M}\p{N}\u200c\u200d]"
_ENDINGS = (
    rf"(?:\+\+|[+#](?!{_ALNUM})|(?<=\p{{L}}\d+)(?:\.\d++)++"
    rf"|(?<=(?<!{_ALNUM})(?:[A-Fa-fOo]|AB|ab))-(?=[\s.,;:!?)\]}}\"'*]|\Z))?"
)
_KINDS_OF_WORD = (
    # an HTML tag, which is none
    r"(?P<tag></?(?:a|b|br|code|div|em|h[1-6]|i|li|ol|p|span|strong|sub|sup|table|td|th|tr|u|ul)(?:\s[^<>]{0,200}+)?/?>)",
    # U.S.A., so that it equals USA
    rf"(?<!{_ALNUM}|\.)(?:[\p{{L}}--[{UNSPACED}]]\.){{2,}}+(?:\p{{L}}(?!{_ALNUM}))?",
    # a negated verb, which does not hold the verb itself
    rf"(?<!{_ALNUM})[A-Za-z]++(?<=[nN])'[tT](?!{_ALNUM})",
    # the "per" of "$5/month"
    r"(?<=[\d$€£¥%] ?)/(?= ?(?:second|minute|hour|hr|day|week|month|mo|year|yr|person|unit|user|share)\b)",
    # a word with the ending of C++, C#, A+, gpt3.5, or of the grade or blood group A-
    rf"(?![\u200c\u200d])[[\p{{L}}\p{{M}}\p{{N}}\u200c\u200d]--[{UNSPACED}]]++{_ENDINGS}",
    # the ending of isn't and Amazon's
    rf"'(?<={_ALNUM}')(?i:s|t|d|m|ll|re|ve)(?!{_ALNUM})",
    rf"[°º][CFcf](?!{_ALNUM})",
    r"&(?:amp;)?",
    # a comparison before a number (where the words end), not the end of a tag or an arrow
    r"[≤≥]|(?:<=?|(?<!<[a-zA-Z/][^<>]{0,80}|[-=>])>=?)(?=\s?[-+]?[$€£]?\Z)",
    rf"[{UNSPACED}]\p{{M}}*+",
)
_WORD = regex.compile("|".join(_KINDS_OF_WORD), regex.V1)
# Words before a version; after these 3.1 and 3.10 are two ("2" and "2.0" are one).
_VERSIONED = regex.compile(
    r"(?i)(?<![\p{L}\p{N}])(?:python|version|ver\.?|v\.?|release|ios|ipados|macos|android|windows|ubuntu|debian|fedora|java|php"
    r"|ruby|perl|node(?:\.js)?|rust|go|swift|kotlin|django|numpy|pandas|pytorch|tensorflow|cuda|kubernetes|postgres(?:ql)?"
    r"|mysql|section|sec\.|chapter|clause|article|figure|fig\.|table|equation|eq\.|§)[ *_`(]{1,4}\Z"
)
_VERSION_FIGURES = regex.compile(r"\d+\.(?!0+$)\d+")
_BETWEEN = regex.compile(r" to \p{Sc}?")
_INITIALS = regex.compile(r"(?<![\p{L}\p{M}\p{N}.])(?:\p{Lu}\. ){1,3}\p{Lu}\.(?= )")
_VERSION = regex.compile(r"v\d+\.\d+\.\d")
_LETTERS = regex.compile(rf"{LETTER}++", regex.V1)
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_SAME_WORDS = {
    **{f"{number}th": word for number, word in enumerate(_ORDINALS.split(), 1)},
    **dict.fromkeys(("&", "&amp;"), "and"),
    "/": "per",
    **dict(zip(("1st", "2nd", "3rd"), ("first", "second", "third"), strict=True)),
    **dict(zip(("<=", ">=", "ºc", "ºf"), ("≤", "≥", "°c", "°f"), strict=True)),
}
# Particles that Korean writes onto a noun: "서울은" holds "서울".
_KOREAN = regex.compile(
    r"(\p{Hangul}{2,}?)(?:은|는|이|가|을|를|의|에|에서|로|으로|와|과|도|만|이다|입니다|이며|이고|였다|이었다)"
)


def read(text: str) -> Reading:
    """`text` read into atoms; short texts are kept, and the last long one, so that many facts read an answer once."""
    return _read_short(text) if len(text) <= LONG else _read_long(text)


def _read(text: str) -> Reading:
    text = clean(text)
    folded = fold(text)
    dates = dates_in(folded)
    found = _outside(combined(folded, numerals(folded)), [date for date in dates if date.figures])
    words, spans = _atoms(text, folded, _numeral_spans(folded, found, dates))
    starts = [start for start, _ in spans]
    items: Items = {}
    parts: Items = {}
    named = [date for date in dates if not date.figures]

    def add(where: Items, start: int, end: int, item: Item) -> None:
        first, after = bisect_left(starts, start), bisect_left(starts, end)
        where[first] = (*where.get(first, ()), (after, item))

    stated = {id(numeral) for numeral in _outside(found, named)}
    for numeral in found:
        if isinstance(numeral, Quantity) and (version := _version(folded, numeral)):
            stated.discard(id(numeral))
            add(items, numeral.start, numeral.end, version)
    for numeral in found:
        add(
            items if id(numeral) in stated else parts,
            numeral.start,
            numeral.end,
            key(numeral.text) if isinstance(numeral, Code) else numeral,
        )
    for date in dates:
        add(items, date.start, date.end, date)
        if date.figures and date.year:
            add(parts, date.start, date.end, _year(date))
    for date in named:  # as a whole in a fact, with its words and numbers in an answer
        for index in range(bisect_left(starts, date.start), bisect_left(starts, date.end)):
            if word := words[index]:
                parts[index] = (*parts.get(index, ()), (index + 1, word))
                words[index] = None
    for span, word in (*_glued(folded, found), *_initials(folded), *_korean_stems(words, spans)):
        add(items, *span, word)
    return Reading(text, tuple(words), tuple(spans), items, parts, _joined(folded, words, spans))


_read_short = lru_cache(maxsize=256)(_read)
_read_long = lru_cache(maxsize=1)(_read)


def _version(text: str, number: Quantity) -> str:
    """The figures of a version or section ("3.10" in "Python 3.10"), or "". An answer states the number too."""
    if number.unit or number.figures != (number.start, number.end) or number.scaled:
        return ""
    written = text[number.start : number.end]
    is_one = _VERSION_FIGURES.fullmatch(written) and _VERSIONED.search(text[max(0, number.start - 20) : number.start])
    return written if is_one else ""


def _outside(found: Iterable[Quantity | Code], dates: Iterable[Date]) -> list[Quantity | Code]:
    """The numerals that are no part of a date in figures. Both come left to right."""
    kept, ahead = [], list(reversed(list(dates)))
    for numeral in found:
        while ahead and ahead[-1].end <= numeral.start:
            ahead.pop()
        if not ahead or numeral.end <= ahead[-1].start:
            kept.append(numeral)
    return kept


def _numeral_spans(text: str, found: Iterable[Quantity | Code], dates: Iterable[Date]) -> list[Span]:
    """Where words are not looked for: figures, codes, and dates in figures with the T that a clock time follows."""
    spans = {
        (one.start, one.end) if isinstance(one, Code) else one.figures for one in found if not _is_spoken(text, one)
    }
    stamps = {(date.start, date.end + (text[date.end : date.end + 1] == "T")) for date in dates if date.figures}
    return sorted({span for span in spans if span} | stamps)


def _is_spoken(text: str, one: Quantity | Code) -> bool:
    """Whether a code is in words ("two thirds"), which stay words as well."""
    return isinstance(one, Code) and text[one.start].isalpha()


def _atoms(text: str, folded: str, numeral_spans: Iterable[Span]) -> tuple[list[str | None], list[Span]]:
    """The atoms in order: words between the numerals, and ``None`` for each of these."""
    words: list[str | None] = []
    spans: list[Span] = []
    read_to = 0
    for start, end in (*numeral_spans, (len(folded), len(folded))):
        for found in _WORD.finditer(folded, read_to, start):
            if found.lastgroup is None and (start < end or found[0][0] not in "<>"):  # neither a tag nor a last "<"
                if words and words[-1] is None and start < end and _BETWEEN.fullmatch(folded, spans[-1][1], start):
                    continue  # "3 to 5" is "3-5"
                words.append(_word(text, folded, found))
                spans.append(found.span())
        if start < end:
            words.append(None)
            spans.append((start, end))
        read_to = end
    return words, spans


def _word(text: str, folded: str, found: regex.Match[str]) -> str:
    """A word as it is compared."""
    word = key(found[0])
    if word[0].isdecimal() and folded[found.start() - 1 : found.start()] == "-" and is_sign(folded, found.start() - 1):
        return "-" + word  # "-2x"
    if "." in word:
        return word.replace(".", "") if not word[-1].isdecimal() else word[1:] if _VERSION.match(word) else word
    if word[-1] == "-":  # neither the dash of "plan A– the best" nor the hyphen of "A-5" is a grade
        graded = text[found.end() - 1] in "-−－" and not text[found.end() : found.end() + 1].isdecimal()
        return word if graded else word[:-1]
    return _SAME_WORDS.get(word, word)


def _glued(text: str, found: Iterable[Quantity | Code]) -> Iterable[tuple[Span, str]]:
    """A number with its letters as one word too, so that "5G" and "5g" are equal whatever G is taken for."""
    for one in found:
        figures = one.figures if isinstance(one, Quantity) else None
        if figures and figures[0] == one.start and (letters := _LETTERS.match(text, figures[1])):
            yield (one.start, letters.end()), key(text[one.start : letters.end()])


def _initials(text: str) -> Iterable[tuple[Span, str]]:
    """ "J. R. R. Tolkien" holds "J.R.R."."""
    for found in _INITIALS.finditer(text):
        yield found.span(), key(found[0].replace(". ", "").rstrip("."))


def _korean_stems(words: Iterable[str | None], spans: Iterable[Span]) -> Iterable[tuple[Span, str]]:
    """The noun of a Korean word that ends in a particle."""
    for word, span in zip(words, spans, strict=True):
        if word and not word.isascii() and (stem := _KOREAN.fullmatch(word)):
            yield span, stem[1]


def _year(date: Date) -> Quantity:
    year = Decimal(date.year or 0)
    return Quantity(date.start, date.end, year, Decimal(1), 4, False, "", None, None)


def _joined(text: str, words: list[str | None], spans: list[Span]) -> frozenset[int]:
    """The numerals after the first in every chain of three or more with hyphens between ("555-123-4567")."""
    joined: set[int] = set()
    length = 1
    for index in range(1, len(words)):
        hyphen = words[index] is None and words[index - 1] is None
        length = length + 1 if hyphen and text[spans[index - 1][1] : spans[index][0]] == "-" else 1
        if length >= 3:
            joined.update((index - 1, index))
    return frozenset(joined)
