"""Probabilities of rows from any form of the network, in torch or in ONNX."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.models.local.inputs import Inputs, padded
from training.data import Example, Row, claims_of

__all__ = ["Network", "area", "probabilities", "row_probabilities"]

Array: TypeAlias = NDArray[np.float64]
Network: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[NDArray[np.float32], NDArray[np.float32]]]

_BATCH_TOKENS = 2048


def row_probabilities(rows: Sequence[Row], inputs: Inputs, network: Network) -> Array:
    """For each row the probability that its answer is right, or that its least supported sentence is supported."""
    claims = [claims_of(row) for row in rows]
    flat = probabilities([one for row in claims for one in row], inputs, network)
    ends = np.cumsum([len(row) for row in claims])
    return np.array([flat[end - len(row) : end].min() for row, end in zip(claims, ends, strict=True)])


def probabilities(examples: Sequence[Example], inputs: Inputs, network: Network) -> Array:
    """The probability of each example's own question: answer right, or claim supported."""
    pairs = inputs.many([(one.question, one.source, one.claim) for one in examples])
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]))
    found = np.zeros(len(pairs))
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and len(pairs[order[end]][0]) * (end + 1 - start) <= _BATCH_TOKENS:
            end += 1
        places = order[start:end]
        support, correct = network(*padded([pairs[place] for place in places]))
        supported = np.exp(support - support.max(-1, keepdims=True))
        supported = supported[:, 0] / supported.sum(-1)
        right = 1 / (1 + np.exp(-correct[:, 0]))
        asked = np.array([examples[place].task == "correct" for place in places])
        found[places] = np.where(asked, right, supported)
        start = end
    return found


def area(truth: Sequence[int], scores: Array) -> float | None:
    """Area under the curve, ties counted half; ``None`` where there is one label only."""
    labels = np.asarray(truth, dtype=bool)
    positive, negative = scores[labels], np.sort(scores[~labels])
    if not len(positive) or not len(negative):
        return None
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.mean() / 2 / len(negative))
