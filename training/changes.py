"""Small changes to a text that make a true claim false, and some that keep it true. Each gives ``None`` if it cannot.

A network of this size learns from word overlap first. Pairs that differ in one number, name or "not" teach it the rest.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random

__all__ = ["FALSE", "TRUE", "falsified", "names_in", "wrong_detail"]

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_CAPITAL = r"[A-ZÀ-Þ](?:\.(?!\w)|[\w’'-]*)"  # a word, or an initial with its stop
_NAME = re.compile(rf"{_CAPITAL}(?:(?: of| de| the| van| von)? {_CAPITAL})*")
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_COUNTS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_OPPOSITES = (
    "all some none|many few|before after|first last|more less|higher lower|largest smallest|highest lowest|north south|"
    "east west|northern southern|eastern western|increased decreased|increase decrease|rise fall|rose fell|won lost|"
    "always never|male female|father mother|brother sister|son daughter|husband wife|king queen|men women|man woman|"
    "boy girl|old new|older younger|oldest youngest|early late|earlier later|left right|open closed|accepted rejected|"
    "most least|above below|inside outside|born died|best worst|longest shortest|true false|same different|over under|"
    "public private|positive negative|legal illegal|success failure|agreed refused|major minor|red blue green|"
    "black white|cold hot|day night|start end|started ended|began ended|up down|maximum minimum|entire part"
)
_UNITS = (
    "million billion thousand trillion|kilometres miles metres|kilometers miles meters feet|km miles|kg pounds tonnes|"
    "kilograms pounds|hours minutes days|days weeks|weeks months|months years|years decades|dollars euros pounds|"
    "seconds minutes|metres feet|meters feet|inches centimetres|percent times|Celsius Fahrenheit|acres hectares"
)
_OTHER: dict[str, list[str]] = {}
for _group in f"{_OPPOSITES}|{_UNITS}".split("|"):
    for _word in _group.split():
        _OTHER.setdefault(_word, []).extend(one for one in _group.split() if one != _word)
for _list in (_MONTHS, _DAYS, _COUNTS):
    for _word in _list:
        _OTHER.setdefault(_word, []).extend(one for one in _list if one != _word)
_SWAPPED = re.compile(r"\b(" + "|".join(sorted(_OTHER, key=len, reverse=True)) + r")\b")
_HELPERS = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|does|did|should|must)\b(?! not|n't)")
_NOT = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|does|did|do|should|must) not\b")

Change = Callable[[Random, str, str], str | None]


def names_in(text: str) -> list[str]:
    """Runs of capitalised words, without a word that is capital only because a sentence starts with it."""
    found = []
    for match in _NAME.finditer(text):
        starts = match.start() == 0 or text[: match.start()].rstrip()[-1:] in '.!?"'
        if not (starts and " " not in match.group()) and len(match.group()) > 2:
            found.append(match.group().rstrip(".,'’"))
    return found


def other_number(rng: Random, text: str, source: str) -> str | None:
    """One number for another that does not stand in the source."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    plain = match.group().replace(",", "")
    for _ in range(5):
        new = _moved(rng, plain, grouped="," in match.group())
        if new not in source and new != match.group():
            return text[: match.start()] + new + text[match.end() :]
    return None


def _moved(rng: Random, plain: str, *, grouped: bool) -> str:
    if "." in plain:
        return f"{float(plain) * rng.choice((0.1, 0.5, 0.9, 1.1, 1.3, 2, 10)):.{len(plain.partition('.')[2])}f}"
    value = int(plain[:15])
    year = len(plain) == 4 and 1000 < value < 2100
    step = (
        rng.choice((1, 1, 2, 3, 5, 10, 20))
        if year or value < 30
        else max(1, round(value * rng.choice((0.1, 0.3, 1, 9))))
    )
    moved = value + step * rng.choice((1, 1, -1)) if value > step else value + step
    return f"{moved:,}" if grouped else str(moved)


def other_word(rng: Random, text: str, _source: str) -> str | None:
    """A month, weekday, unit, scale, count or word with an opposite for another of its kind."""
    found = list(_SWAPPED.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(_OTHER[match.group()]) + text[match.end() :]


def other_name(rng: Random, text: str, source: str) -> str | None:
    """A name for another name of the source that the text does not have."""
    own = names_in(text)
    others = [name for name in names_in(source) if name not in text and not any(name in one for one in own)]
    if not own or not others:
        return None
    return text.replace(rng.choice(own), rng.choice(others), 1)


def negated(rng: Random, text: str, _source: str) -> str | None:
    """A "not" added or taken away."""
    if match := _NOT.search(text):
        return text[: match.end(1)] + text[match.end() :]
    found = list(_HELPERS.finditer(text))
    if not found:
        return None
    place = found[0].end()
    return text[:place] + rng.choice((" not", " not", " never")) + text[place:]


def roles_swapped(_rng: Random, text: str, _source: str) -> str | None:
    """Two names change places, unless they stand in a list."""
    names = [name for name in names_in(text) if text.count(name) == 1]
    for first, second in pairwise(names):
        between = text[text.index(first) + len(first) : text.index(second)] if first not in second else ""
        if len(between.split()) >= 2 and not re.fullmatch(r"[,\s]*(and|or|,|&)?[,\s]*", between):
            return text.replace(first, "\0").replace(second, first).replace("\0", second)
    return None


def wrong_detail(rng: Random, text: str, source: str) -> str | None:
    """Something added that the source does not say."""
    names = [name for name in names_in(source) if name not in text]
    more = [
        f" in {rng.randint(1850, 2022)}",
        f" {rng.randint(3, 90)} times",
        " for the second time",
        " because of the cost",
        " against the advice of experts",
        " with the help of volunteers",
        ", according to the police",
        " in secret",
    ]
    more += [f" with {name}" for name in names[:4]] + [f" in {name}" for name in names[:2]]
    end = text.rstrip()
    stop = end[-1] if end[-1:] in ".!?" else ""
    new = rng.choice(more)
    return None if new.strip() in source else end.removesuffix(stop) + new + stop


FALSE: tuple[Change, ...] = (
    other_number,
    other_number,
    other_word,
    other_word,
    other_name,
    other_name,
    negated,
    roles_swapped,
)


def falsified(rng: Random, text: str, source: str, kinds: tuple[Change, ...] = FALSE) -> str | None:
    """`text` with one change that makes it false, the kind drawn among those that apply."""
    for change in rng.sample(kinds, len(kinds)):
        made = change(rng, text, source)
        if made is not None and made != text:
            return made
    return None


def number_in_words(_rng: Random, text: str, _source: str) -> str | None:
    """A count as a word or as a digit, a large number with or without its scale or its commas."""
    if match := re.fullmatch(r"(\d+(?:\.\d+)?) (million|billion)", text):
        return f"{float(match[1]) * (10**6 if match[2] == 'million' else 10**9):,.0f}"
    if re.fullmatch(r"\d{1,3}(,\d{3})+", text):
        value = int(text.replace(",", ""))
        return f"{value / 10**6:g} million" if value % 10**5 == 0 and value >= 10**6 else str(value)
    if re.fullmatch(r"[2-9]|1[0-2]", text):
        return _COUNTS[int(text) - 2]
    if text.lower() in _COUNTS:
        return str(_COUNTS.index(text.lower()) + 2)
    return None


def date_rewritten(rng: Random, text: str, _source: str) -> str | None:
    """A day written in another order or in figures."""
    if match := re.fullmatch(r"(\w+) (\d{1,2}) ?, (\d{4})", text):
        month, day, year = match.groups()
    elif match := re.fullmatch(r"(\d{1,2}) (\w+) (\d{4})", text):
        day, month, year = match.groups()
    else:
        return None
    if month not in _MONTHS:
        return None
    number = _MONTHS.index(month) + 1
    forms = (
        f"{day} {month} {year}",
        f"{month} {day}, {year}",
        f"{year}-{number:02}-{int(day):02}",
        f"{month[:3]} {day} {year}",
    )
    return rng.choice([form for form in forms if form != text])


TRUE: tuple[Change, ...] = (number_in_words, date_rewritten)
