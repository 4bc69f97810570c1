"""A Python function as a model."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Limits
from ringtrue.models.types import ChatModel, Completion, Request, Usage

USAGE = Usage(input_tokens=3, output_tokens=2, calls=1, cost=None, latency_s=0.1)


@pytest.fixture
def model_of(scheduler: Scheduler) -> Callable[..., ChatModel]:
    return lambda function, **options: open_model(function, scheduler=scheduler, environ={}, **options)


def test_plain_functions_run_in_threads_and_coroutines_in_the_loop(model_of: Any, ask: Any) -> None:
    def plain(request: Request) -> str:
        return threading.current_thread().name

    async def coroutine(request: Request) -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    assert ask(model_of(plain)).text != "ringtrue-models"
    assert ask(model_of(coroutine)).text == "ringtrue-models"


def test_it_sees_the_request_and_may_give_text_an_object_or_a_completion(
    model_of: Any, ask: Any, verdict_schema: Any
) -> None:
    def text(request: Request) -> str:
        return f'```json\n{{"rationale": "{request.messages[-1].content}", "verdict": "YES"}}\n```'

    def an_object(request: Request) -> dict[str, Any]:
        return {"rationale": request.params["why"], "verdict": "Yes."}

    def completion(request: Request) -> Completion:
        parsed = {"rationale": "r", "verdict": "yes"}
        shares = {"yes": 0.75, "no": 0.25}
        return Completion(
            text="t",
            parsed=parsed,
            finish_reason="end",
            usage=USAGE,
            model="m",
            label_probabilities=shares,
            label_mass=1.0,
        )

    assert ask(model_of(text), "So?", schema=verdict_schema).parsed == {"rationale": "So?", "verdict": "yes"}
    found = ask(model_of(an_object, params={"why": "so"}), schema=verdict_schema)
    assert found.parsed == {"rationale": "so", "verdict": "yes"}
    found = ask(model_of(completion), schema=verdict_schema)
    assert (found.text, found.model, found.finish_reason, found.label_probabilities) == (
        "t",
        "m",
        "end",
        {"yes": 0.75, "no": 0.25},
    )
    assert (found.usage.input_tokens, found.usage.output_tokens) == (3, 2)


def test_a_completion_without_a_parsed_reply_is_read(model_of: Any, ask: Any, verdict_schema: Any) -> None:
    def completion(request: Request) -> Completion:
        text = "Verdict: no" if request.labels else '{"rationale": "r", "verdict": "no"}'
        return Completion(text=text, parsed=None, finish_reason=None, usage=USAGE, model="m")

    assert ask(model_of(completion), labels=("yes", "no")).parsed == "no"
    assert ask(model_of(completion), schema=verdict_schema).parsed["verdict"] == "no"


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("I guess so", "unparsed"),
        ({"verdict": "yes"}, "unparsed"),
        ("", "empty"),
        (3, "bad_request"),
        (None, "bad_request"),
    ],
)
def test_what_it_gives_is_held_against_the_request(
    given: Any, kind: str, model_of: Any, failing: Any, verdict_schema: Any
) -> None:
    failure = failing(model_of(lambda request: given), schema=verdict_schema)
    assert failure.kind == kind


def test_a_function_that_never_ends_is_timed_out(model_of: Any, failing: Any) -> None:
    ended = threading.Event()

    async def asleep(request: Request) -> str:
        await asyncio.sleep(60)
        return ""

    def stuck(request: Request) -> str:
        ended.wait(5)
        return ""

    for function in (asleep, stuck):
        assert failing(model_of(function, limits=Limits(timeout_s=0.05))).kind == "timed_out"
    ended.set()


def test_what_it_raises_goes_on_to_the_caller(model_of: Any, ask: Any) -> None:
    def broken(request: Request) -> str:
        raise LookupError("no such thing")

    async def timed_out(request: Request) -> str:
        raise TimeoutError("its own")

    with pytest.raises(LookupError, match="no such thing"):
        ask(model_of(broken))
    with pytest.raises(TimeoutError, match="its own"):
        ask(model_of(timed_out))


def test_a_function_is_named_for_import(
    model_of: Any, ask: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "judge_for_test.py").write_text("class Judge:\n    def ask(request):\n        return 'no'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    model = model_of("python:judge_for_test:Judge.ask")
    assert (model.id, ask(model, labels=("yes", "no")).parsed) == ("python:judge_for_test:Judge.ask", "no")
