"""Whether a text supports a claim: the network's view and the details that differ, weighed together."""

from collections.abc import Sequence
from math import log

from ringtrue.judges.items import Item
from ringtrue.judges.local.details import KINDS, Difference, as_stated, differences, told
from ringtrue.judges.local.outcome import Weighed
from ringtrue.judges.local.reading import evidence_in
from ringtrue.judges.local.weighing import weighing
from ringtrue.models.local.inputs import passage
from ringtrue.models.local.network import Judged, network
from ringtrue.text.normal import squad_words
from ringtrue.text.words import words

__all__ = ["claim_inputs", "support_texts", "supports"]

_VERBATIM = 0.98  # how probable it is at least that a claim is supported which stands in a passage word for word
_LEAST = 1e-4  # of a probability, so that its log-odds are finite


def support_texts(text: str, claim: str) -> tuple[None, str, str]:
    """What the network is shown: the sentences of the text that fit, and the claim with their numbers' words."""
    near = passage(text, claim)
    return None, near, as_stated(claim, near)


def claim_inputs(claim: str, text: str, evidence: str, judged: Judged, found: Sequence[Difference]) -> dict[str, float]:
    """The named numbers that are weighed."""
    said = squad_words(as_stated(claim, evidence), articles=False)
    there, near = set(squad_words(text, articles=False)), set(squad_words(evidence, articles=False))
    alike = sum(word in near for word in said) / max(len(said), 1)
    inputs = {
        "network: supported": _odds(judged.supported),
        "network: contradicted": _odds(judged.contradicted),
        "words in the text": sum(word in there for word in said) / max(len(said), 1),
        "words in the evidence": alike,
        "length": log(1 + len(said)),
    }
    for kind in KINDS:
        mine = [one for one in found if one.kind == kind]
        inputs[f"{kind} differs"] = float(bool(mine))
        if kind in ("number", "date", "name"):  # it tells most where all else is said in the same words
            inputs[f"{kind} stated otherwise"] = alike if any(one.instead for one in mine) else 0.0
    return inputs


async def supports(claims: Sequence[str], passages: Sequence[Item], question: str = "") -> list[Weighed]:
    """How far the passages together support each claim. A name that the question has need not stand in them."""
    text = "\n".join(one.text for one in passages)
    shown = [support_texts(text, claim) for claim in claims]
    judged = await network().judge(shown)
    return [
        _weighed(claim, text, near, one, passages, question)
        for claim, (_, near, _), one in zip(claims, shown, judged, strict=True)
    ]


def _weighed(claim: str, text: str, near: str, judged: Judged, passages: Sequence[Item], question: str) -> Weighed:
    found = differences(claim, text, near, known=question)
    weigh = weighing("support")
    inputs = claim_inputs(claim, text, near, judged, found)
    probability = weigh.probability(inputs)
    if _stands_in(claim, passages):
        probability, found = max(probability, _VERBATIM), ()
    label = "supported"
    if probability < 0.5:
        otherwise = any(one.instead or one.kind == "negation" for one in found)
        label = "contradicted" if otherwise or judged.contradicted > judged.neither else "missing"
    evidence = evidence_in(near, claim)
    return Weighed(
        label,
        probability,
        weigh.shares(inputs),
        told(found, "the claim", "the passages") if label != "supported" else None,
        evidence,
        next((one.id for one in passages if evidence and evidence in one.text), None),
    )


def _stands_in(claim: str, passages: Sequence[Item]) -> bool:
    """Whether one passage has the claim word for word."""
    said = f" {' '.join(words(claim))} "
    return bool(said.strip()) and any(said in f" {' '.join(words(one.text))} " for one in passages)


def _odds(share: float) -> float:
    share = min(max(share, _LEAST), 1 - _LEAST)
    return log(share / (1 - share))
