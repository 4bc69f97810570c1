"""Numbers and texts as people read them."""

from typing import Any

import pytest

from ringtrue.report.plain import (
    best_pipelines,
    compared,
    headline,
    interval_text,
    number,
    one_line,
    outcome,
    unscored,
    value_text,
    visible,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000"),
        (0.5, "0.500"),
        (-0.41275, "-0.413"),
        (12.345, "12.35"),
        (123.45, "123.5"),
        (1204.4, "1,204"),
        (0.00012, "0.00012"),
        (float("nan"), "nan"),
    ],
)
def test_a_mean_has_as_many_decimals_as_help(value: float, text: str) -> None:
    assert number(value) == text


def test_a_row_value_without_fraction_has_no_decimals() -> None:
    assert [value_text(value) for value in (1.0, 0.0, 0.25, 1200.0)] == ["1", "0", "0.250", "1,200"]


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.15, 0.85, "[0.15, 0.85]"),
        (0.4912, 0.5011, "[0.4912, 0.5011]"),
        (19.8, 27.3, "[19.8, 27.3]"),
        (0, 1320, "[0, 1,320]"),
        (0.5, 0.5, "[0.500, 0.500]"),
    ],
)
def test_an_interval_has_the_decimals_its_width_gives_sense_to(low: float, high: float, text: str) -> None:
    assert interval_text(low, high) == text


def test_control_characters_are_shown_and_obeyed_by_nobody() -> None:
    assert visible("\x1b[31m\x07\x0b\x00\x7f") == "␛[31m␇␋␀␡"
    assert visible("a\r\nb\tc\rd") == "a\nb\tc␍d"
    assert visible("\x9b\u202e\u2066\ud83d\uffff") == "\\x9b\\u202e\\u2066\ufffd\ufffd"
    assert visible("退款 ✓ é עברית") == "退款 ✓ é עברית"


def test_one_line_clips_and_shows() -> None:
    assert one_line("a\n\n b\x1b", 10) == "a b␛"
    assert one_line("word " * 2_000_000, 9) == "word wor…"


def test_the_headline_says_what_was_done(make_report: Any) -> None:
    one = make_report({"a": {"tone": ["civil"]}})
    assert headline(one) == "1 pipeline × 1 sample × 1 metric; dataset golden (0123456789ab)"
    many = make_report({"a": {"f1_over_words": [1, 0]}, "b": {}}, repeats=2)
    assert headline(many).startswith("2 pipelines × 1 sample × 1 metric × 2 repeats")


def test_best_goes_by_the_direction_of_the_metric(make_report: Any) -> None:
    report = make_report(
        {
            "a": {"f1_over_words": [0.5], "latency_s": [3], "tone": [0.1]},
            "b": {"f1_over_words": [0.5], "latency_s": [1], "tone": [0.9]},
            "c": {"f1_over_words": [0.1], "latency_s": [2], "tone": [0.5]},
        }
    )
    assert best_pipelines(report, "f1_over_words") == ("a", "b")
    assert best_pipelines(report, "latency_s") == ("b",)
    assert best_pipelines(report, "tone") == ()  # no direction is better
    assert best_pipelines(make_report({"a": {"f1_over_words": [1]}}), "f1_over_words") == ()


def test_the_outcome_ranks_and_says_whether_intervals_overlap(make_report: Any) -> None:
    report = make_report({"a": {"latency_s": [9, 9.1]}, "b": {"latency_s": [1, 1.1]}, "c": {"latency_s": [None, None]}})
    assert outcome(report, "latency_s").startswith("latency_s: b 1.050 [")
    assert outcome(report, "latency_s").endswith("The 95 % interval of b overlaps with no other. Without a mean: c.")
    close = make_report({"a": {"f1_over_words": [0, 1]}, "b": {"f1_over_words": [1, 1]}})
    assert compared(close, "f1_over_words") == "The 95 % interval of b overlaps with that of a."
    assert outcome(make_report({"a": {"tone": [None]}}), "tone") == "No mean of tone can be given."


def test_the_same_account_is_told_once(make_report: Any) -> None:
    cells = {"f1_over_words": [1, None], "tone": ["civil", None]}
    assert unscored(make_report({"a": cells, "b": cells})) == ["a, b: every metric: skipped 1: 1 × no reference"]
    failed = make_report({"a": {"tone": [("failed", "boom"), None], "latency_s": [1, 1]}})
    assert unscored(failed) == ["a: tone: skipped 1, failed 1: 1 × boom; 1 × no reference"]
