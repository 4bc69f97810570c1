"""promptfoo: tests in YAML, JSON or CSV. Variables become fields; assertions become golden answers, facts, rubrics."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from ringtrue.data.aliases import CONTEXT_WORDS, plain_name
from ringtrue.data.facts import format_facts
from ringtrue.data.fields.nesting import meaning
from ringtrue.data.formats.decode import decode
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import ending_of, read_bytes, read_rows
from ringtrue.data.formats.yamltext import yaml_value
from ringtrue.data.notes import Reading
from ringtrue.data.scalars import is_missing, to_text
from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Fact

__all__ = ["promptfoo_rows"]

_GOLDEN = (
    "equals",
    "similar",
    "factuality",
    "model-graded-factuality",
    "context-recall",
    "rouge-n",
    "bleu",
    "levenshtein",
)
_RUBRIC = ("llm-rubric", "g-eval", "model-graded-closedqa")
_ONE, _ANY, _ALL = ("contains", "icontains"), ("contains-any", "icontains-any"), ("contains-all", "icontains-all")
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_OTHER = (
    "javascript", "python", "regex", "starts-with", "is-json", "contains-json", "is-sql", "is-xml", "latency", "cost",
    "perplexity", "answer-relevance", "context-relevance", "context-faithfulness", "classifier", "moderation",
    "webhook",
)  # fmt: skip
_EXPECTED = re.compile(r"((?:not-)?[a-z]+(?:-[a-z]+)*)(?:\([\d.]+\))?(?::\s*(.*))?", re.DOTALL)
_OWN_COLUMN = re.compile(r"__\w+")
Case = Mapping[str, Any]
Assertion = tuple[str, Any]


def promptfoo_rows(path: str | Path) -> RawRows:
    """Raw rows under our names. Assertions that say nothing of a golden answer are counted as not carried over."""
    reading = Reading(name=str(path), unit="line")
    rows: list[Mapping[str, Any]] = []
    places: list[int] = []
    lost: Counter[str] = Counter()
    for place, case in _cases(Path(path), reading):
        for variables in _expanded(case):
            rows.append(_row(case, variables, reading, lost))
            places.append(place)
    if lost:
        told = ", ".join(f"{kind} ({count})" for kind, count in lost.most_common())
        reading.notes.add(f"assertions not carried over: {told}")
    if not rows:
        raise reading.error("no tests in it", mend="name a promptfoo config with `tests:`, or a file of tests")
    return RawRows(rows=rows, places=places, reading=reading)


def _cases(path: Path, reading: Reading) -> Iterator[tuple[int, Case]]:
    """Test cases with their line, from a table, a list, or a config; files that a config names are followed."""
    if ending_of(path) in (".csv", ".tsv", ".jsonl"):
        raw = read_rows(path)
        for row, place in zip(raw.rows, raw.places, strict=True):
            yield place, _from_cells(row) if raw.cells else row
        return
    document = yaml_value(decode(read_bytes(path), reading), replace(reading, name=str(path)))
    config = document if isinstance(document, Mapping) else {"tests": document}
    defaults = config.get("defaultTest")
    for name in ("scenarios", "derivedMetrics"):
        if config.get(name):
            reading.notes.add(f"not carried over: {name}")
    tests = config.get("tests")
    for number, test in enumerate([tests] if isinstance(tests, str) else tests or [], start=1):
        if isinstance(test, str):
            found = _cases(path.parent / test.removeprefix("file://"), reading)
        elif isinstance(test, Mapping):
            found = iter([(getattr(test, "line", number), test)])
        else:
            raise DataError("a test is no mapping", file=path, mend="give each test vars and assert")
        for place, case in found:
            yield place, _merged(defaults, case) if isinstance(defaults, Mapping) else case


def _merged(defaults: Case, case: Case) -> Case:
    merged = dict(defaults) | dict(case)
    for name in ("vars", "metadata"):
        merged[name] = {**(defaults.get(name) or {}), **(case.get(name) or {})}
    merged["assert"] = [*(defaults.get("assert") or ()), *(case.get("assert") or ())]
    return merged


def _from_cells(row: Mapping[str, Any]) -> Case:
    """A row of a table of tests: columns with two underscores are promptfoo's, the others are variables."""
    case: dict[str, Any] = {"vars": {}, "assert": [], "metadata": {}}
    for name, cell in row.items():
        if is_missing(cell):
            continue
        if re.fullmatch(r"__expected\d*", name):
            case["assert"].append(_assertion(cell))
        elif name.startswith("__metadata:"):
            case["metadata"][name.removeprefix("__metadata:").removesuffix("[]")] = cell
        elif name == "__description":
            case["description"] = cell
        elif not _OWN_COLUMN.fullmatch(name):
            case["vars"][name] = cell
    return case


def _assertion(cell: str) -> Mapping[str, Any]:
    """``contains-any: a, b`` as an assertion; a text without a known type must be equalled."""
    kind, value = found.groups() if (found := _EXPECTED.fullmatch(cell)) else ("equals", cell)
    kind = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}.get(kind, kind)
    if kind.removeprefix("not-") in (*_GOLDEN, *_RUBRIC, *_ONE, *_ANY, *_ALL, *_OTHER):
        return {"type": kind, "value": value}
    return {"type": "equals", "value": cell}


def _expanded(case: Case) -> Iterator[Mapping[str, Any]]:
    """The variables of a case; a list of values makes one case for each value, as promptfoo does."""
    variables = case.get("vars")
    if not isinstance(variables, Mapping):
        variables = {}
    options = case.get("options")
    if isinstance(options, Mapping) and str(options.get("disableVarExpansion")).lower() == "true":
        yield variables
        return
    values = [value if isinstance(value, list) else [value] for value in variables.values()]
    for chosen in product(*values):
        yield dict(zip(variables, chosen, strict=True))


def _row(case: Case, variables: Mapping[str, Any], reading: Reading, lost: Counter[str]) -> Mapping[str, Any]:
    row, others = _fields(variables)
    metadata = {} if is_missing(case.get("description")) else {"description": case["description"]}
    if "question" in row or not others:
        metadata |= others
    elif len(others) == 1:
        row["question"] = next(iter(others.values()))
    else:
        row["question"] = others
        reading.notes.add("tests with several variables and no question among them: the question is their JSON")
    references, facts, rubrics = _golden(_assertions(case.get("assert"), variables), lost)
    row["reference"] = [*row.get("reference", ()), *references]
    if facts:
        row["facts"] = format_facts(AllOf(tuple(facts)) if len(facts) > 1 else facts[0])
    if rubrics:
        metadata["rubric"] = rubrics[0] if len(rubrics) == 1 else rubrics
    if isinstance(given := case.get("metadata"), Mapping):
        metadata |= given
    return row | {"metadata": metadata}


def _fields(variables: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Our fields and the rest, by the variables' names. A context that is given to the prompt is a golden one."""
    row: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in variables.items():
        fields = (meaning(name) or (0, ()))[1]
        if "question" in fields and "question" not in row:
            row["question"] = value
        elif "reference" in fields:
            row["reference"] = value if isinstance(value, list) else [value]
        elif "contexts" in fields or "reference_contexts" in fields or plain_name(name) in CONTEXT_WORDS:
            row["reference_contexts"] = value
        elif "id" in fields:
            row["id"] = value
        else:
            others[name] = value
    return row, others


def _assertions(given: Any, variables: Mapping[str, Any]) -> Iterator[Assertion]:
    """Types and values, those in sets too, with variables filled in."""
    for one in given if isinstance(given, list) else ():
        if not isinstance(one, Mapping):
            continue
        if one.get("type") == "assert-set":
            yield from _assertions(one.get("assert"), variables)
        else:
            yield str(one.get("type")), _filled(one.get("value"), variables)


def _filled(value: Any, variables: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_filled(item, variables) for item in value]
    if not isinstance(value, str):
        return value
    return _VARIABLE.sub(lambda found: to_text(variables.get(found[1])) or found[0], value)


def _golden(assertions: Iterable[Assertion], lost: Counter[str]) -> tuple[list[str], list[Fact], list[str]]:
    references: list[str] = []
    facts: list[Fact] = []
    rubrics: list[str] = []
    for kind, value in assertions:
        texts = _texts(value, several=kind in (*_ANY, *_ALL))
        if not texts or texts[0].startswith(("file://", "package:")):
            lost[kind] += 1
        elif kind in _GOLDEN:
            references.extend(text for text in texts if text not in references)
        elif kind in _RUBRIC:
            rubrics.extend(texts)
        elif kind in (*_ONE, *_ALL):
            facts.extend(texts)
        elif kind in _ANY:
            facts.append(AnyOf(tuple(texts)) if len(texts) > 1 else texts[0])
        else:
            lost[kind] += 1
    return references, facts, rubrics


def _texts(value: Any, *, several: bool) -> Sequence[str]:
    """The texts of an assertion's value; for ``-any`` and ``-all`` a text is a list between commas."""
    if isinstance(value, str) and several:
        value = next(csv.reader([value], skipinitialspace=True), [])
    texts = [to_text(item) for item in (value if isinstance(value, list) else [value])]
    return [text.strip() if several else text for text in texts if text is not None]
