"""Opening a database, and writing many rows at once."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ringtrue.errors import StoreError

__all__ = ["CHUNK", "insert", "open_engine"]

CHUNK = 400  # keys in one IN (…): below SQLite's limit of variables in its oldest builds


def open_engine(where: str) -> sa.Engine:
    """A SQLite file (its folder is made where it is not there), ``:memory:``, or a database URL.

    Raises StoreError where the folder cannot be made or the driver is not installed.
    """
    if "://" in where:
        engine = _engine_at(where)
    elif where == ":memory:":
        engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool, connect_args={"check_same_thread": False})
    else:
        _make_folder(Path(where))
        engine = sa.create_engine(f"sqlite:///{where}", connect_args={"timeout": 60, "check_same_thread": False})
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_up_sqlite)
    return engine


def insert(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[tuple[Any, ...]],
    *,
    columns: Sequence[str] | None = None,
    replacing: Sequence[str] = (),
) -> None:
    """Insert rows, values in the order of the columns; where the key is there already, it stays, or is `replacing`.

    The statement is compiled once and given to the driver as it is: what SQLAlchemy does for each row would take more
    time than the insert itself.
    """
    if not rows:
        return
    names = tuple(columns or (column.name for column in table.columns))
    connection.exec_driver_sql(_insert(connection.dialect, table, names, tuple(replacing)), list(rows))


@lru_cache(maxsize=64)
def _insert(dialect: sa.Dialect, table: sa.Table, names: tuple[str, ...], replacing: tuple[str, ...]) -> str:
    new = (postgresql.insert if dialect.name == "postgresql" else sqlite.insert)(table)
    statement = (
        new.on_conflict_do_update(
            index_elements=list(table.primary_key), set_={name: new.excluded[name] for name in replacing}
        )
        if replacing
        else new.on_conflict_do_nothing()
    )
    return str(statement.compile(dialect=dialect, column_keys=list(names)))


def _engine_at(url: str) -> sa.Engine:
    try:
        return sa.create_engine(url)
    except (sa.exc.ArgumentError, ModuleNotFoundError) as error:
        kind = url.partition("://")[0]
        raise StoreError(
            f"no store can be opened at a {kind} URL: {error}",
            mend="install the driver that it names, or name a SQLite file with --store PATH",
        ) from error


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ignore = path.parent / ".gitignore"
        if path.parent.name == ".ringtrue" and not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"the store's folder {path.parent} cannot be made or written: {error.strerror}",
            mend="make the folder writable, or name another store with --store PATH",
        ) from error


def _set_up_sqlite(connection: Any, _: object) -> None:
    """WAL lets several processes read while one writes; NORMAL loses nothing when the process is killed.

    The log goes into the file every 80 MB rather than every 4, since each time all waits for the disk. Large pages, in
    a new file, and a large cache keep rows of some kilobytes together.
    """
    for pragma in (
        "busy_timeout=60000",
        "page_size=16384",
        "cache_size=-16384",
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "wal_autocheckpoint=5000",
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
