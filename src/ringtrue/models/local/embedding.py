"""What a text means, as numbers: bge-small-en-v1.5 (BAAI, MIT), a sentence encoder of 33 million parameters.

A text's vector is the state of its first token ([CLS]), made of length 1, as the model's authors say; its tokens'
states serve BERTScore. A text of more than 510 word pieces is read in windows, and its vector is their mean.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.models.local.batches import Batcher
from ringtrue.models.local.session import Session, open_session
from ringtrue.models.local.tokens import CLS, MOST_TOKENS, SEP, Tokens, matrices, windows
from ringtrue.models.local.weights import NETWORKS, find
from ringtrue.models.local.widening import widened

__all__ = ["SIGNATURE", "Array", "Embedder", "Encoded", "embedder"]

SIGNATURE = NETWORKS["embedding"].signature

Array: TypeAlias = NDArray[np.float32]

_KEPT_TOKENS = 60_000  # states remembered: 1.5 kB each


class Encoded(NamedTuple):
    """A text's `vector` (384 numbers, length 1) and its tokens' `states` (tokens, 384), of length 1 each.

    `ids` are the tokens; [CLS] and [SEP] are among them.
    """

    vector: Array
    states: Array
    ids: tuple[int, ...]


class Embedder:
    """Encodes texts, those of all callers together, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tokens = Tokens(folder)
        self._states: Batcher[tuple[int, ...], Array] = Batcher(
            self._work, length=len, most=8, most_tokens=512, kept=_KEPT_TOKENS, weight=len
        )

    async def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Each text encoded."""
        rows = self._rows(texts)
        return self._joined(rows, await self._states([one for row in rows for one in row]))

    def encode_now(self, texts: Sequence[str]) -> list[Encoded]:
        """The same for a caller that waits."""
        rows = self._rows(texts)
        return self._joined(rows, self._states.now([one for row in rows for one in row]))

    def _rows(self, texts: Sequence[str]) -> list[list[tuple[int, ...]]]:
        """Of each text its windows."""
        return [[(CLS, *window, SEP) for window in windows(ids, MOST_TOKENS - 2)] for ids in self._tokens.ids(texts)]

    def _joined(self, rows: list[list[tuple[int, ...]]], states: list[Array]) -> list[Encoded]:
        found, place = [], 0
        for row in rows:
            own = states[place : place + len(row)]
            place += len(row)
            ids = tuple(one for window in row for one in window)
            found.append(Encoded(_unit(np.mean([one[0] for one in own], axis=0)), np.concatenate(own), ids))
        return found

    @cached_property
    def _session(self) -> Session:
        """Opened in the worker thread, so that no event loop waits for it."""
        return open_session(self._folder / "model.onnx", prepare=widened)

    def _work(self, batch: Sequence[tuple[int, ...]]) -> list[Array]:
        (states,) = self._session.run(["last_hidden_state"], matrices([(ids, (0,) * len(ids)) for ids in batch]))
        return [_unit(states[place, : len(ids)]) for place, ids in enumerate(batch)]


@cache
def embedder() -> Embedder:
    """The encoder of this process. Raises MissingExtraError or MissingWeightsError where it cannot be had."""
    return Embedder(find("embedding"))


def _unit(vectors: Array) -> Array:
    made: Array = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return made
