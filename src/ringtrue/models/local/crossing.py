"""How well a passage answers a question: ms-marco-MiniLM-L-12-v2 (Apache-2.0), a cross-encoder that reads both at once.

It was trained to rank passages for search queries (MS MARCO): it knows relevance, and nothing of contradiction. Its
output is a log-odds, about -11 for what has nothing to do with the question and +11 for what answers it.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from ringtrue.models.local.batches import Batcher
from ringtrue.models.local.session import Session, open_session
from ringtrue.models.local.tokens import CLS, SEP, Tokens, matrices, windows
from ringtrue.models.local.weights import NETWORKS, find
from ringtrue.models.local.widening import widened

__all__ = ["SIGNATURE", "Crosser", "crosser"]

SIGNATURE = NETWORKS["cross-encoder"].signature

_QUESTION = 64  # word pieces of a question that are read
_WINDOW, _OVERLAP = 384, 64  # of a passage; a longer one is read in windows

_Row = tuple[tuple[int, ...], tuple[int, ...]]


class Crosser:
    """Holds passages against questions, those of all callers together, each pair once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tokens = Tokens(folder)
        self._logits: Batcher[_Row, float] = Batcher(
            self._work, length=lambda row: len(row[0]) + len(row[1]) + 3, most=8, most_tokens=512
        )

    async def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The log-odds of each (question, passage): of a long passage, those of its best window."""
        rows = self._rows(pairs)
        return _best(rows, await self._logits([one for row in rows for one in row]))

    def relevance_now(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The same for a caller that waits."""
        rows = self._rows(pairs)
        return _best(rows, self._logits.now([one for row in rows for one in row]))

    def _rows(self, pairs: Sequence[tuple[str, str]]) -> list[list[_Row]]:
        questions = self._tokens.ids([question for question, _ in pairs])
        passages = self._tokens.ids([passage for _, passage in pairs])
        return [
            [(question[:_QUESTION], window) for window in windows(passage, _WINDOW, _OVERLAP)]
            for question, passage in zip(questions, passages, strict=True)
        ]

    @cached_property
    def _session(self) -> Session:
        """Opened in the worker thread, so that no event loop waits for it."""
        return open_session(self._folder / "model.onnx", prepare=widened)

    def _work(self, batch: Sequence[_Row]) -> list[float]:
        rows = [
            ((CLS, *question, SEP, *window, SEP), (0,) * (len(question) + 2) + (1,) * (len(window) + 1))
            for question, window in batch
        ]
        (logits,) = self._session.run(["logits"], matrices(rows))
        return [float(one) for one in np.asarray(logits)[:, 0]]


@cache
def crosser() -> Crosser:
    """The cross-encoder of this process. Raises MissingExtraError or MissingWeightsError where it cannot be had."""
    return Crosser(find("cross-encoder"))


def _best(rows: list[list[_Row]], logits: list[float]) -> list[float]:
    found, place = [], 0
    for row in rows:
        found.append(max(logits[place : place + len(row)]))
        place += len(row)
    return found
