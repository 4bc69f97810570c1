"""The Factual Knowledge report: its marks, its all-zero rows, and which rows are shown of many."""

from typing import Any

from ringtrue.report.facts_table import facts_table, pick_rows
from ringtrue.types import Sample

BROKEN = ("failed", "timed out")


def test_rows_with_zero_for_every_pipeline_are_likely_ill_formed(make_report: Any) -> None:
    report = make_report({"a": {"factual_knowledge": [1, 0, 0, 0]}, "b": {"factual_knowledge": [1, 1, 0, BROKEN]}})
    table = facts_table(report)
    assert table is not None
    assert [[mark.text for mark in row.marks.values()] for row in table.rows] == [
        ["1", "1"],
        ["0", "1"],
        ["0", "0"],
        ["0", "–"],
    ]
    assert [row.ill_formed for row in table.rows] == [False, False, True, False]  # a failure is no zero
    assert [row.differs for row in table.rows] == [False, True, False, True]
    assert table.means == {"a": "0.250", "b": "0.667"}
    assert table.remark.startswith("1 row with 0 for every pipeline: likely ill-formed")
    assert table.rows[3].marks["b"].reason == "timed out"


def test_one_pipeline_alone_does_not_accuse_the_question(make_report: Any) -> None:
    table = facts_table(make_report({"a": {"factual_knowledge": [0, 1]}}))
    assert table is not None
    assert "one pipeline alone cannot tell" in table.remark


def test_repeats_give_a_share(make_report: Any) -> None:
    table = facts_table(make_report({"a": {"factual_knowledge": [1, 0, 0, 0]}}, repeats=2))
    assert table is not None
    assert [row.marks["a"].text for row in table.rows] == ["0.500", "0"]


def test_no_facts_no_table(make_report: Any) -> None:
    assert facts_table(make_report({"a": {"f1_over_words": [1]}})) is None
    without = [Sample(id="s", question="q")]
    assert facts_table(make_report({"a": {"factual_knowledge": [None]}}, samples=without)) is None


def test_of_many_rows_the_telling_ones_are_picked_in_the_datasets_order(make_report: Any) -> None:
    a, b = [1.0] * 30, [1.0] * 30
    a[5] = 0.0  # differs
    a[20] = b[20] = 0.0  # all zero
    table = facts_table(make_report({"a": {"factual_knowledge": a}, "b": {"factual_knowledge": b}}))
    assert table is not None
    assert [row.sample.id for row in pick_rows(table, 2)] == ["s6", "s21"]
    assert [row.sample.id for row in pick_rows(table, 4)] == ["s1", "s2", "s6", "s21"]
    assert len(pick_rows(table, 30)) == 30
