"""Relevance without a model: does a passage help to answer the question, does the answer address it?"""

from collections.abc import Sequence
from dataclasses import replace

from ringtrue.errors import Skip
from ringtrue.judges.items import WHOLE, Item, passages_in
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.local.outcome import Weighed, outcome
from ringtrue.judges.local.reading import declines, evidence_in
from ringtrue.models.local import relevance
from ringtrue.types import Response, Sample, Verdict

__all__ = ["NETWORKS", "answer_relevance", "context_precision", "context_relevance", "context_relevance_binary"]

NETWORKS = ("cross-encoder", "embedding")


async def context_relevance(sample: Sample, response: Response) -> Verdict:
    """Share of the retrieved passages that help to answer the question, each judged by itself."""
    passages = _passages(response)
    if not passages:
        raise Skip("nothing was retrieved")
    weighed = await _held_against(sample.question or "", passages, ("relevant", "irrelevant"))
    return outcome(builtin_rubric("context_relevance"), passages, weighed, None)


async def context_relevance_binary(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Whether one of the retrieved passages holds what the question needs; irrelevant where nothing was retrieved.

    The row is as probably relevant as its most probable passage.
    """
    rubric, passages = builtin_rubric("context_relevance_binary"), _passages(response)
    if not passages:
        return outcome(rubric, [WHOLE], [Weighed("irrelevant", 0.0, {}, "nothing was retrieved")], 0.0)
    weighed = await _held_against(sample.question or "", passages, ("relevant", "irrelevant"))
    best = max(weighed, key=lambda one: one.probability)
    found = outcome(rubric, [WHOLE], [best], best.probability, unsure)
    parts = outcome(builtin_rubric("context_relevance"), passages, weighed, None)
    return replace(found, rationale=parts.rationale, parts=parts.parts)


async def context_precision(sample: Sample, response: Response) -> Verdict:
    """Whether the passages that help to answer the question are ranked first (average precision).

    A passage is held against the question and the best fitting golden answer together.
    """
    passages = _passages(response)
    if not passages:
        raise Skip("nothing was retrieved")
    question = sample.question or ""
    each = [
        await _held_against(f"{question} {reference}", passages, ("useful", "useless"))
        for reference in sample.reference
    ]
    weighed = [max(ways, key=lambda one: one.probability) for ways in zip(*each, strict=True)]
    return outcome(builtin_rubric("context_precision"), passages, weighed, None)


async def answer_relevance(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Whether the answer addresses the question, be it right or wrong. One that declines does not."""
    question, answer = sample.question or "", response.answer or ""
    rubric = builtin_rubric("answer_relevance")
    if declines(answer):
        return outcome(rubric, [WHOLE], [Weighed("irrelevant", 0.0, {}, "the answer declines")], 0.0)
    probability = await relevance.answer_relevance(question, answer)
    label = "relevant" if probability >= 0.5 else "irrelevant"
    reason = None if label == "relevant" else "it shares too little with what the question asks"
    return outcome(rubric, [WHOLE], [Weighed(label, probability, {}, reason)], probability, unsure)


def _passages(response: Response) -> tuple[Item, ...]:
    return passages_in(response.contexts or ())


async def _held_against(question: str, passages: Sequence[Item], labels: tuple[str, str]) -> list[Weighed]:
    found = await relevance.passage_relevance(question, [one.text for one in passages])
    return [
        Weighed(labels[probability < 0.5], probability, {}, None, evidence_in(one.text, question))
        for one, probability in zip(passages, found, strict=True)
    ]
