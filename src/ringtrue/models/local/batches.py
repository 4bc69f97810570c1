"""Batches across callers: what is asked for while a network is busy is worked off together when it is free.

One worker thread serves all networks of the process, a batch at a time, so that they do not fight for the cores. Each
distinct item is worked on once and its result kept for a while; a batch holds items of like length, for a short text
beside a long one costs as much as the long one.
"""

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Batcher", "cut"]

In = TypeVar("In", bound=Hashable)
Out = TypeVar("Out")

_pool: ThreadPoolExecutor | None = None
_pool_lock = Lock()


class Batcher(Generic[In, Out]):
    """Gives each caller the results of its items, in order, whatever batches they were worked on in.

    `work` turns a batch into as many results; it runs in the worker thread, and what it raises goes to the callers of
    that batch. `length` says how long an item is; a batch holds at most `most` items, and at most `most_tokens` when
    all are filled up to its longest, but one item in any case. `kept` results are remembered, those last used; where
    they differ in weight, `weight` gives each one's part of `kept`.
    """

    def __init__(
        self,
        work: Callable[[Sequence[In]], Sequence[Out]],
        *,
        length: Callable[[In], int],
        most: int = 32,
        most_tokens: int = 2048,
        kept: int = 10_000,
        weight: Callable[[Out], int] = lambda _: 1,
    ) -> None:
        self._work, self._length = work, length
        self._most, self._most_tokens = most, most_tokens
        self._results: _Kept[In, Out] = _Kept(kept, weight)
        self._start()

    async def __call__(self, items: Sequence[In]) -> list[Out]:
        """The results of the items. A caller that is cancelled takes nothing from the others."""
        call = self._asked(items)
        try:
            await asyncio.wrap_future(call.done)
        finally:
            call.wanted = False
        return [call.found[item] for item in items]

    def now(self, items: Sequence[In]) -> list[Out]:
        """The same for a caller that waits; not to be called by `work` itself, which is what it would wait for."""
        call = self._asked(items)
        try:
            call.done.result()
        finally:
            call.wanted = False
        return [call.found[item] for item in items]

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._waiting: dict[In, list[_Call[In, Out]]] = {}  # by item, from the asking until its batch is done
        self._new: list[tuple[int, In]] = []  # with their lengths; not cut into batches yet
        self._batches: deque[list[In]] = deque()
        self._busy = False

    def _asked(self, items: Sequence[In]) -> "_Call[In, Out]":
        if self._process != os.getpid():  # forked: the thread that works is the parent's
            self._start()
        call: _Call[In, Out] = _Call()
        sized = {item: self._length(item) for item in items}
        with self._lock:
            for item, size in sized.items():
                if (found := self._results.get(item)) is not None:
                    call.found[item] = found[0]
                    continue
                call.missing += 1
                if item not in self._waiting:
                    self._waiting[item] = []
                    self._new.append((size, item))
                self._waiting[item].append(call)
            idle = not self._busy and bool(self._new)
            self._busy = self._busy or idle
        if not call.missing:
            call.done.set_result(None)
        if idle:
            self._next()
        return call

    def _next(self) -> None:
        """Have the next batch worked on, or rest."""
        while True:
            with self._lock:
                if not self._batches:
                    self._batches.extend(cut(self._new, self._most, self._most_tokens))
                    self._new = []
                if not self._batches:
                    self._busy = False
                    return
                batch = self._batches.popleft()
                wanted = [item for item in batch if any(call.wanted for call in self._waiting[item])]
                for item in set(batch).difference(wanted):
                    del self._waiting[item]
            if wanted:
                break
        _worker().submit(self._work, wanted).add_done_callback(lambda future: self._worked(wanted, future))

    def _worked(self, batch: list[In], future: "Future[Sequence[Out]]") -> None:
        error = future.exception()
        results = [] if error else future.result()
        if error is None and len(results) != len(batch):
            error = ValueError(f"{len(results)} results for a batch of {len(batch)}")
        ended: list[_Call[In, Out]] = []
        with self._lock:
            for place, item in enumerate(batch):
                if error is None:
                    self._results.keep(item, results[place])
                for call in self._waiting.pop(item):
                    if error is None:
                        call.found[item] = results[place]
                    call.error = call.error or error
                    call.missing -= 1
                    if call.missing == 0:
                        ended.append(call)
        for call in ended:
            call.end()
        self._next()


def cut(sized: Sequence[tuple[int, In]], most: int, most_tokens: int) -> list[list[In]]:
    """Items with their lengths in batches, the longest first: at most `most` each, and `most_tokens` when padded."""
    batches: list[list[In]] = []
    longest = 0
    for size, item in sorted(sized, key=lambda pair: -pair[0]):
        if not batches or len(batches[-1]) == most or longest * (len(batches[-1]) + 1) > most_tokens:
            batches.append([])
            longest = size
        batches[-1].append(item)
    return batches


class _Call(Generic[In, Out]):
    """What one caller has got and still waits for."""

    def __init__(self) -> None:
        self.found: dict[In, Out] = {}
        self.missing = 0
        self.error: BaseException | None = None
        self.wanted = True
        self.done: Future[None] = Future()
        self.done.set_running_or_notify_cancel()  # so that nobody's cancelling reaches it

    def end(self) -> None:
        if self.error:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(None)


class _Kept(Generic[In, Out]):
    """The results last used, as many as `room` holds."""

    def __init__(self, room: int, weight: Callable[[Out], int]) -> None:
        self._room, self._weight = room, weight
        self._used = 0
        self._found: OrderedDict[In, Out] = OrderedDict()

    def get(self, item: In) -> tuple[Out] | None:
        if item not in self._found:
            return None
        self._found.move_to_end(item)
        return (self._found[item],)

    def keep(self, item: In, result: Out) -> None:
        self._found[item] = result
        self._used += self._weight(result)
        while self._used > self._room:
            self._used -= self._weight(self._found.popitem(last=False)[1])


def _worker() -> ThreadPoolExecutor:
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ringtrue-networks")
        return _pool


def _forget() -> None:
    global _pool, _pool_lock
    _pool, _pool_lock = None, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
