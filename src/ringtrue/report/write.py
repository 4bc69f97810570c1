"""A report to a file, in the format of its ending: whole, or not at all."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from errno import EISDIR
from importlib.util import find_spec
from os import strerror
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from ringtrue.errors import MissingExtraError, OutputError, UsageError
from ringtrue.report.html import render_html
from ringtrue.report.json_report import dumps, full_json
from ringtrue.report.junit import junit_xml
from ringtrue.report.markdown import markdown
from ringtrue.report.report import Report
from ringtrue.report.tabular import csv_chunks, jsonl_chunks, parquet_bytes

__all__ = ["FORMATS", "check_output", "check_writable", "format_of", "write_file", "write_report"]

Format = TypeVar("Format", bound=Callable[..., object])

FORMATS: Mapping[str, Callable[[Report], Iterable[bytes]]] = {
    ".json": lambda report: (dumps(full_json(report), indent=True), b"\n"),
    ".jsonl": jsonl_chunks,
    ".csv": csv_chunks,
    ".parquet": lambda report: (parquet_bytes(report),),
    ".md": lambda report: (markdown(report).encode("utf-8"),),
    ".xml": lambda report: (junit_xml(report),),
    ".html": lambda report: (render_html(report).encode("utf-8"),),
}


def write_report(report: Report, path: str | Path) -> None:
    """Write `report` to `path`, whose ending names the format. Folders that are missing are made.

    The file is written beside its place and moved there when it is whole, so that nobody reads half of it. Raises
    UsageError for an unknown ending, OutputError where it cannot be written, MissingExtraError for ``.parquet`` without
    pyarrow.
    """
    place = Path(path)
    write_file(place, format_of(place, FORMATS)(report))


def write_file(place: Path, chunks: Iterable[bytes]) -> None:
    """Write a file whole or not at all. Raises OutputError."""
    try:
        _replace(place.resolve(), chunks)
    except OSError as error:
        raise _unwritable(place, error) from error


def check_output(path: str | Path) -> None:
    """Raise before a long run what `write_report` would raise after it."""
    place = Path(path)
    format_of(place, FORMATS)
    if place.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtraError("parquet output", "arrow")
    check_writable(place)


def check_writable(place: Path) -> None:
    """Raise OutputError where `write_file` would, as far as that can be known before."""
    try:
        if place.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        folder = next(one for one in place.resolve().parents if one.exists())
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(place, error) from error


def _replace(place: Path, chunks: Iterable[bytes]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{token_hex(6)}.part")
    try:
        with part.open("xb") as file:
            file.writelines(chunks)
        if place.exists():
            shutil.copymode(place, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def format_of(place: Path, formats: Mapping[str, Format], what: str = "report format") -> Format:
    """What the ending of `place` stands for among `formats`. Raises UsageError for an unknown one."""
    if (found := formats.get(place.suffix.lower())) is None:
        ending = f"ending {place.suffix!r}" if place.suffix else "no ending"
        raise UsageError(f"{place}: {ending} names no {what}", mend=f"known endings: {' '.join(formats)}")
    return found


def _unwritable(place: Path, error: OSError) -> OutputError:
    named = f" ({error.filename})" if error.filename and str(error.filename) != str(place) else ""
    why = f"{error.strerror or error}{named}"
    return OutputError(f"{place}: cannot be written: {why}", mend="name a file in a folder that you may write to")
