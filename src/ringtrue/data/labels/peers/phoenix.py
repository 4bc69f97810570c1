"""Phoenix's annotations of spans and traces: pages of its REST interface, and its dataframe as any table.

Shapes: https://arize.com/docs/phoenix/tracing/how-to-tracing/importing-and-exporting-traces/exporting-annotated-spans.
REST (``GET /v1/projects/PROJECT/span_annotations``): ``{data: [{span_id, name, annotator_kind, result: {label, score,
explanation}, identifier, user_id, updated_at}]}``; the dataframe calls the name `annotation_name` and lays the result
flat (``result.label``).
"""

from collections.abc import Mapping
from typing import Any

from ringtrue.data.formats.raw import RawRows
from ringtrue.data.labels.columns import first, ids_in
from ringtrue.data.labels.label import Rating
from ringtrue.data.scalars import is_missing

__all__ = ["is_phoenix", "phoenix_ratings"]


def is_phoenix(raw: RawRows) -> bool:
    """Whether the rows are annotations of spans, traces or sessions."""
    return any("annotator_kind" in row and {"span_id", "trace_id", "context.span_id"} & row.keys() for row in raw.rows)


def phoenix_ratings(raw: RawRows) -> list[Rating]:
    """The annotations by people; those of models and code are left out and counted.

    The sample is named by an id in the annotation's metadata, else by the span or trace.
    """
    ratings: list[Rating] = []
    for row, place in zip(raw.rows, raw.places, strict=True):
        if str(row.get("annotator_kind")).upper() != "HUMAN":
            raw.reading.notes.add("annotations not by people left out", place)
            continue
        nested = row.get("result")
        result = nested if isinstance(nested, Mapping) else {}
        label, score, why = (_result(name, row, result) for name in ("label", "score", "explanation"))
        metadata = row.get("metadata")
        ratings.append(
            Rating(
                place=place,
                ids=(*(ids_in(metadata) if isinstance(metadata, Mapping) else ()), *_trace_ids(row)),
                given=score if is_missing(label) else label,
                field="score" if is_missing(label) else "label",
                number=None if is_missing(label) else score,
                metric=first(row, ("name", "annotation_name")),
                rater=first(row, ("identifier", "user_id")),
                rationale=why,
                at=first(row, ("updated_at", "created_at")),
            )
        )
    return ratings


def _result(name: str, row: Mapping[str, Any], result: Mapping[str, Any]) -> Any:
    return first({**row, "nested": result.get(name)}, ("nested", f"result.{name}", name))


def _trace_ids(row: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("span_id", "context.span_id", "trace_id", "context.trace_id")
    return tuple(row[name] for name in names if not is_missing(row.get(name)))
