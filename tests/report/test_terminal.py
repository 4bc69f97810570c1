"""The terminal report: fit for 80 columns, plain in a pipe, honest about what was not scored."""

import io
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from ringtrue.report.report import Report
from ringtrue.report.terminal import print_report


def printed(report: Report, *, width: int = 80, terminal: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, color_system="standard" if terminal else None)
    print_report(report, console)
    return out.getvalue()


def test_a_piped_report_is_plain_and_fits(hostile: Report) -> None:
    text = printed(hostile)
    assert "\x1b" not in text
    assert not set("─━│┃┏┓└┘") & set(text)
    tables = text[text.index("\nmetric") : text.index("! 1 row")].split("\n")  # what follows is prose, which may run on
    assert max(map(cell_len, tables)) <= 80
    assert all(line == line.rstrip() for line in text.split("\n"))


def test_the_headline_stands_first_and_every_part_is_there(hostile: Report) -> None:
    text = printed(hostile)
    assert text.startswith("2 pipelines × 4 samples × 4 metrics; dataset golden (0123456789ab)\n")
    for part in ("metric ", "Factual Knowledge report", "Not scored", "Thresholds", "Notes"):
        assert f"\n{part}" in text
    assert "columns guessed: <b>Frage</b> → question" in text


def test_a_cell_says_mean_interval_and_how_many_were_scored(make_report: Any) -> None:
    # The published example of a partial score: 1 of 2 right, 2 of 4 scored; Wilson's interval of 1/2 is [0.095, 0.905].
    text = printed(make_report({"base": {"f1_over_words": [1, 0, None, None]}}))
    assert "f1_over_words  0.500  [0.09, 0.91]  2 of 4\n" in text
    assert "base: every metric: skipped" not in text  # there is one metric only
    assert "base: f1_over_words: skipped 2: 2 × no reference" in text


def test_at_any_width_no_number_is_cut(make_report: Any) -> None:
    names = [f"pipeline-{n}" for n in range(7)]
    report = make_report({name: {"f1_over_words": [0.5, 0.75, None], "latency_s": [1, 2, 3]} for name in names})
    for width in (30, 60, 80, 100, 140, 250):
        text = printed(report, width=width)
        assert text.count("0.625") == len(names)
        assert text.count("2 of 3") == len(names)
        assert "…" not in text


def test_labels_are_counted(hostile: Report) -> None:
    assert "civil 3" in printed(hostile)
    assert "<i>curt</i> 1" in printed(hostile)


def test_the_facts_table_marks_all_zero_rows_with_sign_and_word(hostile: Report) -> None:
    text = printed(hostile)
    marked = [line.split() for line in text.split("\n") if line.endswith("! ill-formed")]
    assert marked == [["Which", "formula?", "0", "0", "!", "ill-formed"]]
    assert "! 1 row with 0 for every pipeline: likely ill-formed." in text


def test_of_many_facts_rows_twenty_are_shown_and_the_rest_counted(make_report: Any) -> None:
    text = printed(make_report({"a": {"factual_knowledge": [1] * 33}}))
    assert text.count("Question ") == 20
    assert "… and 13 more rows; an HTML, CSV or JSON report has them all." in text


def test_thresholds_say_passed_or_failed_in_words(hostile: Report) -> None:
    text = printed(hostile)
    assert "passed  factual_knowledge >= 0.5 for plain: 0.750 over 4 scores" in text
    assert 'FAILED  factual_knowledge >= 0.5 for <img src=x onerror="alert(2)">: 0.000 over 3 scores' in text
    assert "passed  f1_over_words > 0 for plain, where id == 'h4': 1.000 over 1 score" in text


@pytest.mark.parametrize("terminal", [True, False])
def test_no_text_from_the_data_reaches_the_terminal_raw(hostile: Report, terminal: bool) -> None:
    text = printed(hostile, terminal=terminal)
    assert "\x1b[2J" not in text
    assert "␛[2J" in text


def test_on_a_terminal_the_best_mean_stands_out(make_report: Any) -> None:
    report = make_report({"a": {"latency_s": [3, 3]}, "b": {"latency_s": [1, 1]}})
    text = printed(report, terminal=True)
    assert "\x1b[1;32m1.000" in text
    assert "\x1b[1;32m3.000" not in text


def test_an_unfinished_run_says_so_first(make_report: Any) -> None:
    text = printed(make_report({"a": {"f1_over_words": [1]}}, status="interrupted"))
    assert text.split("\n")[1].startswith("The run is interrupted, not finished")


def test_a_run_without_metrics_or_rows_prints(make_report: Any) -> None:
    assert "0 metrics" in printed(make_report({"a": {}}))


def test_what_judging_took_stands_under_the_means(judged: Report, make_report: Any) -> None:
    text = printed(judged)
    assert "\nJudging took 8 calls and 1 kept reply, " in text
    assert "\nJuries: flip rate 25 %, spread 1.000.\n" in text
    assert "Judging" not in printed(make_report({"a": {"tone": ["civil"]}}))
