"""Dates in a text, with their spans: "2023-02-22", "Feb. 22nd, 2023", "22 de febrero de 2023", "2023年2月22日".

Month names are read in English, German, French, Spanish, Italian, Portuguese and Dutch; a weekday before a date belongs
to it. "June 2023" and "22 June" are dates too; a year alone is a number, a month alone a word. Two numbers that could
both be the month ("02/03/2023") leave the date unsure: it is then only what is written.
"""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import regex

from ringtrue.text.folding import LETTER, fold, key

__all__ = ["Date", "dates_in", "find_dates", "same_date"]


@dataclass(frozen=True, slots=True)
class Date:
    """A day, a month of a year, or a day of an unnamed year; what is not stated is ``None``.

    `written` is set where day and month cannot be told apart ("2/3/2023"); they are ``None`` then. `figures` is true of
    dates that hold no word.
    """

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    written: str = ""
    figures: bool = False


_MONTHS = """
january jan | jänner januar | janvier janv jan | enero ene | gennaio gen | janeiro jan | januari
february feb | februar feb | février fevrier févr fév | febrero feb | febbraio feb | fevereiro fev | februari
march mar | märz mär mrz | mars | marzo mar | marzo | março mar | maart mrt
april apr | april | avril avr | abril abr | aprile apr | abril abr | april
may | mai | mai | mayo may | maggio mag | maio mai | mei
june jun | juni | juin | junio jun | giugno giu | junho jun | juni
july jul | juli | juillet juil | julio jul | luglio lug | julho jul | juli
august aug | august | août aout | agosto ago | agosto ago | agosto ago | augustus
september sep sept | september | septembre sept | septiembre setiembre sep | settembre set | setembro set | september
october oct | oktober okt | octobre oct | octubre oct | ottobre ott | outubro out | oktober okt
november nov | november | novembre nov | noviembre nov | novembre nov | novembro nov | november
december dec | dezember dez | décembre decembre déc | diciembre dic | dicembre dic | dezembro dez | december
"""
_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica
segunda-feira terça-feira quarta-feira quinta-feira sexta-feira
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""


def _numbered() -> tuple[dict[str, int], dict[str, int]]:
    """The number of every month's name, and of the English ones."""
    rows = [row.split("|") for row in _MONTHS.strip().splitlines()]
    every = {name: number for number, row in enumerate(rows, 1) for name in " ".join(row).split()}
    return every, {name: number for number, row in enumerate(rows, 1) for name in row[0].split()}


_MONTH, _ENGLISH = _numbered()
_WEEKDAY = frozenset(_WEEKDAYS.split())
_WHOLE = {name for name in _ENGLISH if len(name) > 4} | {"may", "june", "july"}
_FULL_NAMES = {name: number for name, number in _MONTH.items() if len(name) > 3} | _ENGLISH | {"mai": 5, "mei": 5}
# A name is any word here and looked up after: far faster than looking for every name at every place.
_NAME = r"(?P<month>[\p{L}\p{M}]{3,12}+)(?!\p{N})"
_BOUND = rf"(?<!{LETTER}|\d[.,:/-])"
_DAY = r"(?P<day>[0-3]?\d)"
_YEAR = rf"(?P<year>[12]\d{{3}})(?!{LETTER}|[.,:/]\d)"
_TO_YEAR = r"(?:\.?,?\s{1,2}(?:(?:de|del|of)\s{1,2})?|\.?,|-)"
# Each begins at a figure and looks back from there, since few places in a text are figures.
_DAY_FIRST = regex.compile(
    rf"(?=\d){_BOUND}{_DAY}(?:\.|st|nd|rd|th|er|[ºª])?(?:\s{{1,2}}|-)(?:(?:of|de|di)\s{{1,2}})?{_NAME}"
    rf"(?:{_TO_YEAR}{_YEAR})?",
    regex.IGNORECASE | regex.V1,
)
_MONTH_FIRST = regex.compile(
    rf"(?=\d)(?<={_BOUND}{_NAME}(?:\.?\s{{1,2}}(?:the\s)?|\.|-)){_DAY}(?:st|nd|rd|th)?"
    rf"(?![\p{{L}}\p{{M}}\p{{N}}%]|[.:/]\d|,\d{{3}}(?!\d))(?:{_TO_YEAR}{_YEAR})?",
    regex.IGNORECASE | regex.V1,
)
_MONTH_AND_YEAR = regex.compile(rf"(?=\d)(?<={_BOUND}{_NAME}{_TO_YEAR}){_YEAR}", regex.IGNORECASE | regex.V1)
_EASTERN = regex.compile(
    r"(?:(?P<year>[12]\d{3})\s?[年년]\s?)?(?<!\d)(?P<month>[01]?\d)\s?[月월](?:\s?(?P<day>[0-3]?\d)\s?[日号일])?"
)
_YEAR_FIRST = regex.compile(
    rf"{_BOUND}(?P<year>[12]\d{{3}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?!\d|(?P=mark)\d)",
    regex.V1,
)
_YEAR_LAST = regex.compile(
    rf"{_BOUND}(?P<one>\d{{1,2}})(?P<mark>[-/.]) ?(?P<two>\d{{1,2}})(?P=mark) ?(?P<year>[12]\d{{3}})"
    r"(?!\d|(?P=mark)\d)",
    regex.V1,
)
_DAY_AFTER = regex.compile(r"\.?\s{1,2}[0-3]?\d(?:st|nd|rd|th)?(?![\p{L}\p{N}:%]|[.,]\d{3})")
_WEEKDAY_BEFORE = regex.compile(
    r"(?<![\p{L}\p{M}])(?P<name>\p{L}[\p{L}\p{M}]++(?:-feira)?)\.?,?\s{1,2}(?:(?:the|den|dem|le|el)\s{1,2})?\Z"
)


def find_dates(text: str) -> tuple[Date, ...]:
    """All dates of `text`, left to right, with its own offsets."""
    return tuple(dates_in(fold(text)))


def dates_in(text: str) -> list[Date]:
    """All dates of a folded text, left to right; none overlaps another."""
    found = chain(
        _named(text), map(_year_first, _YEAR_FIRST.finditer(text)), map(_year_last, _YEAR_LAST.finditer(text))
    )
    dates: list[Date] = []
    for date in sorted(filter(None, found), key=lambda one: (one.start, -one.end)):
        if not dates or date.start >= dates[-1].end:
            dates.append(date)
    return dates


def same_date(fact: Date, answer: Date) -> bool:
    """Whether the answer states all that the fact does: "June 2023" is stated by "June 30, 2023", not the other way.

    A date whose day and month cannot be told apart equals only one written with the same numbers and marks.
    """
    if fact.written or answer.written:
        return (fact.written, fact.year) == (answer.written, answer.year)
    pairs = ((fact.year, answer.year), (fact.month, answer.month), (fact.day, answer.day))
    return all(stated is None or stated == found for stated, found in pairs)


def _named(text: str) -> Iterator[Date | None]:
    for pattern, months in ((_DAY_FIRST, _MONTH), (_MONTH_FIRST, _ENGLISH), (_MONTH_AND_YEAR, _FULL_NAMES)):
        for found in pattern.finditer(text):
            if (month := months.get(key(found["month"]))) and not _is_other_word(text, found):
                parts = found.groupdict()
                date = _date(found, _number(parts.get("year")), month, _number(parts.get("day")))
                start = min(found.start(), found.start("month"))
                yield replace(date, start=_with_weekday(text, start)) if date else None
    for found in _EASTERN.finditer(text):
        if found["year"] or found["day"]:
            yield _date(found, _number(found["year"]), int(found["month"]), _number(found["day"]))


def _is_other_word(text: str, found: regex.Match[str]) -> bool:
    """Whether the month is a word or the end of a sentence, or the day before it the number of a list item."""
    name, parts = found["month"], found.groupdict()
    after = found.end("month")
    if found.start("day" if parts.get("day") else "year") < after:  # the day comes first
        return text[found.end("day")] == "." and key(name) in _ENGLISH and bool(_DAY_AFTER.match(text, after))
    ended = text[after] == "." and text[after + 1 : after + 2].isspace() and key(name) in _WHOLE
    modal = name in ("may", "march", "mar") and not parts.get("year") and text[found.end() - 1].isdecimal()
    return ended or modal


def _number(figures: str | None) -> int | None:
    return int(figures) if figures else None


def _with_weekday(text: str, start: int) -> int:
    """Where a date begins together with the name of its weekday."""
    earlier = max(0, start - 24)
    found = _WEEKDAY_BEFORE.search(text[earlier:start])
    return earlier + found.start() if found and key(found["name"]) in _WEEKDAY else start


def _year_first(found: regex.Match[str]) -> Date | None:
    return _date(found, int(found["year"]), int(found["month"]), int(found["day"]), figures=True)


def _year_last(found: regex.Match[str]) -> Date | None:
    """Day and month before the year, in the order that leaves a real date; unsure where both do."""
    one, two, year = int(found["one"]), int(found["two"]), int(found["year"])
    day_first = _date(found, year, two, one, figures=True)
    month_first = _date(found, year, one, two, figures=True)
    if day_first and month_first and one != two:
        written = f"{one}{found['mark']}{two}"
        return Date(found.start(), found.end(), year, None, None, written, figures=True)
    return day_first or month_first


def _date(
    found: regex.Match[str], year: int | None, month: int, day: int | None, *, figures: bool = False
) -> Date | None:
    """The date, or ``None`` where the calendar has no such day."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= monthrange(year or 2000, month)[1]):
        return None
    return Date(found.start(), found.end(), year, month, day, figures=figures)
