"""CSV and TSV to raw rows. Cells are as written; lines are counted by line feeds, also inside quoted cells."""

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from ringtrue.data.aliases import is_known
from ringtrue.data.cells import unguard_cell
from ringtrue.data.formats.decode import DAMAGED
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading

__all__ = ["read_csv", "read_tsv"]

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?')  # Excel's own first line
_QUOTE_IT = "put cells that hold the delimiter in quotes, or leave such rows out with --skip-bad-rows"
_LONGEST_CELL = min(sys.maxsize, 2**31 - 1)


def read_csv(text: str, reading: Reading) -> RawRows:
    """Rows of a table whose delimiter is the comma, or else the semicolon or tab that the header shows."""
    lines = _lines(text)
    if lines and (said := _SEPARATOR_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        return _read(lines, said[1], reading, start=1)
    header = next((line for line in lines if line.strip()), "")
    return _read(lines, _delimiter(header), reading)


def read_tsv(text: str, reading: Reading) -> RawRows:
    """Rows of a table whose delimiter is the tab."""
    return _read(_lines(text), "\t", reading)


def _lines(text: str) -> list[str]:
    """Lines with their ends. Old Mac files, which have carriage returns only, are cut at those."""
    end = "\r" if "\r" in text and "\n" not in text else "\n"
    pieces = text.split(end)
    return [piece + end for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _delimiter(header: str) -> str:
    """The one under which the header has the most known names, then the most columns; the comma where they tie."""

    def columns(delimiter: str) -> tuple[int, int]:
        names = next(csv.reader([header], delimiter=delimiter), [])
        return sum(map(is_known, names)), len(names)

    return max(",;\t", key=columns)


def _read(lines: Sequence[str], delimiter: str, reading: Reading, *, start: int = 0) -> RawRows:
    rows: list[Mapping[str, str]] = []
    places: list[int] = []
    header: list[str] | None = None
    for place, cells in _records(lines, delimiter, reading, start):
        if header is None:
            header = _header(cells, reading, place)
            continue
        if len(cells) > len(header) and any(cells[len(header) :]):
            message = f"{len(cells)} cells where the header has {len(header)}"
            reading.bad_row("too many cells", place, message, mend=_QUOTE_IT)
            continue
        if len(cells) < len(header):
            reading.notes.add("rows with fewer cells than the header, the rest is missing", place)
        rows.append(dict(zip_longest(header, map(unguard_cell, cells[: len(header)]), fillvalue="")))
        places.append(place)
    return RawRows(rows=rows, places=places, reading=reading, cells=True)


def _records(lines: Sequence[str], delimiter: str, reading: Reading, start: int) -> Iterator[tuple[int, list[str]]]:
    """Records with the line where each starts. After a bad one, reading goes on at the line below its first."""
    csv.field_size_limit(_LONGEST_CELL)
    while start < len(lines):
        reader = csv.reader(lines[start:], delimiter=delimiter, strict=True)
        began = 0
        try:
            for cells in reader:
                place, began = start + began + 1, reader.line_num
                if reading.skip_bad_rows and any(map(DAMAGED.search, cells)):  # else `decode` has raised
                    reading.bad_row("not UTF-8", place)
                elif cells:
                    yield place, cells
            return
        except csv.Error as error:
            reading.bad_row("quotes that do not pair", start + began + 1, _why(error))
            start += began + 1


def _header(cells: Sequence[str], reading: Reading, place: int) -> list[str]:
    names = [cell.strip().removeprefix("\ufeff") or f"column_{number}" for number, cell in enumerate(cells, start=1)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise reading.error(f"column {twice!r} stands twice in the header", place=place, mend="rename one of them")
    return names


def _why(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "a quote opens here and never closes"
    if "expected after" in str(error):
        return "text after a closing quote; quotes inside a quoted cell are doubled"
    return str(error)
