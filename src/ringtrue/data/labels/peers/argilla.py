"""Argilla's records: nested and flat, of version 2 and of the feedback datasets before it.

Shapes, from https://docs.argilla.io/latest/how_to_guides/import_export ("Export to a Python dictionary", "Export to
JSON"): version 2 has ``responses: {QUESTION: [{value, user_id}]}``; flattened (as on the Hugging Face Hub) the columns
``QUESTION.responses``, ``QUESTION.responses.users`` and ``QUESTION.responses.status``. The REST interface and version 1
have ``responses: [{values: {QUESTION: {value}}, user_id, status, updated_at}]``, and version 1 on the Hub a column a
question with ``[{user_id, value, status}]``. The record's `id` is the user's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.data.fields.lists import list_in_text
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import first, ids_in, is_rationale
from ringtrue.data.labels.label import Rating

__all__ = ["argilla_ratings", "is_argilla"]

_FLAT = ".responses"
_UNFINISHED = ("discarded", "draft", "pending")


@dataclass(frozen=True, slots=True)
class _Said:
    """One person's answer to one question."""

    question: str
    value: Any
    user: Any
    status: Any
    at: Any = None


def is_argilla(raw: RawRows) -> bool:
    """Whether any row holds responses of users to questions."""
    return any(_said(row) for row in raw.rows)


def argilla_ratings(raw: RawRows) -> list[Rating]:
    """A rating for each question that a person answered about a record; drafts and discarded ones are left out.

    The sample is named by an id in the record's metadata, or by the record's id. Questions such as `comment` are the
    rationale of the others.
    """
    ratings: list[Rating] = []
    for record, place in zip(raw.rows, raw.places, strict=True):
        said = _said(record)
        kept = [one for one in said if str(one.status).lower() not in _UNFINISHED]
        for _ in range(len(said) - len(kept)):
            raw.reading.notes.add("drafts and discarded responses left out", place)
        ratings.extend(_ratings(record, place, kept))
    return ratings


def _ratings(record: Mapping[str, Any], place: int, said: Sequence[_Said]) -> Iterator[Rating]:
    reasons = {one.user: one.value for one in said if is_rationale(one.question)}
    metadata = record.get("metadata")
    ids = (*(ids_in(metadata) if isinstance(metadata, Mapping) else ()), *ids_in(record))
    for one in said:
        if not is_rationale(one.question):
            yield Rating(
                place=place,
                ids=ids,
                given=one.value,
                field=one.question,
                metric=one.question,
                rater=one.user,
                rationale=reasons.get(one.user),
                at=one.at,
            )


def _said(record: Mapping[str, Any]) -> list[_Said]:
    responses = record.get("responses")
    if isinstance(responses, Mapping):
        return [
            _Said(str(question), one.get("value"), one.get("user_id"), one.get("status"))
            for question, listed in responses.items()
            for one in _objects(listed)
        ]
    if isinstance(responses, list):
        return [
            _Said(str(question), answer.get("value"), one.get("user_id"), one.get("status"), _at(one))
            for one in _objects(responses)
            if isinstance(one.get("values"), Mapping)
            for question, answer in one["values"].items()
            if isinstance(answer, Mapping)
        ]
    return [*_flat(record), *_by_question(record)]


def _flat(record: Mapping[str, Any]) -> Iterator[_Said]:
    for name in record:
        if name.endswith(_FLAT) and f"{name}.users" in record:
            question = name.removesuffix(_FLAT)
            values, users, statuses = (_list(record.get(f"{name}{end}")) for end in ("", ".users", ".status"))
            statuses = statuses or [None] * len(values)
            for value, user, status in zip(values, users, statuses, strict=False):
                yield _Said(question, value, user, status)


def _by_question(record: Mapping[str, Any]) -> Iterator[_Said]:
    """Version 1 on the Hub: a question's column beside that of its suggestion."""
    for name, listed in record.items():
        if f"{name}-suggestion" in record:
            for one in _objects(listed):
                if "user_id" in one and "value" in one:
                    yield _Said(name, one["value"], one["user_id"], one.get("status"))


def _objects(listed: Any) -> list[Mapping[str, Any]]:
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _list(value: Any) -> list[Any]:
    value = list_in_text(value) if isinstance(value, str) else value
    return value if isinstance(value, list) else []


def _at(response: Mapping[str, Any]) -> Any:
    return first(response, ("updated_at", "inserted_at"))
