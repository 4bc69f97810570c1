"""A rubric: what a judge is asked, which verdicts it may give, and what they are worth. Data, and no code."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, TypeAlias

from ringtrue.stats.platt import Platt

__all__ = ["ITEM", "PLACEHOLDER", "Combine", "EdgeCase", "Example", "Rubric", "Unit"]

Unit: TypeAlias = Literal["whole", "passages", "claims", "guidelines"]
Combine: TypeAlias = Literal["share", "all", "average_precision", "f1"]

# What one item of a unit is called: in an example's fields, in the prompt, and as the `kind` of a part.
ITEM: Mapping[Unit, str] = {"passages": "passage", "claims": "claim", "guidelines": "guideline"}

# ``{answer}`` or ``{{ answer }}`` in a rubric's text names a field; it never takes the data in. A backslash before it
# makes it plain, and braces around anything but a name are plain anyway.
PLACEHOLDER = re.compile(r"(?P<plain>\\)?(?:\{\{\s*(?P<double>[A-Za-z_][\w.]*)\s*\}\}|\{(?P<name>[A-Za-z_][\w.]*)\})")

# What tells people about a rubric, and changes no verdict.
_TOLD = ("summary", "about", "source", "provenance")
_HASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class EdgeCase:
    """A special case with its rule: "When `when`, `then`"."""

    when: str
    then: str


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example. `fields` holds data by field; of a unit other than ``whole``, one item under its name."""

    fields: Mapping[str, Any]
    label: str
    rationale: str = ""
    quote: str = ""


@dataclass(frozen=True, kw_only=True)
class Rubric:
    """One judge.

    What it is shown: `needs` are fields of `ringtrue.catalogue.FIELDS` or ``metadata.KEY``, all of them needed; of
    `needs_any` one has to be there; `optional` ones are shown where they are there.

    What is judged: the row as a `whole`, or item by item its passages, its guidelines (``metadata.guidelines``) or
    claims. `claims_of` says whose: the ``answer``'s, those of the golden side (``golden``: the listed facts, else the
    golden answers), or ``both``, the answer's and the golden answers'. Quotes are wanted from `evidence`. `no_contexts`
    is the label where nothing was retrieved, or ``skip``; without it the judge is asked. `split` says what a judge of
    the whole makes of passages that are too long for one call: nothing (``never``), or the positive label where one of
    several calls gives it; where none does, ``any`` takes the other label and ``positive_only`` fails.

    What a verdict is worth: `labels` with their values, ``None`` where one says that the judgement does not apply. Of
    an item judged in several calls, the label that stands first in `labels` counts. Items are combined to the share of
    their values, to their average precision, to the F1 of ``both`` sides' claims, or to 1 where all needed ones are
    positive and none has a `fatal` label;
    `overall` holds the label of a row whose items are all positive, and of any other. `opposite_of` names a built-in
    judge: the positive label here is right exactly where that one's is not given. `one_call` is a cheaper form.

    A judge of the whole with two labels may have a `cut`: its label is the positive one where the probability of that,
    made to fit people's labels by `calibration`, is the cut or more, whatever label the model gave. `provenance` tells
    where these, and the examples, were learnt.
    """

    name: str
    version: int = 1
    summary: str
    about: str = ""
    needs: tuple[str, ...] = ()
    needs_any: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    unit: Unit = "whole"
    claims_of: Literal["answer", "golden", "both"] | None = None
    evidence: Literal["answer", "contexts"] | None = None
    no_contexts: str | None = None
    split: Literal["never", "any", "positive_only"] = "never"
    role: str
    task: str
    procedure: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    edge_cases: tuple[EdgeCase, ...] = ()
    labels: Mapping[str, float | None]
    positive: str | None = None
    fatal: tuple[str, ...] = ()
    combine: Combine = "share"
    overall: tuple[str, str] | None = None
    opposite_of: str | None = None
    range: tuple[float, float] | None = None
    better: Literal["higher", "lower"] | None = "higher"
    rationale: bool = True
    examples: tuple[Example, ...] = ()
    cut: float | None = None
    calibration: Platt | None = None
    source: str = "a rubric of the user's own"
    provenance: Mapping[str, Any] | None = None
    one_call: "Rubric | None" = field(default=None)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """All fields that may be shown, in the order in which they are."""
        return tuple(dict.fromkeys((*self.needs, *self.needs_any, *self.optional)))

    @cached_property
    def background(self) -> tuple[str, ...]:
        """The fields that are shown whole: not passages, and nothing that is taken apart into items."""
        apart = {"contexts"}
        if self.unit == "guidelines":
            apart.add("metadata.guidelines")
        if self.claims_of == "answer":
            apart.add("answer")
        if self.claims_of == "golden":
            apart |= {"facts", "reference"} - set(self.optional)
        return tuple(name for name in self.fields if name not in apart)

    @property
    def texts(self) -> tuple[tuple[tuple[str | int, ...], str], ...]:
        """All instructions, each with its place in the file."""
        cases = [
            (("edge_cases", place, key), text)
            for place, case in enumerate(self.edge_cases)
            for key, text in (("when", case.when), ("then", case.then))
        ]
        steps = [((key, n), text) for key in ("procedure", "criteria") for n, text in enumerate(getattr(self, key))]
        return ((("role",), self.role), (("task",), self.task), *steps, *cases)

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the greatest value of a row; none where labels have no value."""
        if self.range is not None:
            return self.range
        if self.unit != "whole" and self.combine != "share":
            return (0.0, 1.0)
        return (min(self.values), max(self.values)) if self.values else (None, None)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """The labels that a row may get: those of its items say nothing of the whole."""
        return tuple(self.labels) if self.unit == "whole" else self.overall or ()

    @property
    def row_positive(self) -> str | None:
        """The label of a row that is as it should be."""
        return self.positive if self.unit == "whole" else self.overall[0] if self.overall else None

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The values that a label has."""
        return tuple(value for value in self.labels.values() if value is not None)

    @property
    def hash(self) -> str:
        """Stands for all that can change a verdict, in hexadecimal."""
        content = {name: value for name, value in asdict(self).items() if name not in _TOLD}
        written = json.dumps(content, ensure_ascii=False, default=str)
        return blake2b(written.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()
