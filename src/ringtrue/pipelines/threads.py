"""Plain functions of other people, called in threads without blocking the loop."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from contextvars import copy_context
from queue import SimpleQueue
from types import TracebackType
from typing import Any

__all__ = ["Caught", "Threads"]


class Caught(AbstractContextManager["Caught"]):
    """Keeps what other people's code raised in the block, to be told or to be carried to another thread."""

    error: BaseException | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool:
        self.error = error
        return True


class Threads:
    """Threads that are started as they are needed and used again.

    They end with the process, whatever they do then: a function that hangs cannot keep the program from ending.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._count = self._busy = 0

    async def call(self, function: Callable[[], Any]) -> Any:
        """What the function returns or raises; an awaitable that it returns is awaited here."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Any] = loop.create_future()
        context = copy_context()

        def settle(value: Any, error: BaseException | None) -> None:
            self._busy -= 1
            if outcome.done():  # nobody waits any more
                return
            if isinstance(error, StopIteration):  # a future cannot carry it
                error = RuntimeError("StopIteration")
            outcome.set_result(value) if error is None else outcome.set_exception(error)

        def job() -> None:
            value = None
            with Caught() as caught:
                value = context.run(function)
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(settle, value, caught.error)

        self._busy += 1
        if self._busy > self._count:
            self._count += 1
            threading.Thread(target=_work, args=(self._jobs,), name="ringtrue-callable", daemon=True).start()
        self._jobs.put(job)
        value = await outcome
        return await value if inspect.isawaitable(value) else value

    def close(self) -> None:
        """Let the threads end that have nothing to do."""
        for _ in range(self._count):
            self._jobs.put(None)


def _work(jobs: "SimpleQueue[Callable[[], None] | None]") -> None:
    while job := jobs.get():
        job()
        del job  # it holds the question and the answer
