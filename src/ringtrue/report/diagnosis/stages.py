"""The stages of a RAG application from left to right, and the signs of each as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

__all__ = ["ORDER", "SIGNS", "STAGES", "Sign", "Stage", "StageName"]

StageName: TypeAlias = Literal[
    "parse", "chunk", "index", "retrieve", "rerank", "prompt", "generate", "format", "golden"
]
ORDER: tuple[StageName, ...] = get_args(StageName)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage, what it does, and the usual remedies."""

    title: str
    does: str
    remedies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """What speaks against a stage, in words; `passages` says that it is looked for in passages as such."""

    stage: StageName
    title: str
    passages: bool = False


STAGES: Mapping[StageName, Stage] = {
    "parse": Stage(
        "parse",
        "documents to text",
        (
            "read the documents with the right encoding, and tables with a parser that keeps rows and columns",
            "leave headers, footers and menus out",
            "look for documents that are missing or came out empty",
        ),
    ),
    "chunk": Stage(
        "chunk",
        "text to passages",
        (
            "cut at the ends of sentences and sections, never after N characters",
            "keep each question with its answer, and each table with its head, in one passage",
            "give a passage its heading, let neighbours overlap by a sentence, and leave copies out",
        ),
    ),
    "index": Stage(
        "embed and index",
        "passages to a searchable index",
        (
            "check that every passage is in the index, and rebuild it after documents change",
            "embed questions and passages with the same model, made for the language of the documents",
        ),
    ),
    "retrieve": Stage(
        "retrieve",
        "a question to passages",
        (
            "search by words and by meaning together (hybrid search)",
            "fetch more passages, and rerank them",
            "rewrite questions that use other words than the documents",
        ),
    ),
    "rerank": Stage(
        "rerank",
        "the best passages first",
        ("rerank with a cross-encoder", "fetch more and keep the best few", "put the best passage first in the prompt"),
    ),
    "prompt": Stage(
        "prompt",
        "question and passages to a prompt",
        (
            "say when to answer and when to decline, with an example of each",
            "say that the passages are to be used, and where they stand",
        ),
    ),
    "generate": Stage(
        "generate",
        "a prompt to an answer",
        (
            "a grounding instruction: answer from the passages alone, and cite them",
            "a lower temperature, or a stronger model",
            "fewer and shorter passages around the one that matters",
        ),
    ),
    "format": Stage(
        "format",
        "an answer to the form asked for",
        ("constrained output or a schema", "an example of the form in the prompt", "a higher limit of tokens"),
    ),
    "golden": Stage(
        "golden data",
        "questions, golden answers and facts",
        (
            "add right ways to say it to the facts (<OR>)",
            "rewrite questions that have several right answers",
            "correct golden answers that are wrong or out of date",
        ),
    ),
}

SIGNS: Mapping[str, Sign] = {
    "empty": Sign("parse", "passages without a word", passages=True),
    "mojibake": Sign("parse", "characters of a wrong encoding", passages=True),
    "broken_table": Sign("parse", "tables whose rows are not equally wide", passages=True),
    "boilerplate": Sign("parse", "passages that are mostly boilerplate (the same lines on many)", passages=True),
    "not_in_corpus": Sign("parse", "what the golden answer says stands nowhere in the corpus"),
    "begins_inside": Sign("chunk", "passages that begin inside a sentence", passages=True),
    "ends_inside": Sign("chunk", "passages that end inside a sentence", passages=True),
    "question_without_answer": Sign("chunk", "questions without their answers", passages=True),
    "answer_without_question": Sign("chunk", "answers without their questions", passages=True),
    "split": Sign("chunk", "an answer that is split over neighbouring passages"),
    "copy": Sign("chunk", "copies and near copies of other passages", passages=True),
    "long": Sign("chunk", "passages that are much longer than most", passages=True),
    "short": Sign("chunk", "passages that are much shorter than most", passages=True),
    "not_indexed": Sign("index", "a golden passage that is not in the corpus"),
    "nothing": Sign("retrieve", "no passage was retrieved"),
    "collapse": Sign("retrieve", "the same few passages for every question"),
    "not_fetched": Sign("retrieve", "the corpus has the answer, and it was not retrieved"),
    "lacking": Sign("retrieve", "the retrieved passages do not hold the answer"),
    "ranked_low": Sign("rerank", "the right passage was retrieved, and ranked low"),
    "refused": Sign("prompt", "declined though the passages hold the answer"),
    "no_answer": Sign("generate", "no answer though passages were retrieved"),
    "unfaithful": Sign("generate", "the answer says what the passages do not"),
    "incorrect": Sign("generate", "a wrong answer though the passages hold the right one"),
    "off": Sign("generate", "the answer is off the question"),
    "form": Sign("format", "right, but not in the form asked for"),
    "stopped": Sign("format", "the answer stops inside a sentence"),
    "facts_only": Sign("golden", "the answer is right, and the facts metric is 0"),
    "ill_formed": Sign("golden", "no pipeline has the fact (ill-formed triplet)"),
}
