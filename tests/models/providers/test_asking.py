"""The way of a question through an endpoint, against the fault server."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.models.budget import Budget
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Clock, Limits
from ringtrue.models.types import ChatModel, Completion, Message, ModelFailure, Request
from tests.servers.faults import cut_short, dropped, stalled

YES = '{"rationale": "r", "verdict": "yes"}'


def test_a_verdict_with_what_it_took(
    server: Any, opened: Callable[..., ChatModel], ask: Callable[..., Completion], chat: Any, verdict_schema: Any
) -> None:
    server.script(chat(YES))
    price = {"openai-compatible:judge": {"input": 1.0, "output": 10.0}}
    found = ask(opened(prices=price, environ={"RINGTRUE_API_KEY": "own"}), schema=verdict_schema)
    assert found.parsed == {"rationale": "r", "verdict": "yes"}
    assert (found.text, found.finish_reason, found.model) == (YES, "stop", "judge-2026")
    assert found.raw["id"] == "c1"
    usage = found.usage
    assert (usage.input_tokens, usage.output_tokens, usage.calls, usage.cached) == (40, 10, 1, False)
    assert usage.cost == pytest.approx((40 * 1 + 10 * 10) / 1e6)
    assert 0 < usage.latency_s < 5
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["Authorization"] == "Bearer own"


def test_an_unknown_price_is_an_unknown_cost(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    server.script(chat("fine"))
    assert ask(opened()).usage.cost is None


@pytest.mark.parametrize(
    "fault",
    [
        (429, {"Retry-After": "2"}, {"error": {"message": "slow down"}}),
        (500, {}, "oops"),
        (503, {}, ""),
        (529, {}, {"type": "error", "error": {"message": "Overloaded"}}),
        (200, {}, '{"choices": [{"mess'),
        (200, {}, "<html></html>"),
        (200, {}, {"error": {"code": 502, "message": "upstream"}}),
        dropped,
        cut_short,
    ],
)
def test_a_fault_that_passes_is_tried_again(
    fault: Any, server: Any, opened: Any, ask: Any, chat: Any, fake_time: Any
) -> None:
    server.script(fault, fault, chat("fine"))
    found = ask(opened())
    assert (found.text, found.usage.calls, found.usage.input_tokens) == ("fine", 3, 40)
    assert len(fake_time.slept) >= 2


def test_a_server_that_stalls_is_timed_out(server: Any, opened: Any, failing: Any) -> None:
    server.script(stalled)
    failure = failing(opened(limits=Limits(timeout_s=0.05, tries=2)))
    assert failure.kind == "timed_out"
    assert failure.message.startswith(f"openai-compatible:judge: no reply from {server.url}/v1/chat/completions within")
    assert "tried 2 times" in failure.message
    assert failure.usage.calls == 2


def test_a_rate_limit_that_never_ends_is_its_own_kind(server: Any, opened: Any, failing: Any) -> None:
    server.script((429, {}, {"error": {"message": "Rate limit"}}))
    failure = failing(opened(limits=Limits(tries=3)))
    assert (failure.kind, failure.retryable, len(server.bodies)) == ("rate_limited", True, 3)


def test_an_endpoint_that_is_down(opened: Any, failing: Any) -> None:
    model = opened(base_url="http://127.0.0.1:9/v1", limits=Limits(tries=2))
    failure = failing(model)
    assert failure.kind == "transport"
    assert "cannot reach http://127.0.0.1:9/v1/chat/completions: Connection refused" in failure.message


def test_an_endpoint_that_never_answers_holds_nobody_up_and_is_given_up(server: Any, opened: Any, failing: Any) -> None:
    server.script(stalled)
    model = opened(limits=Limits(timeout_s=0.05, tries=1))

    async def many() -> list[Any]:
        asking = (model.complete(Request(messages=(Message("user", str(n)),))) for n in range(6))
        return await asyncio.gather(*asking, return_exceptions=True)

    assert {failure.kind for failure in asyncio.run(many())} == {"timed_out"}
    asked = len(server.bodies)
    failure = failing(model)
    assert (failure.kind, "not asked" in failure.message, len(server.bodies)) == ("timed_out", True, asked)


@pytest.mark.parametrize(("status", "kind"), [(401, "auth"), (403, "auth"), (404, "bad_request")])
def test_a_wrong_key_or_model_is_asked_once(status: int, kind: str, server: Any, opened: Any, failing: Any) -> None:
    server.script((status, {}, {"error": {"message": "wrong: own-secret"}}))
    model = opened(environ={"RINGTRUE_API_KEY": "own-secret"})
    first, second = failing(model), failing(model)
    assert (first.kind, second.kind, len(server.bodies)) == (kind, kind, 1)
    assert "not asked" in second.message
    assert ("RINGTRUE_API_KEY" if status < 404 else "model's name") in (first.mend or "")
    assert "own-secret" not in f"{first} {first.raw} {second} {second.raw}"


def test_a_redirect_is_not_followed(server: Any, opened: Any, failing: Any) -> None:
    server.script((302, {"Location": "http://elsewhere/"}, ""))
    assert "redirects to http://elsewhere/" in failing(opened()).message


@pytest.mark.parametrize(
    ("content", "kind", "calls"),
    [
        ('{"rationale": "r"}', "unparsed", 5),  # the ladder to its end, and once more
        ('{"rationale": "r", "verdict": "unsure"}', "bad_label", 2),
        ("", "empty", 2),
        (None, "empty", 2),
    ],
)
def test_a_reply_that_says_nothing_usable_is_asked_for_again_a_bounded_number_of_times(
    content: Any, kind: str, calls: int, server: Any, opened: Any, failing: Any, chat: Any, verdict_schema: Any
) -> None:
    server.script(chat(content))
    failure = failing(opened(), schema=verdict_schema)
    assert (failure.kind, failure.raw, failure.usage.calls) == (kind, content, calls)


@pytest.mark.parametrize("message", [{"refusal": "I won't."}, {"content": None}])
def test_a_refusal_is_final(message: Any, server: Any, opened: Any, failing: Any, chat: Any) -> None:
    finish = "stop" if "refusal" in message else "content_filter"
    server.script(chat(finish=finish, **message))
    failure = failing(opened())
    assert failure.kind == ("refused" if "refusal" in message else "filtered")
    assert (failure.retryable, len(server.bodies)) == (False, 1)


def test_a_spent_budget_ends_every_further_call(server: Any, opened: Any, ask: Any, failing: Any, chat: Any) -> None:
    server.script(chat("fine"))
    model = opened(budget=Budget(max_calls=2))
    ask(model)
    ask(model)
    failure = failing(model)
    assert (failure.kind, len(server.bodies)) == ("budget", 2)
    assert failure.mend == "resume the run with a larger budget"


def test_money_is_counted_as_it_is_spent(server: Any, opened: Any, ask: Any, failing: Any, chat: Any) -> None:
    server.script(chat("fine", usage={"prompt_tokens": 1000, "completion_tokens": 0}))
    budget = Budget(max_cost=0.0015)
    model = opened(budget=budget, prices={"openai-compatible:*": {"input": 1.0, "output": 1.0}})
    ask(model)
    ask(model)
    assert budget.cost == pytest.approx(0.002)
    assert failing(model).kind == "budget"


def test_the_runs_time_ends_a_call_that_is_under_way(server: Any, opened: Any, failing: Any) -> None:
    server.script(stalled)
    failure = failing(opened(budget=Budget(max_seconds=0.1), limits=Limits(timeout_s=30), clock=Clock()))
    assert (failure.kind, "time of 0.1 s" in failure.message) == ("budget", True)


def test_a_cancelled_call_leaves_nothing_behind(
    server: Any, scheduler: Scheduler, opened: Any, ask: Any, chat: Any
) -> None:
    server.script(stalled, chat("fine"))
    model = opened(limits=Limits(concurrency=1))

    async def cancelled() -> None:
        task = asyncio.ensure_future(model.complete(Request(messages=(Message("user", "x"),))))
        while not server.bodies:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert ask(model).text == "fine"


def test_no_half_of_a_surrogate_pair_breaks_a_call(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    server.script(chat("fine"))
    ask(opened(), "a \ud83d b {x} ${HOME}")
    assert server.bodies[0]["messages"][0]["content"] == "a ? b {x} ${HOME}"


def test_two_hundred_calls_with_faults_end_right_or_failed_by_their_kind(
    server: Any, scheduler: Scheduler, opened: Any, chat: Any, verdict_schema: Any
) -> None:
    """Three in ten calls meet a fault; the verdict to give stands in the question, so that a mix-up would show."""
    dice = random.Random(7)
    faults: list[Any] = [
        (429, {"Retry-After": "1"}, {"error": {"message": "slow"}}),
        (500, {}, "oops"),
        (503, {}, ""),
        dropped,
        cut_short,
        (200, {}, '{"choices": ['),
        chat('{"rationale": "r", "verdict": "y'),
        chat('{"rationale": "r", "verdict": "unsure"}'),
        chat("I think it is yes."),
        chat(None, refusal="I won't."),
        chat(None, finish="content_filter"),
        chat(""),
        chat(YES[:9], finish="length"),
    ]

    def mixed(request: Any, body: dict[str, Any]) -> Any:
        if dice.random() < 0.3:
            fault = dice.choice(faults)
            return fault(request, body) if callable(fault) else fault
        verdict = "yes" if int(body["messages"][0]["content"].split()[0]) % 2 else "no"
        return chat(f'```json\n{{"rationale": "r", "verdict": "{verdict.title()}."}}\n```')

    server.script(mixed)
    model = opened(limits=Limits(concurrency=20))

    async def one(number: int) -> str:
        try:
            request = Request(messages=(Message("user", f"{number} is odd?"),), schema=verdict_schema)
            verdict = (await model.complete(request)).parsed["verdict"]
        except ModelFailure as failure:
            assert failure.usage is not None
            return failure.kind
        assert verdict == ("yes" if number % 2 else "no")
        return "right"

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*map(one, range(200)))

    found = asyncio.run(all_of_them())
    assert found.count("right") > 180
    assert (
        {"refused", "filtered"}
        <= set(found)
        <= {"right", "refused", "filtered", "unparsed", "bad_label", "empty", "truncated", "rate_limited", "transport"}
    )
    assert server.most_at_once <= 20
