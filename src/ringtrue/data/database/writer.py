"""Writing to a database in groups: a transaction for each thing that is to be kept would take longer than all else."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from ringtrue.errors import StoreError

__all__ = ["Writer"]

T = TypeVar("T")
_GATHERED_S = 0.01  # what comes within this time is written in one transaction


class Writer(Generic[T]):
    """Hands what it is given to `write`, in order and in groups: in an event loop after 10 ms, elsewhere at once.

    It works in the thread that gives: a thread of its own would have to be handed Python's lock for each statement, and
    cost more than it saves. Once `write` raised a StoreError, that is raised again by whatever is called next.
    """

    def __init__(self, write: Callable[[list[T]], None]) -> None:
        self._write = write
        self._lock = threading.RLock()
        self._given: list[T] = []
        self._is_due = False
        self._broken: StoreError | None = None

    def put(self, one: T) -> None:
        """Take one to be written. Any thread may call it."""
        if self._broken:
            raise self._broken
        with self._lock:
            self._given.append(one)
            if self._is_due:
                return
            self._is_due = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.flush()
        else:
            loop.call_later(_GATHERED_S, self._write_group)

    def flush(self) -> None:
        """Write all that was put and is not yet written."""
        with self._lock:
            given, self._given, self._is_due = self._given, [], False
            if self._broken:
                raise self._broken
            if given:
                try:
                    self._write(given)
                except StoreError as error:
                    self._broken = error
                    raise

    def _write_group(self) -> None:
        with suppress(StoreError):  # whoever comes next is told
            self.flush()
