"""JUnit XML: any reader reads it, control characters are shown, failures, errors and skips are told apart."""

from typing import Any
from xml.etree import ElementTree as ET

from ringtrue.report.junit import junit_xml
from ringtrue.report.report import Report


def test_a_hostile_report_parses_and_shows_its_control_characters(hostile: Report) -> None:
    root = ET.fromstring(junit_xml(hostile))
    assert [suite.get("name") for suite in root] == list(hostile.pipelines)
    red = next(case for case in root[0].iter("testcase") if (case.get("name") or "").startswith("h2: Show the red"))
    assert red.findtext("system-out") == "␛[31mERROR␛[0m code ␇ and vertical␋tab, \\u202eright to left"
    first = root[0].findall("testcase")[2]
    assert first.get("name") == "h1<b>: How do I | close `a` script </title><script>alert(1)</script>?"
    assert first.get("classname") == "plain"
    assert first.get("time") == "0.500"


def test_the_counts_are_those_of_the_cases(hostile: Report) -> None:
    root = ET.fromstring(junit_xml(hostile))
    # Two suites of four rows; thresholds: two for the first pipeline, one for the second.
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == ("11", "1", "1", "0")
    assert [suite.get("tests") for suite in root] == ["6", "5"]


def test_a_missed_threshold_is_a_failure(hostile: Report) -> None:
    passed, missed = (
        case
        for case in ET.fromstring(junit_xml(hostile)).iter("testcase")
        if case.get("name") == "factual_knowledge >= 0.5"
    )
    assert passed.find("failure") is None
    failure = missed.find("failure")
    assert failure is not None
    assert (failure.get("message") or "").endswith("0.000 over 3 scores")


def test_a_failed_score_is_an_error_with_its_reason(hostile: Report) -> None:
    case = ET.fromstring(junit_xml(hostile))[1].findall("testcase")[2]
    error = case.find("error")
    assert error is not None
    assert error.get("message") == "timed out␛[2J after 60 s </script>"
    assert "factual_knowledge, f1_over_words, latency_s, tone: no answer" in (error.text or "")


def test_values_are_properties(hostile: Report) -> None:
    case = ET.fromstring(junit_xml(hostile))[0].findall("testcase")[4]
    told = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert told == {
        "factual_knowledge": "0",
        "f1_over_words": "skipped: no reference",
        "latency_s": "0.500",
        "tone": "civil",
    }
    assert case.find("error") is None
    assert case.find("skipped") is None  # one of several metrics was


def test_a_row_with_nothing_scored_is_skipped(make_report: Any) -> None:
    skipped = ET.fromstring(junit_xml(make_report({"a": {"f1_over_words": [None]}})))
    assert skipped.find(".//skipped[@message='no reference']") is not None


def test_a_run_that_was_cut_short_does_not_look_green(make_report: Any) -> None:
    done = make_report({"a": {"f1_over_words": [1]}})
    samples = [row.sample for row in make_report({"a": {"f1_over_words": [1, 1]}}).rows]
    cut = make_report(
        {"a": {"f1_over_words": [1]}},
        samples=samples,
        answers={("a", 0): done.rows[0].responses["a", 0]},
        status="interrupted",
    )
    root = ET.fromstring(junit_xml(cut))
    assert root.get("errors") == "1"
    assert root.find(".//error").get("message") == "no answer in this run, which is interrupted"  # type: ignore[union-attr]


def test_repeats_are_cases_of_their_own(make_report: Any) -> None:
    root = ET.fromstring(junit_xml(make_report({"a": {"f1_over_words": [1, 0]}}, repeats=2)))
    names = [case.get("name") for case in root.iter("testcase")]
    assert names == ["s1: Question 1? (repeat 1)", "s1: Question 1? (repeat 2)"]
