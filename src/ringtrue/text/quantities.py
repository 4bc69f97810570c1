r"""Quantities in a text, with their spans: a number with its sign, scale word, and unit, currency or percent sign.

"Sales fell by −41.27% to US$134,383 million" holds -41.27 % and 134383000000 US dollars. A minus sign is one after a
space, an opening bracket, a quote or a currency sign; after a letter or a figure it is a hyphen or a range ("3-5",
"covid-19"). "minus 5", "$(1.2) million" and "(41.27)%" are negative too; any other bracket is only a bracket.

A quantity that can be read in two ways ("5 pounds" of weight or money, "5m", "5 days a year") is given once for each.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from unicodedata import category, normalize

import regex

from ringtrue.text.currencies import GLUED, money_after, money_before
from ringtrue.text.folding import LETTER, fold, key
from ringtrue.text.numbers import FIGURES, Figures, Mark, and_a_half, read_figures, split_figures, spoken_numbers
from ringtrue.text.scales import Scale, read_lower, read_power, read_scale
from ringtrue.text.units import Unit, convert, read_units

__all__ = ["Code", "Quantity", "find_quantities", "is_sign", "numerals", "same_quantity"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as stated, its unit, and where it stands.

    `value` holds sign and scale word; `step`, `digits`, `scaled` and `mark` are those of `Figures`. `figures` is the
    span of the bare figures, ``None`` where the number is in words. `certain` is false of a reading that only a unit on
    the other side bears out ("5m" as metres, since it may be millions).
    """

    start: int
    end: int
    value: Decimal
    step: Decimal
    digits: int
    scaled: bool
    mark: Mark
    unit: Unit | None
    figures: tuple[int, int] | None
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Code:
    """Figures that state no number: a clock time, ratio, fraction, version, address, postcode. Compared by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before a number: where it begins, whether it is a minus, and the currency as sign and unit."""

    start: int
    negative: bool
    sign: str = ""
    money: Unit | None = None
    mathematics: bool = False


_NUMERAL = regex.compile(
    rf"(?:(?<!{LETTER})|(?=\d)(?<={GLUED})|(?<=\d{{4}}-\d\d-\d\dT))(?:"
    r"(?P<mixed>\d{1,3}(?: ?[¼½¾⅐-⅞]|(?: and |[ -])\d{1,2}/\d{1,2}(?![\d/]|[.,]\d)))"
    r"|(?P<code>\\[dt]?frac\{\d{1,3}\}\{\d{1,3}\}|\d++(?::\d++)++(?:[.,]\d++)?|\d{1,2}/\d{1,3}(?![\d/]|[.,]\d)"
    r"|\d++(?:/\d++){2,}+|[¼½¾⅐-⅞])"
    rf"|(?P<figures>(?<![^\s($€£¥+-])\.\d++(?![.,]\d)|{FIGURES}))"
    # Figures in a word ("Q2", "gpt3.5") are none by themselves.
    rf"|(?<={LETTER})\d[\p{{L}}\p{{M}}\p{{N}}]*+(?:\.\d++)*+",
    regex.V1,
)
# A dollar sign that begins LaTeX mathematics: another ends it, and what is between holds a command or is the number.
_MATHEMATICS = regex.compile(
    r"(?<![\\\p{L}\p{N}])\$(?!\$)(?:[-+]?\d(?:[.,]?\d)*+|[^$\n\\°]{0,40}+(?:\\[\p{L}%,;:!{}]|[_^]\{|°)[^$\n]{0,80}+)\$(?![\d$])",
    regex.V1,
)
_MIXED = regex.compile(r"\D+")
_VULGAR_VALUES = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅛": Decimal("0.125")}
_VULGAR = regex.compile("[¼½¾⅐-⅞]")
_DOZEN = regex.compile(r"(?i)[ -]dozens?(?![\p{L}\p{N}])")
_GLUED = regex.compile(rf"{LETTER}++", regex.V1)
_OTHER_POWER = regex.compile(r"\^\{?[+-]?\d{1,4}\}?")
_HALF_DAY = regex.compile(rf"(?i)[ap]m(?!{LETTER})", regex.V1)
_MINUS = regex.compile(r"(?i)(?<![\p{L}\p{N}]|\d\s)(?:minus|negative)\s\Z")
_MINUS_ENDS = frozenset(("s ", "e "))
_WORD_END = regex.compile(rf"{LETTER}|[\p{{N}}%)\]}}°-]", regex.V1)
_LEAST_DIGITS = 3
_LARGEST_ROUNDING = Fraction(1, 20)
_OPENERS = "$€£¥₹₩₽₺₪'\""


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of `text`, left to right, with its own offsets. The numbers in a date are not left out."""
    return tuple(found for found in numerals(fold(text)) if isinstance(found, Quantity))


def numerals(text: str) -> list[Quantity | Code]:
    """All that a folded text holds in figures or number words, left to right."""
    found: list[Quantity | Code] = []
    read = 0  # a power of ten takes figures that the pattern would find again
    for run in _NUMERAL.finditer(text):
        if run.start() < read:
            continue
        if run["mixed"]:
            found.extend(_mixed(text, *run.span()))
        elif run["code"]:
            found.append(code := _code(text, *run.span()))
            if run[0] in _VULGAR_VALUES:
                half = Figures(_VULGAR_VALUES[run[0]], Decimal("0.001"), 3)
                found.extend(_with_units(text, _before(text, code.end - 1), half, run.end(), run.span()))
        elif run["figures"]:
            found.extend(_run(text, run.start(), run.end()))
            read = found[-1].end if found else 0
    for start, end, spoken in spoken_numbers(text):
        if isinstance(spoken, str):
            found.append(Code(start, end, spoken))
        else:
            found.extend(_with_units(text, _before(text, start), spoken, end, None))
    return sorted(found, key=lambda one: one.start)


def same_quantity(fact: Quantity, answer: Quantity) -> bool:
    """Whether `answer` states what `fact` states.

    *Unit*: a fact without one matches any; a fact with one (also "%") needs it, or another of the same dimension. A
    currency may be missing in the answer, but not another one. "5 degrees" matches "5 °C" and "5 °F".

    *Value*: equal; or, where the fact has a scale word ("134.4 billion"), a more precise value that rounds to it, half
    up or half to even, and is at most 5% off; or, where both have one, a coarser value of three figures or more that
    the fact rounds to. In another unit ("5 miles", "8.05 km") either may round to the other, if that has three figures
    or more. Without scale word or other unit nothing is rounded: "5" is "5.0", not "5.3". A sign is never lost.

    *Ambiguous numbers* ("1.482") match only the same number written with the same mark.
    """
    if fact.mark or answer.mark:
        same = (fact.mark, fact.value, fact.scaled) == (answer.mark, answer.value, answer.scaled)
        return same and _same_unit(fact.unit, answer.unit)
    if fact.unit is None:
        return answer.certain and _close(fact, answer, Fraction(1))
    if fact.unit.dimension == "money":
        if answer.unit is None:
            return fact.unit.factor == 1 and _close(fact, answer, Fraction(1))
        shared = answer.unit.dimension == "money" and fact.unit.codes & answer.unit.codes
        return bool(shared) and _close(fact, answer, answer.unit.factor / fact.unit.factor)
    if answer.unit is None:
        return False
    if fact.unit == answer.unit or (fact.unit.dimension == "degree" and answer.unit.dimension == "kelvin"):
        return _close(fact, answer, Fraction(1))
    return fact.unit.dimension == answer.unit.dimension and _close_converted(fact, fact.unit, answer, answer.unit)


def _run(text: str, start: int, end: int) -> Iterator[Quantity | Code]:
    """The numerals of one run of figures and separators."""
    telephone = text[end : end + 1] == " " and text[end + 1 : end + 2].isdecimal()
    for first, last in split_figures(text[start:end], spaces=not telephone):
        yield from _numeral(text, start + first, start + last)


def _numeral(text: str, start: int, end: int) -> Iterator[Quantity | Code]:
    """One numeral with all that belongs to it; nothing where letters make a word of it ("22nd", "3D")."""
    written = text[start:end] if text[start] != "." else "0" + text[start:end]
    if power := read_power(text, end):
        exponent, after, alone = power
        if figures := read_figures("1" if alone else written, scale="plain"):
            yield from _with_units(text, _before(text, start), figures.times(exponent), after, (start, after))
        return
    if text[end : end + 1] == "^" and (other := _OTHER_POWER.match(text, end)):
        yield Code(start, other.end(), text[start : other.end()])
        return
    bracketed = _is_accounting(text, start, end)
    before = _before(text, start - bracketed, negative=bracketed)
    if before.money and not bracketed and _is_bracketed_money(text, before.start, end):
        bracketed, before = True, replace(before, start=before.start - 1, negative=True)
    after = end + bracketed
    glued = _GLUED.match(text, after) if text[after : after + 1].isalnum() else None
    scale = read_scale(text, after, money=before.sign)
    figures = read_figures(written, scale="" if scale is None else "plain" if scale.plain else "foreign")
    if scale and scale.exponent is None:
        yield Code(start, scale.end, f"{written} {key(text[after : scale.end].strip())}")
    elif figures is None:
        if not glued:
            yield Code(start, end, written)
    elif scale and scale.exponent is not None:
        figures, last = figures.times(scale.exponent), scale.end
        exponent = scale.exponent
        while lower := read_lower(text, Scale(exponent, True, last)):
            value, exponent, last = lower
            figures = figures.plus(Fraction(value), Decimal(10) ** exponent) or figures
        yield from _with_units(text, before, figures, last, (start, last if last > scale.end else end))
    elif glued:
        yield from _glued(text, before, figures, glued, (start, end))
    elif half := and_a_half(text, after, figures):
        yield from _with_units(text, before, *half, (start, end))
    else:
        yield from _with_units(text, before, figures, after, (start, end))


def _glued(
    text: str, before: _Before, figures: Figures, letters: regex.Match[str], bare: tuple[int, int]
) -> Iterator[Quantity]:
    """The readings of figures with letters directly after them; none where the letters are no unit."""
    after, certain = letters.start(), True
    if _HALF_DAY.match(text, after):
        yield _quantity(before, figures, None, after, bare)
        return
    if letters[0] == "s" and text[after - 1] == "0":  # "90s" may be a decade, "1990s" is one
        if figures.digits == 4:
            return
        certain = False
    if letters[0] == "p":  # pence, pages or lines of a screen
        certain = False
    if letters[0] == "m" and not before.money and text[after + 1 : after + 2] not in ("/", "²", "³", "^"):
        certain = False
        yield from _with_units(text, before, figures.times(6), after + 1, bare)
    for unit, end in _suffixes(text, after, before, figures):
        if unit:
            yield _quantity(before, figures, unit, end, bare, certain=certain)


def _with_units(
    text: str, before: _Before, figures: Figures, after: int, bare: tuple[int, int] | None
) -> Iterator[Quantity]:
    if text[after + 1 : after + 3] in ("do", "Do") and (dozen := _DOZEN.match(text, after)):
        figures, after = replace(figures, value=12 * figures.value, step=12 * figures.step), dozen.end()
    for unit, end in _suffixes(text, after, before, figures):
        yield _quantity(before, figures, unit, end, bare)


def _quantity(
    before: _Before,
    figures: Figures,
    unit: Unit | None,
    end: int,
    bare: tuple[int, int] | None,
    *,
    certain: bool = True,
) -> Quantity:
    value = figures.value.copy_negate() if before.negative else figures.value
    stated = (value, figures.step, figures.digits, figures.scaled, figures.mark)
    return Quantity(before.start, end, *stated, unit, bare, certain)


def _suffixes(text: str, after: int, before: _Before, figures: Figures) -> list[tuple[Unit | None, int]]:
    """The units that follow, each with the offset after it; after a currency before the number only its name does."""
    if before.mathematics and text[after : after + 1] == "$":  # "$5$ km"
        return [*read_units(text, after + 1)] or [(None, after)]
    money = money_after(text, after, scaled=figures.scaled)
    if before.money is None:
        return [*([money] if money else []), *read_units(text, after)] or [(None, after)]
    if money and money[0].factor == 1 and (shared := money[0].codes & before.money.codes):
        return [(Unit("money", codes=shared), money[1])]
    return [(before.money, after)]


def _before(text: str, index: int, *, negative: bool = False) -> _Before:
    """Minus sign and currency before a number that begins at `index`, in either order ("-$5", "$-5", "minus 5 €")."""
    start, sign, unit = index, "", None
    if is_sign(text, start - 1):
        start, negative = start - 1, negative or text[start - 1] == "-"
    mathematics = text[start - 1 : start] == "$" and _MATHEMATICS.match(text, start - 1) is not None
    if mathematics:
        start -= 1
    elif money := money_before(text, start):
        unit, start, sign = money
        if is_sign(text, start - 1):
            start, negative = start - 1, negative or text[start - 1] == "-"
    if text[start - 2 : start].lower() in _MINUS_ENDS and (minus := _MINUS.search(text[max(0, start - 14) : start])):
        start, negative = start - len(minus[0]), True
    return _Before(start, negative, sign, unit, mathematics)


def is_sign(text: str, index: int) -> bool:
    """Whether the character is a plus or minus sign, and not a hyphen or the dash of a range."""
    if index < 0 or text[index] not in "+-":
        return False
    before = text[max(0, index - 3) : index]
    if before and (before[-1] in _OPENERS or category(before[-1]) == "Sc"):
        return not before[:-1].rstrip()[-1:].isdecimal()  # "€-5" is negative, "5€-10€" a range
    return not _WORD_END.match(before[-1:])


def _is_accounting(text: str, start: int, end: int) -> bool:
    """Whether brackets around the figures mean a loss: "$(1.2) million", "(41.27)%"."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    return text[end + 1 : end + 2] == "%" or (start > 1 and text[start - 2] in _OPENERS[:-2])


def _is_bracketed_money(text: str, start: int, end: int) -> bool:
    """Whether brackets hold currency and figures, but not the scale word: "($1.2) million"."""
    bracketed = start > 0 and text[start - 1] == "(" and text[end : end + 1] == ")"
    return bracketed and read_scale(text, end + 1, money="$") is not None


def _mixed(text: str, start: int, end: int) -> Iterator[Quantity | Code]:
    """A whole number with a fraction ("2 1/2", "2½"), as a code where no figures state it ("2 1/3").

    Where the second number is no proper fraction, both stand for themselves.
    """
    parts = [int(part) for part in _MIXED.split(normalize("NFKC", _VULGAR.sub(r" \g<0>", text[start:end])))]
    whole, over, under = parts
    if not 0 < over < under or (figures := read_figures(str(whole))) is None:
        middle = start + len(str(whole))
        yield from _numeral(text, start, middle)
        yield _code(text, text.index("/", middle) - len(str(over)), end)
    elif mixed := figures.plus(Fraction(over, under), Decimal("0.001")):
        after, scale = end, read_scale(text, end)
        if scale and scale.exponent is not None:
            mixed, after = mixed.times(scale.exponent), scale.end
        yield from _with_units(text, _before(text, start), mixed, after, (start, end))
    else:
        yield Code(start, end, f"{whole} {over}/{under}")


def _code(text: str, start: int, end: int) -> Code:
    """A clock time, date or fraction; a fraction with its sign."""
    written = _code_text(text[start:end])
    before = _before(text, start) if written.count("/") == 1 else None
    return Code(before.start, end, f"-{written}") if before and before.negative else Code(start, end, written)


def _code_text(written: str) -> str:
    """A code as it is compared: "09:30" is "9:30"; "½" and "\\frac{1}{2}" are "1/2"."""
    if written[0] == "\\":
        return written[written.index("{") + 1 : -1].replace("}{", "/")
    plain = normalize("NFKC", written).replace("⁄", "/")
    return plain[1:] if plain[0] == "0" and plain[1:2].isdecimal() else plain


def _same_unit(fact: Unit | None, answer: Unit | None) -> bool:
    if fact is None or answer is None:
        return fact is None or (fact.dimension == "money" and fact.factor == 1)
    if fact.dimension == "money":
        return answer.dimension == "money" and fact.factor == answer.factor and bool(fact.codes & answer.codes)
    return fact == answer


def _close(fact: Quantity, answer: Quantity, rate: Fraction) -> bool:
    """Equal, or rounded one to the other where scale words allow it; `rate` turns the answer's unit into the fact's."""
    if rate == 1 and fact.value == answer.value:
        return True
    if not fact.scaled and rate == 1:
        return False
    stated, found = Fraction(fact.value), Fraction(answer.value) * rate
    step, found_step = Fraction(fact.step), Fraction(answer.step) * rate
    if stated == found:
        return True
    if fact.scaled and found_step < step:
        return _rounds(found, stated, step) and abs(found - stated) <= abs(stated) * _LARGEST_ROUNDING
    coarser = fact.scaled and answer.scaled and found_step > step and answer.digits >= _LEAST_DIGITS
    return coarser and _rounds(stated, found, found_step)


def _close_converted(fact: Quantity, unit: Unit, answer: Quantity, other: Unit) -> bool:
    stated, found = Fraction(fact.value), Fraction(answer.value)
    here, there = convert(found, other, unit), convert(stated, unit, other)
    if stated == here:
        return True
    if fact.digits >= _LEAST_DIGITS and _rounds(here, stated, Fraction(fact.step)):
        return True
    return answer.digits >= _LEAST_DIGITS and _rounds(there, found, Fraction(answer.step))


def _rounds(exact: Fraction, stated: Fraction, step: Fraction) -> bool:
    """Whether `exact` rounds to `stated`, a multiple of `step`: half away from zero, or half to even."""
    off = abs(exact - stated) / step
    half = Fraction(1, 2)
    return off < half or (off == half and (abs(stated) > abs(exact) or stated / step % 2 == 0))
