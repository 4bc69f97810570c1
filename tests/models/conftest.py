"""The fault server, time that tests hold in their hands, and models opened against the server."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Clock, Limits
from ringtrue.models.types import ChatModel, Completion, Message, ModelFailure, Request
from tests.servers.faults import FaultServer, chat, running, said


@pytest.fixture(scope="session")
def _server() -> Iterator[FaultServer]:
    with running() as server:
        yield server


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


@pytest.fixture(name="chat")
def _chat() -> Callable[..., dict[str, Any]]:
    return chat


@pytest.fixture(name="said")
def _said() -> Callable[..., dict[str, Any]]:
    return said


@pytest.fixture
def verdict_schema() -> dict[str, Any]:
    """The schema of a plain binary judge."""
    return {
        "type": "object",
        "properties": {"rationale": {"type": "string"}, "verdict": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["rationale", "verdict"],
    }
