"""A model server that answers every question after 50 ms, in a process of its own, so that its CPU is not counted.

It reads no more of a request than where it ends: what is measured is the client. `python -m benchmarks.loopback` prints
its port and serves until its standard input is closed.
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import orjson

LATENCY_S = 0.05

_VERDICT = {"rationale": "All that the answer states is in the first passage.", "verdict": "factual"}
_COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1767225600,
    "model": "fixed-latency",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": orjson.dumps(_VERDICT).decode()},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 30, "total_tokens": 1030},
}
_BODY = orjson.dumps(_COMPLETION)
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(_BODY), _BODY)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server that runs meanwhile."""
    command = [sys.executable, "-m", "benchmarks.loopback"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.stdin.close()


class _Connection(asyncio.Protocol):
    """One client's connection: a request, its reply, the next request."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._read = bytearray()
        self._ends = 0

    def data_received(self, data: bytes) -> None:
        self._read += data
        if not self._ends and (head := self._read.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._read, 0, head)
            self._ends = head + 4 + (int(length[1]) if length else 0)
        if self._ends and len(self._read) >= self._ends:
            del self._read[: self._ends]
            self._ends = 0
            self._loop.call_later(LATENCY_S, self._reply)

    def _reply(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(_REPLY)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Connection, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve())
