"""Replies of models that were paid for, kept in the store so that the same question is never paid for twice."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import insert

__all__ = ["Replies"]


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies of an open store. Each call is one transaction, so that a killed run keeps all it was given."""

    _begin: Callable[[], AbstractContextManager[sa.Connection]]

    def get(self, key: bytes) -> bytes | None:
        with self._begin() as connection:
            found = connection.execute(sa.select(tables.replies.c.value).where(tables.replies.c.key == key)).scalar()
        return None if found is None else bytes(found)

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a reply; one that is there already stays."""
        with self._begin() as connection:
            insert(connection, tables.replies, [(key, value, datetime.now(UTC).isoformat(timespec="seconds"))])

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
