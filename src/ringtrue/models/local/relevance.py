"""Calibrated relevance: how probable it is that a passage helps to answer a question, that an answer addresses it.

A logistic model over few numbers: the cross-encoder's log-odds, the cosine of the embeddings and, for answers, their
length (a short one shares little with its question, however well it answers). Its coefficients are in
`files/relevance.json`, fitted by `training/relevance.py`, which says on what, and how well it does.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import orjson

from ringtrue.models.local import crossing, embedding
from ringtrue.models.local.tokens import skip_other_scripts
from ringtrue.text.words import count_words

__all__ = ["COEFFICIENTS", "SIGNATURE", "Features", "answer_relevance", "features", "passage_relevance"]

COEFFICIENTS = Path(__file__).parent / "files" / "relevance.json"
SIGNATURE = f"{crossing.SIGNATURE}+{embedding.SIGNATURE}"

Kind: TypeAlias = Literal["passage", "answer"]


class Features(NamedTuple):
    """What is known of a question and a text: the cross-encoder's log-odds, the cosine, log(1 + words of the text)."""

    logit: float
    cosine: float
    length: float


async def passage_relevance(question: str, passages: Sequence[str]) -> list[float]:
    """Of each passage the probability that it helps to answer the question.

    Raises MissingExtraError or MissingWeightsError where the networks are not on this machine, Skip where a text is in
    another script than Latin.
    """
    skip_other_scripts(question=question, passage=" ".join(passages))
    found = await features([(question, passage) for passage in passages])
    return [_probability("passage", one) for one in found]


async def answer_relevance(question: str, answer: str) -> float:
    """The probability that the answer addresses the question, be it right or wrong. Raises as `passage_relevance`."""
    skip_other_scripts(question=question, answer=answer)
    (found,) = await features([(question, answer)])
    return _probability("answer", found)


async def features(pairs: Sequence[tuple[str, str]]) -> list[Features]:
    """What is known of each (question, text)."""
    texts = [text for pair in pairs for text in pair]
    logits, encoded = await asyncio.gather(crossing.crosser().relevance(pairs), embedding.embedder().encode(texts))
    cosines = [float(one.vector @ two.vector) for one, two in zip(encoded[::2], encoded[1::2], strict=True)]
    lengths = [log(1 + count_words(text)) for _, text in pairs]
    return list(map(Features, logits, cosines, lengths))


def _probability(kind: Kind, found: Features) -> float:
    of = _coefficients()[kind]
    odds = of["intercept"] + sum(of.get(name, 0.0) * value for name, value in found._asdict().items())
    return round(1 / (1 + exp(-odds)), 4)


@cache
def _coefficients() -> Mapping[str, Mapping[str, float]]:
    found: Mapping[str, Mapping[str, float]] = orjson.loads(COEFFICIENTS.read_bytes())
    return found
