"""Replies of models that were paid for, kept in the store so that the same question is never paid for twice."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import CHUNK, insert

__all__ = ["Replies"]

# Made once, since making it takes as long as the rest of a look-up.
_OF_KEYS = sa.select(tables.replies.c.key, tables.replies.c.value).where(
    tables.replies.c.key.in_(sa.bindparam("keys", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies of an open store. Each call is one transaction, so that a killed run keeps all it was given."""

    _begin: Callable[[], AbstractContextManager[sa.Connection]]

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the replies that are kept."""
        found: dict[bytes, bytes] = {}
        with self._begin() as connection:
            for start in range(0, len(keys), CHUNK):
                rows = connection.execute(_OF_KEYS, {"keys": keys[start : start + CHUNK]})
                found.update((bytes(key), bytes(value)) for key, value in rows)
        return found

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        """Keep replies; one that is there already stays."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._begin() as connection:
            insert(connection, tables.replies, [(key, value, now) for key, value in replies.items()])

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
