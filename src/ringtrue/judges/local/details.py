"""Details that a small network is apt to overlook: numbers, dates, names, "not", and words with an opposite.

`differences` lists what a claim says and a text does not, with what the text says in its place where that can be told:
"134.4 billion" beside "170.0 billion". What it finds, a person can check.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import regex

from ringtrue.text.dates import Date, same_date
from ringtrue.text.quantities import Quantity, same_quantity
from ringtrue.text.reading import Item, read

__all__ = ["KINDS", "Difference", "Kind", "as_stated", "differences", "told"]

Kind: TypeAlias = Literal["number", "date", "name", "negation", "opposite"]
KINDS: tuple[Kind, ...] = ("number", "date", "name", "negation", "opposite")


@dataclass(frozen=True, slots=True)
class Difference:
    """`said` are the claim's words; `instead` those of the text, where one of the same kind stands there."""

    kind: Kind
    said: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class _Stated:
    """A number, date or code with the words that state it, and their place; some can be read in several ways."""

    words: str
    start: int
    end: int
    readings: tuple[Item, ...]


# Groups of words of which one cannot stand for another. Inflected by hand, since guessed endings find other words.
_OPPOSITES = (
    "all some none,always never sometimes,more less fewer,most least,before after,first last,higher lower,"
    "highest lowest,larger smaller,largest smallest,bigger smaller,longer shorter,longest shortest,"
    "older younger,oldest youngest,"
    "earlier later,earliest latest,early late,north south,northern southern,northeast northwest southeast southwest,"
    "east west,eastern western,increase decrease,increased decreased,increases decreases,increasing decreasing,"
    "rise fall,rose fell,rises falls,risen fallen,rising falling,gain loss,gained lost,won lost,win lose,wins loses,"
    "above below,over under,inside outside,up down,left right,open closed,opened closed,opens closes,"
    "accept reject,accepted rejected,approved rejected,agreed refused,allow forbid,allowed forbidden,allowed banned,"
    "legal illegal,public private,positive negative,major minor,maximum minimum,best worst,strong weak,"
    "started ended,began ended,starts ends,begins ends,beginning end,start end,born died,birth death,"
    "father mother,son daughter,brother sister,husband wife,king queen,prince princess,uncle aunt,man woman,men women,"
    "boy girl,boys girls,male female,his her,he she,true false,same different,hot cold,day night,morning evening,"
    "black white,red blue green yellow,possible impossible,safe unsafe dangerous,with without,include exclude,"
    "includes excludes,included excluded,buy sell,bought sold,import export,imports exports,import exported,"
    "success failure,succeeded failed,successful unsuccessful,paid free,daily weekly monthly yearly annually"
)
_CALENDAR = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february march april may june july august september october november december",
)
_NEGATION = regex.compile(r"\b(?:not|never|no|none|nobody|neither|nor|without|cannot|\w+n['’]t)\b", regex.IGNORECASE)
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}’'-]*")
_CAPITAL = r"\p{Lu}[\p{L}\p{M}\p{N}’'.-]*"
_NAME = regex.compile(rf"{_CAPITAL}(?:(?: (?:of|de|la|van|von|der|the|and|&))* {_CAPITAL})*")
_SENTENCE_START = regex.compile(r"(?:\A|[.!?:;\n\"“(*•-])\s*\Z")
_IN_DATES = frozenset(" ".join(_CALENDAR).split())
_SMALL_WORDS = "the a an in on at it he she they we i this that these those there and but for of to by as if"
_SMALL = frozenset(_SMALL_WORDS.split())
_LONG_WORDS = 60  # letters of a number or date
_LEAST_SHARED = 4  # letters of a name's stem: "American" stands for "America"


def _others() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in (*_OPPOSITES.split(","), *_CALENDAR):
        for word in group.split():
            found.setdefault(word, set()).update(set(group.split()) - {word})
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITE = _others()
_UNTELLING = _OPPOSITE.keys() | {"hundred", "thousand", "million", "billion", "trillion", "percent"}


def differences(claim: str, source: str, evidence: str | None = None, *, known: str = "") -> tuple[Difference, ...]:
    """What `claim` says that `source` does not. `evidence` is the part of the source that the claim is held against
    for "not" and opposites, which are looked for only there (the whole source, if it is none). A name that stands in
    `known` (the question) is no difference."""
    evidence = source if evidence is None else evidence
    return (
        *_stated_otherwise(claim, source),
        *_unknown_names(claim, source, known),
        *_turned_round(claim, evidence),
    )


def as_stated(claim: str, source: str) -> str:
    """The claim with each number and date in the words of the source, where that states the same in other words.

    "$134,383 million" becomes "$134.4 billion": a small network does not know that these are one.
    """
    stated = [one for one in _statements(source) if len(one.words) < _LONG_WORDS]
    text = read(claim).text
    for one in reversed(_statements(claim)):
        alike = [other.words for other in stated if _states_the_same(one, other)]
        if alike and one.words not in alike:
            text = text[: one.start] + alike[0] + text[one.end :]
    return text


def _states_the_same(one: _Stated, other: _Stated) -> bool:
    pairs = [(mine, theirs) for mine in one.readings for theirs in other.readings]
    return any(_same(mine, theirs) or _same(theirs, mine) for mine, theirs in pairs if type(mine) is type(theirs))


def told(found: Sequence[Difference], who: str, where: str) -> str | None:
    """The differences as one sentence for people: "the answer says 170.0 billion, the reference 134.4 billion"."""
    texts = []
    for one in found:
        match one.kind:
            case "negation":
                texts.append(f"{who} and {where} differ in “{one.said}”")
            case _ if one.instead:
                texts.append(f"{who} says “{one.said}”, {where} “{one.instead}”")
            case _:
                texts.append(f"{where} does not hold “{one.said}”")
    return "; ".join(texts) or None


def _stated_otherwise(claim: str, source: str) -> Iterator[Difference]:
    said, stated = _statements(claim), _statements(source)
    own = [reading for one in stated for reading in one.readings] + [
        reading for found in read(source).parts.values() for _, reading in found if not isinstance(reading, str)
    ]
    for one in said:
        if any(_same(mine, other) for mine in one.readings for other in own):
            continue
        kind: Kind = "date" if isinstance(one.readings[0], Date) else "number"
        instead = [other.words for other in stated if _comparable(one, other)]
        yield Difference(kind, one.words, instead[0] if instead else None)


@lru_cache(maxsize=512)
def _statements(text: str) -> tuple[_Stated, ...]:
    """The numbers, dates and codes of a text, left to right; of those that overlap, the longest."""
    reading = read(text)
    by_span: dict[tuple[int, int], list[Item]] = {}
    for first, found in reading.items.items():
        for after, item in found:
            if not isinstance(item, str) or any(letter.isdigit() for letter in item):
                by_span.setdefault((first, after), []).append(item)
    kept: list[tuple[int, int]] = []
    for span in sorted(by_span, key=lambda one: (one[0] - one[1], one)):
        if all(span[1] <= other[0] or span[0] >= other[1] for other in kept):
            kept.append(span)
    stated = []
    for first, after in sorted(kept):
        start, end = reading.spans[first][0], reading.spans[after - 1][1]
        stated.append(_Stated(reading.text[start:end], start, end, tuple(by_span[first, after])))
    return tuple(stated)


def _same(claimed: Item, other: Item) -> bool:
    if isinstance(claimed, Quantity) and isinstance(other, Quantity):
        return same_quantity(claimed, other)
    if isinstance(claimed, Date) and isinstance(other, Date):
        return same_date(claimed, other)
    if isinstance(claimed, Quantity) and isinstance(other, Date):  # a year of which the text tells the day
        return other.year is not None and claimed.unit is None and claimed.value == other.year
    return claimed == other


def _comparable(one: _Stated, other: _Stated) -> bool:
    """Whether both state a thing of one kind: two dates, two years, two numbers with units of one kind."""
    first, second = one.readings[0], other.readings[0]
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        dimensions = [one.unit.dimension if one.unit else None for one in (first, second)]
        return dimensions[0] == dimensions[1] and _is_year(first) == _is_year(second)
    return type(first) is type(second)


def _is_year(number: Quantity) -> bool:
    return number.unit is None and number.value == int(number.value) and 1000 <= number.value < 2100 and not number.mark


def _unknown_names(claim: str, source: str, known: str) -> Iterator[Difference]:
    there = _words(source) | _words(known)
    stems = {word[:_LEAST_SHARED] for word in there if len(word) >= _LEAST_SHARED}
    names = _names(source)
    for name in _names(claim):
        parts = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(name)]
        parts = [word for word in parts if word not in _SMALL and word not in _IN_DATES and not word[0].isdigit()]
        missing = [word for word in parts if word not in there and not _abridged(word, there, stems)]
        if not missing or _is_initials(name, source):
            continue
        alike = [other for other in names if other != name and _telling(name) & _telling(other)]
        yield Difference("name", name, alike[0] if alike else None)


def _telling(name: str) -> frozenset[str]:
    return _words(name) - _SMALL


def _abridged(word: str, there: frozenset[str], stems: set[str]) -> bool:
    """Whether another form of the word is there: "American" for "America", "W." for "William"."""
    if len(word) == 1:
        return any(other.startswith(word) for other in there)
    if len(word) < _LEAST_SHARED + 1 or word[:_LEAST_SHARED] not in stems:
        return False
    return any(_shared(word, other) >= min(len(word), len(other)) - 1 for other in there)


def _shared(one: str, other: str) -> int:
    """How many letters both begin with."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))


def _is_initials(name: str, source: str) -> bool:
    letters = name.replace(".", "")
    if not (2 <= len(letters) <= 6 and letters.isupper()):
        return False
    return any("".join(word[0] for word in one.split() if word[0].isupper()) == letters for one in _names(source))


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    found = {word.casefold() for word in _WORD.findall(text)}
    found |= {part for word in found for part in word.split("-")}
    return frozenset(found | {word.removesuffix("'s").removesuffix("’s") for word in found})


@lru_cache(maxsize=512)
def _names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words; a single one that begins a sentence may be any word, and is left out."""
    found = []
    for match in _NAME.finditer(text):
        name = match.group().rstrip(".'’-")
        begins = _SENTENCE_START.search(text, 0, match.start()) is not None
        if begins and (" " not in name or name.split()[0].casefold() in _SMALL):
            name = name.partition(" ")[2] if " " in name else ""
        if len(name) > 1:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _turned_round(claim: str, evidence: str) -> Iterator[Difference]:
    """A "not" or a word with an opposite, where the rest of the claim stands in the evidence."""
    said, there = _words(claim), _words(evidence)
    content = {word for word in said if len(word) > 3 and word not in _UNTELLING and not _NEGATION.fullmatch(word)}
    content = {word for word in content if not any(letter.isdigit() for letter in word)}
    if not content or sum(word in there for word in content) / len(content) < 0.6:
        return
    for word in sorted(said - there):
        if opposite := sorted(_OPPOSITE.get(word, frozenset()) & (there - said)):
            yield Difference("opposite", word, opposite[0])
    mine, theirs = _NEGATION.findall(claim), _NEGATION.findall(evidence)
    if bool(mine) != bool(theirs):
        yield Difference("negation", (mine or theirs)[0])
