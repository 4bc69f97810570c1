"""Which rows are trained on, which are tuned on, and which are looked at in the end only.

The unit is what several rows share: the question of an answer pair, the text of a claim. A salted hash of it decides,
so that the split needs no file, does not depend on the order of rows, and holds for rows that are added later.
"""

from hashlib import blake2b
from typing import Literal, TypeAlias

from ringtrue.text.words import words

__all__ = ["SALT", "SHARES", "Side", "side_of", "unit_of"]

Side: TypeAlias = Literal["train", "dev", "test"]

SALT = "ringtrue-judge-1"
SHARES: tuple[tuple[Side, int], ...] = (("train", 50), ("dev", 20), ("test", 30))

_TEXT_LETTERS = 200


def unit_of(text: str) -> str:
    """A question or a text without case and punctuation, cut to its first 200 letters.

    >>> unit_of("Who wrote  Emma?")
    'who wrote emma'
    """
    return " ".join(words(text.casefold()))[:_TEXT_LETTERS]


def side_of(unit: str) -> Side:
    """The side of a row with this `unit`: half of the units train, a fifth is for tuning, the rest for the test."""
    place = int.from_bytes(blake2b(f"{SALT} {unit}".encode(), digest_size=4).digest()) % 100
    for side, share in SHARES:
        if place < share:
            return side
        place -= share
    raise ValueError("the shares of the sides must add up to 100")
