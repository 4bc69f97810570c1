"""Answer correctness without a model: the network's view, words, names and numbers, weighed as people judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.data.facts import leaves, terms
from ringtrue.errors import Skip
from ringtrue.judges.items import Item
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.local.details import as_stated, differences, told
from ringtrue.judges.local.likeness import likeness
from ringtrue.judges.local.outcome import Weighed, outcome
from ringtrue.judges.local.reading import declines, evidence_in
from ringtrue.judges.local.weighing import weighing
from ringtrue.judges.prompts.render import fact_text
from ringtrue.judges.prompts.shape import id_of
from ringtrue.models.local.inputs import references_text
from ringtrue.models.local.network import Judged, network
from ringtrue.models.local.tokens import skip_other_scripts
from ringtrue.types import Response, Sample, Verdict

__all__ = ["answer_correctness", "correct_inputs", "correct_texts"]

_DECLINED = 0.02  # how probable it is at most that an answer which declines is right


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a right answer has to say, in any of these `ways`."""

    item: Item
    ways: tuple[str, ...]


async def answer_correctness(sample: Sample, response: Response, *, unsure: float = 0.0) -> Verdict:
    """Whether the answer says what a golden answer says, or all of the listed facts.

    The row is as probably right as the least probable of its claims: each listed fact is one, or the golden answers
    together. Within `unsure` of even odds (.1: between .4 and .6) the label is ``unsure``, without a value.
    """
    answer = response.answer or ""
    claims = _claims(sample)
    golden = " ".join(way for claim in claims for way in claim.ways)
    skip_other_scripts(question=sample.question or "", answer=answer, golden_answer=golden)
    judged = await network().judge([correct_texts(sample.question, claim.ways, answer) for claim in claims])
    found = [_vote(sample.question, claim.ways, answer, one) for claim, one in zip(claims, judged, strict=True)]
    least = min(weighed.probability for weighed in found)
    return outcome(builtin_rubric("answer_correctness"), [one.item for one in claims], found, least, unsure)


def correct_texts(question: str | None, ways: Sequence[str], answer: str) -> tuple[str | None, str, str]:
    """What the network is shown: the question, the golden answers, and the answer with their numbers' words."""
    golden = references_text(ways, answer)
    return question, golden, as_stated(answer, golden)


def correct_inputs(question: str | None, ways: Sequence[str], answer: str, judged: Judged) -> dict[str, float]:
    """The named numbers that are weighed."""
    said = as_stated(answer, references_text(ways, answer))
    return {"network": judged.correct} | likeness(question, ways, said)


def _claims(sample: Sample) -> list[_Claim]:
    if sample.facts is not None:
        found = [(fact_text(term), leaves(term)) for term in terms(sample.facts.tree)]
    elif sample.reference:
        more = f" (or one of {len(sample.reference) - 1} more)" if len(sample.reference) > 1 else ""
        found = [(sample.reference[0] + more, sample.reference)]
    else:
        raise Skip("no facts or reference")
    return [
        _Claim(Item(id=id_of("claims", place), kind="claim", text=text), ways)
        for place, (text, ways) in enumerate(found, 1)
    ]


def _vote(question: str | None, ways: Sequence[str], answer: str, judged: Judged) -> Weighed:
    inputs = correct_inputs(question, ways, answer, judged)
    weigh = weighing("correct")
    probability = weigh.probability(inputs)
    declined = declines(answer) and not any(map(declines, ways))
    if declined:
        probability = min(probability, _DECLINED)
    nearest = references_text(ways, answer).split(" ; ")[0]
    evidence = evidence_in(answer, nearest)
    if probability >= 0.5:
        label, reason = "supported", None
    elif declined:
        label, reason = "missing", "the answer declines"
    else:
        found = differences(nearest, answer, evidence, known=question or "")
        other = any(one.instead or one.kind == "negation" for one in found)
        label = "contradicted" if other or judged.contradicted > judged.neither else "missing"
        reason = told(found, "the reference", "the answer")
    return Weighed(label, probability, weigh.shares(inputs), reason, evidence)
