"""Rows to measure with: answers of some thirty words about amounts and dates, drawn with a fixed seed."""

import random

from ringtrue.data.facts import parse_facts
from ringtrue.types import Response, Sample

_SUBJECTS = (
    "The annual report",
    "Our operating income",
    "The new office",
    "A total of the shares",
    "The survey of 2023",
)
_VERBS = ("shows", "came to", "was moved to", "is listed as", "has been revised to")
_THINGS = (
    "134.4 billion dollars",
    "the 410 Terry Avenue",
    "February 22, 2023",
    "an 18 percent share",
    "12,455 million",
)
_TAILS = (
    "according to the documents that were provided for the period under review, as stated on the second page",
    "which the management expects to hold until the end of the next quarter, exchange rates permitting",
    "and that is what the notes to the statements say, although the table in the appendix is older",
)


def make_rows(n: int, seed: int = 7, paragraphs: int = 1) -> list[tuple[Sample, Response]]:
    """`n` rows with facts of two alternatives; in each paragraph a dozen golden words and some thirty of the answer."""
    draw = random.Random(seed)
    rows = []
    for place in range(n):
        subject, thing = draw.choice(_SUBJECTS), draw.choice(_THINGS)
        told = thing if draw.random() < 0.6 else draw.choice(_THINGS)
        golden = (f"{subject} {draw.choice(_VERBS)} {thing} in the {place}th year." for _ in range(paragraphs))
        given = (
            f"{subject} {draw.choice(_VERBS)} {told} in the {place}th year, {draw.choice(_TAILS)}."
            for _ in range(paragraphs)
        )
        reference, answer = " ".join(golden), " ".join(given)
        facts = parse_facts(f"{thing}<OR>{thing.upper()}")
        sample = Sample(id=f"r{place}", question=f"What about {place}?", reference=(reference,), facts=facts)
        rows.append((sample, Response(answer=answer)))
    return rows
