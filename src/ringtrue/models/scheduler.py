"""One event loop in a thread of its own, in which all models are asked, from whichever loop or thread.

So the limits of an endpoint hold for the whole program, and plain code may ask inside a running loop. What crosses
between threads is handed over in batches: a loop is woken once for all that came in meanwhile.
"""

import asyncio
import concurrent.futures
import contextvars
import threading
import weakref
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Scheduler"]

T = TypeVar("T")
_Call: TypeAlias = Callable[[], object]
_CLOSING_S = 5.0


class Scheduler:
    """Where models are asked. Close it when the work is done, or use it as a context manager; it starts by itself."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inner: _Loop | None = None
        self._mails: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Mailbox] = weakref.WeakKeyDictionary()
        self._shared: dict[object, Any] = {}
        self._sharing = threading.RLock()

    async def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Await `coroutine` in the scheduler's loop, from any loop. A cancellation here reaches it there."""
        here, inner = asyncio.get_running_loop(), self._started()
        if here is inner.loop:
            return await coroutine
        mail = self._mail_of(here)
        outcome: asyncio.Future[T] = here.create_future()
        job = _Job(coroutine, lambda task: mail.put(lambda: _copy(task, outcome)))
        inner.mail.put(lambda: job.start(inner.loop), job.refuse)
        try:
            return await outcome
        except asyncio.CancelledError:
            inner.mail.put(job.cancel)
            raise

    def run_sync(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of `coroutine`, waited for in this thread, which may have a running loop of its own."""
        inner = self._started()
        if threading.current_thread() is inner.thread:
            coroutine.close()
            raise RuntimeError("run_sync would wait for itself: it was called from the scheduler's own loop")
        outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
        job = _Job(coroutine, lambda task: _copy(task, outcome))
        inner.mail.put(lambda: job.start(inner.loop), job.refuse)
        try:
            return outcome.result()
        except BaseException:
            inner.mail.put(job.cancel)  # an interrupted wait; it changes nothing where the coroutine is over
            raise

    def shared(self, key: object, make: Callable[[], T]) -> T:
        """The one value under `key`, made on first use and kept until the scheduler closes."""
        if key not in self._shared:
            with self._sharing:
                if key not in self._shared:
                    self._shared[key] = make()
        return cast(T, self._shared[key])

    def on_close(self, closing: Callable[[], Awaitable[None]]) -> None:
        """Have `closing` awaited in the scheduler's loop when it closes."""
        self._started().closing.append(closing)

    def threads(self, name: str, count: int) -> ThreadPoolExecutor:
        """Up to `count` threads under that name, for calls that wait without awaiting."""
        return self.shared(("threads", name), lambda: self._open_threads(name, count))

    def session(self) -> "aiohttp.ClientSession":
        """The HTTP session that all endpoints share. Called from the scheduler's loop."""
        return self.shared("session", self._open_session)

    def close(self) -> None:
        """Cancel what is under way, close what is open, and end the thread. It starts anew when it is used again."""
        with self._lock:
            inner, self._inner = self._inner, None
        if inner is not None:
            inner.finalizer()
            self._shared = {}

    def __enter__(self) -> "Scheduler":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _started(self) -> "_Loop":
        if (inner := self._inner) is None:
            with self._lock:
                if (inner := self._inner) is None:
                    inner = self._inner = _Loop()
                    inner.finalizer = weakref.finalize(self, inner.stop)
        return inner

    def _mail_of(self, loop: asyncio.AbstractEventLoop) -> "_Mailbox":
        if (mail := self._mails.get(loop)) is None:
            with self._lock:
                mail = self._mails.setdefault(loop, _Mailbox(loop))
        return mail

    def _open_threads(self, name: str, count: int) -> ThreadPoolExecutor:
        threads = ThreadPoolExecutor(count, thread_name_prefix=f"ringtrue-{name}")

        async def close() -> None:
            threads.shutdown(wait=False, cancel_futures=True)

        self.on_close(close)
        return threads

    def _open_session(self) -> "aiohttp.ClientSession":
        import aiohttp  # 0.3 CPU seconds: only a run that asks over HTTP pays for it

        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),  # the throttles limit
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        self.on_close(session.close)
        return session


class _Loop:
    """A running event loop with its thread, and what has to be closed with it."""

    finalizer: Callable[[], object]

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.mail = _Mailbox(self.loop)
        self.closing: list[Callable[[], Awaitable[None]]] = []
        self.thread = threading.Thread(target=self._work, name="ringtrue-models", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        if self.thread.is_alive() and threading.current_thread() is not self.thread:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join(_CLOSING_S)

    def _work(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
            self.loop.run_until_complete(self._wind_up())
        finally:
            self.loop.close()

    async def _wind_up(self) -> None:
        self.mail.close()
        running = asyncio.all_tasks(self.loop) - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*(closing() for closing in self.closing), return_exceptions=True)


class _Mailbox:
    """Calls that other threads leave for a loop, which is woken once for all that wait in it.

    Each call has another one that is made in its place where the loop is over.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = weakref.ref(loop)
        self._calls: deque[tuple[_Call, _Call]] = deque()
        self._woken = self._closed = False

    def put(self, call: "_Call", otherwise: "_Call" = lambda: None) -> None:
        self._calls.append((call, otherwise))
        loop = self._loop()
        if self._closed or loop is None or loop.is_closed():
            self.close()
        elif not self._woken:
            self._woken = True
            loop.call_soon_threadsafe(self._empty)

    def close(self) -> None:
        """From now on make the other calls, in whichever thread."""
        self._closed = True  # before the first is taken, so that each is taken by somebody
        while self._calls:
            self._calls.popleft()[1]()

    def _empty(self) -> None:
        self._woken = False  # before the first is taken, so that none that comes now is left behind
        while self._calls:
            self._calls.popleft()[0]()


class _Job:
    """A coroutine on its way to a loop; `done` is told the task when it is over, ``None`` where it never began."""

    def __init__(
        self, coroutine: Coroutine[Any, Any, Any], done: Callable[["asyncio.Task[Any] | None"], object]
    ) -> None:
        self._coroutine, self._done = coroutine, done
        self._context = contextvars.copy_context()
        self._task: asyncio.Task[Any] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._task = loop.create_task(self._coroutine, context=self._context)
        self._task.add_done_callback(self._done)

    def refuse(self) -> None:
        self._coroutine.close()
        self._done(None)

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


def _copy(task: "asyncio.Task[T] | None", outcome: "asyncio.Future[T] | concurrent.futures.Future[T]") -> None:
    """Give what the task came to on to whoever waits for it, if somebody still does."""
    if task is None or task.cancelled():
        outcome.cancel()
    elif outcome.done():
        task.exception()  # looked at, so that it is not told as never retrieved
    elif (error := task.exception()) is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())
