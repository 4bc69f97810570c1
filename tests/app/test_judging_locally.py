"""Judges of a run that need no model, and cascades from them to one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.test_judging import calls, model

__all__ = ["model"]  # a fixture


def scores(label: str) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in Path("s.jsonl").read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line["metric"] == label]


def test_without_a_model_the_local_form_judges(ringtrue: Callable, model: str) -> None:
    result = ringtrue("run", "--dataset", "rows.jsonl", "--metric", "answer_correctness", "--json", "-o", "s.jsonl")
    assert result.code == 0, result.err
    assert result.json["summary"]["answers"]["answer_correctness"]["mean"] == 0.5
    assert [one["label"] for one in scores("answer_correctness")] == ["yes", "no"]
    assert {one["source"] for one in scores("answer_correctness")} == {"judge"}
    assert calls() == 0


def test_the_local_judge_beside_a_model(ringtrue: Callable, model: str, write: Callable) -> None:
    write(
        "ringtrue.yaml",
        f"dataset: rows.jsonl\nmetrics: [answer_correctness]\nmodels: {{own: '{model}'}}\n"
        "judges: [{metric: answer_correctness, model: local, name: here}, "
        "{metric: answer_correctness, model: own, name: there}]\n",
    )
    result = ringtrue("run", "--json", "-o", "s.jsonl", "-o", "report.html")
    assert set(result.json["summary"]["answers"]) == {"here", "there"}
    assert [one["label"] for one in scores("here")] == ["yes", "no"]


def test_a_cascade_asks_the_model_about_unsure_rows_only(ringtrue: Callable, model: str, write: Callable) -> None:
    config = (
        "dataset: rows.jsonl\nmetrics: [answer_correctness]\n"
        f"models: {{own: '{model}'}}\n"
        "judges: [{metric: answer_correctness, model: [local, own], combine: cascade, band: %s}]\n"
    )
    write("ringtrue.yaml", config % "0.1")
    assert ringtrue("run", "-q", "-o", "s.jsonl").code == 0
    assert calls() == 0
    assert [part["by"] for one in scores("answer_correctness") for part in one["parts"][-1:]] == ["local", "local"]
    write("ringtrue.yaml", config % "0.49")
    ringtrue("run", "-q", "-o", "s.jsonl")
    assert calls() > 0


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        ("{metric: coherence, model: local}", "judge 'coherence' has no local form"),
        ("{metric: coherence, model: [local], combine: cascade}", "a cascade goes from the local judge to a model"),
        ("{metric: coherence, model: [local, own]}", "the local judge is no member of a jury"),
        ("{metric: coherence, model: [local, own], combine: cascade}", "judge 'coherence' has no local form"),
        ("{metric: refusal, model: [local, own], combine: cascade}", "does not tell how sure it is"),
    ],
)
def test_what_cannot_be_is_told(ringtrue: Callable, model: str, write: Callable, judge: str, told: str) -> None:
    write(
        "ringtrue.yaml",
        f"dataset: rows.jsonl\nmetrics: [coherence, refusal]\nmodels: {{own: '{model}'}}\njudges: [{judge}]\n",
    )
    result = ringtrue("run")
    assert result.code == 2
    assert told in result.err


def test_agree_holds_local_and_cascade_against_people(ringtrue: Callable, model: str, write: Callable) -> None:
    rows = [
        {"question": "Capital of Peru?", "reference": "Lima", "answer": "It is Lima.", "label": 1},
        {"question": "Capital of Chile?", "reference": "Santiago", "answer": "It is Rome.", "label": 0},
    ]
    write("people.jsonl", rows)
    agree = ("agree", "people.jsonl", "--metric", "answer_correctness", "--json")
    assert ringtrue(*agree, "--judge", "local").json["judges"]["local"]["agreement"] == 1.0
    both = ringtrue(*agree, "--judge", "local", "--judge", "cascade", "--judge-model", model).json["judges"]
    assert {name: one["agreement"] for name, one in both.items()} == {"local": 1.0, "cascade": 1.0}
    assert "has no model" in ringtrue(*agree, "--judge", "cascade").err
