"""OpenAI's chat completions, which most servers speak: vLLM, Ollama, llama.cpp, Azure, Databricks, Gemini."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ringtrue.models.faults import Fault, fault_of
from ringtrue.models.providers.wire import Ending, Form, How, Reply, text_or_none, whole_number
from ringtrue.models.structured import REPLY_NAME, wire_schema, with_format
from ringtrue.models.types import Message, Request

__all__ = ["ChatCompletions"]

_ENDINGS: dict[str | None, Ending] = {"length": "length", "max_tokens": "length", "content_filter": "filtered"}
# Where the providers put what a reasoning model thought.
_REASONING = ("reasoning_content", "reasoning", "thinking")


class ChatCompletions:
    """``POST …/chat/completions``. `model` may be ``None`` where the URL names it.

    `bounds` says that the server may take a schema with bounds, as those do that decode by a grammar (llama.cpp, vLLM).
    Without them a small model that never finds an end fills its whole window.
    """

    forms: tuple[Form, ...] = ("schema", "tool", "object", "prompt")
    top_logprobs = 20
    never: frozenset[str] = frozenset()

    def __init__(self, model: str | None, *, bounds: bool = False) -> None:
        self._model = model
        self.bounds = bounds

    def body(self, request: Request, how: How) -> dict[str, Any]:
        """The request in JSON. Nothing is set that neither the user nor the wanted shape asks for."""
        told = how.form in ("object", "prompt") and request.schema is not None
        messages = with_format(request.messages, request.schema or {}) if told else request.messages
        body: dict[str, Any] = {"model": self._model} if self._model else {}
        body |= {"messages": [_message(message) for message in messages]} | how.params(request)
        if request.schema is not None:
            body |= self._shape(request.schema, how)
        if how.top_logprobs:
            body |= {"logprobs": True, "top_logprobs": how.top_logprobs}
        return body

    def _shape(self, schema: Mapping[str, Any], how: How) -> dict[str, Any]:
        wired = schema if how.bounds else wire_schema(schema)
        match how.form:
            case "schema":
                inner = {"name": REPLY_NAME, "strict": True, "schema": wired}
                return {"response_format": {"type": "json_schema", "json_schema": inner}}
            case "tool":
                tool = {"name": REPLY_NAME, "description": "Give the reply.", "parameters": wired}
                choice = {"type": "function", "function": {"name": REPLY_NAME}}
                return {"tools": [{"type": "function", "function": tool}], "tool_choice": choice}
            case "object":
                return {"response_format": {"type": "json_object"}}
        return {}

    def read(self, answer: dict[str, Any]) -> Reply | Fault:
        """What a reply says, wherever the server put it; a Fault where it is no chat completion."""
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return _no_choice(answer)
        message, usage = _dict(choice.get("message")), _dict(answer.get("usage"))
        content = _content(message.get("content"))
        refusal = message.get("refusal") or content.refusal
        tool, other = _tool(message)
        finish, logprobs = text_or_none(choice.get("finish_reason")), choice.get("logprobs")
        return Reply(
            text=content.text,
            tool=tool,
            other_tool=other,
            reasoning=content.reasoning or _reasoning(message),
            refusal=text_or_none(refusal),
            ending="refused" if refusal else _ENDINGS.get(finish, "stop"),
            finish_reason=finish,
            input_tokens=whole_number(usage.get("prompt_tokens")),
            output_tokens=whole_number(usage.get("completion_tokens")),
            tokens=_tokens(logprobs) if logprobs else (),
            model=text_or_none(answer.get("model")),
            raw=_without_logprobs(answer) if logprobs else answer,
        )


class _Content(NamedTuple):
    """What a message's content holds."""

    text: str | None = None
    refusal: str | None = None
    reasoning: str | None = None


def _content(content: Any) -> _Content:
    """Read a message's content: a text, ``null``, or a list of parts."""
    if not isinstance(content, list):
        return _Content(text_or_none(content))
    parts = [part for part in content if isinstance(part, dict)]
    texts = [text_or_none(part.get("text")) for part in parts if part.get("type") in ("text", "output_text")]
    thoughts = [_thought(part) for part in parts if part.get("type") in ("reasoning", "thinking")]
    return _Content(
        text="".join(filter(None, texts)) if texts else None,
        refusal=next((text_or_none(part.get("refusal")) for part in parts if part.get("type") == "refusal"), None),
        reasoning="".join(thoughts) or None,
    )


def _reasoning(message: Mapping[str, Any]) -> str | None:
    for key in _REASONING:
        if key in message and (text := text_or_none(message[key])):
            return text
    return None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _thought(part: Mapping[str, Any]) -> str:
    """The text of a reasoning part; Databricks puts it into a list of summaries."""
    inner = part.get("summary")
    if isinstance(inner, list):
        return "".join(text_or_none(_dict(one).get("text")) or "" for one in inner)
    return text_or_none(part.get("text")) or text_or_none(part.get("thinking")) or ""


def _tool(message: Mapping[str, Any]) -> tuple[str | Mapping[str, Any] | None, str | None]:
    """The arguments of our tool, and the name of another one that was called."""
    calls, other = message.get("tool_calls"), None
    functions = [_dict(call).get("function") for call in calls] if isinstance(calls, list) else []
    for function in [*functions, message.get("function_call")]:
        if isinstance(function, dict):
            arguments = function.get("arguments")
            if function.get("name") == REPLY_NAME and isinstance(arguments, str | dict):
                return arguments, None
            other = str(function.get("name"))
    return None, other


def _tokens(logprobs: Any) -> list[tuple[str, list[tuple[str, float]]]]:
    """The tokens of the reply with the likeliest ones at each place."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list):
        return []
    try:
        return [(one["token"], [(top["token"], top["logprob"]) for top in _with_chosen(one)]) for one in content]
    except (KeyError, TypeError):
        return []


def _with_chosen(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The likeliest tokens with the chosen one, which a grammar may have forced from below them."""
    top = one.get("top_logprobs") or []
    return top if any(other["token"] == one["token"] for other in top) else [*top, one]


def _without_logprobs(answer: Mapping[str, Any]) -> dict[str, Any]:
    choices = [{key: value for key, value in one.items() if key != "logprobs"} for one in answer["choices"][:1]]
    return {**answer, "choices": choices}


def _message(message: Message) -> dict[str, str]:
    return {"role": message.role, "content": message.content}


def _no_choice(answer: Mapping[str, Any]) -> Fault:
    """Some gateways send an error with status 200; what holds neither choices nor an error is no chat completion."""
    error = answer.get("error")
    if error:
        inner = error if isinstance(error, Mapping) else {"message": str(error)}
        code = inner.get("code")
        return fault_of(code if isinstance(code, int) and 400 <= code < 600 else 500, {"error": inner})
    keys = ", ".join(map(str, answer)) or "nothing"
    return Fault(kind="transport", message=f"the endpoint sent no chat completion: it holds {keys}", passing=True)
