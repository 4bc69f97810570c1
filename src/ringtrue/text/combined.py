"""Numbers that are read together: "1 hour 30 minutes", "5 million 300 thousand", and ranges ("10-20 million km")."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from ringtrue.text.numbers import Figures
from ringtrue.text.quantities import Code, Quantity
from ringtrue.text.units import Unit

__all__ = ["combined"]

_DIMENSIONS = frozenset(("time", "months", "length", "mass", "money"))
# "3 kg and 200 g" are more often two things than one.
_LISTED = frozenset(("length", "mass"))


def combined(text: str, found: list[Quantity | Code]) -> list[Quantity | Code]:
    """The numerals of a folded text, left to right, with those made one that state one amount together.

    The first number of a range gets the unit and the scale word of the second.
    """
    return _ranges(text, _compounds(text, found))


def _compounds(text: str, found: list[Quantity | Code]) -> list[Quantity | Code]:
    """The numerals with those made one that state one amount together."""
    done: list[Quantity | Code] = []
    for one in found:
        first = len(done)
        while first and done[first - 1].start == done[-1].start:
            first -= 1
        if made := [both for other in done[first:] if (both := _compound(text, other, one))]:
            done[first:] = made
        elif not done or one.end > done[-1].end or one.start == done[-1].start:
            done.append(one)
    return done


def _compound(text: str, first: Quantity | Code, second: Quantity | Code) -> Quantity | None:
    """Two quantities of a kind, the second in the smaller unit, taken together; ``None`` where they are two."""
    if isinstance(first, Code) or isinstance(second, Code) or first.end >= second.start:
        return None
    gap = text[first.end : second.start]
    if gap not in (" ", " and ") or first.mark or second.mark or not first.certain or second.value < 0:
        return None
    left, right = first.unit, second.unit
    if left is None:
        if gap != " " or not (first.scaled and second.scaled and second.value < first.step):
            return None
        rate = Fraction(1)
    elif right is None or not _is_part(left, right, second.value) or (gap == " and " and left.dimension in _LISTED):
        return None
    else:
        rate = left.factor / right.factor
    if (
        value := Fraction(first.value) * rate + abs(Fraction(second.value)) * (-1 if first.value < 0 else 1)
    ).denominator > 1:
        return None
    whole = Decimal(int(value))
    span = (first.start, second.end)
    return replace(second, start=first.start, value=whole, digits=len(str(abs(int(value)))), figures=span)


def _is_part(left: Unit, right: Unit, number: Decimal) -> bool:
    """Whether a number of the smaller unit is less than one of the larger: 30 minutes are, 90 are not."""
    if left.dimension != right.dimension or left.dimension not in _DIMENSIONS or left.factor <= right.factor:
        return False
    return (not left.codes or bool(left.codes & right.codes)) and Fraction(number) * right.factor < left.factor


def _ranges(text: str, found: list[Quantity | Code]) -> list[Quantity | Code]:
    """The numerals with the unit and scale word after a range given to its first number too ("10-20 million km")."""
    done: list[Quantity | Code] = []
    for place, one in enumerate(found):
        if isinstance(one, Quantity) and one.unit is None and not one.scaled and one.figures and not one.mark:
            rest = (other for other in found[place + 1 : place + 4] if other.start > one.start)
            spread = [both for other in rest if (both := _spread(text, one, other))]
            done.extend(spread or [one])
        else:
            done.append(one)
    return done


def _spread(text: str, first: Quantity, second: Quantity | Code) -> Quantity | None:
    """The first number of a range, in the unit and scale of the second; ``None`` where they are no such range."""
    if isinstance(second, Code) or second.figures is None or text[first.end : second.start] not in ("-", " to "):
        return None
    if first.end != (first.figures or (0, 0))[1] or second.mark or (second.unit is None and not second.scaled):
        return None
    if second.unit and (second.unit.dimension == "money" and second.start != second.figures[0]):
        return None
    figures = Figures(first.value, first.step, first.digits)
    if second.scaled:
        written = text[slice(*second.figures)]
        exponent = second.step.adjusted() + (len(written.split(".")[1]) if written.count(".") == 1 else 0)
        figures = figures.times(exponent)
    stated = (figures.value, figures.step, figures.digits, figures.scaled)
    return Quantity(first.start, first.end, *stated, "", second.unit, first.figures, second.certain)
