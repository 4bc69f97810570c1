"""A text read into atoms, the words and numerals that phrases are compared by."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

import regex

from ringtrue.text.dates import Date, dates_in
from ringtrue.text.folding import LETTER, UNSPACED, clean, fold, key
from ringtrue.text.quantities import Code, Quantity, numerals
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
    **dict(zip(("1st", "2nd", "3rd"), ("first", "second", "third"), strict=True)),
    **dict(zip(("<=", ">=", "ºc", "ºf"), ("≤", "≥", "°c", "°f"), strict=True)),
}
# Particles that Korean writes onto a noun: "서울은" holds "서울".
_KOREAN = regex.compile(
    r"(\p{Hangul}{2,}?)(?:은|는|이|가|을|를|의|에|에서|로|으로|와|과|도|만|이다|입니다|이며|이고|였다|이었다)"
)


def read(text: str) -> Reading:
    """`text` read into atoms; short texts are kept, so that many phrases over one answer read it once."""
    return _read_short(text) if len(text) <= LONG else _read(text)


def _read(text: str) -> Reading:
    text = clean(text)
    folded = fold(text)
    dates = dates_in(folded)
    found = _outside(numerals(folded), [date for date in dates if date.figures])
    words, spans = _atoms(text, folded, _numeral_spans(folded, found, dates))
    starts = [start for start, _ in spans]
    items: Items = {}
    parts: Items = {}

    def add(where: Items, start: int, end: int, item: Item) -> None:
        first, after = bisect_left(starts, start), bisect_left(starts, end)
        where[first] = (*where.get(first, ()), (after, item))

    for numeral in found:
        add(items, numeral.start, numeral.end, key(numeral.text) if isinstance(numeral, Code) else numeral)
    for date in dates:
        add(items, date.start, date.end, date)
        if date.figures and date.year:
            add(parts, date.start, date.end, _year(date))
    for span, word in (*_glued(folded, found), *_initials(folded), *_korean_stems(words, spans)):
        add(items, *span, word)
    return Reading(text, tuple(words), tuple(spans), items, parts, _joined(folded, words, spans))


_read_short = lru_cache(maxsize=256)(_read)


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
    spans = {(one.start, one.end) if isinstance(one, Code) else one.figures for one in found}
    stamps = {(date.start, date.end + (text[date.end : date.end + 1] == "T")) for date in dates if date.figures}
    return sorted({span for span in spans if span} | stamps)


def _atoms(text: str, folded: str, numeral_spans: Iterable[Span]) -> tuple[list[str | None], list[Span]]:
    """The atoms in order: words between the numerals, and ``None`` for each of these."""
    words: list[str | None] = []
    spans: list[Span] = []
    read_to = 0
    for start, end in (*numeral_spans, (len(folded), len(folded))):
        for found in _WORD.finditer(folded, read_to, start):
            if found.lastgroup is None and (start < end or found[0][0] not in "<>"):  # neither a tag nor a last "<"
                words.append(_word(text, found))
                spans.append(found.span())
        if start < end:
            words.append(None)
            spans.append((start, end))
        read_to = end
    return words, spans


def _word(text: str, found: regex.Match[str]) -> str:
    """A word as it is compared."""
    word = key(found[0])
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
