"""A small generator that needs no key: it reads the prompt, and answers with the sentences that fit the question best.

It stands where a language model would. It sees what such a model sees, one text with the passages one after another,
and knows nothing else: where a passage breaks off inside a sentence, it reads on in the next one.
"""

import re

from retrieval import Chunk, terms

from ringtrue.models.local.embedding import embedder
from ringtrue.text.words import sentences

PROMPT = "Answer the question from these passages alone.\n\n{passages}\n\nQuestion: {question}"
UNKNOWN = "I do not know: the passages say nothing about that."

WORDS = 0.3  # weight of the question's words in a sentence, against their likeness in meaning
KIND = 0.1  # for a sentence that has what is asked for: a sum, a time, a number
EARLY = 0.005  # taken off for each sentence further down
LEAST = 0.7  # score from which a sentence fits
SECOND = 0.05  # a second sentence may score so much less than the best

_NUMBER = r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)"
_TIME = r"(?:minute|hour|day|week|month|year|[ap]\.m\.|January|Monday|Saturday|Sunday|December)"
# What a question asks for, and how a sentence looks that has it.
KINDS = (
    (r"\b(?:price|cost|pay|charge|sum|value|fee|how much)\b", r"\beuros?\b"),
    (r"\b(?:when|how long|last day|which day)\b|\bhow many (?:minute|hour|day|week|month|year)", _TIME),
    (r"\b(?:how many|how hot|how much|what interest)\b", _NUMBER),
)


def generate(question: str, chunks: list[Chunk]) -> str:
    """The answer: one sentence of the passages or two, or that they do not tell."""
    return _read(PROMPT.format(passages=" ".join(one.text for one in chunks), question=question))


def _read(prompt: str) -> str:
    """Answer a prompt, the last line of which is the question."""
    above, _, question = prompt.rpartition("\n\nQuestion: ")
    found = _under_headings(sentences(above.partition("\n\n")[2]))
    if not found:
        return UNKNOWN
    fits = [fit - EARLY * place for place, fit in enumerate(_fits(question, found))]
    first, *others = sorted(range(len(found)), key=lambda place: -fits[place])
    if fits[first] < LEAST:
        return UNKNOWN
    second = [place for place in others[:1] if fits[place] >= fits[first] - SECOND]
    return " ".join(found[place][1] for place in sorted([first, *second]))


def _under_headings(read: tuple[str, ...]) -> list[tuple[str, str]]:
    """The sentences that say something, each with the question of the FAQ that it stands under."""
    found, heading = [], ""
    for one in read:
        if one.endswith("?"):
            heading = one
        else:
            found.append((heading, one))
    return found


def _fits(question: str, found: list[tuple[str, str]]) -> list[float]:
    """How well each sentence fits the question: in meaning, by words, and by the kind of answer."""
    asked, *vectors = (
        one.vector for one in embedder().encode_now([question, *(f"{heading} {one}" for heading, one in found)])
    )
    wanted = set(terms(question))
    kinds = [looks for asks, looks in KINDS if re.search(asks, question, re.IGNORECASE)]
    fits = []
    for (_, one), vector in zip(found, vectors, strict=True):
        shared = len(wanted & set(terms(one))) / max(len(wanted), 1)
        kind = sum(re.search(looks, one) is not None for looks in kinds) / max(len(kinds), 1)
        fits.append(round(float(asked @ vector), 4) + WORDS * shared + KIND * kind)
    return fits
