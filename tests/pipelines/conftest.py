"""A scripted HTTP server on loopback, and a way to ask a pipeline without an engine."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from ringtrue.errors import RingtrueError
from ringtrue.types import Pipeline, Response, Sample

Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Endpoint:
    """Answers the first request by the first step, the second by the second …; the last step stays."""

    steps: Sequence[Step]
    seen: list[web.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    most_in_flight: int = 0
    _in_flight: int = 0

    def __post_init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        server = web.ServerRunner(web.Server(self._handle), shutdown_timeout=0)
        await server.setup()
        await web.SockSite(server, self._socket).start()
        try:
            yield
        finally:
            await server.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        step = self.steps[min(len(self.seen), len(self.steps) - 1)]
        self.seen.append(request)
        self.bodies.append(await request.read())
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            return await step(request)
        finally:
            self._in_flight -= 1


@pytest.fixture(autouse=True)
def quick_and_direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second tries come at once, and no proxy of this machine stands between us and loopback."""
    monkeypatch.setattr("ringtrue.pipelines.tries._FIRST_S", 0.001)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def endpoint() -> Callable[..., Endpoint]:
    return lambda *steps: Endpoint(steps)


@pytest.fixture
def ask() -> Callable[..., list[Any]]:
    """Ask a pipeline about all samples at once; a failed answer stands in the list as the error's message."""

    def ask(pipeline: Pipeline, *samples: Sample, server: Endpoint | None = None) -> list[Any]:
        async def one(answer: Any, sample: Sample) -> Response | str:
            try:
                got = answer(sample, 0)
                return got if isinstance(got, Response) else await got
            except RingtrueError as error:
                return error.message

        async def all_of_them() -> list[Any]:
            async with pipeline.open() as answer:
                return await asyncio.gather(*(one(answer, sample) for sample in samples))

        async def served() -> list[Any]:
            if server is None:
                return await all_of_them()
            async with server.serving():
                return await all_of_them()

        return asyncio.run(served())

    return ask
