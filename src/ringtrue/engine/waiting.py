"""Scores that have to be waited for: judges' and other asynchronous metrics', in the midst of a run."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ringtrue.engine.plan import Call
from ringtrue.errors import RingtrueError
from ringtrue.types import Answered, Sample, Score

__all__ = ["Due", "Made", "Waiting"]

_SOON_S = 0.1  # a Score waits so long for others, so that they are kept in one transaction

Made: TypeAlias = tuple[bytes, int, Score]  # a Score with its item key and revision


class Due(NamedTuple):
    """A Score that has to be waited for, and its place in the store."""

    sample: Sample
    answered: Answered
    call: Call
    item: bytes
    revision: int


class Waiting:
    """The Scores that have to be waited for: so many under way at once, each kept soon after it is there.

    `score` makes one, and raises nothing; `keep` keeps some. `judges` and `others` say how many may be under way.
    """

    def __init__(
        self,
        score: Callable[[Sample, Answered, Call], Awaitable[Score]],
        keep: Callable[[Sequence[Made]], None],
        *,
        judges: int,
        others: int,
    ) -> None:
        self._score, self._keep = score, keep
        self._most = {True: judges, False: others}  # by whether a judge is waited for
        self._due: dict[bool, deque[Due]] = {True: deque(), False: deque()}
        self._workers: dict[bool, set[asyncio.Task[None]]] = {True: set(), False: set()}
        self._made: list[Made] = []
        self._broken: RingtrueError | None = None

    def add(self, due: Iterable[Due]) -> None:
        """Begin to work on these too. Raises RingtrueError where earlier ones could not be kept."""
        if self._broken:
            raise self._broken
        for one in due:
            kind = one.call.source == "judge"
            self._due[kind].append(one)
            if len(self._workers[kind]) < self._most[kind]:
                worker = asyncio.create_task(self._work(self._due[kind]))
                self._workers[kind].add(worker)
                worker.add_done_callback(self._workers[kind].discard)

    async def ended(self) -> None:
        """Wait until all are made and kept. Raises RingtrueError where they cannot be kept."""
        await asyncio.gather(*self._all_workers(), return_exceptions=True)
        self._keep_made()
        if self._broken:
            raise self._broken

    async def stop(self) -> None:
        """Call off what is under way, and keep what was made."""
        workers = self._all_workers()
        for worker in workers:
            worker.cancel()
        try:
            await asyncio.gather(*workers, return_exceptions=True)
        finally:
            self._keep_made()

    async def _work(self, due: deque[Due]) -> None:
        while due:
            one = due.popleft()
            score = await self._score(one.sample, one.answered, one.call)
            if not self._made:
                asyncio.get_running_loop().call_later(_SOON_S, self._keep_made)
            self._made.append((one.item, one.revision, score))

    def _keep_made(self) -> None:
        made, self._made = self._made, []
        try:
            if made:
                self._keep(made)
        except RingtrueError as error:  # without a store there is no use in asking on
            self._broken = error
            for worker in self._all_workers():
                worker.cancel()

    def _all_workers(self) -> list["asyncio.Task[None]"]:
        return [worker for workers in self._workers.values() for worker in workers]
