"""What was measured of judges against people, kept in the store, the latest of each judge and data."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass

import orjson
import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import CHUNK, insert
from ringtrue.data.records import canonical_json
from ringtrue.types import Calibration

__all__ = ["Calibrations"]

_COLUMNS = ("signature", "fingerprint", "at")


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibration records of an open store."""

    _begin: Callable[[], AbstractContextManager[sa.Connection]]

    def add(self, record: Calibration) -> None:
        """Keep a record; one of the same judge on the same data is replaced."""
        payload = {name: value for name, value in asdict(record).items() if name not in _COLUMNS}
        row = (record.signature, record.fingerprint, record.at, canonical_json(payload))
        with self._begin() as connection:
            insert(connection, tables.calibrations, [row], replacing=("at", "payload"))

    def latest(self, signatures: Iterable[str]) -> dict[str, Calibration]:
        """The latest record of each of these judges that has one."""
        table, wanted = tables.calibrations.c, list(signatures)
        found: dict[str, Calibration] = {}
        with self._begin() as connection:
            for start in range(0, len(wanted), CHUNK):
                query = sa.select(table.signature, table.fingerprint, table.at, table.payload)
                query = query.where(table.signature.in_(wanted[start : start + CHUNK])).order_by(table.at)
                for signature, fingerprint, at, payload in connection.execute(query):
                    found[signature] = Calibration(
                        signature=signature, fingerprint=fingerprint, at=at, **orjson.loads(payload)
                    )
        return found
