"""MLflow's traces with their assessments: as JSON, as its interface gives them, and as its table of traces.

Shapes: https://mlflow.org/docs/latest/api_reference/_modules/mlflow/entities/assessment.html. An assessment has
`assessment_name`, ``source: {source_type, source_id}``, ``feedback: {value}`` or ``expectation: {value}``, `rationale`,
times, and ``valid: false`` once another has taken its place. It stands in ``info.assessments`` of a trace, or in the
column `assessments` of a table of traces.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ringtrue.data.fields.lists import list_in_text
from ringtrue.data.fields.lists import object_of as as_object
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import first, ids_in
from ringtrue.data.labels.label import Asked, Rating
from ringtrue.data.scalars import is_missing

__all__ = ["is_mlflow", "mlflow_ratings"]


def is_mlflow(raw: RawRows) -> bool:
    """Whether any row is a trace, or what is known of one, with assessments."""
    return any(_assessments(row) for row in raw.rows)


def mlflow_ratings(raw: RawRows, asked: Asked) -> list[Rating]:
    """The feedback by people. An expectation is a golden value, no rating: it is taken only where it is asked for.

    The sample is named by an id in the trace's tags or metadata, else by the trace or the assessed span.
    """
    return [
        _rating(trace, one, place)
        for trace, place in zip(raw.rows, raw.places, strict=True)
        for one in _assessments(trace)
        if _counts(one, place, raw, asked)
    ]


def _assessments(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = _info(row).get("assessments")
    listed = list_in_text(listed) if isinstance(listed, str) else listed
    objects = map(as_object, listed) if isinstance(listed, list) else ()
    return [one for one in objects if one and "source" in one and ("assessment_name" in one or "name" in one)]


def _info(row: Mapping[str, Any]) -> Mapping[str, Any]:
    info = row.get("info")
    return info if isinstance(info, Mapping) else row


def _counts(one: Mapping[str, Any], place: int, raw: RawRows, asked: Asked) -> bool:
    notes = raw.reading.notes
    if _source(one).get("source_type") != "HUMAN":
        notes.add("assessments not by people left out", place)
    elif one.get("valid") is False:
        notes.add("assessments that a later one took the place of, left out", place)
    elif not one.get("feedback") and first(one, ("assessment_name", "name")) != asked.metric:
        notes.add("expectations are golden values, not ratings: left out unless --metric names them", place)
    else:
        return True
    return False


def _rating(trace: Mapping[str, Any], one: Mapping[str, Any], place: int) -> Rating:
    given = one.get("feedback") or one.get("expectation")
    name = first(one, ("assessment_name", "name"))
    return Rating(
        place=place,
        ids=tuple(_ids(trace, one)),
        given=given.get("value") if isinstance(given, Mapping) else given,
        field=str(name),
        metric=name,
        rater=_source(one).get("source_id"),
        rationale=one.get("rationale"),
        at=first(one, ("last_update_time", "last_update_time_ms", "create_time", "create_time_ms")),
    )


def _source(one: Mapping[str, Any]) -> Mapping[str, Any]:
    source = one.get("source")
    return source if isinstance(source, Mapping) else {}


def _ids(trace: Mapping[str, Any], one: Mapping[str, Any]) -> Iterator[Any]:
    info = _info(trace)
    for name in ("tags", "trace_metadata", "request_metadata"):
        if isinstance(held := info.get(name), Mapping):
            yield from (value for value in ids_in(held) if not is_missing(value))
    for name in ("span_id", "trace_id"):
        if not is_missing(one.get(name)):
            yield one[name]
    yield from (
        info[name] for name in ("trace_id", "request_id", "client_request_id") if not is_missing(info.get(name))
    )
