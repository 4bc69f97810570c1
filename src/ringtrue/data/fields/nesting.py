"""Objects inside rows laid flat: ``{"inputs": {"question": …}}`` becomes a column ``inputs.question``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ringtrue.data.aliases import CONTEXT_WORDS, TARGET, plain_name, rank_of

__all__ = ["columns_of", "flatten", "meaning", "said_by_user"]

Side = Literal["in", "out", "gold"]

# Which side of the application an object speaks of, by its column's name.
_SIDES: Mapping[str, Side] = {
    "inputs": "in", "input": "in", "vars": "in", "request": "in",
    "outputs": "out", "output": "out", "response": "out", "prediction": "out", "usage": "out", "tokenusage": "out",
    "expectations": "gold", "expected": "gold", "expectedoutput": "gold", "referenceoutputs": "gold", "answers": "gold",
    "target": "gold",
}  # fmt: skip
_ASKED = ("question", "contexts", "reference", "facts", "reference_contexts", "id", "metadata")
_TEXT_WORDS = ("text", "content")
_USAGE = ("usage", "tokenusage")
_DEEPEST = 3
Meaning = tuple[int, tuple[str, ...]]


def columns_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, None]:
    """The names of all columns, in the order in which they first come up."""
    columns: dict[str, None] = {}
    for row in rows:
        if not columns.keys() >= row.keys():
            columns.update(dict.fromkeys(row))
    return columns


def flatten(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The rows with objects of known names laid flat, where they hold a field that is known there."""
    nested = [name for name in columns_of(rows) if plain_name(name) in _SIDES]
    if not any(isinstance(row.get(name), Mapping) for name in nested for row in rows):
        return rows
    for _ in range(_DEEPEST):
        rows = [_flat(row) for row in rows]
    return rows


def meaning(column: str) -> Meaning | None:
    """The fields that a column means and how surely, as `rank_of`; of ``expected.answer`` that it is golden."""
    if known := rank_of(column):
        return known
    outer, dot, leaf = column.rpartition(".")
    side = _SIDES.get(plain_name(outer.rpartition(".")[2])) if dot else None
    return _leaf_meaning(side, leaf) if side else None


def said_by_user(messages: Any) -> str | None:
    """The last user message of a chat (OpenAI, Inspect, LangChain, ragas), or None where it is none."""
    if not isinstance(messages, list) or not messages or not all(isinstance(one, Mapping) for one in messages):
        return None
    said = [one.get("content") for one in messages if one.get("role", one.get("type")) in ("user", "human")]
    if not said:
        return None
    if isinstance(parts := said[-1], list):  # content in parts: the texts among them
        texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
        return "\n".join(text for text in texts if isinstance(text, str)) or None
    return said[-1] if isinstance(said[-1], str) else None


def _flat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        side = _SIDES.get(plain_name(name.rpartition(".")[2]))
        if side is None or not isinstance(value, Mapping):
            flat[name] = value
        elif _holds_fields(side, name, value):
            flat.update({f"{name}.{leaf}": item for leaf, item in value.items()})
        elif side == "in" and len(value) == 1:
            flat[name] = next(iter(value.values()))
        else:
            flat[name] = value
    return flat


def _holds_fields(side: Side, name: str, value: Mapping[str, Any]) -> bool:
    """Whether an object holds fields of ours. One from the application must hold an answer; else it is the answer."""
    found = [meant[1] for leaf in value if (meant := _leaf_meaning(side, str(leaf)))]
    return ("answer",) in found if side == "out" and plain_name(name.rpartition(".")[2]) not in _USAGE else bool(found)


def _leaf_meaning(side: Side, leaf: str) -> Meaning | None:
    known = rank_of(leaf)
    name = plain_name(leaf)
    if side == "gold":
        if name in _TEXT_WORDS or (known and known[1] == ("answer",)):
            return 1, ("reference",)
        if name in CONTEXT_WORDS or (known and known[1] == ("contexts",)):
            return 1, ("reference_contexts",)
        return (1, known[1]) if known and known[1][0] in ("reference", "facts", "reference_contexts") else None
    if side == "out":
        if name in _TEXT_WORDS:
            return 1, ("answer",)
        if name in CONTEXT_WORDS:
            return 1, ("contexts",)
        return None if known is None or known[1] == TARGET or known[1][0] in _ASKED[2:] else (1, known[1])
    return (1, known[1]) if known and known[1][0] in (*_ASKED, "answer") else None
