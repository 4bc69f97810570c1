"""What judging took: sums that say unknown where they are, latencies, failures by kind, the disagreement of juries."""

from typing import Any

import pytest

from ringtrue.report.judging.summary import (
    cost_text,
    failures_text,
    judging,
    judging_lines,
    models_text,
    money_text,
    seconds_text,
)
from ringtrue.report.report import Report


def cell(**usage: Any) -> dict[str, Any]:
    return {"value": 1.0, "usage": usage}


def test_each_judge_is_summed_up_and_all_of_them(judged: Report) -> None:
    found = judging(judged)
    assert found is not None
    assert list(found.metrics) == ["faithfulness", "coherence"]  # tone asks nobody
    one = found.metrics["faithfulness"]
    assert (one.scores, one.questions, one.cached, one.calls) == (3, 5, 1, 4)
    assert (one.input_tokens, one.output_tokens, one.latency_s) == (200, 20, 2.0)
    assert one.models == ("python:small", "python:large", "python:other")
    assert (one.median_s, one.p95_s) == (0.4, 1.0)  # of 0.2, 0.4 and 1.0: a kept reply took no time
    assert one.failed == {"bad_label": 1}
    assert one.lost_votes == {"rate_limited": 1}
    assert (one.juries, one.flip_rate, one.spread) == (1, 0.25, 1.0)
    assert found.total.scores == 7
    assert found.total.calls == 8


def test_a_cost_that_is_unknown_in_one_is_unknown_in_the_sum(judged: Report) -> None:
    found = judging(judged)
    assert found is not None
    one, other = found.metrics["faithfulness"], found.metrics["coherence"]
    assert one.cost is None
    # The known reply of the jury 0.01, the failed row 0.01, the kept reply 0.
    assert one.known_cost == pytest.approx(0.02)
    assert cost_text(one) == "unknown, at least $0.0200"
    assert other.cost == pytest.approx(0.00048)
    assert cost_text(other) == "$0.00048"
    assert found.total.cost is None


def test_where_nothing_is_known_nothing_is_made_up(make_report: Any) -> None:
    found = judging(make_report({"a": {"faithfulness": [cell(calls=1), cell(calls=2, cost=True, latency_s="long")]}}))
    assert found is not None
    total = found.total
    assert total.calls == 3
    assert (total.cost, total.input_tokens, total.latency_s) == (None, None, None)
    assert (total.median_s, total.flip_rate, total.spread) == (None, None, None)
    assert cost_text(total) == "unknown"


def test_a_run_without_judges_tells_nothing_and_looks_at_no_score(
    make_report: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = make_report({"a": {"f1_over_words": [1, 0]}})
    monkeypatch.setattr(Report, "scores", lambda _: pytest.fail("looked at the scores"))
    assert judging(report) is None
    assert judging_lines(report) == []


def test_a_judge_without_a_model_asked_nobody(make_report: Any) -> None:
    skipped = {"status": "skipped", "error": "no judge model"}
    assert judging(make_report({"a": {"faithfulness": [skipped]}})) is None


def test_a_failure_of_no_known_kind_is_other(make_report: Any) -> None:
    failed = {"status": "failed", "usage": {"calls": 1}}
    errors = ["KeyError: 'x'", "timed out: python:small: 60 s", "no majority: 1 yes, 1 no", "timed out: again"]
    found = judging(make_report({"a": {"faithfulness": [failed | {"error": one} for one in errors]}}))
    assert found is not None
    assert found.total.failed == {"timed_out": 2, "no_majority": 1, "other": 1}
    assert failures_text(found.total) == "timed out 2, no majority 1, other 1"


def test_people_read_it_in_two_lines(judged: Report, make_report: Any) -> None:
    took, juries = judging_lines(judged)
    assert took.startswith("Judging took 8 calls and 1 kept reply, 600 tokens in and 60 out, cost unknown, at least $0")
    assert took.endswith("$0.0205, 4.0 s of models' time.")
    assert juries == "Juries: flip rate 25 %, spread 1.000."
    kept = {"calls": 0, "cached": True, "input_tokens": 0, "output_tokens": 0, "cost": 0.0, "latency_s": 0.0}
    again = {"value": 1.0, "usage": kept, "exchanges": ({"usage": kept}, {"usage": kept})}
    (line,) = judging_lines(make_report({"a": {"faithfulness": [again]}}))
    assert line.startswith("Judging took 0 calls and 2 kept replies, 0 tokens in and 0 out, $0, ")


def test_lost_votes_and_many_models_are_told(judged: Report, make_report: Any) -> None:
    found = judging(judged)
    assert found is not None
    assert failures_text(found.metrics["faithfulness"]) == "bad label 1; votes lost: rate limited 1"
    many = {"value": 1.0, "usage": {"calls": 9}, "exchanges": tuple({"model": f"m{n}"} for n in range(9))}
    other = judging(make_report({"a": {"faithfulness": [many]}}))
    assert other is not None
    assert models_text(other.total) == "m0, m1, m2, m3, m4, m5, 3 more"


@pytest.mark.parametrize(
    ("cost", "text"),
    [(0, "$0"), (0.000151, "$0.00015"), (0.5, "$0.5000"), (12.5, "$12.50"), (3e-9, "$0.0000000030")],
)  # fmt: skip
def test_small_money_keeps_two_digits(cost: float, text: str) -> None:
    assert money_text(cost) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0241, "0.024 s"), (0.25, "0.25 s"), (12.34, "12.3 s"), (1300.0, "1,300 s"), (None, "unknown time")],
)
def test_seconds_have_the_decimals_that_help(seconds: float | None, text: str) -> None:
    assert seconds_text(seconds) == text
