"""What an endpoint refuses is asked in another way, and kept for the next call: against the fault server."""

import asyncio
import json
from typing import Any

import pytest

from ringtrue.models.opening import capabilities_of
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import Completion, Message, Request

YES = '{"rationale": "r", "verdict": "yes"}'


def refusal(message: str, param: str | None = None, code: str | None = None) -> tuple[int, dict[str, str], Any]:
    """OpenAI's way to refuse a request."""
    return 400, {}, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


@pytest.mark.parametrize(
    "refused",
    [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "response_format.type: Input should be 'text' or 'json_object'",
        "Invalid schema for response_format 'reply'",
        "grammar error",
    ],
)
def test_a_refused_schema_steps_down_once_and_for_all(
    refused: str, server: Any, scheduler: Scheduler, opened: Any, ask: Any, chat: Any, verdict_schema: Any
) -> None:
    calls = [{"function": {"name": "reply", "arguments": YES}}]
    server.script(refusal(refused), chat(None, finish="tool_calls", tool_calls=calls))
    model = opened()
    for _ in range(3):
        assert ask(model, schema=verdict_schema).parsed["verdict"] == "yes"
    assert ["tools" in body for body in server.bodies] == [False, True, True, True]
    assert capabilities_of(scheduler).notes == ("openai-compatible:judge: JSON is asked for by a forced tool call",)


def test_bounds_are_left_out_before_the_schema_is(
    server: Any, scheduler: Scheduler, opened: Any, ask: Any, chat: Any, verdict_schema: Any
) -> None:
    verdict_schema["properties"]["rationale"]["maxLength"] = 400
    refused = refusal("Invalid schema for response_format 'reply': 'maxLength' is not permitted.")
    server.script(lambda _, body: refused if "maxLength" in json.dumps(body) else chat(YES))
    model = opened()
    assert [ask(model, schema=verdict_schema).usage.calls for _ in range(2)] == [2, 1]
    assert ["maxLength" in json.dumps(body) for body in server.bodies] == [True, False, False]
    assert all(body["response_format"]["type"] == "json_schema" for body in server.bodies)
    assert capabilities_of(scheduler).notes == ()


def test_openai_itself_is_sent_no_bounds(server: Any, opened: Any, ask: Any, chat: Any, verdict_schema: Any) -> None:
    verdict_schema["properties"]["rationale"]["maxLength"] = 400
    server.script(chat(YES))
    assert ask(opened("openai:judge"), schema=verdict_schema).usage.calls == 1
    assert "maxLength" not in json.dumps(server.bodies)


def test_the_whole_ladder(server: Any, opened: Any, ask: Any, chat: Any, verdict_schema: Any) -> None:
    def old(request: Any, body: dict[str, Any]) -> Any:
        wanted = body.keys() & {"response_format", "tools"}
        return refusal(f"unknown field {wanted}") if wanted else chat(f"Sure! ```json\n{YES}\n```")

    server.script(old)
    model = opened()
    assert ask(model, schema=verdict_schema).usage.calls == 4
    assert ask(model, schema=verdict_schema).usage.calls == 1


def test_an_endpoint_that_passes_over_the_schema_is_told_it_in_words(
    server: Any, opened: Any, ask: Any, chat: Any, verdict_schema: Any
) -> None:
    def deaf(request: Any, body: dict[str, Any]) -> Any:
        return chat(YES if "JSON schema" in body["messages"][-1]["content"] else "It is so.")

    server.script(deaf)
    model = opened()
    assert ask(model, schema=verdict_schema).parsed["verdict"] == "yes"
    assert ask(model, schema=verdict_schema).usage.calls == 1


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (refusal("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"), "temperature"),
        (refusal("Unrecognized request argument supplied: seed"), "seed"),
        (
            (422, {}, {"detail": [{"type": "extra_forbidden", "loc": ["body", "top_p"], "msg": "Extra inputs"}]}),
            "top_p",
        ),
        (refusal("topP is not supported by this model"), "top_p"),
    ],
)
def test_an_unsupported_parameter_is_left_out_and_told(
    answer: Any, name: str, server: Any, scheduler: Scheduler, opened: Any, ask: Any, chat: Any
) -> None:
    server.script(lambda request, body: answer if name in body else chat("fine"))
    model = opened(params={"temperature": 0, "seed": 1, "top_p": 1})
    assert ask(model).usage.calls == 2
    assert ask(model).usage.calls == 1
    assert server.bodies[-1].keys() == {"model", "messages", "temperature", "seed", "top_p"} - {name}
    assert capabilities_of(scheduler).notes == (f"openai-compatible:judge: {name} is not supported and is left out",)


def test_the_token_budget_is_renamed(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    refused = refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    )
    server.script(lambda request, body: refused if "max_tokens" in body else chat("fine"))
    assert ask(opened(params={"max_tokens": 50})).usage.calls == 2
    assert server.bodies[-1]["max_completion_tokens"] == 50


def test_a_wrong_value_is_the_users_to_mend(server: Any, opened: Any, failing: Any) -> None:
    server.script(refusal("Invalid 'temperature': decimal above maximum value.", "temperature"))
    failure = failing(opened(params={"temperature": 9}))
    assert (failure.kind, len(server.bodies)) == ("bad_request", 1)
    assert "decimal above maximum" in failure.message


def test_a_prompt_that_is_too_long_does_not_shake_what_is_known(
    server: Any, opened: Any, ask: Any, failing: Any, chat: Any, verdict_schema: Any
) -> None:
    too_long = refusal("This model's maximum context length is 4096 tokens.", "messages", "context_length_exceeded")
    server.script(chat(YES), too_long, (400, {}, "bad request"), chat(YES))
    model = opened()
    ask(model, schema=verdict_schema)
    assert failing(model, schema=verdict_schema).kind == "bad_request"
    assert failing(model, schema=verdict_schema).kind == "bad_request"
    assert ask(model, schema=verdict_schema).usage.calls == 1
    assert "json_schema" in json.dumps(server.bodies[-1])


def test_token_probabilities_are_done_without_where_they_are_refused(
    server: Any, opened: Any, ask: Any, chat: Any
) -> None:
    server.script(lambda _, body: refusal("logprobs are not supported") if "logprobs" in body else chat("Yes."))
    model = opened()
    found = ask(model, labels=("yes", "no"))
    assert (found.parsed, found.label_probabilities, found.label_mass) == ("yes", None, None)
    assert (found.usage.calls, ask(model, labels=("yes", "no")).usage.calls) == (3, 1)  # 20, then 5, then none


def test_probabilities_of_the_labels_in_an_object(
    server: Any, opened: Any, ask: Any, chat: Any, verdict_schema: Any
) -> None:
    def with_logprobs(request: Any, body: dict[str, Any]) -> Any:
        assert body["top_logprobs"] == 20
        answer = chat(YES)
        top = [{"token": "yes", "logprob": -0.2231}, {"token": "no", "logprob": -2.3026}]  # 0.8 and 0.1
        tokens = [{"token": text, "logprob": 0.0, "top_logprobs": []} for text in (YES[:-5], YES[-2:])]
        tokens.insert(1, {"token": "yes", "logprob": -0.2231, "top_logprobs": top})
        answer["choices"][0]["logprobs"] = {"content": tokens}
        return answer

    server.script(with_logprobs)
    found = ask(opened(), schema=verdict_schema, labels=("yes", "no"))
    assert found.label_probabilities == pytest.approx({"yes": 8 / 9, "no": 1 / 9}, abs=1e-4)
    assert found.label_mass == pytest.approx(0.9, abs=1e-4)


def test_a_truncated_reply_is_asked_for_with_a_larger_budget(
    server: Any, opened: Any, ask: Any, chat: Any, verdict_schema: Any
) -> None:
    def tight(request: Any, body: dict[str, Any]) -> Any:
        return chat(YES) if body.get("max_tokens", 0) >= 1000 else chat(YES[:20], finish="length")

    server.script(tight)
    model = opened(params={"max_tokens": 300})
    found = ask(model, schema=verdict_schema)
    assert [body["max_tokens"] for body in server.bodies] == [300, 600, 1200]
    assert (found.usage.calls, found.usage.input_tokens, found.usage.output_tokens) == (3, 120, 30)
    assert ask(model, schema=verdict_schema).usage.calls == 1  # the budget that sufficed is kept


def test_a_reply_that_stays_truncated_fails_as_such(
    server: Any, opened: Any, failing: Any, chat: Any, verdict_schema: Any
) -> None:
    server.script(chat(YES[:20], finish="length"))
    failure = failing(opened(), schema=verdict_schema)
    assert (failure.kind, failure.raw, failure.usage.calls) == ("truncated", YES[:20], 4)
    assert [body.get("max_tokens") for body in server.bodies] == [None, 512, 1024, 2048]


def test_a_budget_that_is_too_large_leaves_it_truncated(
    server: Any, opened: Any, failing: Any, chat: Any, verdict_schema: Any
) -> None:
    too_large = refusal("max_tokens is too large: 8000. This model supports at most 4096 completion tokens")
    server.script(chat(YES[:20], finish="length"), too_large)
    assert failing(opened(params={"max_tokens": 4000}), schema=verdict_schema).kind == "truncated"


def test_what_is_refused_by_all_is_met_by_the_first_call_only(
    server: Any, scheduler: Scheduler, opened: Any, chat: Any, verdict_schema: Any
) -> None:
    def no_schema(request: Any, body: dict[str, Any]) -> Any:
        calls = [{"function": {"name": "reply", "arguments": YES}}]
        return refusal("response_format is not supported") if "response_format" in body else chat(tool_calls=calls)

    server.script(no_schema)
    model = opened()

    async def many() -> list[Completion]:
        return await asyncio.gather(
            *(model.complete(Request(messages=(Message("user", str(n)),), schema=verdict_schema)) for n in range(20))
        )

    assert len(asyncio.run(many())) == 20
    assert len(server.bodies) == 21
