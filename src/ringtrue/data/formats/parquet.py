"""Parquet to raw rows, with the optional library pyarrow."""

from pathlib import Path
from typing import Any

from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError, MissingExtraError

__all__ = ["arrow", "read_parquet"]


def read_parquet(path: Path, reading: Reading) -> RawRows:
    """The rows of a Parquet file. Raises MissingExtraError without pyarrow."""
    parquet = arrow("Parquet").parquet
    try:
        rows = parquet.read_table(path).to_pylist()
    except (ValueError, OSError) as error:  # pyarrow's own errors are kinds of these
        raise DataError(f"not Parquet: {error}", file=reading.name) from error
    return RawRows(rows=rows, places=range(1, len(rows) + 1), reading=reading)


def arrow(what: str) -> Any:
    """The module pyarrow with its `parquet`, or MissingExtraError that says what needs it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(what, "arrow") from error
    return pyarrow
