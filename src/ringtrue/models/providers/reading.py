"""From an endpoint's reply to what was asked for, or to the kind of failure that it is."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from ringtrue.models.labels import plain_label, read_label, strip_thinking
from ringtrue.models.probabilities import label_probabilities
from ringtrue.models.providers.wire import How, Reply
from ringtrue.models.structured import conform, last_object
from ringtrue.models.types import Completion, ModelFailure, Request
from ringtrue.text.words import clip

__all__ = ["Found", "read_reply"]

_SHOWN = 160


class Found(NamedTuple):
    """What a reply holds: its text, the object or label in it, and how probable the labels were."""

    text: str
    parsed: Any = None
    probabilities: Mapping[str, float] | None = None
    mass: float | None = None


def read_reply(reply: Reply, request: Request, how: How, *, reasoning: bool = False) -> Found:
    """What was asked for. `reasoning` reads what the model thought where it said nothing else.

    Raises ModelFailure: refused, filtered, truncated, empty, unparsed or bad_label.
    """
    if reply.ending == "filtered":
        raise ModelFailure("filtered", "the provider's content filter stopped the reply", raw=reply.text)
    if reply.refusal is not None or reply.ending == "refused":
        said = reply.refusal or reply.text
        raise ModelFailure("refused", f"the model refused: {clip(said or '', _SHOWN)!r}", raw=said)
    if isinstance(reply.given, Completion):
        return _given(reply.given, reply, request)
    if reply.given is not None:
        return Found(_written(reply.given), conform(reply.given, request.schema or {}, raw=_written(reply.given)))
    if how.form == "tool" and reply.tool is not None:
        return _object(reply, request, reply.tool if isinstance(reply.tool, str) else _written(reply.tool))
    text = reply.text
    if not (text or "").strip() and reasoning:
        text = reply.reasoning
    if text is None or not strip_thinking(text).strip():
        raise _nothing(reply)
    if request.schema is not None:
        return _object(reply, request, text)
    return _label(reply, request, text) if request.labels else _plain(reply, text)


def _given(completion: Completion, reply: Reply, request: Request) -> Found:
    """A Completion that a Python function made; its text is read where it parsed nothing."""
    parsed = completion.parsed
    if parsed is None and request.schema is not None:
        parsed = _object(reply, request, completion.text).parsed
    elif parsed is None and request.labels:
        parsed = read_label(completion.text, request.labels)
    elif request.schema is not None:
        parsed = conform(parsed, request.schema, raw=completion.text)
    return Found(completion.text, parsed, completion.label_probabilities, completion.label_mass)


def _plain(reply: Reply, text: str) -> Found:
    if reply.ending == "length":
        raise _truncated(text)
    return Found(strip_thinking(text).strip())


def _object(reply: Reply, request: Request, text: str) -> Found:
    if reply.ending == "length":
        raise _truncated(text)
    schema = request.schema or {}
    parsed = conform(last_object(text), schema, raw=text)
    if not request.labels:
        return Found(text, parsed)
    chosen = [key for key, one in schema.get("properties", {}).items() if set(one.get("enum", ())) == {*request.labels}]
    label = parsed.get(chosen[0]) if chosen else None
    return _with_probabilities(reply, request, Found(text, parsed), label)


def _label(reply: Reply, request: Request, text: str) -> Found:
    said = strip_thinking(text)
    # A budget of one token is enough where that token is the label.
    if reply.ending == "length" and plain_label(said, request.labels) is None:
        raise _truncated(text)
    label = read_label(text, request.labels)
    return _with_probabilities(reply, request, Found(said.strip(), label), label)


def _with_probabilities(reply: Reply, request: Request, found: Found, label: str | None) -> Found:
    if label is None or not reply.tokens:
        return found
    probabilities, mass = label_probabilities(reply.tokens, label, request.labels)
    return Found(found.text, found.parsed, probabilities, mass)


def _truncated(text: str) -> ModelFailure:
    return ModelFailure("truncated", f"the reply ran out of tokens: … {clip(text[-_SHOWN:], _SHOWN)!r}", raw=text)


def _nothing(reply: Reply) -> ModelFailure:
    """Why there is no text: the thinking took the budget, a tool was called instead, or nothing was said."""
    if reply.ending == "length":
        return ModelFailure(
            "truncated", "the model's thinking used up the tokens before it answered", raw=reply.reasoning
        )
    if reply.other_tool is not None:
        return ModelFailure("empty", f"the reply has no text but calls the tool {reply.other_tool!r}", raw=reply.text)
    why = "the model thought and said nothing" if reply.reasoning else "the reply is empty"
    return ModelFailure("empty", why, raw=reply.reasoning or reply.text)


def _written(value: Any) -> str:
    return orjson.dumps(value, default=str).decode()
