"""From the corpus to passages, and from a question to the passages that should answer it.

Chunker A cuts every so many characters; chunker B keeps each question with its answer. Searches are by words (BM25)
or by words and by meaning together (hybrid).

    python examples/faq_rag/retrieval.py A > chunks-A.jsonl     # all passages of A, for ringtrue diagnose --corpus
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bm25s
import numpy as np

from ringtrue.models.local.embedding import embedder

CORPUS = Path(__file__).with_name("corpus.md")
CHARACTERS = 230  # of a passage of chunker A: as long as those of B on average, so that both show as much text
TOP_K = 3  # passages fetched for a question, by every search
FUSED = 60  # the constant of reciprocal rank fusion, as Cormack and others (2009) set it
DEPTH = 20  # places of each ranking that are fused

# Words that say nothing of the matter.
_STOPWORDS = (
    "a am an and are as at be been but by can could did do does for from had has have how i if in into is it "
    "its may me must my no not of on one or our so than that the their them then there they this to up us was "
    "we were what when where which who whom whose why will with would you your"
)
STOPWORDS = frozenset(_STOPWORDS.split())


@dataclass(frozen=True)
class Chunk:
    """A passage of the corpus."""

    id: str
    text: str


def chunks_a() -> list[Chunk]:
    """The whole text cut every so many characters, wherever that falls."""
    text = "\n\n".join(one.text for one in chunks_b())
    pieces = [text[start : start + CHARACTERS] for start in range(0, len(text), CHARACTERS)]
    return [Chunk(f"cut-{number:02}", piece) for number, piece in enumerate(pieces, 1)]


def chunks_b() -> list[Chunk]:
    """Each question with the whole of its answer."""
    pairs = re.findall(r"^## (.+)\n(.+)$", CORPUS.read_text(encoding="utf-8"), re.MULTILINE)
    return [Chunk(f"faq-{number:02}", f"{question}\n{answer}") for number, (question, answer) in enumerate(pairs, 1)]


CHUNKERS: dict[str, Callable[[], list[Chunk]]] = {"A": chunks_a, "B": chunks_b, "C": chunks_b}


def terms(text: str) -> list[str]:
    """The words that count, without the endings of plural and tense, so that "returned" finds "returns"."""
    found = (word for word in re.findall(r"\w+", text.lower()) if word not in STOPWORDS)
    return [re.sub(r"(?<=\w{3})(?:ings?|ies|ed|es|s|e|y)$", "", word) for word in found]


class Words:
    """Search by words: BM25 over the passages' terms."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._index = bm25s.BM25()
        self._index.index([terms(one.text) for one in chunks], show_progress=False)

    def ranked(self, question: str) -> list[int]:
        """The places of the passages that share a word with the question, best first."""
        known = [one for one in terms(question) if one in self._index.vocab_dict]
        if not known:
            return []
        scores = self._index.get_scores(known)
        return [int(one) for one in np.argsort(-scores, kind="stable") if scores[one] > 0]


class Meaning:
    """Search by meaning: the passages whose embeddings are nearest to the question's."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._vectors = np.stack([one.vector for one in embedder().encode_now([one.text for one in chunks])])

    def ranked(self, question: str) -> list[int]:
        """The places of all passages, best first."""
        (asked,) = embedder().encode_now([f"Represent this sentence for searching relevant passages: {question}"])
        return [int(one) for one in np.argsort(-np.round(self._vectors @ asked.vector, 5), kind="stable")]


class Search:
    """The best passages by one ranking, or by several fused by reciprocal rank."""

    def __init__(self, chunks: Sequence[Chunk], *rankers: Words | Meaning) -> None:
        self._chunks, self._rankers = chunks, rankers

    def __call__(self, question: str) -> list[Chunk]:
        """At most `TOP_K` passages, best first."""
        scores: dict[int, float] = {}
        for ranker in self._rankers:
            for rank, place in enumerate(ranker.ranked(question)[:DEPTH], 1):
                scores[place] = scores.get(place, 0) + 1 / (FUSED + rank)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:TOP_K]
        return [self._chunks[place] for place in best]


@cache
def search(version: str) -> Search:
    """The search of version A, B or C."""
    chunks = CHUNKERS[version]()
    return Search(chunks, Words(chunks), Meaning(chunks)) if version == "C" else Search(chunks, Words(chunks))


if __name__ == "__main__":
    for chunk in CHUNKERS[sys.argv[1]]():
        print(json.dumps({"id": chunk.id, "text": chunk.text}, ensure_ascii=False))
