"""Anthropic's Messages: what is sent, read, and learnt from its refusals."""

from typing import Any

import pytest

from ringtrue.models.faults import Fault
from ringtrue.models.opening import capabilities_of
from ringtrue.models.providers.anthropic import Messages
from ringtrue.models.providers.wire import How, Reply
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import Message, Request

YES = '{"rationale": "r", "verdict": "yes"}'


def refusal(message: str) -> tuple[int, dict[str, str], Any]:
    return 400, {}, {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


def test_system_messages_stand_beside_the_conversation() -> None:
    messages = (
        Message("system", "Be fair."),
        Message("user", "So?"),
        Message("assistant", "Yes."),
        Message("user", "?"),
    )
    body = Messages("m").body(Request(messages=messages, params={"temperature": 0}), How(form="text"))
    assert body["system"] == "Be fair."
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert (body["max_tokens"], body["temperature"]) == (4096, 0)


def test_the_users_budget_and_effort_are_kept(verdict_schema: Any) -> None:
    request = Request(
        messages=(Message("user", "So?"),),
        schema=verdict_schema,
        params={"max_tokens": 99, "output_config": {"effort": "low"}},
    )
    body = Messages("m").body(request, How(form="schema"))
    assert body["max_tokens"] == 99
    assert body["output_config"]["effort"] == "low"
    assert body["output_config"]["format"]["schema"]["additionalProperties"] is False


def test_a_verdict(server: Any, opened: Any, ask: Any, said: Any, verdict_schema: Any) -> None:
    server.script(said([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": YES}]))
    found = ask(opened("anthropic:claude-x"), schema=verdict_schema)
    assert (found.parsed["verdict"], found.model, found.usage.output_tokens) == ("yes", "claude-x", 10)
    assert server.paths == ["/v1/messages"]
    assert (server.headers[0]["x-api-key"], server.headers[0]["anthropic-version"]) == ("sk-key", "2023-06-01")


def test_the_ladder_has_three_steps(server: Any, opened: Any, ask: Any, said: Any, verdict_schema: Any) -> None:
    def old(request: Any, body: dict[str, Any]) -> Any:
        if "output_config" in body:
            return refusal("output_config: Extra inputs are not permitted")
        if "tools" in body:
            return refusal("Thinking may not be enabled when tool_choice forces tool use.")
        return said(f"Here it is:\n```json\n{YES}\n```")

    server.script(old)
    model = opened("anthropic:m")
    assert ask(model, schema=verdict_schema).usage.calls == 3
    assert ask(model, schema=verdict_schema).usage.calls == 1


def test_the_forced_tools_input_is_the_reply(
    server: Any, opened: Any, ask: Any, said: Any, verdict_schema: Any
) -> None:
    blocks = [{"type": "tool_use", "name": "reply", "input": {"rationale": "r", "verdict": "No."}}]
    server.script(refusal("output_config: Extra inputs are not permitted"), said(blocks, stop="tool_use"))
    assert ask(opened("anthropic:m"), schema=verdict_schema).parsed == {"rationale": "r", "verdict": "no"}
    assert server.bodies[-1]["tool_choice"] == {"type": "tool", "name": "reply"}


def test_parameters_that_it_does_not_have_are_left_out_and_told(
    server: Any, scheduler: Scheduler, opened: Any, ask: Any, said: Any
) -> None:
    deprecated = refusal("`temperature` is deprecated for this model.")
    server.script(lambda request, body: deprecated if "temperature" in body else said("fine"))
    model = opened("anthropic:m", params={"temperature": 0, "seed": 3})
    assert (ask(model).usage.calls, ask(model).usage.calls) == (2, 1)
    assert all("seed" not in body for body in server.bodies)
    assert capabilities_of(scheduler).notes == (
        "anthropic:m: seed is not supported and is left out",
        "anthropic:m: temperature is not supported and is left out",
    )


@pytest.mark.parametrize(
    ("content", "stop", "kind", "calls"),
    [
        ("I can't judge that.", "refusal", "refused", 1),
        ([], "end_turn", "empty", 2),
        ([{"type": "thinking", "thinking": "hm"}], "max_tokens", "truncated", 4),
        (YES[:12], "max_tokens", "truncated", 4),
        (YES[:12], "model_context_window_exceeded", "truncated", 4),
        ([{"type": "tool_use", "name": "search", "input": {}}], "tool_use", "empty", 2),
    ],
)
def test_what_is_no_verdict_is_a_failure_of_its_kind(
    content: Any,
    stop: str,
    kind: str,
    calls: int,
    server: Any,
    opened: Any,
    failing: Any,
    said: Any,
    verdict_schema: Any,
) -> None:
    server.script(said(content, stop=stop))
    failure = failing(opened("anthropic:m"), schema=verdict_schema)
    assert (failure.kind, failure.usage.calls) == (kind, calls)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (529, "overloaded_error", "transport"),
        (429, "rate_limit_error", "rate_limited"),
        (500, "api_error", "transport"),
    ],
)
def test_its_own_statuses(status: int, error: str, kind: str, server: Any, opened: Any, failing: Any) -> None:
    server.script((status, {"retry-after": "1"}, {"type": "error", "error": {"type": error, "message": "Busy"}}))
    failure = failing(opened("anthropic:m"))
    assert failure.kind == kind
    assert len(server.bodies) == 6


def test_tokens_that_went_through_its_cache_count() -> None:
    answer = {
        "content": [{"type": "text", "text": "x"}],
        "usage": {
            "input_tokens": 5,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": 20,
            "output_tokens": 1,
        },
    }
    reply = Messages("m").read(answer)
    assert isinstance(reply, Reply)
    assert reply.input_tokens == 125


@pytest.mark.parametrize("answer", [{}, {"content": "text"}, {"type": "error", "error": {"message": "x"}}])
def test_what_is_no_message_is_a_fault(answer: dict[str, Any]) -> None:
    assert isinstance(Messages("m").read(answer), Fault)
