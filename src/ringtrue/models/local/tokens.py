"""Word pieces: what the encoders read. English only, which is looked for here too."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from ringtrue.errors import MissingExtraError, Skip

__all__ = ["CLS", "MOST_TOKENS", "SEP", "Tokens", "matrices", "skip_other_scripts", "windows"]

MOST_TOKENS = 512  # positions that the encoders have
CLS, SEP = 101, 102  # in the vocabulary of BERT, uncased, which they share

_MANY = 256
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"[\p{L}&&\p{Latin}]", regex.V1)


class Tokens:
    """The tokenizer of a network's folder. A special token spelt out in a text is read as plain text."""

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer  # 10 MB, and only for local networks
        except ImportError as error:
            raise MissingExtraError("a local network", "local") from error
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._tokenizer.encode_special_tokens = True

    def ids(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The word pieces of each text, without special tokens, however many there are."""
        if len(texts) < _MANY:  # threads of its own for a few texts would take the cores from the network
            return [tuple(self._tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]
        return [tuple(found.ids) for found in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]


def windows(ids: tuple[int, ...], most: int, overlap: int = 0) -> list[tuple[int, ...]]:
    """The pieces in as few windows of `most` as hold them, all of about one length; one empty window of none."""
    step = most - overlap
    count = max(1, -(-(len(ids) - overlap) // step))
    starts = [round(place * (len(ids) - overlap) / count) for place in range(count + 1)]
    return [ids[start : end + overlap] for start, end in pairwise(starts)]


def matrices(rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> dict[str, NDArray[np.int64]]:
    """Ids and segments (0 first, 1 second text) of several rows as an encoder's inputs, each (rows, longest)."""
    width = max(len(ids) for ids, _ in rows)
    ids, mask, segments = np.zeros((3, len(rows), width), dtype=np.int64)
    for place, (one, segment) in enumerate(rows):
        ids[place, : len(one)], mask[place, : len(one)], segments[place, : len(one)] = one, 1, segment
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}


def skip_other_scripts(**texts: str) -> None:
    """Raise Skip where more than half of the letters of one of the named texts are not Latin."""
    for name, text in texts.items():
        if text.isascii():
            continue
        letters = len(_LETTER.findall(text))
        if 2 * len(_LATIN.findall(text)) < letters:
            raise Skip(f"the local networks read English, and this {name.replace('_', ' ')} is in another script")
