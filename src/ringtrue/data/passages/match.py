"""Which retrieved passage is a golden one.

Two passages are the same by their ids where both have one; otherwise by their words, where the golden passage is the
retrieved one or a run of words in it (a golden sentence in a longer passage is found). Case, punctuation and articles
do not count. A golden passage counts once, where it first comes up: a second copy of it helps nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ringtrue.text.normal import squad_words
from ringtrue.types import Passage

__all__ = ["By", "Found", "Incomparable", "find_golden"]

By: TypeAlias = Literal["auto", "id", "text"]


class Incomparable(Exception):
    """Nothing tells whether a retrieved passage is a golden one: the one has ids alone, the other texts alone."""


@dataclass(frozen=True, slots=True)
class Found:
    """How the retrieved passages meet the golden ones.

    `golden` holds, for each retrieved passage in rank order, the places (from 0) of the golden passages that it is the
    first to bring; `total` is how many golden passages there are.
    """

    golden: tuple[tuple[int, ...], ...]
    total: int

    @property
    def right(self) -> list[bool]:
        """Whether each place of the ranking brings a golden passage."""
        return [bool(one) for one in self.golden]

    @property
    def held(self) -> int:
        """How many golden passages were retrieved."""
        return sum(map(len, self.golden))

    @property
    def relevant(self) -> int:
        """How many right places a perfect ranking of these passages has: golden ones in one passage share a place."""
        return self.total - self.held + sum(self.right)


def find_golden(retrieved: Sequence[Passage], golden: Sequence[Passage], by: By = "auto") -> Found:
    """Where the golden passages stand among the retrieved ones. Raises Incomparable.

    `by` can ask for ids alone or for texts alone: ids that another way of cutting has given say nothing.
    """
    left = dict(enumerate(_Known(one, by) for one in golden))
    given = [_Known(one, by) for one in retrieved]
    if given and not all(any(one.comparable(other) for other in given) for one in left.values()):
        lacking = {"id": "ids", "text": "texts", "auto": "ids or texts"}[by]
        raise Incomparable(f"the retrieved and the golden passages do not both have {lacking} to be compared by")
    found: list[tuple[int, ...]] = []
    for one in given:
        new = tuple(place for place, wanted in left.items() if one.holds(wanted))
        for place in new:
            del left[place]
        found.append(new)
    return Found(tuple(found), len(golden))


class _Known:
    """What a passage can be compared by."""

    def __init__(self, passage: Passage, by: By) -> None:
        self.id = passage.id.strip() if passage.id and by != "text" else None
        self.words = squad_words(passage.text) if passage.text and by != "id" else ()

    def comparable(self, other: "_Known") -> bool:
        return bool((self.id and other.id) or (self.words and other.words))

    def holds(self, golden: "_Known") -> bool:
        if self.id and golden.id:
            return self.id == golden.id
        wanted, words = golden.words, self.words
        length = len(wanted)
        if not length or length > len(words):
            return False
        starts = (start for start in range(len(words) - length + 1) if words[start] == wanted[0])
        return any(words[start : start + length] == wanted for start in starts)
