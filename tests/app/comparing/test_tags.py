"""Tags of runs, and a metric over runs."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ringtrue.data.database.tags import check_tag
from ringtrue.data.store import Store
from ringtrue.errors import UsageError


@pytest.fixture
def project(write: Callable) -> None:
    rows = [{"id": f"q{n}", "question": f"What is {n}?", "reference": f"word {n}"} for n in range(10)]
    write("golden.jsonl", rows)
    write("good.jsonl", [{"id": row["id"], "answer": row["reference"]} for row in rows])
    write("bad.jsonl", [{"id": row["id"], "answer": "no"} for row in rows])


def run(ringtrue: Callable, answers: str, *words: str) -> str:
    told = ringtrue(
        "run", "--dataset", "golden.jsonl", "--pipeline", f"rag={answers}", "--metric", "exact_match", "--json", *words
    )
    assert told.code == 0, told.err
    return str(told.json["run"])


def test_a_run_is_named_when_it_begins_or_later(ringtrue: Callable, project: None) -> None:
    first, second = run(ringtrue, "bad.jsonl", "--tag", "baseline"), run(ringtrue, "good.jsonl")
    assert [one["tags"] for one in ringtrue("runs", "--json").json] == [[], ["baseline"]]
    assert ringtrue("report", "baseline", "--json").json["run"] == first
    assert ringtrue("tag", "latest", "candidate", "v2").out == f"run {second}: candidate, v2\n"
    assert ringtrue("report", "v2", "--json").json["run"] == second
    assert [one["id"] for one in ringtrue("runs", "--tag", "baseline", "--json").json] == [first]
    assert "baseline" in ringtrue("runs").out
    assert ringtrue("tag", "v2", "v2", "--remove").out == f"run {second}: candidate\n"
    assert "unknown run 'v2'" in ringtrue("report", "v2").err


def test_a_tag_that_several_runs_have_is_the_latest_of_them(ringtrue: Callable, project: None) -> None:
    run(ringtrue, "bad.jsonl", "--tag", "baseline")
    second = run(ringtrue, "good.jsonl", "--tag", "baseline")
    assert ringtrue("report", "baseline", "--json").json["run"] == second
    assert len(ringtrue("runs", "--tag", "baseline", "--json").json) == 2
    told = ringtrue("runs", "--tag", "nope")
    assert (told.code, "unknown tag 'nope'" in told.err) == (2, True)


def test_tags_may_stand_in_the_configuration(ringtrue: Callable, project: None, write: Callable) -> None:
    write(
        "ringtrue.yaml",
        "dataset: golden.jsonl\npipelines: {rag: good.jsonl}\nmetrics: [exact_match]\nrun: {tags: [nightly]}\n",
    )
    assert ringtrue("run").code == 0
    assert [one["tags"] for one in ringtrue("runs", "--json").json] == [["nightly"]]


@pytest.mark.parametrize("name", ["latest", "20261201-120000-ab", "", "two words", "-x", "a=b", "a@b"])
def test_what_cannot_be_a_tag(name: str) -> None:
    with pytest.raises(UsageError):
        check_tag(name)


def test_a_wrong_tag_is_told_before_the_run(ringtrue: Callable, project: None) -> None:
    told = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "rag=good.jsonl", "--tag", "latest")
    assert (told.code, "'latest' is always the latest run" in told.err) == (2, True)
    assert not Path(".ringtrue/ringtrue.db").exists()


def test_a_store_from_before_tags_goes_on(ringtrue: Callable, project: None) -> None:
    first = run(ringtrue, "bad.jsonl")
    with sqlite3.connect(".ringtrue/ringtrue.db") as connection:
        connection.execute("DROP TABLE tags")
    connection.close()
    with Store.open_existing() as store:
        assert store.run(first).tags == ()
    assert ringtrue("tag", first, "baseline").code == 0
    assert ringtrue("report", "baseline").code == 0


def test_the_trend_is_a_mean_with_its_interval_by_run_and_pipeline(ringtrue: Callable, project: None) -> None:
    first, second = run(ringtrue, "bad.jsonl", "--tag", "v1"), run(ringtrue, "good.jsonl")
    told = ringtrue("runs", "--trend", "exact_match", "--json").json
    assert told["metric"] == "exact_match"
    assert [(one["run"], one["tags"], one["mean"], one["scored"]) for one in told["points"]] == [
        (first, ["v1"], 0.0, 10),
        (second, [], 1.0, 10),
    ]
    low, high = told["points"][0]["ci"]
    assert (low, 0.27 < high < 0.28) == (0.0, True)  # Wilson's interval of 0 of 10 ends at 0.2775
    text = ringtrue("runs", "--trend", "exact-match").out
    assert "v1" in text
    assert "1.000  [0.72, 1.00]" in text
    assert "other" not in text.lower()
    assert "unknown metric 'nope'" in ringtrue("runs", "--trend", "nope").err


def test_the_trend_marks_what_cannot_be_compared(ringtrue: Callable, project: None) -> None:
    run(ringtrue, "good.jsonl", "--limit", "5")
    run(ringtrue, "good.jsonl")
    points = ringtrue("runs", "--trend", "exact_match", "--json").json["points"]
    assert [one["unlike"] for one in points] == [["dataset"], []]
    assert "other dataset" in ringtrue("runs", "--trend", "exact_match").out
