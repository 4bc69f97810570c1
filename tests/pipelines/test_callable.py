"""Python functions: every way to be called, to give an answer back, and to fail."""

import asyncio
import contextvars
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines import CallablePipeline
from ringtrue.types import Response, Sample

SAMPLE = Sample(id="q1", question="Where?", metadata={"n": 3})


@pytest.fixture(autouse=True)
def _clean_modules() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    assert sys.path == path
    for name in set(sys.modules) - modules:
        if name.startswith("tried_"):
            del sys.modules[name]


async def async_answer(question: str) -> str:
    await asyncio.sleep(0)
    return f"async: {question}"


class Application:
    def __call__(self, question: str) -> str:
        return f"object: {question}"

    async def method(self, question: str) -> dict[str, object]:
        return {"answer": f"method: {question}", "input_tokens": 3}


class AsyncApplication:
    async def __call__(self, question: str) -> str:
        return f"async object: {question}"


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        (lambda question: f"def: {question}", "def: Where?"),
        (lambda q, k=3: f"{q} {k}", "Where? 3"),
        (lambda *args: f"{args}", "('Where?',)"),
        (lambda sample: f"sample {sample.id}", "sample q1"),
        (lambda question, sample: f"{question} {sample.metadata['n']}", "Where? 3"),
        (lambda question, *, sample: f"{question} {sample.id}", "Where? q1"),
        (lambda question, **kwargs: f"{question} {kwargs}", "Where? {}"),
        (functools.partial(lambda question, k: f"{question} {k}", k=2), "Where? 2"),
        (async_answer, "async: Where?"),
        (lambda question: async_answer(question), "async: Where?"),
        (functools.partial(async_answer), "async: Where?"),
        (Application(), "object: Where?"),
        (AsyncApplication(), "async object: Where?"),
        (Application().method, "method: Where?"),
        (str.upper, "WHERE?"),
    ],
)
def test_every_kind_of_function_is_called_as_it_asks(target: Callable[..., Any], answer: str, ask: Any) -> None:
    [response] = ask(CallablePipeline("fn", target), SAMPLE)
    assert response.answer == answer
    assert response.error is None


def test_a_response_is_taken_with_its_fields(ask: Any) -> None:
    given = Response(answer="Paris", latency_s=0.5, metadata={"route": "fast"})
    assert ask(CallablePipeline("fn", lambda question: given), SAMPLE) == [given]


@pytest.mark.parametrize("nothing", [None, "", "  ", {"answer": None}])
def test_an_empty_answer_is_missing(nothing: Any, ask: Any) -> None:
    assert ask(CallablePipeline("fn", lambda question: nothing), SAMPLE) == [Response()]


def test_a_wrong_type_is_told(ask: Any) -> None:
    told = "returned a generator, where a str, a dict with 'answer' or a ringtrue.Response is expected"
    assert ask(CallablePipeline("fn", lambda question: (word for word in question)), SAMPLE) == [told]


def test_what_it_raises_gets_out_as_it_is(ask: Any) -> None:
    def breaks(question: str) -> str:
        raise LookupError(question)

    async def breaks_in_time(question: str) -> str:
        raise TimeoutError("the model is slow")

    with pytest.raises(LookupError, match="Where"):
        ask(CallablePipeline("fn", breaks), SAMPLE)
    with pytest.raises(TimeoutError, match="the model is slow"):
        ask(CallablePipeline("fn", breaks_in_time, timeout=60), SAMPLE)


def test_leaving_python_is_an_error_of_one_answer(ask: Any) -> None:
    def leaves(question: str) -> str:
        sys.exit(3)

    async def leaves_in_loop(question: str) -> str:
        sys.exit("bye")

    def stops(question: str) -> str:
        return next(iter([]))

    async def is_cancelled(question: str) -> str:
        raise asyncio.CancelledError

    assert "asked Python to exit (3)" in ask(CallablePipeline("fn", leaves), SAMPLE)[0]
    assert "asked Python to exit ('bye')" in ask(CallablePipeline("fn", leaves_in_loop), SAMPLE)[0]
    assert "was cancelled from inside" in ask(CallablePipeline("fn", is_cancelled), SAMPLE)[0]
    with pytest.raises(RuntimeError, match="StopIteration"):
        ask(CallablePipeline("fn", stops), SAMPLE)


def test_a_function_that_hangs_is_told_and_does_not_keep_python_from_ending(ask: Any) -> None:
    released = threading.Event()

    def hangs(question: str) -> str:
        released.wait(60)
        return "too late"

    async def hangs_in_loop(question: str) -> str:
        await asyncio.sleep(60)
        return "too late"

    for target in (hangs, hangs_in_loop):
        [error] = ask(CallablePipeline("fn", target, timeout=0.05), SAMPLE)
        assert error.endswith("did not answer within 0.05 s")
    assert all(one.daemon for one in threading.enumerate() if one.name == "ringtrue-callable")
    released.set()


def test_a_run_that_is_stopped_stops_waiting() -> None:
    started, released = threading.Event(), threading.Event()

    def hangs(question: str) -> str:
        started.set()
        released.wait(60)
        return "too late"

    async def stop_midway() -> None:
        async with CallablePipeline("fn", hangs).open() as answer:
            asking = asyncio.ensure_future(answer(SAMPLE, 0))  # type: ignore[arg-type]
            while not started.is_set():
                await asyncio.sleep(0.01)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            released.set()
            await asyncio.sleep(0.05)  # the late answer finds nobody and breaks nothing

    asyncio.run(stop_midway())


def test_functions_run_side_by_side_with_the_context_of_the_caller(ask: Any) -> None:
    both_here = threading.Barrier(2, timeout=30)
    tenant = contextvars.ContextVar("tenant", default="none")

    def meets(question: str) -> str:
        both_here.wait()
        return tenant.get()

    tenant.set("ours")
    answers = ask(CallablePipeline("fn", meets), SAMPLE, SAMPLE)
    assert [one.answer for one in answers] == ["ours", "ours"]


def test_threads_are_used_again_and_end_with_the_pipeline() -> None:
    seen = set()

    def notes(question: str) -> str:
        seen.add(threading.current_thread())
        return "noted"

    async def ask_in_turn() -> None:
        async with CallablePipeline("fn", notes).open() as answer:
            for _ in range(5):
                await answer(SAMPLE, 0)  # type: ignore[misc]

    asyncio.run(ask_in_turn())
    [thread] = seen
    thread.join(timeout=30)
    assert not thread.is_alive()


def test_a_module_of_the_folder_is_imported_and_so_are_its_neighbours(ask: Any, tmp_path: Path) -> None:
    (tmp_path / "tried_help.py").write_text("CITY = 'Paris'\n", encoding="utf-8")
    (tmp_path / "tried_app.py").write_text(
        "class App:\n"
        "    def answer(self, question):\n"
        "        import tried_help  # late, as many applications do\n"
        "        return tried_help.CITY\n"
        "app = App()\n",
        encoding="utf-8",
    )
    pipeline = CallablePipeline("fn", "tried_app:app.answer", folder=str(tmp_path))
    assert ask(pipeline, SAMPLE) == [Response(answer="Paris")]


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (
            "tried_nowhere:answer",
            "ModuleNotFoundError: No module named 'tried_nowhere'\n  it is looked for in {folder} first",
        ),
        (
            "tried_imports:answer",
            "No module named 'tried_missing' ({folder}/tried_imports.py:2)\n  install it for the Python",
        ),
        ("tried_breaks:answer", "KeyNotFound: no key ({folder}/tried_breaks.py:2)"),
        ("tried_exits:answer", "SystemExit: 3 ({folder}/tried_exits.py:2)"),
        ("tried_syntax:answer", "SyntaxError: '(' was never closed (tried_syntax.py, line 1)"),
        ("tried_good:anser", "module 'tried_good' ({folder}/tried_good.py) has no 'anser'\n  it has: answer"),
        ("tried_good:answer.deep", "has no 'answer.deep'"),
        ("tried_good:VALUE", "'tried_good:VALUE' is of type int, which cannot be called"),
        ("tried_good:two", "tried_good:two(a, b) cannot be called with a question: missing a required argument: 'b'"),
        ("tried_good:none", "tried_good:none() cannot be called with a question: too many positional arguments"),
    ],
)
def test_a_target_that_can_never_work_is_told_before_anything_is_asked(
    target: str, told: str, ask: Any, tmp_path: Path
) -> None:
    files = {
        "tried_imports": "\nimport tried_missing\n",
        "tried_breaks": "class KeyNotFound(Exception): pass\nraise KeyNotFound('no key')\n",
        "tried_exits": "import sys\nsys.exit(3)\n",
        "tried_syntax": "def answer(\n",
        "tried_good": "VALUE = 3\ndef answer(q): return 'x'\ndef two(a, b): return 'x'\ndef none(): return 'x'\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        ask(CallablePipeline("fn", target, folder=str(tmp_path)), SAMPLE)
    assert caught.value.message.startswith("pipeline 'fn': target: ")
    assert told.format(folder=tmp_path) in str(caught.value)


def test_another_folders_module_of_the_same_name_is_not_taken_for_ours(ask: Any, tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tried_same.py").write_text(f"def answer(q): return '{name}'\n", encoding="utf-8")
    old, new = (CallablePipeline("fn", "tried_same:answer", folder=str(tmp_path / name)) for name in ("old", "new"))
    assert ask(old, SAMPLE) == [Response(answer="old")]
    with pytest.raises(PipelineError, match=r"module 'tried_same' \(.*old.*\) was imported before"):
        ask(new, SAMPLE)


@pytest.mark.parametrize("target", ["my_app", "my_app:", ":answer", "my-app:answer"])
def test_a_target_names_a_module_and_a_function(target: str) -> None:
    with pytest.raises(ConfigError, match=r"pipeline 'fn': target: .* names no function") as caught:
        CallablePipeline("fn", target)
    assert "'my_app:answer'" in str(caught.value)


def test_a_target_that_is_no_function_is_refused() -> None:
    with pytest.raises(ConfigError, match="pipeline 'fn': target: 3 cannot be called"):
        CallablePipeline("fn", 3)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="pipeline 'fn': timeout: 0 is no time"):
        CallablePipeline("fn", str.upper, timeout=0)
