"""Any file to raw rows: the format goes by the ending, and what cannot be read is told."""

import gzip
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.data.formats.decode import decode
from ringtrue.data.formats.jsontext import read_json, read_jsonl
from ringtrue.data.formats.parquet import read_parquet
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.tables import read_csv, read_tsv
from ringtrue.data.formats.yamltext import read_yaml
from ringtrue.data.notes import Reading, Unit
from ringtrue.errors import DataError

__all__ = ["ENDINGS", "ending_of", "read_bytes", "read_rows"]

_TEXT: Mapping[str, tuple[Unit, Callable[[str, Reading], RawRows]]] = {
    ".jsonl": ("line", read_jsonl),
    ".ndjson": ("line", read_jsonl),
    ".json": ("item", read_json),
    ".csv": ("line", read_csv),
    ".tsv": ("line", read_tsv),
    ".yaml": ("line", read_yaml),
    ".yml": ("line", read_yaml),
}
_PARQUET: tuple[Unit, None] = ("row", None)  # a reader of its own, since it wants the file, not its text
ENDINGS = (*_TEXT, ".parquet")


def read_rows(
    path: str | Path, *, strict: bool = False, skip_bad_rows: bool = False, encoding: str | None = None
) -> RawRows:
    """The raw rows of a file. Raises DataError where there is no file, no known format, or no row."""
    ending = ending_of(path)
    unit, read = _TEXT.get(ending, _PARQUET)
    reading = Reading(name=str(path), unit=unit, strict=strict, skip_bad_rows=skip_bad_rows, encoding=encoding)
    data = read_bytes(path)
    if not data:
        raise DataError("the file is empty", file=path, mend="is it the right file?")
    found = read_parquet(Path(path), reading) if read is None else read(decode(data, reading), reading)
    if not found.rows:
        notes = "; ".join(reading.notes.lines(unit))
        what = "the header is there, but no row" if found.cells and not notes else "no usable row"
        raise DataError(f"{what} ({notes})" if notes else what, file=path, mend="is it the right file?")
    return found


def ending_of(path: str | Path) -> str:
    """The ending that tells the format, ``.gz`` apart. Raises DataError for an unknown one."""
    name = Path(path).name.lower().removesuffix(".gz")
    ending = Path(name).suffix
    if ending not in ENDINGS:
        if Path(path).is_dir():
            raise DataError("is a folder", file=path, mend="name a file in it")
        mend = f"known endings: {', '.join(ENDINGS)}; the text ones also with .gz after"
        raise DataError(f"unknown ending {ending!r}" if ending else "the file has no ending", file=path, mend=mend)
    return ending


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file, unpacked where it ends in ``.gz``."""
    try:
        data = Path(path).read_bytes()
        return gzip.decompress(data) if str(path).lower().endswith(".gz") else data
    except FileNotFoundError as error:
        raise DataError("no such file", file=path, mend=_nearby(Path(path))) from error
    except IsADirectoryError as error:
        raise DataError("is a folder", file=path, mend="name a file in it") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"not a whole gzip file: {error}", file=path) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path) from error


def _nearby(path: Path) -> str | None:
    """The data files beside a missing one, so that a slip of the pen is seen."""
    folder = path.parent
    if not folder.is_dir():
        return f"the folder {folder} does not exist"
    names = sorted(one.name for one in folder.iterdir() if one.suffix in ENDINGS)
    return f"data files there: {', '.join(names[:8])}{' …' if len(names) > 8 else ''}" if names else None
