"""The batch door: rows in, a column of values a metric out, without store, pipelines or threads.

One process, a cluster's workers and a notebook all call this same code, so that the engine changes no Score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from ringtrue.catalogue import MetricUse
from ringtrue.data.records import response_from_record, sample_from_record
from ringtrue.engine.plan import Call, label_metrics
from ringtrue.engine.runner import score_columns
from ringtrue.errors import MissingExtraError, UsageError
from ringtrue.types import Response, Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Column", "plain_calls", "score_rows", "score_table"]

# Rows are taken metric by metric, so few at a time that the texts which metrics share stay in their caches.
_CHUNK = 50


@dataclass(frozen=True, slots=True)
class Column:
    """One metric over rows: `values` in the rows' order.

    `scores` holds, by place, the Score of each row that is no plain value: skipped, failed, a label or a whole verdict.
    """

    values: list[float | None] = field(default_factory=list)
    scores: dict[int, Score] = field(default_factory=dict)

    def each(self, read: str, otherwise: Any) -> list[Any]:
        """One field of every row's Score; `otherwise` where the row has a plain value."""
        column = [otherwise] * len(self.values)
        for place, score in self.scores.items():
            column[place] = getattr(score, read)
        return column


def score_rows(rows: Iterable[tuple[Sample, Response]], metrics: Sequence[MetricUse]) -> dict[str, Column]:
    """Score rows by plain metrics: a Column for each metric's label."""
    calls = plain_calls(label_metrics(metrics))
    columns = [Column() for _ in calls]
    rest = iter(rows)
    while chunk := list(islice(rest, _CHUNK)):
        for column, (values, scores) in zip(columns, score_columns(chunk, calls), strict=True):
            if scores:
                column.scores.update((len(column.values) + place, score) for place, score in scores.items())
            column.values.extend(values)
    return {call.label: column for call, column in zip(calls, columns, strict=True)}


def score_table(table: "pa.Table", metrics: Sequence[MetricUse]) -> "pa.Table":
    """Score an Arrow table with the canonical columns (``id, question, answer, contexts, reference, facts`` …).

    The table that comes back has ``id`` and for each metric its value or label under the metric's label, and beside it
    ``LABEL.status`` (``scored``, ``skipped``, ``failed``) and ``LABEL.error``. Needs the extra ``arrow``.
    """
    try:
        import pyarrow as pa
    except ModuleNotFoundError as error:
        raise MissingExtraError("the Arrow batch door", "arrow") from error
    records = table.to_pylist()
    ids = [str(record.get("id", place)) for place, record in enumerate(records)]
    scored = score_rows(map(_row, ids, records), metrics)
    columns = {"id": pa.array(ids, pa.string())}
    for label, column in scored.items():
        labels = column.each("label", None)
        has_labels = any(one is not None for one in labels)
        columns[label] = pa.array(labels, pa.string()) if has_labels else pa.array(column.values, pa.float64())
        columns[f"{label}.status"] = pa.array(column.each("status", "scored"), pa.string())
        columns[f"{label}.error"] = pa.array(column.each("error", None), pa.string())
    return pa.table(columns)


def plain_calls(metrics: Mapping[str, MetricUse]) -> tuple[Call, ...]:
    """The metrics made ready, by label. Raises UsageError for one that is asynchronous."""
    calls = tuple(Call.of(label, use) for label, use in metrics.items())
    for call in calls:
        if call.is_async:
            raise UsageError(
                f"metric {call.label!r} waits for a model, so it cannot go through the batch door",
                mend="score it with ringtrue.run(...)",
            )
    return calls


def _row(sample_id: str, record: Mapping[str, Any]) -> tuple[Sample, Response]:
    known = {key: value for key, value in record.items() if value is not None} | {"id": sample_id}
    return sample_from_record(known), response_from_record(known)
