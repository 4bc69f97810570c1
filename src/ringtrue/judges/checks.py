"""What a rubric may not say: names that nobody knows, and keys that do not fit together."""

import re
from collections.abc import Iterator, Sequence
from math import inf, isfinite
from typing import TypeAlias

from ringtrue.catalogue import FIELDS
from ringtrue.errors import did_you_mean
from ringtrue.judges.marked_yaml import Path
from ringtrue.judges.rubric import ITEM, PLACEHOLDER, Rubric

__all__ = ["Problem", "problems"]

# Where it stands, what is wrong, and the mend.
Problem: TypeAlias = tuple[Path, str, str]

_NAME = re.compile(r"[A-Za-z][\w-]*")
_METADATA = re.compile(r"metadata\.\S+")


def problems(rubric: Rubric, judges: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with a rubric, the gravest first. `judges` are the names that ``opposite_of`` may hold."""
    if not _NAME.fullmatch(rubric.name):
        yield ("name",), f"{rubric.name!r} is no name", "use letters, digits, _ and -, a letter first"
    yield from _fields(rubric)
    yield from _labels(rubric)
    yield from _values(rubric)
    yield from _unit(rubric)
    yield from _cut(rubric)
    yield from _placeholders(rubric)
    yield from _examples(rubric)
    if rubric.opposite_of is not None and rubric.opposite_of not in judges:
        yield ("opposite_of",), f"unknown judge {rubric.opposite_of!r}", did_you_mean(rubric.opposite_of, judges)
    if rubric.one_call is not None:
        if rubric.one_call.unit != "whole" or rubric.one_call.one_call is not None:
            yield ("one_call",), "judges the whole row", "leave unit and one_call out of it"
        for path, message, mend in problems(rubric.one_call, judges):
            yield ("one_call", *path), message, mend


def _fields(rubric: Rubric) -> Iterator[Problem]:
    for key in ("needs", "needs_any", "optional"):
        for place, name in enumerate(getattr(rubric, key)):
            if name not in FIELDS and not _METADATA.fullmatch(name):
                known = (*FIELDS, "metadata.KEY")
                yield (key, place), f"unknown field {name!r}", did_you_mean(name, known, limit=len(known))
    if not rubric.fields:
        yield ("needs",), "the rubric is shown no field", f"name what it judges; known: {', '.join(FIELDS)}"
    if rubric.evidence is not None and rubric.evidence not in rubric.needs:
        yield ("evidence",), f"quotes from {rubric.evidence} need that field", f"add {rubric.evidence} to needs"


def _labels(rubric: Rubric) -> Iterator[Problem]:
    labels = tuple(rubric.labels)
    folded = [label.strip().casefold() for label in labels]
    if len(labels) < 2 or not all(folded):
        yield ("labels",), "a verdict needs two labels or more, each with a text", "write {LABEL: VALUE, LABEL: VALUE}"
    if len(set(folded)) < len(folded):
        yield ("labels",), "two labels differ in case or spaces only", "models do not tell them apart; rename one"
    named = [(("positive",), rubric.positive), *((("fatal", n), one) for n, one in enumerate(rubric.fatal))]
    if rubric.no_contexts != "skip":
        named.append((("no_contexts",), rubric.no_contexts))
    for path, label in named:
        if label is not None and label not in labels:
            known = (*labels, "skip") if path == ("no_contexts",) else labels
            yield path, f"unknown label {label!r}", did_you_mean(label, known)
    if rubric.no_contexts is not None and "contexts" not in rubric.fields:
        yield ("no_contexts",), "is about a field that the rubric is not shown", "add contexts to needs"


def _values(rubric: Rubric) -> Iterator[Problem]:
    low, high = rubric.bounds
    if low is not None and high is not None:
        if low > high:
            yield ("range",), f"{low:g} is above {high:g}", "write [LEAST, GREATEST]"
        for label, value in rubric.labels.items():
            if value is not None and rubric.range is not None and not low <= value <= high:
                yield ("labels", label), f"{value:g} is outside {low:g} to {high:g}", "mend the value or the range"
    by_items = rubric.unit != "whole"
    if by_items and rubric.combine == "share" and not rubric.values:
        yield ("labels",), "items cannot be counted where no label has a value", "write {LABEL: 1, LABEL: 0}"
    if rubric.positive is None:
        wanting = {
            "combine": by_items and rubric.combine != "share",
            "overall": rubric.overall is not None,
            "split": rubric.split != "never",
            "opposite_of": rubric.opposite_of is not None,
        }
        for key in (key for key, wants in wanting.items() if wants):
            yield (key,), "needs to know which label is the positive one", "name it: positive: LABEL"


def _unit(rubric: Rubric) -> Iterator[Problem]:
    unit, needs = rubric.unit, rubric.needs
    if unit == "passages" and "contexts" not in needs:
        yield ("unit",), "passages are judged where contexts are needed", "add contexts to needs"
    if unit == "guidelines" and "metadata.guidelines" not in needs:
        yield ("unit",), "guidelines are judged where metadata.guidelines is needed", "add it to needs"
    if (unit == "claims") != (rubric.claims_of is not None):
        known = "write claims_of: answer, claims_of: golden or claims_of: both"
        yield ("claims_of",), "goes with unit: claims, and that with it", known
    if (rubric.claims_of == "both") != (rubric.combine == "f1"):
        yield ("combine",), "f1 goes with claims_of: both, and that with it", "write both, or neither"
    if rubric.claims_of in ("answer", "both") and "answer" not in needs:
        yield ("claims_of",), "claims of the answer need it", "add answer to needs"
    if rubric.claims_of == "both" and "reference" not in needs:
        yield ("claims_of",), "claims of both sides need a golden answer", "add reference to needs"
    if rubric.claims_of == "golden" and not {"reference", "facts"} & {*needs, *rubric.needs_any}:
        yield ("claims_of",), "golden claims need facts or a reference", "write needs_any: [facts, reference]"
    if unit == "whole":
        for key in ("overall", "fatal", "evidence"):
            if getattr(rubric, key):
                yield (key,), "is for rubrics that judge item by item", f"name a unit: {', '.join(ITEM)}"


def _cut(rubric: Rubric) -> Iterator[Problem]:
    cut, calibration = rubric.cut, rubric.calibration
    if cut is None:
        if calibration is not None:
            yield ("calibration",), "goes with a cut, from which the label is the positive one", "write cut: 0.5"
        return
    if rubric.unit != "whole":
        yield ("cut",), "is for judges of the whole row, and this one judges item by item", "leave cut out"
    elif rubric.positive is None or len(rubric.labels) != 2:
        yield ("cut",), "parts two labels, one of which is positive", "name two labels, and positive: LABEL"
    elif rubric.split != "never":
        yield ("cut",), "is for a verdict of one call, and split makes it of several", "write split: never"
    if not 0 <= cut <= 1:
        yield ("cut",), f"{cut:g} is no probability", "give a number from 0 to 1"
    if calibration is not None and not (0 < calibration.slope < inf and isfinite(calibration.intercept)):
        told = "slope has to be above 0, so that a likelier row stays one, and both have to be finite"
        yield ("calibration",), told, "write {slope: 1, intercept: 0} for the model's own probability"


def _placeholders(rubric: Rubric) -> Iterator[Problem]:
    known = (*rubric.fields, *([ITEM[rubric.unit]] if rubric.unit != "whole" else []))
    for path, text in rubric.texts:
        for found in PLACEHOLDER.finditer(text):
            name = found["double"] or found["name"]
            if found["plain"] or name in known:
                continue
            if name in FIELDS or _METADATA.fullmatch(name):
                yield path, f"the placeholder {found[0]} names a field that is not shown", f"add {name} to needs"
            else:
                plain = f"write \\{found[0]} for the braces themselves"
                yield path, f"unknown placeholder {found[0]}", f"{did_you_mean(name, known)}; {plain}"


def _examples(rubric: Rubric) -> Iterator[Problem]:
    item = ITEM.get(rubric.unit)
    known = (*rubric.fields, *([item] if item else []))
    for place, example in enumerate(rubric.examples):
        if example.label not in rubric.labels:
            mend = did_you_mean(example.label, rubric.labels)
            yield ("examples", place, "label"), f"unknown label {example.label!r}", mend
        for name in example.fields:
            if name not in known:
                yield ("examples", place, "fields", name), f"unknown field {name!r}", did_you_mean(name, known)
        if item and not isinstance(example.fields.get(item), str):
            yield ("examples", place, "fields"), f"an example shows one {item}", f"write {item}: TEXT among its fields"
