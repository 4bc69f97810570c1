"""Our long form: one row a rating. Flat exports of Label Studio (JSON_MIN, CSV) are of this form too.

Label Studio (https://labelstud.io/guide/export, "Export formats"): a row an annotation, with the task's data, a column
for each question under its name in the labelling setup, and `annotation_id, annotator, created_at, updated_at,
lead_time`. A choice is its text or ``{"choices": [...]}``, a rating ``[{"rating": 4}]``.
"""

from collections.abc import Mapping
from typing import Any

from ringtrue.data.aliases import plain_name
from ringtrue.data.fields.lists import list_in_text
from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import LabelColumns, first, label_columns
from ringtrue.data.labels.label import Asked, Rating
from ringtrue.data.scalars import is_missing

__all__ = ["is_flat_label_studio", "long_ratings", "one_answer"]

_FLAT = {"annotationid", "annotator", "leadtime"}


def is_flat_label_studio(columns: Mapping[str, Any]) -> bool:
    """Whether the columns are those of Label Studio's JSON_MIN or CSV."""
    return set(map(plain_name, columns)) >= _FLAT


def long_ratings(raw: RawRows, asked: Asked) -> tuple[list[Rating], Mapping[str, str]]:
    """The ratings of a long table, and its columns. A column under the metric's name holds the labels as well.

    Raises DataError where no column holds labels.
    """
    columns = label_columns(raw.rows, asked, raw.reading)
    named = _labels_under_metric(raw, asked)
    label = (named,) if named else columns.fields.get("label", ())
    value = () if named else columns.fields.get("value", ())
    if not label and not value:
        raise _no_labels(raw, columns)
    for field, names in columns.fields.items():
        if field in ("rater", "label", "value") and len(names) > 1 and not (named and field != "rater"):
            left = ", ".join(map(repr, names[1:]))
            raw.reading.notes.add(f"{field} is read from {names[0]!r}, not from {left} (--map says otherwise)")
    ratings = [
        _rating(row, place, columns, label[:1], value[:1], named)
        for row, place in zip(raw.rows, raw.places, strict=True)
        if not all(map(is_missing, row.values()))
    ]
    return ratings, columns.mapping | ({named: "label"} if named else {})


def one_answer(value: Any) -> Any:
    """The one answer in Label Studio's ``{"choices": [...]}`` or ``[{"rating": 4}]``; several choices side by side."""
    if isinstance(value, str):
        value = list_in_text(value) or value
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        for name in ("choices", "rating", "number"):
            if name in value:
                return one_answer(value[name])
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(sorted(value)) or None
    return value


def _rating(
    row: Mapping[str, Any],
    place: int,
    columns: LabelColumns,
    label: tuple[str, ...],
    value: tuple[str, ...],
    named: str | None,
) -> Rating:
    get = columns.fields.get
    given = one_answer(first(row, label))
    number = one_answer(first(row, value))
    by_label = not is_missing(given)
    return Rating(
        place=place,
        ids=tuple(first(row, (name,)) for name in (*get("item", ()), *columns.traces)),
        given=given if by_label else number,
        field=(label if by_label or not value else value)[0],
        number=number if by_label else None,
        rater=first(row, get("rater", ())[:1]),
        metric=first(row, get("metric", ())) or named,
        pipeline=first(row, get("pipeline", ())),
        repeat=first(row, get("repeat", ())),
        rationale=first(row, get("rationale", ())),
        at=first(row, get("at", ())),
    )


def _labels_under_metric(raw: RawRows, asked: Asked) -> str | None:
    """The column named as the metric that the user asks for, unless the user maps another to the label."""
    if asked.metric is None or {"label", "value"} & set(asked.mapping.values()):
        return None
    wanted = plain_name(asked.metric)
    return next((name for name in columns_of(raw.rows) if plain_name(name) == wanted), None)


def _no_labels(raw: RawRows, columns: LabelColumns) -> Exception:
    names = columns_of(raw.rows)
    read = {name for one in columns.fields.values() for name in one}
    example = next((name for name in names if name not in read), "COLUMN")
    return raw.reading.error(
        f"no column holds labels; columns: {', '.join(names)}",
        mend=f"name it: --map {example}=label; where each rater has a column: --raters ana,bob",
    )
