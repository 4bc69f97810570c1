"""A scripted model server on loopback, time that tests hold in their hands, and models opened against the server."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Clock, Limits
from ringtrue.models.types import ChatModel, Completion, Message, ModelFailure, Request

Step = Callable[[web.BaseRequest, dict[str, Any]], Any]


@dataclass
class FaultServer:
    """Answers the first call by the first step, the second by the second …; the last step stays.

    A step is a reply (status and JSON, or JSON alone), or a function of the request and its body that gives one.
    """

    url: str = ""
    steps: list[Any] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0

    def script(self, *steps: Any) -> "FaultServer":
        """Begin anew with these steps."""
        self.steps = list(steps)
        self.bodies, self.paths, self.headers, self.most_at_once = [], [], [], 0
        return self

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.json()
        step = self.steps[min(len(self.bodies), len(self.steps) - 1)]
        self.bodies.append(body)
        self.paths.append(request.path_qs)
        self.headers.append(dict(request.headers))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            given = step(request, body) if callable(step) else step
            given = await given if asyncio.iscoroutine(given) else given
            if isinstance(given, web.StreamResponse):
                return given
            status, headers, answer = given if isinstance(given, tuple) else (200, {}, given)
            text = answer if isinstance(answer, str) else json.dumps(answer)
            return web.Response(status=status, headers=headers, text=text, content_type="application/json")
        finally:
            self._at_once -= 1


def _serve(server: FaultServer, ready: threading.Event, ended: threading.Event) -> None:
    async def run() -> None:
        runner = web.ServerRunner(web.Server(server.handle), shutdown_timeout=0)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        server.url = f"http://127.0.0.1:{port}"
        ready.set()
        while not ended.is_set():
            await asyncio.sleep(0.01)
        await runner.cleanup()

    asyncio.run(run())


@pytest.fixture(scope="session")
def _server() -> Iterator[FaultServer]:
    server, ready, ended = FaultServer(), threading.Event(), threading.Event()
    thread = threading.Thread(target=_serve, args=(server, ready, ended))
    thread.start()
    assert ready.wait(10)
    yield server
    ended.set()
    thread.join(10)


@pytest.fixture
def server(_server: FaultServer) -> FaultServer:
    """The server, without a script yet."""
    return _server.script()


@dataclass
class FakeTime:
    """Real time that runs ahead by whatever is slept; chance always gives `dice`."""

    slept: list[float] = field(default_factory=list)
    ahead: float = 0.0
    dice: float = 1.0

    @property
    def clock(self) -> Clock:
        return Clock(now=self.now, sleep=self.sleep, chance=lambda: self.dice)

    def now(self) -> float:
        return time.monotonic() + self.ahead

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.ahead += seconds
        await asyncio.sleep(0)


@pytest.fixture
def fake_time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    with Scheduler() as scheduler:
        yield scheduler


@pytest.fixture
def opened(server: FaultServer, scheduler: Scheduler, fake_time: FakeTime) -> Callable[..., ChatModel]:
    """Open a model at the fault server, whose waits take no time: ``opened("anthropic:m", limits=…)``."""

    def opened(model: str = "openai-compatible:judge", **options: Any) -> ChatModel:
        environ = {"OPENAI_API_KEY": "sk-key", "ANTHROPIC_API_KEY": "sk-key", **options.pop("environ", {})}
        return open_model(
            model,
            scheduler=scheduler,
            environ=environ,
            base_url=options.pop("base_url", server.url),
            clock=options.pop("clock", fake_time.clock),
            limits=options.pop("limits", Limits(timeout_s=5.0)),
            **options,
        )

    return opened


@pytest.fixture
def ask(scheduler: Scheduler) -> Callable[..., Completion]:
    """Ask a model one thing in words, with the fields of a Request as keywords."""

    def ask(model: ChatModel, text: str = "Is it so?", **fields: Any) -> Completion:
        request = Request(messages=(Message("user", text),), **fields)
        return scheduler.run_sync(model.complete(request))

    return ask


@pytest.fixture
def failing(ask: Callable[..., Completion]) -> Callable[..., ModelFailure]:
    """Ask a model what it has to fail at."""

    def failing(model: ChatModel, text: str = "Is it so?", **fields: Any) -> ModelFailure:
        with pytest.raises(ModelFailure) as raised:
            ask(model, text, **fields)
        return raised.value

    return failing


@pytest.fixture
def chat() -> Callable[..., dict[str, Any]]:
    """A chat completion with that content; other keywords go into the message, `finish` and `usage` beside it."""

    def chat(content: Any = None, *, finish: str = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
        usage = {"prompt_tokens": 40, "completion_tokens": 10} if usage is None else usage
        choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        return {"id": "c1", "object": "chat.completion", "model": "judge-2026", "choices": [choice], "usage": usage}

    return chat


@pytest.fixture
def said() -> Callable[..., dict[str, Any]]:
    """One of Anthropic's messages with that text, or those blocks."""

    def said(content: Any, *, stop: str = "end_turn") -> dict[str, Any]:
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        usage = {"input_tokens": 40, "output_tokens": 10}
        return {
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "content": blocks,
            "stop_reason": stop,
            "usage": usage,
        }

    return said


@pytest.fixture
def verdict_schema() -> dict[str, Any]:
    """The schema of a plain binary judge."""
    return {
        "type": "object",
        "properties": {"rationale": {"type": "string"}, "verdict": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["rationale", "verdict"],
    }
