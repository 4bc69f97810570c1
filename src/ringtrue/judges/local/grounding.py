"""Judgements of the retrieved passages without a model: do they hold what the answer, or the golden answer, claims?"""

from collections.abc import Sequence
from dataclasses import replace

from ringtrue.errors import Skip
from ringtrue.judges.items import WHOLE, Item, passages_in
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.local.outcome import Weighed, outcome
from ringtrue.judges.local.reading import claims_of, declines
from ringtrue.judges.local.support import supports
from ringtrue.judges.rubric import Rubric
from ringtrue.models.local.tokens import skip_other_scripts
from ringtrue.types import Passage, Response, Sample, Verdict

__all__ = ["context_recall", "context_sufficiency", "faithfulness", "faithfulness_binary", "refusal"]

_NOTHING = "nothing was retrieved"


async def faithfulness(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Share of the answer's sentences that the retrieved passages support.

    The row is as probably factual as its least probable sentence. A sentence that only declines or is polite is no
    claim; an answer of such sentences alone is skipped.
    """
    rubric, claims = builtin_rubric("faithfulness"), claims_of(response.answer or "")
    if not claims:
        raise Skip("no claim that could be checked")
    weighed = await _weighed(claims, response.contexts or (), sample.question, response.answer or "")
    return outcome(rubric, claims, weighed, min(one.probability for one in weighed), unsure)


async def faithfulness_binary(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Whether the retrieved passages support the whole answer: factual or hallucinated, by its least probable
    sentence."""
    found = await faithfulness(sample, response, unsure=unsure)
    return _whole(builtin_rubric("faithfulness_binary"), found, unsure)


async def context_recall(sample: Sample, response: Response) -> Verdict:
    """Share of the golden answer's sentences that the retrieved passages support; the best golden answer counts."""
    claims = _golden_claims(sample)
    return outcome(builtin_rubric("context_recall"), claims, await _held(claims, sample, response), None)


async def context_sufficiency(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Whether the retrieved passages together hold what the golden answer claims.

    Without a model this needs the golden answer: yes where every sentence of one of them is supported.
    """
    claims = _golden_claims(sample)
    weighed = await _held(claims, sample, response)
    groups = {claim.group for claim in claims}
    least = {
        group: min(one.probability for claim, one in zip(claims, weighed, strict=True) if claim.group == group)
        for group in groups
    }
    found = outcome(builtin_rubric("context_recall"), claims, weighed, max(least.values()))
    return _whole(builtin_rubric("context_sufficiency"), found, unsure)


async def refusal(sample: Sample, response: Response) -> Verdict:
    """Whether the answer declines to answer, by the phrases that say so; and whether that was right, where the passages
    and a golden answer are known."""
    answer = response.answer or ""
    skip_other_scripts(answer=answer)
    declined = declines(answer)
    rubric = builtin_rubric("refusal")
    label = "yes" if declined else "no"
    parts: tuple[dict[str, object], ...] = ()
    if response.contexts is not None and sample.reference:
        sufficient = await context_sufficiency(sample, response)
        parts = (
            {
                "kind": "right",
                "judge": "context_sufficiency",
                "verdict": sufficient.label,
                "reason": sufficient.rationale,
                "right": declined == (sufficient.label == "no"),
            },
        )
    reason = "the answer says that it has none" if declined else "the answer does not say that it has none"
    return Verdict(value=rubric.labels[label], label=label, rationale=reason, parts=parts or None)


def _golden_claims(sample: Sample) -> list[Item]:
    """The sentences of the golden answers, each golden answer a group."""
    claims: list[Item] = []
    for group, reference in enumerate(sample.reference, 1):
        claims += claims_of(reference, group=group, first=len(claims) + 1)
    if not claims:
        raise Skip("no claim that could be checked")
    return claims


async def _held(claims: Sequence[Item], sample: Sample, response: Response) -> list[Weighed]:
    """How far the passages hold the golden claims. What they say otherwise they do not hold."""
    found = await _weighed(claims, response.contexts or (), sample.question, "")
    return [one if one.label == "supported" else replace(one, label="missing") for one in found]


async def _weighed(
    claims: Sequence[Item], contexts: Sequence[Passage], question: str | None, answer: str
) -> list[Weighed]:
    passages = passages_in(contexts)
    if not passages:
        return [Weighed("missing", 0.0, {}, _NOTHING) for _ in claims]
    said = answer or " ".join(claim.text for claim in claims)
    skip_other_scripts(text=said, passage=" ".join(one.text for one in passages))
    return await supports([claim.text for claim in claims], passages, question or "")


def _whole(rubric: Rubric, found: Verdict, unsure: float) -> Verdict:
    """The verdict of a rubric that judges the row as a whole, by the probability that was found."""
    probability = found.probability
    assert probability is not None and rubric.positive is not None
    other = next(one for one in rubric.labels if one != rubric.positive)
    whole = Weighed(rubric.positive if probability >= 0.5 else other, probability, {}, found.rationale)
    made = outcome(rubric, [WHOLE], [whole], probability, unsure)
    return replace(made, rationale=found.rationale, parts=found.parts)
