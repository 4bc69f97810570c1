"""Rows made from labelled ones by rule: hard negatives, and right answers in other words."""

import re
from collections.abc import Iterator, Sequence
from random import Random

from ringtrue.text.words import sentences
from training.changes import TRUE, falsified, names_in, wrong_detail
from training.data import NOT_SUPPORTED, SUPPORTED, Example

__all__ = ["made_answers", "made_claims"]

_FRAMES = (
    "{}.",
    "It is {}.",
    "It was {}.",
    "The answer is {}.",
    "{} is the answer.",
    "I believe it is {}.",
    "The correct answer is {}",
    "That would be {}.",
    "As far as I know, {}.",
    "{}, of course.",
    "Answer: {}",
)
_REFUSALS = (
    "I don't know.",
    "I'm not sure.",
    "I am sorry, but I cannot answer that question.",
    "There is no information about this.",
    "The text does not say.",
    "As an AI language model, I do not have access to that information.",
    "unknown",
    "N/A",
    "It is not possible to answer this question without more context.",
    "no answer",
)


def made_claims(examples: Sequence[Example], seed: int) -> Iterator[Example]:
    """From claims that are supported, and from sentences of the texts themselves: a false neighbour for each, and the
    true one as often as the kind of change would give itself away."""
    rng = Random(seed)
    for example in examples:
        if example.task != "support" or example.label != SUPPORTED or example.question or rng.random() < 0.4:
            continue
        claims = [example.claim]
        if len(example.source.split()) > 25 and rng.random() < 0.5:
            own = [one for one in sentences(example.source) if 7 < len(one.split()) < 40]
            claims += rng.sample(own, min(1, len(own)))
        for claim in claims:
            change = wrong_detail if rng.random() < 0.12 else falsified
            made = change(rng, claim, example.source)
            if made is None:
                continue
            yield Example("support", None, example.source, made, NOT_SUPPORTED, "made_claims")
            if rng.random() < 0.7:
                yield Example("support", None, example.source, claim, SUPPORTED, "made_claims")


def made_answers(examples: Sequence[Example], seed: int) -> Iterator[Example]:
    """From right answers: the same in a frame or written otherwise, and wrong ones of the same look."""
    rng = Random(seed)
    right = [example for example in examples if example.task == "correct" and example.label == 1 and example.question]
    by_kind: dict[str, list[str]] = {}
    for example in right:
        by_kind.setdefault(_kind(example.source), []).append(example.source)
    for example in right:
        gold = example.source.split(" ; ")[0]
        wrong = rng.choice(by_kind[_kind(example.source)]).split(" ; ")[0]
        usable = len(gold.split()) < 8 and not _overlap(gold, wrong)
        draw = rng.random()
        if draw < 0.3 and usable:
            frame = rng.choice(_FRAMES)
            yield _answer(example, frame.format(gold), 1)
            yield _answer(example, frame.format(wrong), 0)
        elif draw < 0.36:
            yield _answer(example, rng.choice(_REFUSALS), 0)
        elif (
            draw < 0.5
            and usable
            and " " in gold
            and example.question.lower().startswith("who")
            and names_in(" " + gold)
        ):
            yield _answer(example, gold.split()[-1], 1)
        elif draw < 0.75 and usable and gold.lower() in example.claim.lower() and len(example.claim) > len(gold):
            changed = re.sub(re.escape(gold), wrong.replace(chr(92), ""), example.claim, flags=re.IGNORECASE)
            yield _answer(example, changed, 0)
            yield _answer(example, example.claim, 1)
        else:
            changed = falsified(rng, example.claim, f"{example.source} {example.question}")
            if changed is not None:
                yield _answer(example, changed, 0)
                yield _answer(example, example.claim, 1)
        for change in TRUE:
            if (other := change(rng, gold, "")) is not None:
                yield _answer(example, other, 1)
                if (false := falsified(rng, other, example.source)) is not None:
                    yield _answer(example, false, 0)


def _answer(example: Example, claim: str, label: int) -> Example:
    return Example("correct", example.question, example.source, claim, label, "made_answers")


def _kind(text: str) -> str:
    if re.search(r"\d{4}", text):
        return "year"
    if re.search(r"\d", text):
        return "number"
    return "name" if text[:1].isupper() else "word"


def _overlap(one: str, other: str) -> bool:
    return bool(set(one.lower().split()) & set(other.lower().split()))
