"""The batch door: rows in, a column of values a metric out, without store, pipelines or threads.

One process, a cluster's workers and a notebook all call this same code, so that the engine changes no Score.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ringtrue.catalogue import MetricUse
from ringtrue.data.records import response_from_record, sample_from_record
from ringtrue.engine.plan import Call, label_metrics
from ringtrue.engine.runner import score_row
from ringtrue.errors import MissingExtraError, UsageError
from ringtrue.types import Answered, Response, Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["score_rows", "score_table"]


def score_rows(rows: Iterable[tuple[Sample, Response]], metrics: Sequence[MetricUse]) -> dict[str, list[Score]]:
    """Score rows by plain metrics: for each metric's label a Score a row, in the rows' order."""
    calls = _plain_calls(metrics)
    columns: list[list[Score]] = [[] for _ in calls]
    for sample, response in rows:
        answered = Answered(pipeline="", sample_id=sample.id, repeat=0, response=response)
        for column, score in zip(columns, score_row(sample, answered, calls), strict=True):
            column.append(score)
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
    scored = score_rows((_row(place, record) for place, record in enumerate(records)), metrics)
    columns: dict[str, list[Any]] = {"id": [str(record.get("id", place)) for place, record in enumerate(records)]}
    for label, scores in scored.items():
        has_labels = any(score.label is not None for score in scores)
        columns[label] = [score.label if has_labels else score.value for score in scores]
        columns[f"{label}.status"] = [score.status for score in scores]
        columns[f"{label}.error"] = [score.error for score in scores]
    text = {name for name in columns if name == "id" or name.endswith((".status", ".error"))}
    return pa.table(
        {
            name: pa.array(values, pa.string() if name in text or _holds_text(values) else pa.float64())
            for name, values in columns.items()
        }
    )


def _plain_calls(metrics: Sequence[MetricUse]) -> tuple[Call, ...]:
    calls = tuple(Call.of(label, use) for label, use in label_metrics(metrics).items())
    for call in calls:
        if call.is_async:
            raise UsageError(
                f"metric {call.label!r} waits for a model, so it cannot go through the batch door",
                mend="score it with ringtrue.run(...)",
            )
    return calls


def _row(place: int, record: dict[str, Any]) -> tuple[Sample, Response]:
    known = {key: value for key, value in record.items() if value is not None}
    known["id"] = str(known.get("id", place))
    return sample_from_record(known), response_from_record(known)


def _holds_text(values: Iterable[Any]) -> bool:
    return any(isinstance(value, str) for value in values)
