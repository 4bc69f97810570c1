"""BERTScore's matching: each word piece of one text with its likest of the other (Zhang et al. 2020, section 3).

As in bert_score 0.3.13, [CLS] and [SEP] may be matched by a piece, but have no weight of their own.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from ringtrue.models.local.embedding import Encoded
from ringtrue.models.local.tokens import CLS, SEP

__all__ = ["Matched", "matched"]

_FOLDER = Path(__file__).parent / "files"  # made by training/bertscore.py
_FRAME = np.array([CLS, SEP])


class Matched(NamedTuple):
    """Each is 1 for the same text and about .34 for two unrelated sentences; rescaled, about 0 for these."""

    precision: float
    recall: float
    f1: float


def matched(answer: Encoded, golden: Encoded, *, idf: bool = False, rescale: bool = False) -> Matched | None:
    """How well the answer's pieces match the golden answer's; ``None`` where one of them has no piece of weight.

    `idf` weighs a piece by the logarithm of how seldom it is; `rescale` sets what unrelated sentences get to 0.
    """
    weights = _weights(answer.ids, idf), _weights(golden.ids, idf)
    if not all(one.sum() for one in weights):
        return None
    likeness = answer.states @ golden.states.T
    precision = float(np.average(likeness.max(axis=1), weights=weights[0]))
    recall = float(np.average(likeness.max(axis=0), weights=weights[1]))
    both = precision + recall
    found = Matched(precision, recall, 2 * precision * recall / both if both > 0 else 0.0)
    if not rescale:
        return found
    base = _unrelated("idf" if idf else "plain")
    return Matched(*((value - low) / (1 - low) for value, low in zip(found, base, strict=True)))


def _weights(ids: tuple[int, ...], idf: bool) -> NDArray[np.float64]:
    weights = _rarity()[list(ids)] if idf else np.ones(len(ids))
    return np.where(np.isin(ids, _FRAME), 0.0, weights)


@cache
def _rarity() -> NDArray[np.float64]:
    """Of each word piece log((texts + 1) / (texts that have it + 1)), by a count of English sentences."""
    counts = np.load(_FOLDER / "piece_counts.npy")
    rarity: NDArray[np.float64] = np.log((_measured()["texts"] + 1) / (counts + 1.0))
    return rarity


@cache
def _unrelated(kind: str) -> Matched:
    """What two unrelated sentences get on average."""
    return Matched(**_measured()["unrelated"][kind])


def _measured() -> Any:
    """What was measured of the encoder."""
    return orjson.loads((_FOLDER / "bertscore.json").read_bytes())
