"""Passages from whatever a file holds: texts, objects of many libraries, ids alone, or a list written out as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ringtrue.data.aliases import plain_name
from ringtrue.data.fields.lists import list_in_text, object_of
from ringtrue.data.scalars import is_missing, json_ready, to_number, to_text
from ringtrue.types import Passage

__all__ = ["passages_of", "pieces_of", "with_ids"]

_TEXT = (
    "text",
    "content",
    "pagecontent",
    "documentcontent",
    "document",
    "passage",
    "chunk",
    "body",
    "context",
    "snippet",
)
_ID = ("id", "docid", "chunkid", "documentid", "passageid", "contextid", "docuri", "uri")
_SCORE = ("score", "similarity", "documentscore", "relevancescore", "similarityscore")
_METADATA = ("metadata", "documentmetadata")
# Objects that only wrap the passage: OpenInference, LlamaIndex, LangChain's serialised form, Bedrock's content.
_WRAPPERS = ("document", "node", "kwargs", "content")
_OURS = frozenset(("id", "text", "score", "metadata"))
_TABLE_LINE = re.compile(r"^\s*\|", re.MULTILINE)
_CLOSE_SEMICOLON = re.compile(r";(?=\S)")
_ENTITY = re.compile(r"&#?\w+;")


def passages_of(value: Any, *, cut: Callable[[str], Sequence[str]] | None = None) -> tuple[Passage, ...] | None:
    """The passages in rank order; ``()`` for an empty list and None for a missing value.

    A text that writes out a list is that list; another text is one passage or, with `cut`, what that makes of it.
    """
    if is_missing(value):
        return None
    if isinstance(value, str):
        return _from_text(value, cut)
    if isinstance(value, Mapping):
        return (_passage(value),)
    value = value if isinstance(value, list) else json_ready(value)
    if not isinstance(value, list):
        return (Passage(text=to_text(value)),)
    return tuple(_passage(item) if isinstance(item, Mapping) else Passage(text=to_text(item)) for item in value)


def with_ids(passages: tuple[Passage, ...] | None, ids: Any) -> tuple[Passage, ...] | None:
    """The passages with ids from a column beside them, or passages of ids alone; None where the two do not fit."""
    if is_missing(ids):
        return passages
    listed = list_in_text(ids) if isinstance(ids, str) else json_ready(ids)
    names = [to_text(one) for one in (listed if isinstance(listed, list) else [ids])]
    if not passages:
        return tuple(Passage(text=None, id=name) for name in names)
    if len(names) != len(passages):
        return None
    return tuple(
        Passage(text=one.text, id=one.id or name, score=one.score, metadata=one.metadata)
        for one, name in zip(passages, names, strict=True)
    )


def pieces_of(text: str) -> Sequence[str]:
    """The pieces of a cell that is clearly a list: parted by bars (no table's) or by semicolons without a space."""
    bars = [] if _TABLE_LINE.search(text) else [piece.strip() for piece in text.split("|")]
    if len(bars) > 1 and all(bars):
        return bars
    if _CLOSE_SEMICOLON.search(text) and "; " not in text and not _ENTITY.search(text):
        pieces = [piece.strip() for piece in text.split(";") if piece.strip()]
        if len(pieces) > 1:
            return pieces
    return [text]


def _from_text(text: str, cut: Callable[[str], Sequence[str]] | None) -> tuple[Passage, ...]:
    listed = list_in_text(text)
    if isinstance(listed, list) and all(item is None or isinstance(item, str | dict) for item in listed):
        return passages_of(listed) or ()
    if isinstance(listed, dict) and _pick({plain_name(key): key for key in listed}, _TEXT):
        return (_passage(listed),)
    return tuple(Passage(text=piece) for piece in (cut(text) if cut else [text]))


def _passage(value: Mapping[str, Any]) -> Passage:
    if value.keys() <= _OURS and isinstance(text := value.get("text"), str) and text and not text.isspace():
        name, score, metadata = value.get("id"), value.get("score"), value.get("metadata")
        if isinstance(name, str | None) and isinstance(score, float | None) and isinstance(metadata, dict | None):
            return Passage(text=text, id=name, score=score, metadata=json_ready(metadata or {}))
    if not value:
        return Passage(text=None)
    value = _unwrapped(value)
    names = {plain_name(str(key)): key for key in value}
    text_key, id_key, score_key = _pick(names, _TEXT), _pick(names, _ID), _pick(names, _SCORE)
    text = to_text(value[text_key]) if text_key is not None else None
    score = to_number(value[score_key]) if score_key is not None else None
    used = {text_key, id_key, score_key if score is not None else None}
    if text_key is None and id_key is None:
        return Passage(text=to_text(value))
    nested = {names[name]: object_of(value[names[name]]) for name in _METADATA if name in names}
    used |= {name for name, inner in nested.items() if inner is not None}
    metadata = json_ready({name: item for name, item in value.items() if name not in used and not is_missing(item)})
    for inner in nested.values():
        metadata |= inner or {}
    return Passage(text=text, id=to_text(value[id_key]) if id_key is not None else None, score=score, metadata=metadata)


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in _WRAPPERS:
        if isinstance(inner := value.get(name), Mapping):
            return {**{key: item for key, item in value.items() if key != name}, **inner}
    return value


def _pick(names: Mapping[str, str], wanted: Sequence[str]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)
