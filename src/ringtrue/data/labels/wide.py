"""Our wide form: one row an item, its raters side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ringtrue.data.aliases import plain_name
from ringtrue.data.fields.lists import list_in_text
from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import LabelColumns, first, label_columns, named_column
from ringtrue.data.labels.label import Asked, Rating
from ringtrue.data.scalars import is_missing, to_text

__all__ = ["is_wide", "wide_ratings"]

# A column a rater: ``rater_ana``, ``annotator1``. What it says after the word is the name, unless it is a number.
_OWN_COLUMN = re.compile(r"(?i)(?:rater|annotator|reviewer|labell?er|grader)[ _.-]?(\w.*)")
_NO_NAMES = frozenset(
    (
        *("s", "id", "ids", "name", "names", "email", "kind", "type", "scale", "count", "comment", "comments", "notes"),
        *("label", "score", "rating", "verdict", "value"),
    )
)
_BESIDE = ("raterids", "raternames", "annotatorids", "annotators")
_Cells = Sequence[tuple[str, str, Any]]  # rater, column, what was said


def is_wide(raw: RawRows, asked: Asked) -> bool:
    """Whether the raters stand side by side: in columns that the user names, in one `raters`, or one each."""
    columns = columns_of(raw.rows)
    if asked.raters:
        return True
    fields = label_columns(raw.rows, asked, raw.reading).fields
    is_long = "rater" in fields and bool({"label", "value"} & fields.keys())
    if column := _raters_column(columns):  # in a long table it may be their number
        return not is_long or any(isinstance(_parsed(row.get(column)), list | tuple | Mapping) for row in raw.rows)
    return bool(_own_columns(columns)) and not is_long


def wide_ratings(raw: RawRows, asked: Asked) -> tuple[list[Rating], Mapping[str, str]]:
    """The ratings of a wide table, and its columns. Raises DataError where `raters` is no list or object."""
    columns = label_columns(raw.rows, asked, raw.reading)
    names = columns_of(raw.rows)
    if asked.raters:
        own = {named_column(name, names, raw.reading): name for name in asked.raters}
    elif _raters_column(names):
        own = {}
    else:
        own = _own_columns(names)
    ratings = [
        rating
        for row, place in zip(raw.rows, raw.places, strict=True)
        if not all(map(is_missing, row.values()))
        for rating in _row_ratings(row, place, columns, _cells(row, place, own, raw))
    ]
    if aside := [name for name in columns.fields.get("label", ()) if name not in own]:
        raw.reading.notes.add(f"left aside, since raters stand in columns of their own: {', '.join(aside)}")
    used = {name: field for name, field in columns.mapping.items() if field in ("item", "pipeline", "repeat", "metric")}
    return ratings, used


def _row_ratings(row: Mapping[str, Any], place: int, columns: LabelColumns, cells: _Cells) -> Iterator[Rating]:
    get = columns.fields.get
    for rater, column, given in cells:
        said = given if isinstance(given, Mapping) else {"label": given}
        yield Rating(
            place=place,
            ids=tuple(first(row, (name,)) for name in (*get("item", ()), *columns.traces)),
            given=first(said, ("label", "value", "verdict", "rating", "score")),
            field=column,
            rater=rater,
            metric=first(row, get("metric", ())),
            pipeline=first(row, get("pipeline", ())),
            repeat=first(row, get("repeat", ())),
            rationale=first(said, ("rationale", "comment", "reason", "explanation")),
            at=first(said, ("at", "updated_at", "created_at", "timestamp")) or first(row, get("at", ())),
        )


def _cells(row: Mapping[str, Any], place: int, own: Mapping[str, str], raw: RawRows) -> _Cells:
    if own:
        return [(rater, column, row.get(column)) for column, rater in own.items()]
    column = _raters_column(row)
    given = _parsed(row.get(column)) if column else None
    if is_missing(given):
        return []
    if isinstance(given, str):
        raise raw.reading.error(
            f"neither a list nor an object: {given!r}",
            place=place,
            field=column,
            mend='write ["yes", "no"], or {"ana": "yes", "bob": "no"}',
        )
    if isinstance(given, Mapping):
        return [(str(name), str(column), said) for name, said in given.items()]
    listed = list(given) if isinstance(given, list | tuple) else [given]
    return [(name, str(column), said) for name, said in zip(_names(row, listed, raw), listed, strict=True)]


def _names(row: Mapping[str, Any], listed: Sequence[Any], raw: RawRows) -> Sequence[str]:
    """Who gave the ratings of a list: each says so, or a list beside it does, or they are numbered."""
    said = [to_text(one.get("rater")) if isinstance(one, Mapping) else None for one in listed]
    if listed and all(said):
        return [name or "" for name in said]
    for column, value in row.items():
        beside = _parsed(value)
        if plain_name(column) in _BESIDE and isinstance(beside, list) and len(beside) == len(listed):
            return [to_text(one) or f"rater{place}" for place, one in enumerate(beside, start=1)]
    raw.reading.notes.add("raters without names are numbered by their place: rater1, rater2 …")
    return [f"rater{place}" for place in range(1, len(listed) + 1)]


def _parsed(value: Any) -> Any:
    """The list or object that a cell writes out, or the value as it is."""
    return (list_in_text(value) or value) if isinstance(value, str) else value


def _raters_column(columns: Mapping[str, Any]) -> str | None:
    return next((name for name in columns if plain_name(name) == "raters"), None)


def _own_columns(columns: Mapping[str, Any]) -> dict[str, str]:
    """Columns of one rater each, with the rater's name."""
    found: dict[str, str] = {}
    for name in columns:
        shape = _OWN_COLUMN.fullmatch(name.strip())
        if shape and plain_name(shape[1]) not in _NO_NAMES:
            found[name] = name.strip() if shape[1].strip().isdigit() else shape[1].strip()
    return found
