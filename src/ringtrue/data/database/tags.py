"""The names that people give to runs: a baseline, a release. Several a run; several runs may have one."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import insert
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.types import RunInfo

__all__ = ["LATEST", "Tags", "add_tags", "check_tag", "find_run"]

LATEST = "latest"  # what the latest run is called everywhere

_TAG = re.compile(r"[^\W_][\w.+/-]{0,99}")
_ID = re.compile(r"\d{8}-\d{6}-.*")


class Tags:
    """The tags of runs, by the runs' numbers."""

    def __init__(self, begin: Callable[[], AbstractContextManager[sa.Connection]]) -> None:
        self._begin = begin

    def by_run(self) -> Mapping[int, tuple[str, ...]]:
        """The tags of every run that has any, in the order in which they were given."""
        held = tables.tags.c
        found: dict[int, tuple[str, ...]] = {}
        with self._begin() as connection:
            for run, name in connection.execute(sa.select(held.run, held.name).order_by(held.at, held.name)):
                found[run] = (*found.get(run, ()), name)
        return found

    def add(self, run_id: str, names: Iterable[str]) -> None:
        """Give a run these tags; those that it has stay. Raises UsageError for what is no tag."""
        with self._begin() as connection:
            add_tags(connection, run_id, names)

    def remove(self, run_id: str, names: Iterable[str]) -> None:
        """Take these tags from a run."""
        with self._begin() as connection:
            number = connection.execute(_number(run_id)).scalar_one()
            held = tables.tags.c
            connection.execute(tables.tags.delete().where(held.run == number, held.name.in_(list(names))))


def add_tags(connection: sa.Connection, run_id: str, names: Iterable[str]) -> None:
    """Give a run these tags, in a transaction of the caller's. Raises UsageError for what is no tag."""
    now = datetime.now(UTC).isoformat()
    checked = [check_tag(name) for name in names]
    if checked:
        number = connection.execute(_number(run_id)).scalar_one()
        insert(connection, tables.tags, [(number, name, now) for name in checked])


def find_run(runs: Sequence[RunInfo], name: str | None, where: str) -> RunInfo:
    """The run of that id, the latest with that tag, or the one whose id begins so; ``latest`` or nothing is the first.

    `runs` are the latest first, `where` is their store, for the message. Raises UnknownNameError.
    """
    if name is None or name == LATEST:
        return runs[0]
    found = [run for run in runs if run.id == name] or [run for run in runs if name in run.tags][:1]
    found = found or [run for run in runs if run.id.startswith(name)]
    if len(found) != 1:
        tags = dict.fromkeys(tag for run in runs for tag in run.tags)
        raise UnknownNameError("run", name, [*tags, *(run.id for run in runs)], where=where)
    return found[0]


def check_tag(name: str) -> str:
    """The tag, if it is one: a word that cannot be taken for a run's id. Raises UsageError."""
    if name == LATEST or _ID.fullmatch(name):
        what = "always the latest run" if name == LATEST else "like a run's id"
        raise UsageError(f"{name!r} is {what}, so it cannot be a tag", mend="choose another word, such as: baseline")
    if not _TAG.fullmatch(name):
        raise UsageError(
            f"{name!r} is no tag", mend="write one word of letters, digits and . _ - + /, such as: release-2.1"
        )
    return name


def _number(run_id: str) -> sa.Select[tuple[int]]:
    return sa.select(tables.runs.c.number).where(tables.runs.c.id == run_id)
