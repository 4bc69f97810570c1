"""A Response out of what an application gave back: text, a dict of fields, or a Response.

One reading for every live kind of pipeline.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ringtrue.data.fields.passages import passages_of
from ringtrue.data.records import passage_record
from ringtrue.data.scalars import json_ready, mend_surrogates, mended, to_number, to_text
from ringtrue.errors import PipelineError
from ringtrue.text.words import clip
from ringtrue.types import Passage, Response

__all__ = ["MAX_REPLY_BYTES", "decode", "outline", "parse_json", "response_from", "response_from_text"]

MAX_REPLY_BYTES = 64 * 2**20  # an application that never stops talking must not take all memory
_SHOWN = 200
_FIELDS = tuple(one.name for one in fields(Response))


def response_from(value: object) -> Response:
    """Read what an application gave back; PipelineError where it is no answer.

    A dict holds ``answer`` or ``error``, and may hold the other fields of a Response; other keys are not read. Text
    that is empty or blank is a missing answer; tokens, cost and latency that are no number from zero up are unknown.
    """
    match value:
        case None | str():
            return Response(answer=_text(value))
        case Response():
            return _from_fields({name: getattr(value, name) for name in _FIELDS})
        case Mapping():
            if "answer" not in value and not value.get("error"):
                raise PipelineError(f"the reply holds no 'answer'; its keys are: {outline(value)}")
            return _from_fields(value)
    raise PipelineError(
        f"returned {_kind(value)}, where a str, a dict with 'answer' or a ringtrue.Response is expected"
    )


def response_from_text(text: str) -> Response:
    """Read printed text: a JSON object, also as the last line after others, a JSON string; else the answer itself."""
    stripped = text.strip()
    if stripped.startswith('"') and isinstance(said := _json_or_none(stripped), str):
        return response_from(said)
    if stripped.startswith("{"):
        return response_from(parse_json(stripped))
    last = stripped.rpartition("\n")[2]
    if last.startswith("{") and isinstance(found := _json_or_none(last), dict) and "answer" in found:
        return response_from(found)
    return response_from(text.rstrip("\r\n"))


def parse_json(text: str) -> Any:
    """The value of a JSON text (NaN is read too); PipelineError with its beginning where it is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PipelineError(f"the reply is not JSON ({error}): {clip(text, _SHOWN)}") from error


def decode(raw: bytes, encoding: str = "utf-8") -> str:
    """The text of what was read, without a byte-order mark; PipelineError where it is not in that encoding."""
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise PipelineError(f"the reply is in an unknown encoding, {encoding!r}") from error
    except UnicodeDecodeError as error:
        found = f"byte 0x{raw[error.start]:02x} at offset {error.start}"
        raise PipelineError(f"the reply is not {encoding.upper()}: {found}") from error


def outline(value: object, depth: int = 2) -> str:
    """The keys of a JSON value, and of the objects in it, for a message."""
    if not isinstance(value, Mapping):
        return f"none (it is {_kind(value)})"
    keys = [
        f"{key} {{{outline(item, depth - 1)}}}" if depth > 1 and item and isinstance(item, Mapping) else str(key)
        for key, item in value.items()
    ]
    return clip(", ".join(keys), _SHOWN) or "none"


def _from_fields(found: Mapping[Any, Any]) -> Response:
    get = found.get
    answer = get("answer")
    if not isinstance(answer, str | int | float | list | tuple | Mapping | None):
        raise PipelineError(f"the reply's 'answer' is {_kind(answer)}, not text")
    error, metadata = get("error"), get("metadata")
    return Response(
        answer=_text(answer),
        contexts=_passages(get("contexts")),
        latency_s=_amount(get("latency_s")),
        input_tokens=_count(get("input_tokens")),
        output_tokens=_count(get("output_tokens")),
        cost=_amount(get("cost")),
        model=_text(get("model")),
        trace_id=_text(get("trace_id")),
        error=_text(error) if error else None,  # many applications say "error": false
        metadata=mended(json_ready(metadata)) if isinstance(metadata, Mapping) else {},
    )


def _passages(value: Any) -> tuple[Passage, ...] | None:
    if isinstance(value, list | tuple):
        value = [_record(item) for item in value]
    return passages_of(mended(json_ready(value)))


def _record(item: Any) -> Any:
    """A Passage, or a document of LangChain or Haystack, as a dict."""
    if isinstance(item, Passage):
        return passage_record(item)
    text = getattr(item, "page_content", None) or getattr(item, "content", None)
    if not isinstance(text, str):
        return item
    return {"id": getattr(item, "id", None), "text": text, "metadata": getattr(item, "metadata", None)}


def _text(value: Any) -> str | None:
    text = to_text(value)
    return None if text is None else mend_surrogates(text)


def _amount(value: Any) -> float | None:
    number = to_number(value)
    return number if number is not None and number >= 0 else None


def _count(value: Any) -> int | None:
    number = _amount(value)
    return int(number) if number is not None and number.is_integer() else None


def _kind(value: object) -> str:
    name = type(value).__name__
    return "null" if value is None else f"{'an' if name[0].lower() in 'aeio' else 'a'} {name}"


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
