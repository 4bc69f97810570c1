"""Anthropic's Messages. It has no token probabilities; repeats give a probability there."""

from collections.abc import Mapping
from typing import Any

from ringtrue.models.faults import Fault, fault_of
from ringtrue.models.providers.wire import Ending, Form, How, Reply, text_or_none, whole_number
from ringtrue.models.structured import REPLY_NAME, wire_schema, with_format
from ringtrue.models.types import Request

__all__ = ["Messages"]

_ENDINGS: dict[str | None, Ending] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
_BUDGET = 4096  # the API asks for one; every model takes this, and a truncated reply is asked for with a larger one


class Messages:
    """``POST …/v1/messages``."""

    forms: tuple[Form, ...] = ("schema", "tool", "prompt")
    top_logprobs = 0
    never = frozenset({"seed", "logprobs", "frequency_penalty", "presence_penalty"})
    bounds = False

    def __init__(self, model: str) -> None:
        self._model = model

    def body(self, request: Request, how: How) -> dict[str, Any]:
        """The request in JSON: system messages beside the conversation."""
        told = how.form == "prompt" and request.schema is not None
        messages = with_format(request.messages, request.schema or {}) if told else request.messages
        body: dict[str, Any] = {"model": self._model, "max_tokens": _BUDGET} | how.params(request)
        body["messages"] = [{"role": one.role, "content": one.content} for one in messages if one.role != "system"]
        if system := "\n\n".join(one.content for one in messages if one.role == "system"):
            body["system"] = system
        if request.schema is not None:
            body |= _shape(request.schema, how.form, body)
        return body

    def read(self, answer: Mapping[str, Any]) -> Reply | Fault:
        """What a reply says; a Fault where it is none of Anthropic's."""
        blocks = answer.get("content")
        if not isinstance(blocks, list):
            return _no_content(answer)
        blocks = [block for block in blocks if isinstance(block, Mapping)]
        texts = [
            block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)
        ]
        tools = [block for block in blocks if block.get("type") == "tool_use"]
        ours = next((block.get("input") for block in tools if block.get("name") == REPLY_NAME), None)
        thoughts = [str(block.get("thinking", "")) for block in blocks if block.get("type") == "thinking"]
        usage = answer.get("usage")
        usage = usage if isinstance(usage, Mapping) else {}
        finish = text_or_none(answer.get("stop_reason"))
        text = "".join(texts) or None
        refused = finish == "refusal"
        return Reply(
            text=text,
            tool=ours if isinstance(ours, Mapping) else None,
            other_tool=str(tools[0].get("name")) if tools and ours is None else None,
            reasoning="".join(thoughts) or None,
            refusal=text if refused else None,
            ending=_ENDINGS.get(finish, "stop"),
            finish_reason=finish,
            input_tokens=_input_tokens(usage),
            output_tokens=whole_number(usage.get("output_tokens")),
            model=text_or_none(answer.get("model")),
            raw=answer,
        )


def _shape(schema: Mapping[str, Any], form: Form, body: Mapping[str, Any]) -> dict[str, Any]:
    wired = wire_schema(schema)
    match form:
        case "schema":
            config = body.get("output_config") or {}  # the user may have set an effort there
            return {"output_config": {**config, "format": {"type": "json_schema", "schema": wired}}}
        case "tool":
            tool = {"name": REPLY_NAME, "description": "Give the reply.", "input_schema": wired}
            return {"tools": [tool], "tool_choice": {"type": "tool", "name": REPLY_NAME}}
    return {}


def _input_tokens(usage: Mapping[str, Any]) -> int | None:
    """All input tokens: those that went through Anthropic's cache are counted apart."""
    new = whole_number(usage.get("input_tokens"))
    if new is None:
        return None
    through = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return new + sum(whole_number(usage.get(key)) or 0 for key in through)


def _no_content(answer: Mapping[str, Any]) -> Fault:
    if answer.get("type") == "error":
        return fault_of(500, answer)
    keys = ", ".join(map(str, answer)) or "nothing"
    return Fault(kind="transport", message=f"the endpoint sent no message: it holds {keys}", passing=True)
