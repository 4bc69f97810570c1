"""How an answer is like a golden answer, in numbers that a person can check: words, names, numbers, length.

They are weighed beside the network's view (`weighing.json`, ``correct``). Words are SQuAD's, without articles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import regex
from rapidfuzz.distance import JaroWinkler

from ringtrue.text.normal import squad_words
from ringtrue.text.phrases import find
from ringtrue.text.quantities import Quantity, same_quantity
from ringtrue.text.reading import Reading, read

__all__ = ["LIKENESS", "likeness"]

# What each number says, for people.
LIKENESS = {
    "equal": "the answer is the golden answer, word for word",
    "stated": "the answer states the golden answer as it is",
    "contains": "the golden answer holds the whole answer",
    "words held": "share of the golden answer's words that the answer has",
    "new words held": "share of those that are not in the question",
    "words nearly held": "how like the golden answer's words are to the nearest of the answer's, letter by letter",
    "names held": "share of the golden answer's names that the answer has",
    "numbers held": "share of the golden answer's numbers that the answer has",
    "numbers differ": "the answer has numbers, but not those of the golden answer",
    "negation differs": "one of them says “not”, the other does not",
    "question repeated": "share of the answer's words that the question has",
    "other words": "words of the answer that are in neither question nor golden answer (logarithm)",
    "length": "words of the answer (logarithm)",
    "golden length": "words of the golden answer (logarithm)",
}
_COMMON = """
of in on at to for from by with and or is are was were be been being it its he she his her they their them this that
these those as which who whom whose what when where how why not no also has have had do does did into over under between
about after before during than then there here i you we my your our
"""
_IS_COMMON = frozenset(_COMMON.split())
_NEGATION = regex.compile(r"\b(?:not|no|never|none|nobody|neither|nor|without|cannot|\w+n['’]t)\b", regex.IGNORECASE)
_NAME = regex.compile(r"\b\p{Lu}[\p{L}\p{M}'’-]*")
_ENDINGS = ("ically", "ations", "ation", "ings", "ing", "ies", "ed", "es", "ly", "s")
_LEAST_STEM = 3
_MOST_REFERENCES = 12  # those most like the answer are looked at closely
_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class _Taken:
    """A text taken apart once. `telling` are its words but for the commonest, or all where it has no other."""

    reading: Reading
    words: tuple[str, ...]
    telling: tuple[str, ...]
    stems: frozenset[str]
    names: frozenset[str]
    numbers: tuple[Quantity, ...]
    negated: bool


def likeness(question: str | None, references: Sequence[str], answer: str) -> dict[str, float]:
    """The numbers of `LIKENESS` for the golden answer that is most like the answer."""
    given, asked = _taken(answer), _taken(question or "")
    golden = [_taken(one) for one in references]
    golden.sort(key=lambda one: -len(one.stems & given.stems) / max(len(one.stems), 1))
    found = [_pair(asked, one, given) for one in golden[:_MOST_REFERENCES]]
    return max(found, key=lambda one: sum(one[name] for name in ("stated", "equal", "words held", "new words held")))


def _pair(asked: _Taken, golden: _Taken, given: _Taken) -> dict[str, float]:
    new = [word for word in golden.telling if _stem(word) not in asked.stems] or list(golden.telling)
    other = [word for word in given.telling if _stem(word) not in asked.stems | golden.stems]
    same = [any(same_quantity(one, mine) for mine in given.numbers) for one in golden.numbers]
    found = {
        "equal": golden.words == given.words,
        "stated": bool(golden.words) and next(find(given.reading, golden.reading), None) is not None,
        "contains": bool(given.words) and f" {' '.join(given.words)} " in f" {' '.join(golden.words)} ",
        "words held": _share(golden.stems & given.stems, golden.stems),
        "new words held": _share([word for word in new if _stem(word) in given.stems], new),
        "words nearly held": _nearest(golden.telling, given.telling),
        "names held": _share(golden.names & given.names, golden.names),
        "numbers held": _share([one for one in same if one], same),
        "numbers differ": bool(same) and bool(given.numbers) and not all(same),
        "negation differs": golden.negated != given.negated,
        "question repeated": _share(given.stems & asked.stems, given.stems),
        "other words": log(1 + len(other)),
        "length": log(1 + len(given.words)),
        "golden length": log(1 + len(golden.words)),
    }
    return {name: float(value) for name, value in found.items()}


@lru_cache(maxsize=4096)
def _taken(text: str) -> _Taken:
    words = squad_words(text, articles=False)
    telling = tuple(word for word in words if word not in _IS_COMMON) or words
    reading = read(text)
    items = (item for found in reading.items.values() for _, item in found)
    return _Taken(
        reading=reading,
        words=words,
        telling=telling,
        stems=frozenset(map(_stem, telling)),
        names=frozenset(one.casefold() for one in _NAME.findall(text)),
        numbers=tuple(one for one in items if isinstance(one, Quantity)),
        negated=_NEGATION.search(text) is not None,
    )


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: -len(ending)]
    return word


def _share(part: "Sequence[object] | frozenset[str]", whole: "Sequence[object] | frozenset[str]") -> float:
    return len(part) / len(whole) if whole else 0.0


def _nearest(golden: Sequence[str], given: Sequence[str]) -> float:
    """Mean over the golden words of the likeness (Jaro-Winkler) to the answer's nearest word."""
    if not golden or not given:
        return 0.0
    some, others = golden[:_MOST_WORDS], given[:_MOST_WORDS]
    return sum(max(JaroWinkler.similarity(word, other) for other in others) for word in some) / len(some)
