"""Chat completions: what is sent, and what a reply says, wherever the server put it."""

from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.models.faults import Fault
from ringtrue.models.providers.openai_compatible import ChatCompletions
from ringtrue.models.providers.reading import Found, read_reply
from ringtrue.models.providers.wire import How, Reply
from ringtrue.models.types import Message, ModelFailure, Request

MESSAGES = (Message("system", "Be fair."), Message("user", "Is {this} ${SO}?"))


def sent(how: How, **fields: Any) -> dict[str, Any]:
    return ChatCompletions("m").body(Request(messages=MESSAGES, **fields), how)


def test_only_what_the_user_set_is_sent() -> None:
    assert sent(How(form="text")) == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Is {this} ${SO}?"}],
    }
    body = sent(How(form="text", left_out=frozenset({"seed"})), params={"temperature": 0, "seed": 1, "max_tokens": 9})
    assert {key: body[key] for key in body if key not in ("model", "messages")} == {"temperature": 0, "max_tokens": 9}


def test_the_token_budget_goes_by_the_name_that_the_endpoint_knows() -> None:
    body = sent(How(form="text", budget_name="max_completion_tokens"), params={"max_tokens": 9})
    assert (body.get("max_tokens"), body["max_completion_tokens"]) == (None, 9)
    assert sent(How(form="text", max_tokens=64), params={"max_tokens": 9})["max_tokens"] == 64
    assert sent(How(form="text", max_tokens=64), params={"max_tokens": 99})["max_tokens"] == 99


def test_each_form_asks_for_the_shape_in_its_way(verdict_schema: dict[str, Any]) -> None:
    schema = sent(How(form="schema"), schema=verdict_schema)["response_format"]
    assert schema["json_schema"]["strict"] is True
    assert schema["json_schema"]["schema"]["additionalProperties"] is False
    tool = sent(How(form="tool"), schema=verdict_schema)
    assert tool["tools"][0]["function"]["name"] == tool["tool_choice"]["function"]["name"] == "reply"
    asked = sent(How(form="object"), schema=verdict_schema)
    assert asked["response_format"] == {"type": "json_object"}
    assert "JSON schema" in asked["messages"][-1]["content"]
    prompt = sent(How(form="prompt"), schema=verdict_schema)
    assert prompt.keys() == {"model", "messages"}
    assert '"enum": ["yes", "no"]' in prompt["messages"][-1]["content"]


def test_bounds_are_kept_only_for_an_endpoint_that_takes_them() -> None:
    schema = {"type": "object", "properties": {"why": {"type": "string", "maxLength": 9}}, "required": ["why"]}
    request = Request(messages=MESSAGES, schema=schema)
    for bounds, inner in ((True, {"type": "string", "maxLength": 9}), (False, {"type": "string"})):
        body = ChatCompletions(None, bounds=bounds).body(request, How(form="schema", bounds=bounds))
        assert body["response_format"]["json_schema"]["schema"]["properties"]["why"] == inner
        assert "model" not in body


def test_token_probabilities_are_asked_for_where_labels_are_wanted() -> None:
    body = sent(How(form="text", top_logprobs=20), labels=("yes", "no"))
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)


def read(answer: dict[str, Any]) -> Reply:
    reply = ChatCompletions("m").read(answer)
    assert isinstance(reply, Reply)
    return reply


def found(reply: Reply, schema: dict[str, Any] | None, form: Any = "schema", *, reasoning: bool = False) -> Found | str:
    """What is read, or the kind of failure."""
    try:
        return read_reply(reply, Request(messages=MESSAGES, schema=schema), How(form=form), reasoning=reasoning)
    except ModelFailure as failure:
        return failure.kind


YES = '{"rationale": "r", "verdict": "yes"}'
THOUGHT = f"... so it holds.\n{YES}"


@pytest.mark.parametrize(
    ("message", "finish", "kind"),
    [
        # Case J07: none of these may become a verdict.
        ({"refusal": "I can't grade this."}, "stop", "refused"),
        ({"content": [{"type": "refusal", "refusal": "I won't."}]}, "stop", "refused"),
        ({}, "content_filter", "filtered"),
        ({"tool_calls": [{"function": {"name": "x", "arguments": "{}"}}]}, "tool_calls", "empty"),
        ({"function_call": {"name": "x", "arguments": "{}"}}, "function_call", "empty"),
        ({"reasoning_content": THOUGHT}, "stop", "empty"),
        ({"content": ""}, "stop", "empty"),
        ({"content": " \n"}, "stop", "empty"),
        ({"content": []}, "stop", "empty"),
        ({"content": "<think>hm"}, "stop", "empty"),
        ({"content": "<think>hm"}, "length", "truncated"),
        ({"reasoning": "hm"}, "length", "truncated"),
        ({"content": '{"rationale": "r", "verdict": "ye'}, "length", "truncated"),
        ({"content": YES}, "length", "truncated"),
        ({"content": "None"}, "stop", "unparsed"),
        ({"content": '{"rationale": "r"}'}, "stop", "unparsed"),
        ({"content": '{"rationale": "r", "verdict": "maybe"}'}, "stop", "bad_label"),
    ],
)
def test_what_is_no_verdict_is_a_failure_of_its_kind(
    message: dict[str, Any], finish: str, kind: str, chat: Callable[..., Any], verdict_schema: dict[str, Any]
) -> None:
    assert found(read(chat(finish=finish, **message)), verdict_schema) == kind


@pytest.mark.parametrize(
    "content",
    [
        YES,
        f"```json\n{YES}\n```",
        f'{{"rationale": "r", "verdict": "no"}}\n\nOn second thoughts: {YES}',
        f"<think>no</think>{YES}",
        '{"rationale": "r", "verdict": " Yes.\\n"}',
        [{"type": "text", "text": YES}],
        [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "no"}]}, {"type": "text", "text": YES}],
    ],
)
def test_a_verdict_is_read_wherever_it_stands(
    content: Any, chat: Callable[..., Any], verdict_schema: dict[str, Any]
) -> None:
    reply = found(read(chat(content)), verdict_schema)
    assert isinstance(reply, Found)
    assert reply.parsed == {"rationale": "r", "verdict": "yes"}


def test_what_was_only_thought_is_read_where_that_is_switched_on(
    chat: Callable[..., Any], verdict_schema: dict[str, Any]
) -> None:
    reply = found(read(chat(None, reasoning_content=THOUGHT)), verdict_schema, reasoning=True)
    assert isinstance(reply, Found)
    assert reply.parsed["verdict"] == "yes"
    cut = read(chat(None, reasoning_content=THOUGHT[:-9]))
    assert found(cut, verdict_schema, reasoning=True) == "unparsed"


@pytest.mark.parametrize("arguments", [YES, {"rationale": "r", "verdict": "yes"}])
def test_the_forced_tools_arguments_are_the_reply(
    arguments: Any, chat: Callable[..., Any], verdict_schema: dict[str, Any]
) -> None:
    calls = [{"type": "function", "function": {"name": "reply", "arguments": arguments}}]
    reply = found(read(chat(None, finish="tool_calls", tool_calls=calls)), verdict_schema, "tool")
    assert isinstance(reply, Found)
    assert reply.parsed == {"rationale": "r", "verdict": "yes"}


@pytest.mark.parametrize(
    "usage", [{}, None, "many", {"prompt_tokens": -1, "completion_tokens": "12"}, {"prompt_tokens": True}]
)
def test_tokens_that_are_not_told_are_not_known(usage: Any, chat: Callable[..., Any]) -> None:
    answer = chat("hello")
    answer["usage"] = usage
    assert (read(answer).input_tokens, read(answer).output_tokens) == (None, None)


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ({}, "transport", "it holds nothing"),
        ({"choices": []}, "transport", "it holds choices"),
        ({"choices": "none"}, "transport", "it holds choices"),
        ({"error": {"code": 429, "message": "Slow down"}}, "rate_limited", "Slow down"),
        ({"error": {"code": "server_error", "message": "Broken"}}, "transport", "Broken"),
        ({"error": "overloaded"}, "transport", "overloaded"),
    ],
)
def test_what_is_no_completion_is_a_fault(answer: dict[str, Any], kind: str, message: str) -> None:
    fault = ChatCompletions("m").read(answer)
    assert isinstance(fault, Fault)
    assert fault.kind == kind
    assert message in fault.message


@pytest.mark.parametrize("odd", [None, 3, True, "x", [1], [None], {"a": 1}, [{"type": []}], [{"token": 3}]])
def test_odd_shapes_inside_a_completion_are_no_crash(
    odd: Any, chat: Callable[..., Any], verdict_schema: dict[str, Any]
) -> None:
    keys = ("content", "refusal", "tool_calls", "function_call", "reasoning", "reasoning_content")
    for message in (odd, dict.fromkeys(keys, odd)):
        reply = read(
            {"choices": [{"message": message, "finish_reason": odd, "logprobs": odd}], "usage": odd, "model": odd}
        )
        assert isinstance(found(reply, verdict_schema, reasoning=True), str)


def test_token_probabilities_are_read_and_left_out_of_the_raw_reply(chat: Callable[..., Any]) -> None:
    answer = chat("yes")
    top = [{"token": "yes", "logprob": -0.1}, {"token": "no", "logprob": -2.5}]
    answer["choices"][0]["logprobs"] = {"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": top}]}
    reply = read(answer)
    assert reply.tokens == [("yes", [("yes", -0.1), ("no", -2.5)])]
    assert "logprobs" not in reply.raw["choices"][0]
    assert answer["choices"][0]["logprobs"]
