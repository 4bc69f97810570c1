"""The JSON outputs: exact keys, nothing that JSON has no word for, every text whole."""

import json
from typing import Any

import pytest

from ringtrue.report.json_report import dumps, full_json, score_record, summary_json
from ringtrue.report.report import Report
from ringtrue.types import Score


def strict(data: bytes) -> Any:
    """Parse, and refuse NaN and infinities."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(data.decode("utf-8"), parse_constant=refuse)


def test_the_summary_has_the_published_keys(hostile: Report) -> None:
    told = strict(dumps(summary_json(hostile)))
    assert told["run"] == "20261130-120000-abcd"
    assert told["dataset"] == {"name": "golden", "fingerprint": "0123456789abcdef" * 2, "n": 4}
    assert list(told["summary"]) == list(hostile.pipelines)
    f1 = told["summary"]["plain"]["f1_over_words"]
    assert (f1["mean"], f1["scored"], f1["skipped"], f1["failed"]) == (pytest.approx(7 / 12), 3, 1, 0)
    assert len(f1["ci"]) == 2
    assert told["thresholds"][0] == {
        "metric": "factual_knowledge",
        "pipeline": "plain",
        "where": None,
        "require": ">= 0.5",
        "mean": 0.75,
        "scored": 4,
        "passed": True,
    }
    assert told["exit_code"] == 100


def test_what_is_not_known_is_null(make_report: Any) -> None:
    cell = summary_json(make_report({"a": {"f1_over_words": [None]}}))["summary"]["a"]["f1_over_words"]
    assert (cell["mean"], cell["ci"]) == (None, None)
    one = summary_json(make_report({"a": {"f1_over_words": [0.5]}}))["summary"]["a"]["f1_over_words"]
    assert (one["mean"], one["ci"]) == (0.5, None)  # one sample tells no interval


def test_no_nan_or_infinity_gets_out(make_report: Any) -> None:
    report = make_report({"a": {"latency_s": [float("nan"), float("inf")]}})
    assert summary_json(report)["summary"]["a"]["latency_s"]["mean"] is None  # for whoever prints it by other means
    full = strict(dumps(full_json(report)))
    assert full["summary"]["a"]["latency_s"]["mean"] is None
    assert [one["responses"][0]["scores"]["latency_s"]["value"] for one in full["rows"]] == [None, None]


def test_the_file_holds_metrics_and_every_row(hostile: Report) -> None:
    full = strict(dumps(full_json(hostile), indent=True))
    assert full["metrics"]["latency_s"]["range"] == [0, None]
    assert full["metrics"]["latency_s"]["signature"] == "latency_s|version:1"
    h1, h2 = full["rows"][:2]
    assert h1["facts"] == "</script>"
    assert h1["metadata"]["odd"] is None  # it was NaN
    assert h2["responses"][0]["answer"] == hostile.rows[1].responses["plain", 0].answer
    assert h2["responses"][1]["scores"]["tone"] == {
        "value": None,
        "status": "failed",
        "error": "no answer: timed out\x1b[2J </script>",
        "source": "code",
        "signature": "tone|version:1",
    }


def test_control_characters_and_half_pairs_are_escaped_and_come_back() -> None:
    text = "\x1b[31m \x07 \x0b \x7f \x9b \u2028 \ud83d 退款"
    data = dumps({"answer": text})
    assert not set(data.decode("utf-8")) & set("\x1b\x07\x0b\x7f\x9b\u2028")
    assert strict(data) == {"answer": text}
    assert "退款" in data.decode("utf-8")


def test_a_score_line_has_the_published_keys() -> None:
    score = Score(
        sample_id="a", pipeline="p", repeat=0, metric="m", status="scored", signature="m|version:1", value=1.0
    )
    assert list(score_record(score)) == [
        "sample_id",
        "pipeline",
        "repeat",
        "metric",
        "value",
        "label",
        "probability",
        "rationale",
        "status",
        "error",
        "source",
        "at",
        "signature",
    ]


def test_judging_is_summed_up_by_metric_and_in_total(judged: Report, hostile: Report) -> None:
    told = strict(dumps(summary_json(judged)))["judging"]
    assert list(told["metrics"]) == ["faithfulness", "coherence"]
    assert told["metrics"]["faithfulness"] == {
        "models": ["python:small", "python:large", "python:other"],
        "scores": 3,
        "questions": 5,
        "cached": 1,
        "calls": 4,
        "input_tokens": 200,
        "output_tokens": 20,
        "cost": None,
        "known_cost": pytest.approx(0.02),
        "latency_s": 2.0,
        "median_s": 0.4,
        "p95_s": 1.0,
        "failed": {"bad_label": 1},
        "lost_votes": {"rate_limited": 1},
        "juries": 1,
        "flip_rate": 0.25,
        "spread": 1.0,
    }
    assert told["total"]["calls"] == 8
    assert "judging" not in summary_json(hostile)


def test_the_file_holds_all_that_a_judge_was_asked_and_said(judged: Report) -> None:
    rows = strict(dumps(full_json(judged), indent=True))["rows"]
    told = [row["responses"][0]["scores"]["faithfulness"] for row in rows]
    score = judged.rows[0].scores["base", 0]["faithfulness"]
    assert told[0]["exchanges"] == [dict(one) for one in score.exchanges or ()]
    assert (told[0]["parts"][0]["quoted"], told[0]["usage"]["calls"], told[0]["probability"]) == (True, 3, 0.5)
    assert (told[1]["status"], told[1]["exchanges"][0]["reply"]) == ("failed", "maybe")
    assert not told[3].keys() & {"parts", "usage", "exchanges"}


def test_a_line_holds_parts_and_usage_but_not_what_was_said(judged: Report) -> None:
    record = score_record(judged.rows[0].scores["base", 0]["faithfulness"])
    assert record["parts"][1]["id"] == "c2"
    assert record["usage"]["cost"] is None
    assert "exchanges" not in record
