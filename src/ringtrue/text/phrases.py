r"""Whether an answer contains a phrase, by its words, numbers, units and dates rather than by its letters.

Both texts are read into atoms: words and numerals. A phrase is contained where its atoms are a run of the answer's.

- Words: whole words in any case, composed (NFC); in scripts without spaces one character each. Punctuation does not
  count, a hyphen is a space, all apostrophes are one. "C++" and "C#" are not "C", "A+" and "A-" are not "A". "Amazon"
  is in "Amazon's", but the "t" of "isn't" is no word. "U.S.A." is "USA", "&" is "and", "1st" is "first".
- Numerals: only as quantities (`same_quantity`), dates (`same_date`) or codes such as "10:30" and "1.2.3" (to the
  letter). Figures and number words are the same. A date in figures holds its year, but neither its month nor its day.
  Three and more numbers joined by hyphens (a telephone number) match only together.
- A phrase with no atom ("?", "👍") matches where it stands to the letter, and an empty one nowhere.
"""

from collections.abc import Iterator

from ringtrue.text.dates import Date, same_date
from ringtrue.text.quantities import Quantity, same_quantity
from ringtrue.text.reading import Item, Reading, read

__all__ = ["contains", "find"]


def contains(answer: str, phrase: str) -> bool:
    """Whether `answer` contains `phrase` by the rule of this module."""
    return next(find(read(answer), read(phrase)), None) is not None


def find(answer: Reading, phrase: Reading) -> Iterator[tuple[int, int]]:
    """Where `answer` contains `phrase`: spans in the answer's composed text, left to right."""
    if not phrase.words:
        yield from _literally(answer.text, phrase.text.strip())
        return
    failed: set[tuple[int, int]] = set()
    for start in _starts(phrase, answer):
        if start not in answer.joined and (end := _run(phrase, answer, start, failed)):
            failed.clear()
            yield answer.spans[start][0], answer.spans[end - 1][1]


def _literally(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        yield at, at + len(phrase)
        at = text.find(phrase, at + len(phrase))


def _starts(phrase: Reading, answer: Reading) -> list[int]:
    """The answer's atoms where the phrase may begin."""
    starts = {*answer.items, *answer.parts}
    for _, first in _steps(phrase, 0):
        at = -1
        for _ in range(answer.words.count(first) if isinstance(first, str) else 0):
            at = answer.words.index(first, at + 1)
            starts.add(at)
    return sorted(starts)


def _run(phrase: Reading, answer: Reading, start: int, failed: set[tuple[int, int]]) -> int | None:
    """The answer's atom after the phrase that begins at `start`; `failed` holds pairs of places that lead nowhere."""
    todo = [(0, start)]
    while todo:
        here = todo.pop()
        if here in failed:
            continue
        failed.add(here)
        place, other = here
        if place == len(phrase.words):
            if other not in answer.joined:
                return other
            continue
        offered = [*_steps(answer, other), *answer.parts.get(other, ())]
        for after, item in _steps(phrase, place):
            todo.extend((after, end) for end, found in offered if _same(item, found))
    return None


def _steps(reading: Reading, index: int) -> list[tuple[int, Item]]:
    """The ways on from an atom: its word, and the items that begin there."""
    items = reading.items.get(index, ())
    word = reading.words[index] if index < len(reading.words) else None
    return [*items] if word is None else [(index + 1, word), *items]


def _same(fact: Item, answer: Item) -> bool:
    if isinstance(fact, Quantity):
        return isinstance(answer, Quantity) and same_quantity(fact, answer)
    if isinstance(fact, Date):
        return isinstance(answer, Date) and same_date(fact, answer)
    return fact == answer
