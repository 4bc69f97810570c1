"""The report as tables: one line a Score (JSON lines, Parquet, Arrow, pandas), or one row an answer (CSV)."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ringtrue.data.cells import guard_cell
from ringtrue.data.fields.lists import texts_in_text
from ringtrue.data.scalars import mend_surrogates
from ringtrue.errors import MissingExtraError
from ringtrue.report.json_report import dumps, score_record
from ringtrue.report.plain import finite
from ringtrue.report.report import Report, ReportRow
from ringtrue.types import Sample, Score

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["csv_chunks", "jsonl_chunks", "parquet_bytes", "scores_frame", "scores_table"]

_COLUMNS = {
    "sample_id": "string",
    "pipeline": "string",
    "repeat": "int32",
    "metric": "string",
    "value": "float64",
    "label": "string",
    "probability": "float64",
    "rationale": "string",
    "status": "string",
    "error": "string",
    "source": "string",
    "at": "string",
    "signature": "string",
}


def jsonl_chunks(report: Report) -> Iterator[bytes]:
    """One line a Score. Texts are whole, control characters escaped."""
    for score in report.scores():
        yield dumps(score_record(score)) + b"\n"


def csv_chunks(report: Report) -> Iterator[bytes]:
    """One row an answer: the sample, the pipeline, the repeat, the answer, then a column for each metric.

    No cell is a formula to a spreadsheet; `load_dataset` reads every text back as it was. A score that was not given is
    an empty cell.
    """
    heads = ("id", "question", "reference", "facts", "pipeline", "repeat", "answer", "error", *report.metrics)
    yield _csv_line(heads)
    for row in report.rows:
        for key in dict.fromkeys((*row.responses, *row.scores)):
            yield _csv_line(_csv_cells(report, row, key))


def scores_table(report: Report) -> "pyarrow.Table":
    """All Scores as an Arrow table. Raises MissingExtraError without pyarrow."""
    arrow = _arrow("an Arrow table")
    columns = _columns(report)
    schema = arrow.schema([(name, arrow.type_for_alias(kind)) for name, kind in _COLUMNS.items()])
    return arrow.table(columns, schema=schema)


def scores_frame(report: Report) -> "pandas.DataFrame":
    """All Scores as a pandas DataFrame. Raises MissingExtraError without pandas."""
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError("a pandas table", "pandas") from error
    frame = pandas.DataFrame(_columns(report), columns=list(_COLUMNS))
    return frame.astype({"repeat": "int32", "value": "float64", "probability": "float64"})


def parquet_bytes(report: Report) -> bytes:
    """All Scores as a Parquet file. Raises MissingExtraError without pyarrow."""
    _arrow("parquet output")
    from pyarrow import parquet

    buffer = io.BytesIO()
    parquet.write_table(scores_table(report), buffer, compression="zstd")
    return buffer.getvalue()


def _arrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError(what, "arrow") from error
    return pyarrow


def _columns(report: Report) -> dict[str, list[Any]]:
    records = [score_record(score) for score in report.scores()]
    return {
        name: [mend_surrogates(value) if isinstance(value, str) else value for value in (one[name] for one in records)]
        for name in _COLUMNS
    }


def _csv_cells(report: Report, row: ReportRow, key: tuple[str, int]) -> Iterable[str]:
    pipeline, repeat = key
    response, scores = row.responses.get(key), row.scores.get(key, {})
    yield from (row.sample.id, row.sample.question or "", _reference(row.sample))
    yield row.sample.facts.raw if row.sample.facts else ""
    yield from (pipeline, str(repeat))
    yield from ((response.answer or "", response.error or "") if response else ("", ""))
    yield from (_value(scores.get(label)) for label in report.metrics)


def _reference(sample: Sample) -> str:
    """One golden answer as it is; several, or one that looks like a list, as a JSON list."""
    if len(sample.reference) == 1 and texts_in_text(sample.reference[0]) is None:
        return sample.reference[0]
    return json.dumps(sample.reference, ensure_ascii=False) if sample.reference else ""


def _value(score: Score | None) -> str:
    if score is None or score.status != "scored":
        return ""
    value = finite(score.value)
    return score.label or "" if value is None else repr(value)


def _csv_line(cells: Iterable[str]) -> bytes:
    texts: Sequence[str] = [guard_cell(mend_surrogates(cell)) for cell in cells]
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(texts)
    return line.getvalue().encode("utf-8")
