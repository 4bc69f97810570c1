"""Label Studio's JSON export: tasks with their annotations.

Shapes: https://labelstud.io/guide/task_format ("Label Studio JSON format of annotated tasks"). A task has `data` and
`annotations`; an annotation has `completed_by` (a number, or an object with `email`), `was_cancelled`, times, and a
`result` of regions, each with `from_name` (the question), `type` and `value`. Its flat exports are in
`ringtrue.data.labels.long`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import first, ids_in
from ringtrue.data.labels.label import Rating
from ringtrue.data.labels.long import one_answer
from ringtrue.data.scalars import is_missing

__all__ = ["is_label_studio", "label_studio_ratings"]

# What an answer of each type is called in its value.
_ANSWERS = {"choices": "choices", "rating": "rating", "number": "number", "pairwise": "selected"}


def is_label_studio(raw: RawRows) -> bool:
    """Whether any row is a task with annotations."""
    return any(_annotations(row) for row in raw.rows)


def label_studio_ratings(raw: RawRows) -> list[Rating]:
    """A rating for each question that a person answered about a task.

    The sample is named by an id in the task's data or meta, else by the task's own number. Free text is the rationale.
    """
    return [
        rating
        for task, place in zip(raw.rows, raw.places, strict=True)
        for annotation in _annotations(task)
        for rating in _ratings(task, annotation, place, raw)
    ]


def _annotations(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = task.get("annotations")
    if not isinstance(listed, list):
        return []
    return [one for one in listed if isinstance(one, Mapping) and isinstance(one.get("result"), list)]


def _ratings(task: Mapping[str, Any], annotation: Mapping[str, Any], place: int, raw: RawRows) -> Iterator[Rating]:
    notes = raw.reading.notes
    if annotation.get("was_cancelled"):
        notes.add("annotations that were skipped, so no rating", place)
        return
    regions = [one for one in annotation["result"] if isinstance(one, Mapping)]
    if any(one.get("type") not in (*_ANSWERS, "textarea") for one in regions):
        notes.add("marks on parts of a task are no labels of the whole, left out", place)
    texts = [one_answer(_value(one).get("text")) for one in regions if one.get("type") == "textarea"]
    for region in regions:
        if (kind := region.get("type")) in _ANSWERS:
            yield Rating(
                place=place,
                ids=_ids(task, place, raw),
                given=one_answer(_value(region).get(_ANSWERS[kind])),
                field=str(region.get("from_name")),
                metric=region.get("from_name"),
                rater=_rater(annotation.get("completed_by")),
                rationale="\n".join(str(text) for text in texts if not is_missing(text)) or None,
                at=first(annotation, ("updated_at", "created_at")),
            )


def _value(region: Mapping[str, Any]) -> Mapping[str, Any]:
    value = region.get("value")
    return value if isinstance(value, Mapping) else {}


def _rater(given: Any) -> Any:
    return first(given, ("email", "username", "id")) if isinstance(given, Mapping) else given


def _ids(task: Mapping[str, Any], place: int, raw: RawRows) -> tuple[Any, ...]:
    """Ids of a sample in the task's data or meta. The task's own number is Label Studio's, so it is the last resort."""
    held = (task.get(name) for name in ("data", "meta"))
    ids = [one for values in held if isinstance(values, Mapping) for one in ids_in(values)]
    if not ids:
        raw.reading.notes.add("tasks whose data hold no id of a sample go by the task's own id", place)
    return tuple(ids or [task.get("id")])
