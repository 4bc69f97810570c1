"""The store: runs, samples, responses and Scores in one database. SQLite by default, another by its URL.

Samples and Scores are kept by content: a Score belongs to an *item* (one sample's content with one response's content)
and a metric signature, so that the same work is never done twice, in whichever run it comes up. Scores are only ever
added: a later verdict of the same source has the next `revision`, and the latest counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ringtrue.data import tables
from ringtrue.data.records import (
    canonical_json,
    response_from_record,
    response_record,
    sample_from_record,
    sample_hash,
    sample_record,
)
from ringtrue.errors import StoreError, UnknownNameError
from ringtrue.types import Answered, Dataset, RunInfo, RunStatus, Score

__all__ = ["DEFAULT_STORE", "Store", "item_key"]

DEFAULT_STORE = ".ringtrue/ringtrue.db"
SCHEMA_VERSION = 1
_CHUNK = 400  # keys in one IN (…): below SQLite's limit of variables in its oldest builds


def item_key(sample: bytes, response: bytes) -> bytes:
    """The key of one sample's content with one response's content, from their hashes (16 bytes)."""
    return blake2b(sample + response, digest_size=16).digest()


class Store:
    """An open store. Use it as a context manager; every write is one transaction."""

    def __init__(self, engine: sa.Engine, where: str) -> None:
        self._engine = engine
        self._where = where
        self._signature_ids: dict[str, int] = {}

    @classmethod
    def open(cls, where: str | Path | None = None) -> "Store":
        """Open a SQLite file (made with its folder where it is not there), ``:memory:``, or a database URL."""
        text = str(where or DEFAULT_STORE)
        if "://" in text:
            engine = sa.create_engine(text)
        elif text == ":memory:":
            engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool, connect_args={"check_same_thread": False})
        else:
            _make_folder(Path(text))
            engine = sa.create_engine(f"sqlite:///{text}", connect_args={"timeout": 60, "check_same_thread": False})
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine, "connect", _set_up_sqlite)
        store = cls(engine, text)
        try:
            with store._begin() as connection:
                tables.metadata.create_all(connection)
                store._check_version(connection)
        except BaseException:
            engine.dispose()
            raise
        return store

    @classmethod
    def open_existing(cls, where: str | Path | None = None) -> "Store":
        """Open a store to read. Raises StoreError where there is none, rather than making an empty one."""
        text = str(where or DEFAULT_STORE)
        if "://" not in text and not Path(text).exists():
            raise StoreError(
                f"there is no store {text}", mend="begin a run with: ringtrue run, or name its --store PATH"
            )
        return cls.open(where)

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Runs

    def add_run(self, run: RunInfo, dataset: Dataset) -> None:
        """Begin a run, and keep its samples by content."""
        hashed = [(sample_hash(sample), sample) for sample in dataset]
        with self._begin() as connection:
            self._insert_new(
                connection,
                tables.samples,
                [{"hash": key, "payload": canonical_json(sample_record(one))} for key, one in hashed],
            )
            self._insert_new(
                connection,
                tables.dataset_samples,
                [
                    {"fingerprint": dataset.fingerprint, "position": place, "hash": key}
                    for place, (key, _) in enumerate(hashed)
                ],
            )
            connection.execute(
                tables.runs.insert().values(
                    id=run.id,
                    status=run.status,
                    started=run.started,
                    finished=run.finished,
                    fingerprint=run.dataset_fingerprint,
                    payload=canonical_json(tables.run_payload(run)),
                )
            )

    def set_status(self, run_id: str, status: RunStatus) -> None:
        finished = None if status == "running" else datetime.now(UTC).isoformat(timespec="seconds")
        with self._begin() as connection:
            connection.execute(
                tables.runs.update().where(tables.runs.c.id == run_id).values(status=status, finished=finished)
            )

    def runs(self) -> list[RunInfo]:
        """All runs, the latest first."""
        with self._begin() as connection:
            return [
                tables.run_info(row)
                for row in connection.execute(tables.runs.select().order_by(tables.runs.c.number.desc()))
            ]

    def run(self, run_id: str | None = None) -> RunInfo:
        """The run of that id, or of which it is the unmistakable beginning; the latest where none is named."""
        runs = self.runs()
        if not runs:
            raise StoreError(f"no run is stored in {self._where}", mend="begin one with: ringtrue run")
        if run_id is None:
            return runs[0]
        found = [run for run in runs if run.id == run_id] or [run for run in runs if run.id.startswith(run_id)]
        if len(found) != 1:
            raise UnknownNameError("run", run_id, [run.id for run in runs], where=self._where)
        return found[0]

    def dataset(self, run: RunInfo) -> Dataset:
        """The samples of a run, in order, as they were when it began."""
        query = (
            sa.select(tables.samples.c.payload)
            .join(tables.dataset_samples, tables.dataset_samples.c.hash == tables.samples.c.hash)
            .where(tables.dataset_samples.c.fingerprint == run.dataset_fingerprint)
            .order_by(tables.dataset_samples.c.position)
        )
        with self._begin() as connection:
            samples = tuple(sample_from_record(orjson.loads(payload)) for (payload,) in connection.execute(query))
        return Dataset(
            name=run.dataset_name,
            samples=samples,
            fingerprint=run.dataset_fingerprint,
            version=run.dataset_version,
        )

    # Responses and Scores

    def add(
        self,
        run_id: str,
        answers: Sequence[tuple[Answered, bytes]],
        scores: Sequence[tuple[bytes, int, Score]],
    ) -> None:
        """Keep responses (each with its item key) and Scores (each with item key and revision) in one transaction."""
        with self._begin() as connection:
            if answers:
                self._put_responses(connection, self._number(connection, run_id), answers)
            if scores:
                ids = self._ids(connection, {score.signature for _, _, score in scores})
                self._insert_new(
                    connection,
                    tables.scores,
                    [tables.score_row(item, ids[score.signature], revision, score) for item, revision, score in scores],
                )

    def answers(self, run_id: str) -> list[tuple[Answered, bytes]]:
        """The responses of a run with their item keys."""
        with self._begin() as connection:
            query = tables.responses.select().where(tables.responses.c.run == self._number(connection, run_id))
            return [
                (
                    Answered(
                        pipeline=pipeline,
                        sample_id=sample,
                        repeat=repeat,
                        response=response_from_record(orjson.loads(payload)),
                    ),
                    item,
                )
                for _, pipeline, sample, repeat, item, payload in connection.execute(query)
            ]

    def known(self, items: Iterable[bytes], signatures: Iterable[str]) -> dict[tuple[bytes, str], tuple[str, int]]:
        """The latest status and revision of these items' Scores of these signatures; people's do not count."""
        with self._begin() as connection:
            stored = self._stored_ids(connection, signatures)
            if not stored:
                return {}
            names = {number: signature for signature, number in stored.items()}
            found: dict[tuple[bytes, str], tuple[str, int]] = {}
            listed = list(items)
            for start in range(0, len(listed), _CHUNK):
                query = (
                    sa.select(
                        tables.scores.c.item,
                        tables.scores.c.signature,
                        tables.scores.c.status,
                        tables.scores.c.revision,
                    )
                    .where(
                        tables.scores.c.item.in_(listed[start : start + _CHUNK]), tables.scores.c.signature.in_(names)
                    )
                    .where(tables.scores.c.source.not_like("human:%"))
                    .order_by(tables.scores.c.revision)
                )
                for item, number, status, revision in connection.execute(query):
                    found[item, names[number]] = (status, revision)
            return found

    def scores(self, run: RunInfo) -> Iterator[Score]:
        """The Scores of a run's metrics over its responses; where one has several revisions, the latest comes last."""
        labels = {metric.signature: metric.label for metric in run.metrics}
        with self._begin() as connection:
            stored = self._stored_ids(connection, labels)
            names = {number: signature for signature, number in stored.items()}
            query = (
                sa.select(
                    tables.responses.c.sample_id,
                    tables.responses.c.pipeline,
                    tables.responses.c.repeat,
                    tables.scores.c.signature,
                    tables.scores.c.source,
                    tables.scores.c.status,
                    tables.scores.c.value,
                    tables.scores.c.label,
                    tables.scores.c.probability,
                    tables.scores.c.detail,
                )
                .join(tables.scores, tables.scores.c.item == tables.responses.c.item)
                .where(tables.responses.c.run == self._number(connection, run.id), tables.scores.c.signature.in_(names))
                .where(tables.scores.c.source.not_like("human:%"))
                .order_by(tables.scores.c.revision)
            )
            for (
                sample,
                pipeline,
                repeat,
                number,
                source,
                status,
                value,
                label,
                probability,
                detail,
            ) in connection.execute(query):
                more = orjson.loads(detail) if detail else {}
                yield Score(
                    sample_id=sample,
                    pipeline=pipeline,
                    repeat=repeat,
                    metric=labels[names[number]],
                    status=status,
                    signature=names[number],
                    value=value,
                    label=label,
                    probability=probability,
                    rationale=more.get("rationale"),
                    parts=tuple(more["parts"]) if "parts" in more else None,
                    error=more.get("error"),
                    source=source,
                )

    # Below the surface

    @contextmanager
    def _begin(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(
                f"the store {self._where} cannot be used: {cause}",
                mend="check that its folder can be written, or name another with --store PATH",
            ) from error

    def _check_version(self, connection: sa.Connection) -> None:
        self._insert_new(connection, tables.meta, [{"key": "schema", "value": str(SCHEMA_VERSION)}])
        version = int(
            connection.execute(sa.select(tables.meta.c.value).where(tables.meta.c.key == "schema")).scalar_one()
        )
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"the store {self._where} was written by a newer ringtrue (schema {version}; this one reads up to "
                f"{SCHEMA_VERSION})",
                mend="upgrade with: pip install -U ringtrue, or name another store with --store PATH",
            )

    def _insert_new(self, connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        """Insert the rows whose key is not there yet."""
        if rows:
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            connection.execute(insert(table).on_conflict_do_nothing(), rows)

    def _put_responses(self, connection: sa.Connection, number: int, answers: Sequence[tuple[Answered, bytes]]) -> None:
        """Insert responses; a later one for the same place (a failed answer asked again) takes the earlier one's."""
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        statement = insert(tables.responses)
        statement = statement.on_conflict_do_update(
            index_elements=["run", "pipeline", "sample_id", "repeat"],
            set_={"item": statement.excluded.item, "payload": statement.excluded.payload},
        )
        connection.execute(
            statement,
            [
                {
                    "run": number,
                    "pipeline": one.pipeline,
                    "sample_id": one.sample_id,
                    "repeat": one.repeat,
                    "item": item,
                    "payload": canonical_json(response_record(one.response)),
                }
                for one, item in answers
            ],
        )

    def _number(self, connection: sa.Connection, run_id: str) -> int:
        return int(connection.execute(sa.select(tables.runs.c.number).where(tables.runs.c.id == run_id)).scalar_one())

    def _ids(self, connection: sa.Connection, signatures: Iterable[str]) -> Mapping[str, int]:
        new = [one for one in signatures if one not in self._signature_ids]
        if new:
            self._insert_new(connection, tables.signatures, [{"signature": one} for one in new])
            self._stored_ids(connection, new)
        return self._signature_ids

    def _stored_ids(self, connection: sa.Connection, signatures: Iterable[str]) -> dict[str, int]:
        wanted = list(signatures)
        if any(one not in self._signature_ids for one in wanted):
            query = sa.select(tables.signatures.c.signature, tables.signatures.c.id).where(
                tables.signatures.c.signature.in_(wanted)
            )
            self._signature_ids.update((signature, number) for signature, number in connection.execute(query))
        return {one: self._signature_ids[one] for one in wanted if one in self._signature_ids}


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
    """WAL lets several processes read while one writes; NORMAL loses nothing when the process is killed."""
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=60000", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}").close()
