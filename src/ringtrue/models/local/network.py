"""The judging network: is an answer right by the golden answer, and is a claim supported by a text?

`training/README.md` says what it reads and how it was made. Loaded once in a process, in well under a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import orjson

from ringtrue.models.local.batches import Batcher
from ringtrue.models.local.inputs import Inputs, Pair, padded
from ringtrue.models.local.session import Session, open_session
from ringtrue.models.local.weights import find

__all__ = ["JudgeNetwork", "Judged", "network", "signature"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the network says of one row: log-odds that the answer is right, and how probable it is that the text
    supports the claim, contradicts it, or does neither (the three add up to 1)."""

    correct: float
    supported: float
    neither: float
    contradicted: float


class JudgeNetwork:
    """Judges (question, source, claim). The question may be missing; the source is the golden answer or the text."""

    def __init__(self, folder: Path) -> None:
        self.signature = signature(folder)
        self._session: Session = open_session(folder / "judge.onnx")
        self._inputs = Inputs(folder)
        self._batcher: Batcher[Pair, Judged] = Batcher(
            self._work, length=lambda pair: len(pair[0]), most=8, most_tokens=512
        )

    async def judge(self, texts: Sequence[tuple[str | None, str, str]]) -> list[Judged]:
        """One outcome for each (question, source, claim), worked off together with what other rows ask."""
        return await self._batcher(self._inputs.many(texts)) if texts else []

    def now(self, texts: Sequence[tuple[str | None, str, str]]) -> list[Judged]:
        """The same for a caller that waits."""
        return self._batcher.now(self._inputs.many(texts)) if texts else []

    def _work(self, pairs: Sequence[Pair]) -> list[Judged]:
        ids, parts = padded(pairs)
        support, correct = self._session.run(["support", "correct"], {"ids": ids, "parts": parts})
        shares = np.exp(support - support.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        return [Judged(float(right), *map(float, three)) for right, three in zip(correct[:, 0], shares, strict=True)]


def signature(folder: Path) -> str:
    """Version and the beginning of the weights' sum, without opening the network."""
    described = orjson.loads((folder / "judge.json").read_bytes())
    return f"ringtrue-judge-{described['version']}@{described['sha256']['judge.onnx'][:8]}"


@cache
def network() -> JudgeNetwork:
    """The network of this process. Raises MissingExtraError or MissingWeightsError where it cannot be had."""
    return JudgeNetwork(find("judge"))
