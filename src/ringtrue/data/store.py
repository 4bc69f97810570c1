"""The store: runs, samples, responses and Scores in one database. SQLite by default, another by its URL.

Samples and Scores are kept by content: a Score belongs to an *item* (one sample's content with one response's content)
and a metric signature, so that the same work is never done twice, in whichever run it comes up. Scores are only ever
added: a later verdict of the same source has the next `revision`, and the latest counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir
from types import MappingProxyType
from typing import NamedTuple

import orjson
import sqlalchemy as sa
from filelock import FileLock, Timeout

from ringtrue.data.database import tables
from ringtrue.data.database.calibrations import Calibrations
from ringtrue.data.database.engine import insert, open_engine
from ringtrue.data.database.labels import AddedLabels, add_labels, labels_of
from ringtrue.data.database.replies import Replies
from ringtrue.data.database.scores import ScoreAt, insert_scores, known_scores, scores_of
from ringtrue.data.database.tags import Tags, add_tags, find_run
from ringtrue.data.database.writer import Writer
from ringtrue.data.records import (
    canonical_json,
    make_dataset,
    response_from_record,
    response_json,
    sample_from_record,
    sample_record,
)
from ringtrue.errors import StoreError
from ringtrue.types import Answered, Dataset, RunInfo, RunStatus, Score

__all__ = ["DEFAULT_STORE", "Kept", "Store"]

DEFAULT_STORE = ".ringtrue/ringtrue.db"
SCHEMA_VERSION = 2  # since 2, long texts of Scores stand apart
_PART = 1000  # samples in a row of a dataset


class Kept(NamedTuple):
    """A Response with its item key, and the JSON that the store keeps of it."""

    answered: Answered
    item: bytes
    payload: bytes

    @classmethod
    def of(cls, answered: Answered, sample_hash: bytes) -> "Kept":
        """The item key (16 bytes) stands for one sample's content with one response's content."""
        payload = response_json(answered.response)
        return cls(answered, blake2b(sample_hash + payload, digest_size=16).digest(), payload)


class _Given(NamedTuple):
    """Something to be written: responses and Scores of a run, or replies of models."""

    run_id: str = ""
    answers: Sequence[Kept] = ()
    scores: Sequence[ScoreAt] = ()
    again: bool = False
    replies: Mapping[bytes, bytes] = MappingProxyType({})


class Store:
    """An open store. Use it as a context manager.

    Responses, Scores and replies that come within 10 ms are written in one transaction, so that a killed process may
    lose these. All that is read, or otherwise written, is one transaction by itself, and sees what came before.
    """

    def __init__(self, engine: sa.Engine, where: str) -> None:
        self._engine = engine
        self._where = where
        self._signature_ids: dict[str, int] = {}
        self._texts: set[str] = set()  # keys of those that are known to be there
        self._writer: Writer[_Given] = Writer(self._write)
        self._replies = Replies(
            self._transaction, self._begin, lambda replies: self._writer.put(_Given(replies=replies))
        )

    @classmethod
    def open(cls, where: str | Path | None = None) -> "Store":
        """Open a SQLite file (made with its folder where it is not there), ``:memory:``, or a database URL."""
        text = str(where or DEFAULT_STORE)
        engine = open_engine(text)
        store = cls(engine, text)
        with ExitStack() as on_failure:
            on_failure.callback(engine.dispose)
            with store._begin() as connection:
                for table in tables.metadata.sorted_tables:  # not create_all, which looks first and so may lose a race
                    connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
                version = ("schema", str(SCHEMA_VERSION))
                insert(connection, tables.meta, [version])
                store._check_version(connection)
                insert(connection, tables.meta, [version], replacing=("value",))
            on_failure.pop_all()
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

    @classmethod
    def open_as_it_is(cls, where: str | Path | None = None) -> "Store | None":
        """Open a store to look at, in which nothing is made; ``None`` where there is none yet."""
        text = str(where or DEFAULT_STORE)
        if text == ":memory:" or ("://" not in text and not Path(text).exists()):
            return None
        store = cls(open_engine(text), text)
        with ExitStack() as on_failure:
            on_failure.callback(store.close)
            with store._begin() as connection:
                if not sa.inspect(connection).has_table(tables.meta.name):
                    return None
                store._check_version(connection)
            on_failure.pop_all()
        return store

    def close(self) -> None:
        """Write what was handed over, and close."""
        try:
            self._writer.flush()
        finally:
            self._engine.dispose()

    @contextmanager
    def hold(self, run_id: str) -> Iterator[None]:
        """Keep other processes on this machine off a run; a process that ends, however it ends, lets go of it."""
        place = self._where if "://" in self._where else str(Path(self._where).resolve())
        key = blake2b(f"{place} {run_id}".encode(), digest_size=8).hexdigest()
        lock = FileLock(Path(gettempdir()) / f"ringtrue-{key}.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise StoreError(
                f"run {run_id} is under way in another process",
                mend="wait until that has ended, then: ringtrue resume",
            ) from error
        try:
            yield
        finally:
            lock.release()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def replies(self) -> Replies:
        """The replies of models that are kept here."""
        return self._replies

    @property
    def calibrations(self) -> Calibrations:
        """What was measured of judges against people's labels."""
        return Calibrations(self._begin)

    @property
    def tags(self) -> Tags:
        """The names that people give to runs."""
        return Tags(self._begin)

    # Runs

    def add_run(self, run: RunInfo, dataset: Dataset) -> None:
        """Begin a run, and keep its samples."""
        with self._begin() as connection:
            known = sa.select(tables.datasets.c.part).where(tables.datasets.c.fingerprint == dataset.fingerprint)
            if connection.execute(known.limit(1)).first() is None:
                starts = range(0, len(dataset), _PART)
                parts = [[sample_record(one) for one in dataset.samples[start : start + _PART]] for start in starts]
                rows = [(dataset.fingerprint, part, canonical_json(held)) for part, held in enumerate(parts)]
                insert(connection, tables.datasets, rows)
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
            add_tags(connection, run.id, run.tags)

    def set_status(self, run_id: str, status: RunStatus) -> None:
        finished = None if status == "running" else datetime.now(UTC).isoformat(timespec="seconds")
        with self._begin() as connection:
            connection.execute(
                tables.runs.update().where(tables.runs.c.id == run_id).values(status=status, finished=finished)
            )

    def runs(self) -> list[RunInfo]:
        """All runs, the latest first."""
        tags = self.tags.by_run()
        with self._begin() as connection:
            return [
                tables.run_info(row, tags.get(row.number, ()))
                for row in connection.execute(tables.runs.select().order_by(tables.runs.c.number.desc()))
            ]

    def run(self, run_id: str | None = None) -> RunInfo:
        """The run of that id, the latest with that tag, or the one whose id begins so; the latest without a name."""
        runs = self.runs()
        if not runs:
            raise StoreError(f"no run is stored in {self._where}", mend="begin one with: ringtrue run")
        return find_run(runs, run_id, self._where)

    def dataset(self, run: RunInfo) -> Dataset:
        """The samples of a run, in order, as they were when it began."""
        parts = (
            sa.select(tables.datasets.c.payload)
            .where(tables.datasets.c.fingerprint == run.dataset_fingerprint)
            .order_by(tables.datasets.c.part)
        )
        with self._begin() as connection:
            samples = [
                sample_from_record(one) for (payload,) in connection.execute(parts) for one in orjson.loads(payload)
            ]
        return make_dataset(run.dataset_name, samples, run.dataset_version)

    # Responses and Scores

    def add(
        self,
        run_id: str,
        answers: Sequence[Kept],
        scores: Sequence[ScoreAt],
        *,
        again: bool = False,
    ) -> None:
        """Keep responses and Scores, each Score with its item key and revision, together.

        With `again`, a response takes the place of one that is there: a failed answer was asked again. Raises
        StoreError where something that was handed over before could not be written.
        """
        self._writer.put(_Given(run_id, answers, scores, again))

    def answers(self, run_id: str) -> list[Answered]:
        """The responses of a run."""
        with self._begin() as connection:
            query = sa.select(
                tables.responses.c.pipeline,
                tables.responses.c.sample_id,
                tables.responses.c.repeat,
                tables.responses.c.payload,
            ).where(tables.responses.c.run == self._number(connection, run_id))
            return [
                Answered(
                    pipeline=pipeline,
                    sample_id=sample_id,
                    repeat=repeat,
                    response=response_from_record(orjson.loads(payload)),
                )
                for pipeline, sample_id, repeat, payload in connection.execute(query)
            ]

    def signatures(self, wanted: Iterable[str]) -> set[str]:
        """Which of these signatures have ever had a Score here."""
        with self._begin() as connection:
            return set(self._stored_ids(connection, wanted))

    def known(self, items: Iterable[bytes], signatures: Iterable[str]) -> dict[tuple[bytes, str], tuple[str, int]]:
        """The latest status and revision of these items' Scores of these signatures; people's do not count."""
        with self._begin() as connection:
            stored = self._stored_ids(connection, signatures)
            if not stored:
                return {}
            return known_scores(connection, items, {number: signature for signature, number in stored.items()})

    def scores(self, run: RunInfo) -> Iterator[Score]:
        """The Scores of a run's metrics over its responses; where one has several revisions, the latest comes last."""
        labels = {metric.signature: metric.label for metric in run.metrics}
        with self._begin() as connection:
            names = {number: signature for signature, number in self._stored_ids(connection, labels).items()}
            yield from scores_of(connection, self._number(connection, run.id), labels, names)

    # People's Scores

    def add_labels(self, run: RunInfo, scores: Sequence[Score]) -> AddedLabels:
        """Keep people's Scores over a run's responses; who says something else than before has a next revision."""
        with self._begin() as connection:
            return add_labels(connection, self._number(connection, run.id), scores, self._ids)

    def labels(self, run: RunInfo) -> Iterator[Score]:
        """What people last said of a run's responses, by any metric."""
        with self._begin() as connection:
            yield from labels_of(connection, self._number(connection, run.id))

    # Below the surface

    def _write(self, given: Sequence[_Given]) -> None:
        """Write what was handed over."""
        replies = {key: value for one in given for key, value in one.replies.items()}
        scores = [score for one in given for score in one.scores]
        with self._transaction() as connection:
            for run_id, answers, _, again, _ in given:
                if answers:
                    number = self._number(connection, run_id)
                    rows = [
                        (number, one.pipeline, one.sample_id, one.repeat, item, payload)
                        for one, item, payload in answers
                    ]
                    insert(connection, tables.responses, rows, replacing=("item", "payload") if again else ())
            numbers = self._ids(connection, {score.signature for _, _, score in scores})
            texts = insert_scores(connection, scores, numbers, self._texts)
            self._replies.insert(connection, replies)
        self._texts |= texts
        self._replies.written(replies)

    @contextmanager
    def _begin(self) -> Iterator[sa.Connection]:
        """A transaction that sees all that was handed over."""
        self._writer.flush()
        with self._transaction() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
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
        version = int(
            connection.execute(sa.select(tables.meta.c.value).where(tables.meta.c.key == "schema")).scalar_one()
        )
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"the store {self._where} was written by a newer ringtrue (schema {version}; this one reads up to "
                f"{SCHEMA_VERSION})",
                mend="upgrade with: pip install -U ringtrue, or name another store with --store PATH",
            )

    def _number(self, connection: sa.Connection, run_id: str) -> int:
        return int(connection.execute(sa.select(tables.runs.c.number).where(tables.runs.c.id == run_id)).scalar_one())

    def _ids(self, connection: sa.Connection, signatures: Iterable[str]) -> Mapping[str, int]:
        new = [one for one in signatures if one not in self._signature_ids]
        if new:
            insert(connection, tables.signatures, [(one,) for one in new], columns=("signature",))
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
