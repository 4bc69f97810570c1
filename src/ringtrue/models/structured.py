"""JSON that a model writes: the last complete object in its reply, held against the small schema that was asked for."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any

import orjson

from ringtrue.models.labels import plain_label, read_number, strip_thinking
from ringtrue.models.types import Message, ModelFailure
from ringtrue.text.words import clip

__all__ = ["REPLY_NAME", "conform", "has_bounds", "last_object", "schema_digest", "wire_schema", "with_format"]

# What the reply is called where the endpoint wants a name for it.
REPLY_NAME = "reply"
_SHOWN = 160
_MOST_SCHEMAS = 256
_MOST_STARTS = 1000  # braces tried as the beginning of an object: a reply of nothing but braces ends in no time
# What all strict endpoints take in a schema. Replies are held against the rest of it here.
_TAKEN = frozenset({"type", "required", "items", "enum", "const", "anyOf", "description"})
_BOUNDS = frozenset({"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"})


def last_object(text: str) -> dict[str, Any]:
    """The last complete JSON object in a reply, whatever stands around it (prose, fences, a ``<think>`` block).

    An object that never ends is none, and nothing inside it is one. Raises ModelFailure of kind ``unparsed``.
    """
    whole = text.strip("\ufeff\u200b \t\r\n")
    if whole.startswith("{") and (found := _whole_object(whole)) is not None:
        return found
    if (last := _last_of(strip_thinking(text))) is None:
        raise ModelFailure("unparsed", f"no complete JSON object in the reply: {clip(text, _SHOWN)!r}", raw=text)
    return last


def conform(value: Any, schema: Mapping[str, Any], *, raw: str | None = None) -> Any:
    """`value` as `schema` wants it; a label that differs in case or marks only ("Yes.") is made the schema's own.

    Known are ``type``, ``properties``, ``required``, ``items``, ``enum``, ``const``, ``anyOf``, ``minimum`` and
    ``maximum``. Properties that the schema does not name are left as they are. Raises ModelFailure: ``bad_label`` where
    a text is none of an ``enum``, ``unparsed`` for anything else.
    """
    return _Check(raw)(value, schema, "")


def wire_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema as strict endpoints accept it: every object closed, all its properties required, no bounds."""
    return _known(schema).wire


def has_bounds(schema: Mapping[str, Any]) -> bool:
    """Whether the schema says how long or how large something may be, which strict endpoints do not take."""
    return _known(schema).bounded


def schema_digest(schema: Mapping[str, Any]) -> bytes:
    """A hash of what the schema says, whatever the order of its keys."""
    return _known(schema).digest


def with_format(messages: Iterable[Message], schema: Mapping[str, Any]) -> tuple[Message, ...]:
    """The messages with the schema told in words, at the end of the last one."""
    *before, last = messages
    told = _format_text().replace("$schema", json.dumps(schema, ensure_ascii=False))
    return (*before, Message(last.role, f"{last.content}\n\n{told}"))


class _Unsound(ValueError):
    """An object that reads as JSON and is none: a key twice with two values, ``NaN``."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs) and any(found[key] != value for key, value in pairs):
        raise _Unsound
    return found


def _no_constant(_: str) -> None:
    raise _Unsound


# Models write line breaks into strings as they are; `strict` would refuse them.
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant, strict=False)


def _whole_object(text: str) -> dict[str, Any] | None:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _last_of(text: str) -> dict[str, Any] | None:
    """The last object in `text`; ``None`` where there is none, or the last one does not end or is unsound."""
    last: dict[str, Any] | None = None
    start, length = text.find("{"), len(text.rstrip())
    for _ in range(_MOST_STARTS):
        if start < 0:
            return last
        try:
            last, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if error.pos >= length or error.msg.startswith("Unterminated"):
                return None
            end = max(error.pos, start + 1)
        except (_Unsound, RecursionError):
            return None
        start = text.find("{", end)
    return None


@dataclass(frozen=True, slots=True)
class _Known:
    """A schema that was met; kept alive, so that its identity stays its own."""

    schema: Mapping[str, Any]
    wire: Mapping[str, Any]
    bounded: bool
    digest: bytes


# By identity: a judge asks with one schema thousands of times. Whoever changes one in place makes it another.
_met: dict[int, _Known] = {}


def _known(schema: Mapping[str, Any]) -> _Known:
    if (found := _met.get(id(schema))) is None:
        if len(_met) >= _MOST_SCHEMAS:
            _met.clear()
        written = orjson.dumps(schema, option=orjson.OPT_SORT_KEYS)
        found = _met[id(schema)] = _Known(
            schema, _wire(schema), _bounded(schema), blake2b(written, digest_size=16).digest()
        )
    return found


def _wire(node: Any) -> Any:
    if isinstance(node, list):
        return [_wire(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _wire(value) for key, value in node.items() if key in _TAKEN}
    if "properties" in node:
        plain["properties"] = {name: _wire(one) for name, one in node["properties"].items()}
        plain |= {"required": list(node["properties"]), "additionalProperties": False}
    return plain


def _bounded(node: Any) -> bool:
    if isinstance(node, list):
        return any(map(_bounded, node))
    return isinstance(node, dict) and (not _BOUNDS.isdisjoint(node) or any(map(_bounded, node.values())))


@cache
def _format_text() -> str:
    return files("ringtrue.models").joinpath("reply_format.txt").read_text(encoding="utf-8").strip()


class _Check:
    """Holds a value against a schema, and knows the reply to tell of."""

    def __init__(self, raw: str | None) -> None:
        self._raw = raw

    def __call__(self, value: Any, schema: Mapping[str, Any], path: str) -> Any:
        if "anyOf" in schema:
            return self._any_of(value, schema["anyOf"], path)
        if "enum" in schema or "const" in schema:
            return self._choice(value, schema.get("enum", [schema.get("const")]), path)
        kinds = schema.get("type")
        if kinds is not None and not _is(value, kinds):
            return self._number(value, schema, kinds, path)
        if isinstance(value, str):  # nearly always
            return value
        match value:
            case dict():
                return self._object(value, schema, path)
            case list() if "items" in schema:
                return [self(item, schema["items"], f"{path}[{index}]") for index, item in enumerate(value)]
            case int() | float() if not isinstance(value, bool):
                return self._bounded(value, schema, path)
        return value

    def _object(self, value: dict[str, Any], schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        properties = schema.get("properties", {})
        for key in schema.get("required", ()):
            if key not in value:
                raise self._wrong(f"{_at(path, key)} is missing")
        return {
            key: self(one, properties[key], _at(path, key)) if key in properties else one for key, one in value.items()
        }

    def _choice(self, value: Any, choices: list[Any], path: str) -> Any:
        for one in choices:
            if type(one) is type(value) and one == value:
                return one
        texts = [one for one in choices if isinstance(one, str)]
        if isinstance(value, str) and (label := plain_label(value, texts)) is not None:
            return label
        known = ", ".join(map(str, choices))
        raise ModelFailure("bad_label", f"{path or 'the reply'} is {_shown(value)}, none of {known}", raw=self._raw)

    def _any_of(self, value: Any, schemas: Iterable[Mapping[str, Any]], path: str) -> Any:
        first: ModelFailure | None = None
        for schema in schemas:
            try:
                return self(value, schema, path)
            except ModelFailure as failure:
                first = first or failure
        raise first or self._wrong(f"{path or 'the reply'} has a schema of no choices")

    def _number(self, value: Any, schema: Mapping[str, Any], kinds: str | list[str], path: str) -> float:
        """A number that was written as a text ("0.8", "4/5"), where the schema bounds it."""
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if isinstance(value, str) and {"number", "integer"} & set(kinds) and {"minimum", "maximum"} <= set(schema):
            try:
                number = read_number(value, schema["minimum"], schema["maximum"])
            except ModelFailure as failure:
                raise self._wrong(f"{path or 'the reply'}: {failure.message}") from failure
            if "number" in kinds or number.is_integer():
                return number if "number" in kinds else int(number)
        raise self._wrong(f"{path or 'the reply'} is {_shown(value)}, no {' or '.join(kinds)}")

    def _bounded(self, value: float, schema: Mapping[str, Any], path: str) -> float:
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            raise self._wrong(f"{path or 'the reply'} is {value:g}, outside {low:g} to {high:g}")
        return value

    def _wrong(self, message: str) -> ModelFailure:
        return ModelFailure("unparsed", message, raw=self._raw)


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _shown(value: Any) -> str:
    return clip(json.dumps(value, ensure_ascii=False, default=str), _SHOWN)


_TYPES: Mapping[str, type | UnionType] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": NoneType,
    "integer": int,
    "number": int | float,
}


def _is(value: Any, kinds: str | list[str]) -> bool:
    """Whether `value` is of one of the JSON types. 4.0 is an integer, ``true`` no number."""
    if not isinstance(kinds, str):
        return any(_is(value, kind) for kind in kinds)
    if isinstance(value, bool):
        return kinds == "boolean"
    if kinds == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kinds, object))
