"""The labelled rows, each as one question to the network: what is asked, what is held against what, and the label."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ringtrue.models.local.inputs import passage, references_text
from ringtrue.text.words import sentences, words
from training.split import Side, side_of, unit_of

__all__ = ["Example", "Row", "claims_of", "public_rows", "read_rows"]

Task: TypeAlias = Literal["support", "correct"]

SUPPORTED, NEITHER, CONTRADICTED, NOT_SUPPORTED = range(4)
_NLI = {"entailment": SUPPORTED, "neutral": NEITHER, "contradiction": CONTRADICTED, "not_entailment": NOT_SUPPORTED}
_BY_QUESTION = ("expertqa",)  # several texts for one question


@dataclass(frozen=True, slots=True)
class Example:
    """One thing to learn from. `label`: 0/1 for ``correct``; 0 supported, 1 neither, 2 contradicted, 3 one of the
    latter two for ``support``."""

    task: Task
    question: str | None
    source: str
    claim: str
    label: int
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row that people labelled: `references` for an answer pair, `context` for a claim. `unit`: what splits it."""

    id: str
    file: str
    unit: str
    side: Side
    task: Task
    question: str | None
    references: tuple[str, ...]
    context: str
    answer: str
    label: int


def read_rows(folder: Path) -> Iterator[Row]:
    """The rows of `folder` with a label of people, `correctness_*` and `faithfulness_*`."""
    for path in sorted(folder.glob("*.jsonl")):
        kind, _, name = path.stem.partition("_")
        if kind not in ("correctness", "faithfulness"):
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            yield _row(json.loads(line), name, "correct" if kind == "correctness" else "support")


def _row(found: dict[str, Any], name: str, task: Task) -> Row:
    question = found.get("question") or None
    context = found.get("context") or ""
    references = tuple(found.get("references") or ([found["reference"]] if found.get("reference") else []))
    unit = unit_of(context if task == "support" and name not in _BY_QUESTION else question or references[0])
    return Row(
        id=str(found["id"]),
        file=name,
        unit=unit,
        side=side_of(unit),
        task=task,
        question=question,
        references=references,
        context=context,
        answer=found["answer"],
        label=int(found["label"]),
    )


def claims_of(row: Row) -> list[Example]:
    """What the network is asked about a row: an answer pair as it is; an answer sentence by sentence.

    A row of the latter is supported where its least supported sentence is.
    """
    if row.task == "correct":
        source = references_text(row.references, row.answer)
        return [Example("correct", row.question, source, row.answer, row.label, row.file)]
    whole = [sentence for sentence in sentences(row.answer) if len(words(sentence)) > 2] or [row.answer]
    label = SUPPORTED if row.label else NOT_SUPPORTED
    return [Example("support", None, passage(row.context, one), one, label, row.file) for one in whole]


def public_rows(folder: Path, taken: frozenset[str]) -> Iterator[Example]:
    """The rows of the public training sets, without those whose question or text is one of the `taken` units."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if name.startswith("relevance_"):
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                example, unit = _public(json.loads(line), name)
                if unit not in taken:
                    yield example


def _public(found: dict[str, Any], name: str) -> tuple[Example, str]:
    if "reference" in found:
        claim = _untokenised(found["answer"])
        source = _untokenised(found["reference"])
        return Example("correct", found["question"], source, claim, int(found["label"]), name), unit_of(
            found["question"]
        )
    premise, claim = _untokenised(found["premise"]), _untokenised(found["hypothesis"])
    question, unit = None, unit_of(premise)
    if name in ("squad2_faith", "halueval_qa_faith") and "? " in claim:
        head, _, claim = claim.rpartition("? ")
        question = head + "?"
        unit = unit_of(question)
    source = passage(premise, f"{question or ''} {claim}")
    return Example("support", question, source, claim, _NLI[found["label"]], name), unit


def _untokenised(text: str) -> str:
    """Bracket names of the Penn treebank as brackets; the rest of a tokenised text the tokenizer takes as it is."""
    for name, mark in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("``", '"'), ("''", '"')):
        text = text.replace(name, mark)
    return text
