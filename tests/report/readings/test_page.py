"""The readings on the page of a run: a block a rule, what is told of each row, the words of the filter."""

import re
from typing import Any

from ringtrue.report.html import render_html
from ringtrue.report.readings.page import reading_flags, reading_views, readings_by_row
from ringtrue.report.readings.readings import read_report
from tests.report.diagnosis.made import report_of, row


def report() -> Any:
    """Of two pipelines and three questions: one that a verbose, one that b verbose, one whose fact nobody has."""

    def rows(verbose: set[int]) -> list[dict[str, Any]]:
        return [
            row(
                f"Q{n}?",
                id=f"s{n}",
                factual_knowledge=0 if n == 2 else 1,
                recall_over_words=0.9,
                precision_over_words=0.2 if n in verbose else 0.9,
            )
            for n in range(3)
        ]

    return report_of({"a": rows({0}), "b": rows({0, 1})})


def test_a_block_says_what_how_often_and_what_to_do() -> None:
    views = {one.name: one for one in reading_views(read_report(report()))}
    verbose = views["verbose"]
    assert verbose.rule == "recall ≥ 0.7 and precision < 0.4"
    assert [(cells[0], cells[1].split(" [")[0], cells[-1]) for cells in verbose.table.rows] == [
        ("a", "1 of 3 answers", "s0"),
        ("b", "2 of 3 answers", "s0, s1"),
    ]
    assert verbose.remedies
    assert [cells[0] for cells in views["ill_formed_triplet"].table.rows] == ["every pipeline"]


def test_a_row_is_told_its_readings_once_with_the_pipelines() -> None:
    told = readings_by_row(read_report(report()))
    assert told["s0"] == ["verbose: a, b"]
    assert "ill-formed triplet: every pipeline" in told["s2"]


def test_the_filter_of_the_page_knows_every_reading() -> None:
    made = report()
    page = render_html(made)
    options = set(re.findall(r'<option value="(reading-\w+)"', page))
    flags = {word for words in reading_flags(read_report(made)).values() for word in words.split()}
    assert options == flags
    assert re.search(r'<details class="row" data-flags="[^"]*reading-verbose', page)


def test_a_run_that_no_reading_fits_says_so() -> None:
    page = render_html(report_of({"a": [row("Q?", recall_over_words=0.9, precision_over_words=0.9)]}))
    assert "None of the readings fits any answer." in page
    assert "not looked at:" in page
