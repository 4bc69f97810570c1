"""Gates: how they are read, what passes, and the exit code that follows."""

from typing import Any

import pytest

from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.thresholds import (
    Threshold,
    check_thresholds,
    exit_code,
    find_label,
    parse_requirement,
    threshold_text,
)
from ringtrue.types import Sample

BROKEN = ("failed", "timed out")


@pytest.mark.parametrize(
    ("written", "mean", "holds"),
    [
        (">= 0.8", 0.8, True),
        (">=0.8", 0.79, False),
        ("≥ 80%", 0.8, True),
        ("> 0.8", 0.8, False),
        ("> .8", 0.81, True),
        ("<= 2.5", 2.5, True),
        ("≤ 2.5", 2.6, False),
        ("< 2.5", 2.5, False),
        ("< 1e3", 999.0, True),
        ("> -1", 0.0, True),
        ("== 1", 1.0, True),
        ("== 1", 0.99, False),
        (">= 0.3", 0.1 + 0.1 + 0.1 - 1e-12, True),  # rounding alone fails nobody
        ("> 0.3", 0.1 + 0.2, False),
        (">= 0.8", float("nan"), False),
        ("< 1", float("-inf"), False),
    ],
)
def test_a_requirement_says_what_a_mean_must_be(written: str, mean: float, holds: bool) -> None:
    assert parse_requirement(written).holds(mean) is holds


@pytest.mark.parametrize("written", ["0.8", ">= ", "=> 0.8", "= 0.8", ">= 0.8 or so", "!= 1", "", ">= 0,8"])
def test_what_cannot_be_read_says_how_to_write_it(written: str) -> None:
    with pytest.raises(UsageError, match="write an operator"):
        parse_requirement(written)


def test_a_gate_without_a_pipeline_is_for_all(make_report: Any) -> None:
    report = make_report(
        {"a": {"f1_over_words": [1, 0.5]}, "b": {"f1_over_words": [0.1, None]}},
        thresholds=[Threshold("f1-over-words", " >= 0.5 ")],
    )
    assert [(one.pipeline, one.metric, one.require, one.mean, one.scored, one.passed) for one in report.thresholds] == [
        ("a", "f1_over_words", ">= 0.5", 0.75, 2, True),
        ("b", "f1_over_words", ">= 0.5", 0.1, 1, False),
    ]
    assert report.exit_code == 100


def test_a_gate_over_a_slice_counts_only_its_samples(make_report: Any) -> None:
    samples = [Sample(id=f"s{n}", question="q", metadata={"lang": lang}) for n, lang in enumerate(("de", "en", "de"))]
    report = make_report({"a": {"f1_over_words": [1, 0, 0.5]}}, samples=samples)
    german, none = check_thresholds(
        report,
        [
            Threshold("f1_over_words", ">= 0.75", where="metadata.lang == 'de'"),
            Threshold("f1_over_words", "< 1", where="metadata.lang == 'fr'"),
        ],
    )
    assert (german.mean, german.scored, german.passed) == (0.75, 2, True)
    assert (none.mean, none.scored, none.passed) == (None, 0, False)  # nothing scored is not passed
    with pytest.raises(UsageError, match="cannot be read"):
        check_thresholds(report, [Threshold("f1_over_words", "< 1", where="metadata.lang ==")])


def test_labels_pass_no_gate_and_say_why(make_report: Any) -> None:
    report = make_report({"a": {"tone": ["civil"]}}, thresholds=[Threshold("tone", ">= 0")])
    assert not report.thresholds[0].passed
    assert threshold_text(report.thresholds[0]) == "tone >= 0 for a: labels have no mean"


def test_unknown_names_offer_the_near_ones(make_report: Any) -> None:
    report = make_report({"base": {"f1_over_words": [1]}})
    with pytest.raises(UnknownNameError, match="did you mean f1_over_words"):
        check_thresholds(report, [Threshold("f1_over_word", "> 0")])
    with pytest.raises(UnknownNameError, match="did you mean base"):
        check_thresholds(report, [Threshold("f1_over_words", "> 0", pipeline="bas")])


def test_a_metric_with_two_parameter_sets_must_be_named_by_its_label(make_report: Any) -> None:
    use = make_report({"a": {"f1_over_words": [1]}}).metrics["f1_over_words"]
    labels = {"f1_over_words(mode=squad)": use, "f1_over_words(mode=fmeval)": use}
    assert find_label(labels, "f1_over_words(mode=squad)") == "f1_over_words(mode=squad)"
    assert find_label({"f1_over_words(mode=squad)": use}, "F1-over-words") == "f1_over_words(mode=squad)"
    with pytest.raises(UsageError, match="write one of them"):
        find_label(labels, "f1_over_words")


@pytest.mark.parametrize(
    ("cells", "status", "max_failed", "code"),
    [
        ([1, 1], "finished", 0.05, 0),
        ([0, 0], "finished", 0.05, 100),
        ([1, BROKEN], "finished", 0.05, 3),
        ([1, BROKEN], "finished", 0.5, 0),  # half is not more than half
        ([0, BROKEN], "finished", 0.0, 3),  # too many failures say more than a failed gate
        ([1, BROKEN], "finished", 0.0, 3),
        ([1, None], "finished", 0.0, 0),  # skipped is not failed
        ([1, 1], "interrupted", 0.05, 3),
        ([0, 0], "stopped", 0.05, 3),
    ],
)
def test_the_exit_code(make_report: Any, cells: list[Any], status: str, max_failed: float, code: int) -> None:
    report = make_report(
        {"a": {"f1_over_words": cells}},
        thresholds=[Threshold("f1_over_words", ">= 0.5")],
        status=status,
        max_failed=max_failed,
    )
    assert report.exit_code == code


def test_one_bad_pipeline_is_not_hidden_by_good_ones(make_report: Any) -> None:
    good = {"f1_over_words": [1.0] * 4}
    report = make_report({"a": good, "b": good, "c": {"f1_over_words": [1, 1, 1, BROKEN]}})
    assert exit_code(report, (), 0.2) == 3
    assert exit_code(report, (), 0.25) == 0


def test_a_mean_that_rounds_to_the_bound_it_misses_is_shown_in_full(make_report: Any) -> None:
    report = make_report({"a": {"f1_over_words": [0.79996]}}, thresholds=[Threshold("f1_over_words", ">= 80%")])
    assert threshold_text(report.thresholds[0]) == "f1_over_words >= 80% for a: 0.79996 over 1 score"
