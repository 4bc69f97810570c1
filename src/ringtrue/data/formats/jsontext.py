"""JSON and JSON lines to raw rows."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from ringtrue.data.formats.decode import DAMAGED
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading
from ringtrue.data.scalars import mended
from ringtrue.errors import DataError

__all__ = ["parse_json", "read_json", "read_jsonl", "rows_in"]

# Where a document holds its rows, the surest names first.
ROW_KEYS = (
    "samples", "items", "rows", "records", "examples", "cases", "test_cases", "goldens", "questions", "tests",
    "dataset", "data", "results",
)  # fmt: skip
_LONG_NUMBER = re.compile("[0-9][0-9]{19}")  # five times as fast as \d{20}
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_HALVES_MENDED = "half of a surrogate pair (a cut emoji) became U+FFFD"


def parse_json(text: str, reading: Reading, place: int | None = None) -> Any:
    """The value of a JSON text. NaN is read too; integers are exact; halves of surrogate pairs are mended and noted.

    Raises ValueError or RecursionError where it is not JSON.
    """
    if not _LONG_NUMBER.search(text):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            pass
    return _parse_exactly(text, reading, place)


def _parse_exactly(text: str, reading: Reading, place: int | None) -> Any:
    """By the standard reader, which takes NaN, long numbers and half surrogate pairs, and says what is wrong."""
    value = json.loads(text)
    if not _HALF_PAIR.search(text):
        return value
    whole = mended(value)
    if whole != value:
        reading.notes.add(_HALVES_MENDED, place)
    return whole


def read_jsonl(text: str, reading: Reading) -> RawRows:
    """One object a line. Blank lines are left out; lines end at a line feed only (U+2028 is text)."""
    rows: list[Mapping[str, Any]] = []
    places: list[int] = []
    lines = text.split("\n")
    quick = _LONG_NUMBER.search(text) is None
    if lines[0].lstrip("\ufeff \t\r").startswith("[") and (whole := _list_in_jsonl(text, reading)):
        return whole
    for place, line in enumerate(lines, start=1):
        line = line.removeprefix("\ufeff")  # files that were put together keep their byte-order marks
        if not line or line.isspace():
            continue
        try:
            row = orjson.loads(line) if quick else None
        except orjson.JSONDecodeError:
            row = None
        if type(row) is dict or (row := _odd_row(line, reading, place)) is not None:
            rows.append(row)
            places.append(place)
    return RawRows(rows=rows, places=places, reading=reading)


def _odd_row(line: str, reading: Reading, place: int) -> dict[str, Any] | None:
    """A row that the quick reader does not take, or None for a bad one that is left out."""
    if DAMAGED.search(line):
        reading.bad_row("not UTF-8", place)
        return None
    try:
        row = _parse_exactly(line, reading, place)
    except (ValueError, RecursionError) as error:
        reading.bad_row("not JSON", place, f"not JSON: {_why(error)}")
        return None
    if not isinstance(row, dict):
        reading.bad_row("not a JSON object", place, f"not a JSON object but {_kind(row)}")
        return None
    return row


def read_json(text: str, reading: Reading) -> RawRows:
    """A document: a list of objects, an object that holds one, or columns. JSON lines so named are read too."""
    try:
        document = parse_json(text, reading)
    except (ValueError, RecursionError) as error:
        if not reading.strict and _is_jsonl(text):
            reading.notes.add("one JSON object a line: read as .jsonl")
            return read_jsonl(text, replace(reading, unit="line"))
        line = getattr(error, "lineno", None)
        raise DataError(f"not JSON: {_why(error)}", file=reading.name, line=line, mend="mend the file") from error
    return rows_in(document, reading)


def rows_in(document: Any, reading: Reading) -> RawRows:
    """The rows of a parsed document; what else an outer object says is the `head`."""
    items, head = _found(document)
    if items is None:
        raise reading.error(
            f"no rows in it: {_kind(document)}",
            mend=f"give a list of objects, or an object with such a list under one of: {', '.join(sorted(ROW_KEYS))}",
        )
    rows: list[Mapping[str, Any]] = []
    places: list[int] = []
    for place, item in enumerate(items, start=1):
        if not isinstance(item, Mapping):
            reading.bad_row("not an object", place, f"not an object but {_kind(item)}")
            continue
        inner = item.get("row")  # a page of the Hugging Face dataset viewer
        rows.append(inner if isinstance(inner, Mapping) and "row_idx" in item else item)
        places.append(place)
    return RawRows(rows=rows, places=places, reading=reading, head=head)


def _found(document: Any) -> tuple[Sequence[Any] | None, Mapping[str, Any]]:
    if isinstance(document, list):
        return document, {}
    if not isinstance(document, dict):
        return None, {}
    if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):  # pandas, orient="split"
        return [dict(zip(document["columns"], row, strict=False)) for row in document["data"]], {}
    lists = {key: value for key, value in document.items() if _is_rows(value)}
    key = next((name for name in ROW_KEYS if name in lists), next(iter(lists)) if len(lists) == 1 else None)
    if key is not None:
        return lists[key], {name: value for name, value in document.items() if name != key}
    values = list(document.values())
    if values and all(isinstance(value, list) for value in values) and len({len(value) for value in values}) == 1:
        return [dict(zip(document, row, strict=True)) for row in zip(*values, strict=True)], {}
    if values and all(isinstance(value, dict) for value in values):
        return _keyed(document), {}
    return ([document] if values else None), {}


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _keyed(document: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Columns by row number (pandas), or rows by number or by id."""
    first = next(iter(document.values()))
    if first and all(key.isdigit() for key in first) and not all(key.isdigit() for key in document):
        return [{name: column.get(key) for name, column in document.items()} for key in first]
    return [row if key.isdigit() else {"id": key, **row} for key, row in document.items()]


def _list_in_jsonl(text: str, reading: Reading) -> RawRows | None:
    """The rows of a JSON list of objects that was named .jsonl."""
    try:
        document = parse_json(text, reading)
    except (ValueError, RecursionError):
        return None
    if reading.strict or not _is_rows(document):
        return None
    reading.notes.add("one JSON list, not one object a line: read as .json")
    return rows_in(document, replace(reading, unit="item"))


def _is_jsonl(text: str) -> bool:
    """Whether the first line that is not blank is an object of its own and others follow."""
    first, _, rest = text.strip().partition("\n")
    try:
        return bool(rest) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _kind(value: Any) -> str:
    """What a JSON value is, for a message."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
