"""What the judging network reads: up to three texts in a row, and which token belongs to which.

``[CLS] question [SEP] source [SEP] claim [SEP]``: the source is the golden answer or the text that should support the
claim; the claim is the answer that is judged. Without a question its part is left out with its separator. Parts are
numbered 1 (question and CLS), 2 (source), 3 (claim); 0 is padding.
"""

from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.models.local.tokens import CLS, SEP, Tokens
from ringtrue.text.words import sentences, words

__all__ = ["Inputs", "Pair", "padded", "passage", "references_text"]

MOST_TOKENS = 160
QUESTION_TOKENS = 40
CLAIM_TOKENS = 80
PASSAGE_WORDS = 75
SENTENCE_WORDS = 40
MOST_REFERENCES = 3

Pair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class Inputs:
    """Turns texts into token ids and part numbers, by the tokenizer of a folder."""

    def __init__(self, folder: Path) -> None:
        self._tokens = Tokens(folder)

    def many(self, texts: Sequence[tuple[str | None, str, str]]) -> list[Pair]:
        """Ids and parts of each (question, source, claim)."""
        ids = self._tokens.ids([part or "" for text in texts for part in text])
        return [_pair(*ids[place : place + 3]) for place in range(0, len(ids), 3)]


def _pair(question: Sequence[int], source: Sequence[int], claim: Sequence[int]) -> Pair:
    question, claim = question[:QUESTION_TOKENS], claim[:CLAIM_TOKENS]
    first = [CLS, *question, *([SEP] if question else [])]
    last = [*claim, SEP]
    middle = [*source[: MOST_TOKENS - len(first) - len(last) - 1], SEP]
    return (*first, *middle, *last), (1,) * len(first) + (2,) * len(middle) + (3,) * len(last)


def padded(pairs: Sequence[Pair]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids and parts as two matrices (rows, longest), filled with 0."""
    width = max(len(ids) for ids, _ in pairs)
    ids, parts = np.zeros((2, len(pairs), width), dtype=np.int64)
    for row, (one, part) in enumerate(pairs):
        ids[row, : len(one)] = one
        parts[row, : len(part)] = part
    return ids, parts


def references_text(references: Sequence[str], answer: str) -> str:
    """The golden answers as one text: the three that share most words with the `answer`, the likest first."""
    if len(references) == 1:
        return references[0]
    said = set(_plain(answer))
    order = sorted(range(len(references)), key=lambda place: (-_likeness(references[place], said), place))
    return " ; ".join(references[place] for place in order[:MOST_REFERENCES])


def passage(text: str, claim: str, most_words: int = PASSAGE_WORDS) -> str:
    """The sentences of `text` that the `claim` is best held against, in their order, about `most_words` words.

    Sentences are taken one by one for the words of the claim that they hold; a word weighs more the fewer sentences
    have it, and less once a taken sentence has it.
    """
    if len(text.split()) <= most_words:
        return text
    pieces = [piece for sentence in sentences(text) for piece in _windows(sentence)]
    have = [set(_plain(piece)) for piece in pieces]
    wanted = set(_plain(claim))
    weight = {word: log(1 + len(pieces) / (1 + sum(word in one for one in have))) for word in wanted}
    taken: list[int] = []
    left = most_words
    while left > 0 and len(taken) < len(pieces):
        rest = [place for place in range(len(pieces)) if place not in taken]
        best = max(rest, key=lambda place: (sum(weight[word] for word in have[place] & wanted), -place))
        if taken and (not have[best] & wanted or len(pieces[best].split()) > left + SENTENCE_WORDS // 4):
            break
        taken.append(best)
        left -= len(pieces[best].split())
        for word in have[best] & wanted:
            weight[word] *= 0.4
    return " ".join(pieces[place] for place in sorted(taken))


def _windows(sentence: str) -> list[str]:
    parts = sentence.split()
    return [" ".join(parts[start : start + SENTENCE_WORDS]) for start in range(0, len(parts), SENTENCE_WORDS)]


def _plain(text: str) -> tuple[str, ...]:
    return words(text.casefold())


def _likeness(reference: str, said: set[str]) -> float:
    own = set(_plain(reference))
    return 2 * len(own & said) / (len(own) + len(said)) if own or said else 0.0
