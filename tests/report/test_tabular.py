"""Tables: JSON lines, CSV that loads back, Arrow, Parquet, pandas."""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.load import load_dataset
from ringtrue.errors import MissingExtraError
from ringtrue.report.report import Report
from ringtrue.report.tabular import csv_chunks, jsonl_chunks, parquet_bytes, scores_frame, scores_table
from ringtrue.types import Response, Sample


def test_jsonl_has_one_line_a_score(hostile: Report) -> None:
    lines = b"".join(jsonl_chunks(hostile)).decode("utf-8").split("\n")
    assert lines.pop() == ""
    records = [json.loads(line) for line in lines]
    assert len(records) == 32
    assert records[0]["sample_id"] == "h1<b>"
    assert {one["status"] for one in records} == {"scored", "skipped", "failed"}
    assert "\x1b" not in "".join(lines)


def test_csv_has_a_row_an_answer_and_a_column_a_metric(hostile: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(b"".join(csv_chunks(hostile)).decode("utf-8"), newline="")))
    assert list(rows[0]) == [
        *("id", "question", "reference", "facts", "pipeline", "repeat", "answer", "error"),
        *("factual_knowledge", "f1_over_words", "latency_s", "tone"),
    ]
    assert len(rows) == 8
    assert rows[3]["error"] == "timed out\x1b[2J after 60 s </script>"
    assert (rows[3]["tone"], rows[3]["f1_over_words"]) == ("", "")  # failed: no number is invented
    assert (rows[0]["tone"], rows[0]["f1_over_words"]) == ("civil", "0.25")


def test_no_csv_cell_is_a_formula(hostile: Report) -> None:
    rows = list(csv.reader(io.StringIO(b"".join(csv_chunks(hostile)).decode("utf-8"), newline="")))
    assert rows[5][6] == '\'=HYPERLINK("http://example.invalid","click")'
    assert rows[6][6] == "-41.27%"  # a plain number needs no guard
    for cell in (cell for row in rows for cell in row if cell != "-41.27%"):
        assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: bool(text.strip()))


@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=3), TEXT), min_size=1, max_size=3))
def test_every_text_in_a_csv_loads_back(
    make_report: Any, tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str], str]]
) -> None:
    samples = [Sample(id=f"s{n}", question=q, reference=tuple(golden)) for n, (q, golden, _) in enumerate(rows)]
    answers = {("base", n): Response(answer=answer) for n, (_, _, answer) in enumerate(rows)}
    report = make_report({"base": {"f1_over_words": [0.5] * len(rows)}}, samples=samples, answers=answers)
    path = tmp_path_factory.getbasetemp() / "answers.csv"
    path.write_bytes(b"".join(csv_chunks(report)))
    loaded = load_dataset(path)
    assert [(one.id, one.question, one.reference) for one in loaded.dataset] == [
        (one.id, one.question, one.reference) for one in samples
    ]
    assert loaded.answers is not None
    assert {key: one.answer for key, one in loaded.answers.items()} == {
        (f"s{n}", 0): answer for n, (_, _, answer) in enumerate(rows)
    }


def test_a_csv_with_repeats_loads_back_as_a_dataset_with_answers(make_report: Any, tmp_path: Path) -> None:
    report = make_report({"base": {"factual_knowledge": [1, 0, 1, 1]}}, repeats=2)
    (tmp_path / "answers.csv").write_bytes(b"".join(csv_chunks(report)))
    loaded = load_dataset(tmp_path / "answers.csv")
    assert [one.facts for one in loaded.dataset] == [row.sample.facts for row in report.rows]
    assert loaded.answers is not None
    assert set(loaded.answers) == {("s1", 0), ("s1", 1), ("s2", 0), ("s2", 1)}


def test_arrow_and_parquet_hold_the_same_scores(hostile: Report) -> None:
    table = scores_table(hostile)
    assert table.num_rows == 32
    assert table.schema.field("value").type == pa.float64()
    assert table.schema.field("repeat").type == pa.int32()
    assert table.column("status").to_pylist().count("failed") == 4
    assert pq.read_table(io.BytesIO(parquet_bytes(hostile))).equals(table)


def test_a_frame_has_the_same_columns_as_the_table(hostile: Report, make_report: Any) -> None:
    frame = scores_frame(hostile)
    assert list(frame.columns) == scores_table(hostile).column_names
    assert frame[(frame.metric == "factual_knowledge") & (frame.pipeline == "plain")].value.mean() == 0.75
    empty = scores_frame(make_report({"a": {}}))
    assert len(empty) == 0
    assert scores_table(make_report({"a": {}})).num_rows == 0


def test_without_the_libraries_the_install_line_is_told(hostile: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"ringtrue\[arrow\]"):
        parquet_bytes(hostile)
    with pytest.raises(MissingExtraError, match=r"ringtrue\[pandas\]"):
        scores_frame(hostile)
