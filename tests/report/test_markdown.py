"""Markdown for pull requests: read by a CommonMark parser with tables, the data say what they say and do nothing."""

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ringtrue.report.markdown import markdown
from ringtrue.report.report import Report

MARKUP = ("code_inline", "em_open", "link_open", "image", "s_open", "autolink")


def parsed(text: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return [inner for token in tokens for inner in (token, *(token.children or ()))]


def cells(text: str) -> list[str]:
    """The texts of all table cells, as a reader sees them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return [
        "".join(inner.content for inner in tokens[at + 1].children or ())
        for at, token in enumerate(tokens)
        if token.type in ("td_open", "th_open")
    ]


def test_nothing_in_the_data_becomes_markup(hostile: Report) -> None:
    tokens = parsed(markdown(hostile))
    assert not [token for token in tokens if token.type in MARKUP]
    html = [token.content.strip() for token in tokens if token.type in ("html_block", "html_inline")]
    ours = {"<details><summary>Not scored, and why</summary>", "</details>", "<sub>", "</sub>"}
    assert set(html) <= ours


def test_every_part_is_there_and_reads_as_it_was_written(hostile: Report) -> None:
    text = markdown(hostile)
    heads = [token.content for token in parsed(text) if token.type == "inline" and token.level == 1]
    assert heads[0] == "ringtrue: golden"
    assert {"Summary", "Thresholds", "Factual Knowledge report", "Notes"} <= set(heads)
    found = cells(text)
    assert "How do I | close `a` script </title><script>alert(1)</script>?" in found
    assert "=SUM(A1:A3) / ['=SUM(A1:A3)']" in found
    assert "SUM<OR>sum" in found
    assert "退款多久到账？" in found
    assert found.count("⚠️ likely ill-formed") == 1


def test_all_rows_of_a_table_have_as_many_cells(hostile: Report) -> None:
    tables = markdown(hostile).split("\n\n")
    for table in (one for one in tables if one.startswith("| ")):
        lines = table.split("\n")
        assert len({line.replace("\\|", "").count("|") for line in lines}) == 1


def test_nobody_is_called_and_nothing_is_linked(make_report: Any) -> None:
    text = markdown(make_report({"@team": {"f1_over_words": [1]}}, notes=("see https://example.invalid/1", "1. # no")))
    assert "@team" not in text
    assert "https://" not in text
    notes = [token.type for token in parsed(text)]
    assert "ordered_list_open" not in notes
    assert notes.count("heading_open") == 4  # ringtrue, Summary, Readings, Notes


def test_the_best_mean_is_bold(make_report: Any) -> None:
    text = markdown(make_report({"a": {"latency_s": [3, 3]}, "b": {"latency_s": [1, 1.02]}}))
    assert "| latency\\_s | 3.000 | **1.010** \\[0.88, 1.14\\] |" in text


def test_thresholds_and_an_unfinished_run_are_told(hostile: Report, make_report: Any) -> None:
    assert "- ❌ **failed**: factual\\_knowledge &gt;= 0.5 for &lt;img" in markdown(hostile)
    assert "**The run was stopped by its budget" in markdown(make_report({"a": {"tone": ["x"]}}, status="stopped"))


def test_what_the_judges_cost_is_a_table(judged: Report, make_report: Any) -> None:
    text = markdown(judged)
    table = text[text.index("### What the judges cost") :]
    assert "| coherence | python:small | – | 4 | 4 | – | 400 | 40 | \\$0.00048 | 0.50 | – | – |" in table
    assert "bad label 1; votes lost: rate limited 1 | 3 | 4 | 1 | 200 | 20 | unknown, at least \\$0.0200 |" in table
    assert "| all judges |" in table
    assert not [token for token in parsed(text) if token.type in MARKUP]
    assert "judges" not in markdown(make_report({"a": {"tone": ["civil"]}}))
