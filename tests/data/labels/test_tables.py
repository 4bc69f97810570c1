"""Our own long and wide forms, in every format and with the names that people give to columns."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.data.labels.load import load_labels
from ringtrue.errors import DataError, UnknownNameError

LONG = [
    {"item": "q1", "rater": "ana", "label": "yes", "rationale": "as the page says", "at": "2026-05-01"},
    {"item": "q1", "rater": "bob", "label": "no", "rationale": None, "at": None},
    {"item": "q2", "rater": "ana", "label": "yes", "rationale": None, "at": None},
]


def verdicts(loaded: Any) -> list[tuple[Any, ...]]:
    return [(one.item, one.rater, one.label, one.value) for one in loaded.labels]


EXPECTED = [("q1", "ana", "yes", 1.0), ("q1", "bob", "no", 0.0), ("q2", "ana", "yes", 1.0)]


def as_cells(rows: list[dict[str, Any]], delimiter: str) -> str:
    lines = [list(rows[0]), *([("" if value is None else str(value)) for value in row.values()] for row in rows)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


@pytest.mark.parametrize("name", ["l.jsonl", "l.json", "l.csv", "l.tsv"])
def test_the_long_form_in_every_format(write: Callable, name: str) -> None:
    ending = name.partition(".")[2]
    content: Any = {"json": json.dumps(LONG), "csv": as_cells(LONG, ","), "tsv": as_cells(LONG, "\t")}.get(ending, LONG)
    loaded = load_labels(write(name, content))
    assert loaded.form == "long"
    assert verdicts(loaded) == EXPECTED
    first = loaded.labels[0]
    assert (first.rationale, first.at) == ("as the page says", "2026-05-01T00:00:00+00:00")
    assert (first.metric, first.pipeline, first.repeat) == (None, None, 0)
    assert first.place == (2 if ending in ("csv", "tsv") else 1)


def test_the_long_form_in_parquet(tmp_path: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(LONG), tmp_path / "l.parquet")
    assert verdicts(load_labels(tmp_path / "l.parquet")) == EXPECTED


@pytest.mark.parametrize(
    ("columns", "mapping"),
    [
        ("sample_id,annotator,verdict,comment,timestamp", {}),
        ("Item ID,Reviewer,Grade,Reason,Created-At", {}),
        ("id,user,rating,explanation,updated_at", {}),
        ("example_id,User Name,score,notes,date", {}),
        ("k,who,v,why,wann", {"k": "item", "Who": "rater", "v": "label", "why": "rationale", "wann": "at"}),
    ],
)
def test_columns_are_known_by_many_names(write: Callable, columns: str, mapping: dict[str, str]) -> None:
    path = write("l.csv", f"{columns}\nq1,ana,1,good,2026-05-01\n")
    loaded = load_labels(path, mapping=mapping)
    assert verdicts(loaded) == [("q1", "ana", "yes", 1.0)]
    assert (loaded.labels[0].rationale, loaded.labels[0].at) == ("good", "2026-05-01T00:00:00+00:00")
    assert set(loaded.mapping.values()) >= {"rater"} - set(columns.split(","))


def test_the_optional_columns_are_read(write: Callable) -> None:
    rows = [{"item": 7, "rater": "ana", "label": "B", "metric": "tone", "pipeline": "base", "repeat": 1, "value": 0.5}]
    (label,) = load_labels(write("l.jsonl", rows)).labels
    assert (label.item, label.metric, label.pipeline, label.repeat) == ("7", "tone", "base", 1)
    assert (label.label, label.value) == ("b", 0.5)


def test_what_the_file_does_not_say_the_user_does(write: Callable) -> None:
    path = write("l.csv", "item,label\nq1,yes\n")
    (label,) = load_labels(path, rater="ana", metric="tone", pipeline="base").labels
    assert (label.rater, label.metric, label.pipeline) == ("ana", "tone", "base")


def test_a_column_under_the_metrics_name_holds_its_labels(write: Callable) -> None:
    path = write("l.csv", "item,rater,correctness,tone\nq1,ana,no,5\n")
    assert verdicts(load_labels(path, metric="correctness")) == [("q1", "ana", "no", 0.0)]
    assert verdicts(load_labels(path, metric="tone")) == [("q1", "ana", None, 5.0)]


def test_numbers_are_values_and_words_are_labels(write: Callable) -> None:
    path = write("l.csv", "item,rater,rating\nq1,ana,1\nq2,ana,3.5\nq1,bob,0\n")
    assert verdicts(load_labels(path)) == [("q1", "ana", None, 1.0), ("q2", "ana", None, 3.5), ("q1", "bob", None, 0.0)]
    path = write("w.csv", "item,rater,label\nq1,ana,Partly right\nq2,ana,no\n")
    assert verdicts(load_labels(path)) == [("q1", "ana", "partly right", None), ("q2", "ana", "no", None)]


@pytest.mark.parametrize(
    "content",
    [
        [{"id": "q1", "raters": {"ana": "yes", "bob": 0}}, {"id": "q2", "raters": {"ana": True, "bob": None}}],
        [
            {"id": "q1", "raters": [1, 0], "rater_ids": ["ana", "bob"]},
            {"id": "q2", "raters": [1], "rater_ids": ["ana"]},
        ],
        [
            {"id": "q1", "raters": [{"rater": "ana", "label": "yes"}, {"rater": "bob", "label": "no"}]},
            {"id": "q2", "raters": [{"rater": "ana", "label": "yes"}]},
        ],
        'id,raters\nq1,"{""ana"": 1, ""bob"": 0}"\nq2,"{""ana"": ""yes""}"\n',
        "id,rater_ana,rater_bob\nq1,pass,fail\nq2,yes,n/a\n",
    ],
)
def test_the_wide_form(write: Callable, content: Any) -> None:
    loaded = load_labels(write("w.csv" if isinstance(content, str) else "w.jsonl", content))
    assert loaded.form == "wide"
    assert verdicts(loaded) == EXPECTED


def test_words_that_only_look_like_raters_make_no_wide_form(write: Callable) -> None:
    path = write("l.csv", "item,rater,label,raters,rater_scale,rater_score\nq1,ana,yes,3,1-5,9\n")
    loaded = load_labels(path)
    assert loaded.form == "long"
    assert verdicts(loaded) == [("q1", "ana", "yes", 1.0)]


def test_raters_in_named_columns(write: Callable) -> None:
    path = write("w.csv", "id,Ana,bob,other\nq1,yes,no,5\nq2,yes,,6\n")
    loaded = load_labels(path, raters=["ana", "bob"])
    assert verdicts(loaded) == EXPECTED
    assert loaded.notes == ("missing ratings, which are no category: 1 (line 3)",)


def test_a_list_without_names_numbers_its_raters(write: Callable) -> None:
    loaded = load_labels(write("w.jsonl", [{"id": "q1", "label": 1, "raters": [1, None, 0]}]))
    assert verdicts(loaded) == [("q1", "rater1", "yes", 1.0), ("q1", "rater3", "no", 0.0)]
    assert "numbered by their place" in loaded.notes[0]
    assert "left aside, since raters stand in columns of their own: label" in loaded.notes[1]


def test_columns_of_numbered_annotators_keep_their_names(write: Callable) -> None:
    loaded = load_labels(write("w.csv", "id,annotator1,annotator2\nq1,1,0\n"))
    assert [one.rater for one in loaded.labels] == ["annotator1", "annotator2"]


@pytest.mark.parametrize(
    ("content", "asked", "message"),
    [
        ("id,text\nq1,hm\n", {}, r"no column holds labels; columns: id, text[\s\S]*--map text=label[\s\S]*--raters"),
        ("item,label\nq1,yes\n", {}, r"l\.csv:2: no column says who rated[\s\S]*--rater NAME"),
        ("rater,label\nana,yes\n", {}, r"l\.csv:2: no id says which item[\s\S]*--map COLUMN=item"),
        ("item,rater,label\nq1,ana,yes\n", {"raters": ["anna"]}, r"no column 'anna'[\s\S]*known: item, label, rater"),
        (
            "item,rater,label\nq1,ana,yes\n",
            {"mapping": {"labl": "label"}},
            r"no column 'labl'[\s\S]*did you mean label",
        ),
        ("id,raters\nq1,yes and no\n", {}, r"l\.csv:2: field 'raters': neither a list nor an object[\s\S]*write \["),
        ("item,rater,label,repeat\nq1,ana,yes,-1\n", {}, r"l\.csv:2: field 'repeat': no repeat: '-1'"),
        ("item,rater,label,repeat\nq1,ana,yes,two\n", {}, "no repeat: 'two'"),
        ("item,rater,label,at\nq1,ana,yes,1.5.2026\n", {}, r"l\.csv:2: field 'at': no date or time[\s\S]*ISO 8601"),
        ("item,rater,label,value\nq1,ana,yes,much\n", {}, r"l\.csv:2: field 'value': no number: 'much'"),
        ("item,rater,label\nq1,ana,\nq2,ana,skip\n", {}, r"no label is in it \(missing ratings[^)]*lines 2 and 3"),
    ],
)
def test_bad_tables_are_told_with_place_and_mend(write: Callable, content: str, asked: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_labels(write("l.csv", content), **asked)


def test_a_field_that_there_is_not_is_told(write: Callable) -> None:
    with pytest.raises(UnknownNameError, match=r"--map item=who: unknown field 'who'[\s\S]*rater"):
        load_labels(write("l.csv", "item,label\nq1,yes\n"), mapping={"item": "who"})
