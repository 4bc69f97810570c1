r"""Numbers as people write them: figures with the separators of any country, and English number words.

How separators are read (`read_figures`), without a locale and without guessing:

- Of two kinds of separator the last is the decimal mark: ``1.482.305,60`` = ``1,482,305.60`` = ``1 482 305,60``.
- One kind, several times, groups thousands by threes, commas also the Indian way: ``1.482.305``, ``12,34,567``.
- A space of any width, an apostrophe, ``_`` or LaTeX ``\,`` before exactly three figures groups thousands: ``7 250``.
- One comma before exactly three figures groups thousands: ``7,250`` is 7250. LaTeX ``{,}`` is a comma.
- One point before exactly three figures may be either and is *ambiguous* (``1.482``), but a decimal mark after a zero
  or more than three figures (``0.482``, ``1482.305``), and before an English scale word (``134.383 billion``).
  Before a scale word of another language (``1,482 Milliarden``, ``1.482 milhões``) comma and point are both ambiguous.
- Any other single comma or point is a decimal mark: ``12,5`` = ``12.5``.

A leading zero before more figures ("007", a postcode), or more than forty figures, make a code and no number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

import regex

__all__ = ["FIGURES", "Figures", "Mark", "and_a_half", "read_figures", "split_figures", "spoken_numbers"]

Mark: TypeAlias = Literal["", ".", ","]

_MOST_FIGURES = 40
_ONE = Decimal(1)
_TENTH = Decimal("0.1")
_HALF = Fraction(1, 2)
_THREE = r"(?=\d{3}(?!\d))"
# One run of figures and separators, in folded text. Possessive, so that no input makes it backtrack.
FIGURES = rf"\d++(?:(?:[.,](?=\d)|['_ ]{_THREE}|\{{,\}}(?=\d)|,\\!(?=\d)|\\[,;: ]{_THREE})\d++)*+"
_MARK = regex.compile(r"[., '_]")
_PIECE = regex.compile(r"[^ \0][^ ]*")
_LISTED = regex.compile(r"[^,\0][^,]*")
_LATEX_SPACE = regex.compile(r"\\[,;: ]")


@dataclass(frozen=True, slots=True)
class Figures:
    """A number as stated, without sign and unit.

    `step` is what its last stated figure is worth (0.1 in "12.5"), `digits` how many figures it states. `scaled` says
    that a scale word or a power of ten stands with it. `mark` is the one separator of an ambiguous number ("1.482"),
    which `value` takes for a decimal mark; it is "" where there is no doubt.
    """

    value: Decimal
    step: Decimal
    digits: int
    scaled: bool = False
    mark: Mark = ""

    def plus(self, value: Fraction, step: Decimal) -> "Figures | None":
        """This number and a smaller part of it; ``None`` where that is no number in figures (a third)."""
        whole = Fraction(self.value) + value
        if 10**9 % whole.denominator:
            return None
        exact = Decimal(int(whole * 10**9)).scaleb(-9).normalize()
        return Figures(exact, step, len(str(int(exact / step))), self.scaled)

    def times(self, exponent: int) -> "Figures":
        """This number times a power of ten."""
        return Figures(_shift(self.value, exponent), _shift(self.step, exponent), self.digits, True, self.mark)


def read_figures(text: str, *, scale: Literal["", "plain", "foreign"] = "") -> Figures | None:
    """The number that one numeral states, or ``None`` where it states none ("1.2.3", "007").

    `scale` tells of the scale word after it: "plain" of an English one, beside which a point is a decimal mark;
    "foreign" of another one, beside which neither mark is sure.
    """
    if text.isdecimal():
        coded = len(text) > _MOST_FIGURES or (text[0] == "0" and len(text) > 1)
        return None if coded else Figures(Decimal(text), _ONE, len(text))
    if len(text) > 3 * _MOST_FIGURES:
        return None
    plain = _plain(text).replace("\0", "")
    groups, kinds = _MARK.split(plain), ["'" if mark in " '_" else mark for mark in _MARK.findall(plain)]
    if sum(map(len, groups)) > _MOST_FIGURES:
        return None
    last, before = kinds[-1], set(kinds[:-1])
    if not before and last in ".," and _is_grouped(groups, last):
        doubt = scale == "foreign" or (last == "." and not scale)
        mark: Mark = "" if not doubt else "." if last == "." else ","
        return _number(groups[0], groups[1], mark) if doubt or last == "." else _number("".join(groups), "")
    if last in ".," and last not in before:
        whole = groups[:-1]
        sound = not before or (len(before) == 1 and _is_grouped(whole, kinds[0]))
        return _number("".join(whole), groups[-1]) if sound else None
    return _number("".join(groups), "") if before <= {last} and _is_grouped(groups, last) else None


def split_figures(text: str, *, spaces: bool = True) -> Iterator[tuple[int, int]]:
    """Cut a run of `FIGURES` into its numerals, as (start, end): "1,2,3" holds three, "7 250,50" one, "2023 500" two.

    With `spaces` false a space groups no thousands (the run belongs to a telephone number).
    """
    plain = _plain(text)
    pieces = [piece.span() for piece in _PIECE.finditer(plain)]
    index = 0
    while index < len(pieces):
        start, end = pieces[index]
        index += 1
        grouping = spaces and end - start <= 3 and plain[start] != "0" and plain[start:end].isdecimal()
        while grouping and index < len(pieces):
            grouping, end = plain[slice(*pieces[index])].isdecimal(), pieces[index][1]
            index += 1
        if "," not in plain[start:end] or read_figures(plain[start:end]):
            yield start, end
        else:  # no number, hence a list
            yield from (part.span() for part in _LISTED.finditer(plain, start, end))


def _plain(text: str) -> str:
    """LaTeX separators as plain ones, filled up with NUL to their length, so that offsets stay true."""
    if "\\" not in text and "{" not in text:
        return text
    return _LATEX_SPACE.sub(" \0", text.replace("{,}", ",\0\0").replace(",\\!", ",\0\0"))


def _is_grouped(groups: list[str], kind: str) -> bool:
    """Whether these are groups of thousands: threes after one to three figures, or with commas Indian twos and a three.

    A leading zero begins no thousands.
    """
    first, *middle, last = groups
    if first[0] == "0" or len(last) != 3:
        return False
    threes = len(first) <= 3 and all(len(group) == 3 for group in middle)
    return threes or (kind == "," and len(first) <= 2 and all(len(group) == 2 for group in middle))


def _number(whole: str, fraction: str, mark: Mark = "") -> Figures:
    digits = max(len((whole + fraction).lstrip("0")), 1)
    value = Decimal(f"{whole or 0}.{fraction}" if fraction else whole)
    return Figures(value, Decimal((0, (1,), -len(fraction))), digits, mark=mark)


def _shift(value: Decimal, exponent: int) -> Decimal:
    """`value` times a power of ten, exactly (Decimal's own arithmetic rounds to 28 figures)."""
    sign, digits, old = value.as_tuple()
    return Decimal((sign, digits, int(old) + exponent))


_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_UNITS.split())} | {"a": 1}
_SMALL |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_BEYOND = 10**15
_GREAT = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_END = r"(?![\p{L}\p{M}\p{N}])"
# "A" is one in "a hundred", but not in "half a million" or "one of a thousand".
_WORD = rf"(?:(?:\L<words>){_END}|(?<!\b(?:half|of)\s)a(?=\s{{1,2}}(?:hundred|thousand|[mb]illion|trillion){_END}))"
# "One million, five hundred thousand", but not "one million, two of them".
_COMMA = (
    rf"(?<=thousand|[mb]illion|trillion),\s(?=\L<words>(?:[ -]\L<words>){{0,5}}?[ -](?:hundred|thousand|million){_END})"
)
_PART = regex.compile(
    r"(?i)[ -](?:(?P<many>halves|thirds|fourths|fifths|sixths|sevenths|eighths|ninths|tenths|hundredths)"
    r"|(?<=one[ -])(?P<one>half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)"
    r"|(?<=three[ -])(?P<three>quarters))(?![\p{L}\p{N}])(?!-| (?:place|person|time|day|year|month|week|quarter)\b)"
)
_PARTS = {
    "hal": 2,
    "thi": 3,
    "qua": 4,
    "fou": 4,
    "fif": 5,
    "six": 6,
    "sev": 7,
    "eig": 8,
    "nin": 9,
    "ten": 10,
    "hun": 100,
}
# "Twenty-first" is not twenty.
_ORDINAL = regex.compile(rf"(?i)-(?:half|halves|quarters?|first|second|\p{{L}}{{3,7}}ths?|thirds?){_END}")
_AND_A_HALF = regex.compile(rf"(?i) and a half(?:[ -](?P<great>thousand|million|billion|trillion))?{_END}")
_CENTURIES = range(16, 22)
_RUN = regex.compile(
    rf"(?<![\p{{L}}\p{{M}}\p{{N}}'-]){_WORD}(?:(?:-|\s{{1,2}}(?:and\s{{1,2}})?|{_COMMA}){_WORD})*+",
    regex.IGNORECASE,
    words=sorted({*_SMALL, *_GREAT, "hundred"} - {"a"}),
)
_TOKEN = regex.compile(r"\p{L}+")
# "One" as a pronoun is no number: "no one", "this one", "one of them", "one another", "one can see".
_BEFORE_PRONOUN = regex.compile(r"(?i)\b(?:no|any|every|each|this|that|which|some|the|another)\s+\Z")
_AFTER_PRONOUN = regex.compile(r"(?i)\s+(?:of|another|can|could|should|must|may|might|would|day)\b|'s\b")


def spoken_numbers(text: str) -> Iterator[tuple[int, int, Figures | str]]:
    """English number words with their spans: "twelve", "twenty-two", "twelve hundred", "two and a half million".

    A fraction ("two thirds") is given as its code ("2/3").
    """
    for run in _RUN.finditer(text):
        if _is_pronoun(text, run):
            continue
        heard = _years(list(_heard(text, run)))
        for one in heard[:-1]:
            yield one.start, one.end, one.figures()
        if heard and (ended := _ended(text, heard[-1])):
            yield ended


def _heard(text: str, run: regex.Match[str]) -> Iterator["_Heard"]:
    """The numbers of one run of number words."""
    heard: _Heard | None = None
    joined = False
    for token in _TOKEN.finditer(text, run.start(), run.end()):
        if (word := token[0].lower()) == "and":
            joined = True
            continue
        longer = _extend(heard, word, token.end(), joined=joined) if heard else None
        if heard and not longer:
            yield heard
        heard, joined = longer or _begin(word, *token.span()), False
    if heard:
        yield heard


def _years(heard: list["_Heard"]) -> list["_Heard"]:
    """The numbers with the two of "nineteen ninety-five" made one year."""
    if len(heard) == 2 and heard[0].current in _CENTURIES and not heard[0].total and not heard[1].total:
        first, second = heard
        if 10 <= second.current <= 99 and second.start - first.end <= 2:
            return [_Heard(first.start, second.end, 0, 100 * first.current + second.current, _BEYOND, "unit")]
    return heard


def _ended(text: str, heard: "_Heard") -> tuple[int, int, Figures | str] | None:
    """A number with the fraction that follows it; ``None`` where the word after it makes it an ordinal."""
    figures, whole = heard.figures(), heard.total + heard.current
    if whole < 100 and (part := _PART.match(text, heard.end)):
        name = part["many"] or part["one"] or part["three"]
        return heard.start, part.end(), f"{whole}/{_PARTS[name[:3].lower()]}"
    if text[heard.end : heard.end + 1] == "-" and _ORDINAL.match(text, heard.end):
        return None
    half = and_a_half(text, heard.end, figures) if whole < 1000 else None
    return (heard.start, half[1], half[0]) if half else (heard.start, heard.end, figures)


def and_a_half(text: str, index: int, figures: Figures) -> tuple[Figures, int] | None:
    """The number that ends at `index` with the half of "two and a half million" added, and the offset after it."""
    if text[index : index + 1] != " " or (half := _AND_A_HALF.match(text, index)) is None:
        return None
    mixed, great = figures.plus(_HALF, _TENTH), _GREAT.get((half["great"] or "").lower(), 1)
    if mixed is None:
        return None
    return (mixed.times(len(str(great)) - 1) if great > 1 else mixed), half.end()


@dataclass(frozen=True, slots=True)
class _Heard:
    """What has been heard of a number: its span, the full scales, what is below them, the least one, the last word."""

    start: int
    end: int
    total: int
    current: int
    scale: int
    last: Literal["unit", "ten", "hundred", "scale"]

    def figures(self) -> Figures:
        value = self.total + self.current
        if self.last == "scale":
            return Figures(Decimal(value), Decimal(self.scale), len(str(value // self.scale)), scaled=True)
        return Figures(Decimal(value), _ONE, len(str(value)))


def _begin(word: str, start: int, end: int) -> _Heard | None:
    """A number that begins with this word; "hundred" and "million" begin none."""
    if (value := _SMALL.get(word)) is None:
        return None
    return _Heard(start, end, 0, value, _BEYOND, "ten" if value >= 20 else "unit")


def _extend(heard: _Heard, word: str, end: int, *, joined: bool) -> _Heard | None:
    """The number with one word more (after "and" where `joined`), or ``None`` where the word does not go on with it."""
    total, current, scale, last = heard.total, heard.current, heard.scale, heard.last
    if value := _SMALL.get(word, 0):
        fits = last in ("hundred", "scale") or (last == "ten" and value < 10 and not joined)
        kind: Literal["unit", "ten"] = "ten" if value >= 20 else "unit"
        return _Heard(heard.start, end, total, current + value, scale, kind) if fits else None
    if joined or not current:
        return None
    if word == "hundred":
        return _Heard(heard.start, end, total, current * 100, scale, "hundred") if current < 100 else None
    great = _GREAT.get(word, _BEYOND)
    return _Heard(heard.start, end, total + current * great, 0, great, "scale") if great < scale else None


def _is_pronoun(text: str, run: regex.Match[str]) -> bool:
    """Whether the run is a "one" that counts nothing."""
    if run[0].lower() != "one":
        return False
    before = text[max(0, run.start() - 12) : run.start()]
    return bool(_BEFORE_PRONOUN.search(before) or _AFTER_PRONOUN.match(text, run.end()))
