"""A scripted model server on loopback, OpenAI- and Anthropic-shaped, that can go wrong in every way."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

__all__ = ["FaultServer", "chat", "cut_short", "dropped", "running", "said", "stalled"]


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
    _under_way: set[int] = field(default_factory=set)

    def script(self, *steps: Any) -> "FaultServer":
        """Begin anew with these steps. What is still at work for an earlier script, its caller gone, does not count."""
        self.steps = list(steps)
        self.bodies, self.paths, self.headers, self.most_at_once, self._under_way = [], [], [], 0, set()
        return self

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.json()
        step = self.steps[min(len(self.bodies), len(self.steps) - 1)]
        self.bodies.append(body)
        self.paths.append(request.path_qs)
        self.headers.append(dict(request.headers))
        under_way = self._under_way
        under_way.add(id(request))
        self.most_at_once = max(self.most_at_once, len(self._under_way))
        try:
            given = step(request, body) if callable(step) else step
            given = await given if asyncio.iscoroutine(given) else given
            if isinstance(given, web.StreamResponse):
                return given
            status, headers, answer = given if isinstance(given, tuple) else (200, {}, given)
            text = answer if isinstance(answer, str) else json.dumps(answer)
            return web.Response(status=status, headers=headers, text=text, content_type="application/json")
        finally:
            under_way.discard(id(request))


@contextmanager
def running() -> Iterator[FaultServer]:
    """A server in a thread of its own, without a script yet."""
    server, ready, ended = FaultServer(), threading.Event(), threading.Event()
    thread = threading.Thread(target=_serve, args=(server, ready, ended))
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        ended.set()
        thread.join(10)


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


async def dropped(request: web.BaseRequest, body: Any) -> web.Response:
    """The connection is closed without an answer."""
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def cut_short(request: web.BaseRequest, body: Any) -> web.StreamResponse:
    """The answer ends before its announced length."""
    response = web.StreamResponse(headers={"Content-Length": "500", "Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"choices": [{"message": {"content": "')
    assert request.transport is not None
    request.transport.close()
    return response


async def stalled(request: web.BaseRequest, body: Any) -> web.Response:
    """The answer comes too late for whoever is in a hurry."""
    await asyncio.sleep(1)
    return web.Response()


def chat(content: Any = None, *, finish: str = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    """A chat completion with that content; other keywords go into the message, `finish` and `usage` beside it."""
    usage = {"prompt_tokens": 40, "completion_tokens": 10} if usage is None else usage
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion", "model": "judge-2026", "choices": [choice], "usage": usage}


def said(content: Any, *, stop: str = "end_turn") -> dict[str, Any]:
    """One of Anthropic's messages with that text, or those blocks."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": blocks,
        "stop_reason": stop,
        "usage": {"input_tokens": 40, "output_tokens": 10},
    }
