"""Replies of models that were paid for, kept in the store so that the same question is never paid for twice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import TypeAlias

import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import CHUNK, insert

__all__ = ["Replies"]

_Begin: TypeAlias = Callable[[], AbstractContextManager[sa.Connection]]

# Made once, since making it takes as long as the rest of a look-up.
_OF_KEYS = sa.select(tables.replies.c.key, tables.replies.c.value).where(
    tables.replies.c.key.in_(sa.bindparam("keys", expanding=True))
)


class Replies:
    """The replies of an open store.

    `look` begins a transaction in which what is not yet written need not be seen, `begin` one in which all is;
    `hand_over` has replies written soon.
    """

    def __init__(self, look: _Begin, begin: _Begin, hand_over: Callable[[Mapping[bytes, bytes]], None]) -> None:
        self._look, self._begin, self._hand_over = look, begin, hand_over
        self._unwritten: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the replies that are kept."""
        found = {key: value for key in keys if (value := self._unwritten.get(key)) is not None}
        wanted = [key for key in keys if key not in found]
        with self._look() as connection:
            for start in range(0, len(wanted), CHUNK):
                rows = connection.execute(_OF_KEYS, {"keys": wanted[start : start + CHUNK]})
                found.update((bytes(key), bytes(value)) for key, value in rows)
        return found

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        """Keep replies, from 10 ms after this on at the latest; one that is there already stays.

        Raises StoreError where earlier ones could not be kept.
        """
        self._hand_over({key: one for key, one in replies.items() if self._unwritten.setdefault(key, one) is one})

    def insert(self, connection: sa.Connection, replies: Mapping[bytes, bytes]) -> None:
        """Write replies that were handed over."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        insert(connection, tables.replies, [(key, value, now) for key, value in replies.items()])

    def written(self, replies: Iterable[bytes]) -> None:
        """Told when the transaction is over in which the replies of these keys were written."""
        for key in replies:
            self._unwritten.pop(key, None)

    def stats(self) -> tuple[int, int]:
        """How many replies are kept, and how many bytes they take."""
        query = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(sa.func.length(tables.replies.c.value)), 0))
        with self._begin() as connection:
            count, size = connection.execute(query.select_from(tables.replies)).one()
        return int(count), int(size)

    def clear(self) -> int:
        """Forget all replies; how many there were."""
        with self._begin() as connection:
            return connection.execute(sa.delete(tables.replies)).rowcount
