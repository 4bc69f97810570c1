"""The configuration: short and full forms, environment variables, and messages that name file, line, key and mend."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.app.config import RunConfig, config_schema, parse_config
from ringtrue.app.gates import threshold_of
from ringtrue.app.yaml_marks import read_yaml
from ringtrue.errors import ConfigError, UsageError


def test_short_forms_are_laid_out() -> None:
    config = parse_config(
        {
            "dataset": "golden.jsonl",
            "pipelines": {"base": "answers.jsonl", "app": {"command": ["python", "app.py"]}},
            "metrics": "exact_match",
            "thresholds": {"exact_match": ">= 0.8", "f1_over_words": {"app": ">= 0.5"}},
            "report": "report.html",
            "run": None,
        }
    )
    assert config.dataset.path == "golden.jsonl"
    assert [one.type for one in config.pipelines.values()] == ["recorded", "command"]
    assert config.metrics == ["exact_match"]
    assert [(gate.metric, gate.pipeline, gate.require) for gate in config.thresholds] == [
        ("exact_match", None, ">= 0.8"),
        ("f1_over_words", "app", ">= 0.5"),
    ]
    assert config.report == ["report.html"]


def test_environment_variables_are_put_in_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "abc${OTHER}")
    raw = {
        "dataset": "d.jsonl",
        "pipelines": {
            "api": {"url": "http://x.invalid", "headers": {"Authorization": "Bearer ${TOKEN}"}, "body": "$${X}"}
        },
    }
    api: Any = parse_config(raw).pipelines["api"]
    assert api.headers == {"Authorization": "Bearer abc${OTHER}"}
    assert api.body == "${X}"


def test_an_unset_variable_is_named_with_its_place(write: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    path = write(
        "c.yaml",
        "dataset: d.jsonl\npipelines:\n  api:\n    url: http://x.invalid\n    headers: {Auth: '${NO_SUCH_TOKEN}'}\n",
    )
    raw, marks = read_yaml(path)
    with pytest.raises(ConfigError, match=r"c\.yaml:5: pipelines\.api\.headers\.Auth: .*NO_SUCH_TOKEN[\s\S]*export"):
        parse_config(raw, where=str(path), marks=marks)
    assert parse_config(raw, where=str(path), marks=marks, in_use=False).pipelines["api"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "dataset: d.jsonl\nmetric: [exact_match]\n",
            r"c\.yaml:2: metric: unknown key 'metric'[\s\S]*did you mean metrics",
        ),
        ("dataset: {path: d.jsonl, fliter: x}\n", r"c\.yaml:1: dataset\.fliter: unknown key[\s\S]*did you mean filter"),
        ("dataset: d.jsonl\nrun:\n  repeat: 2\n", r"c\.yaml:3: run\.repeat: unknown key[\s\S]*did you mean repeats"),
        (
            "dataset: d.jsonl\nrun: {repeats: 0}\n",
            r"run\.repeats: 0 does not belong here: .*greater than or equal to 1[\s\S]*repeats: 1",
        ),
        ("pipelines: {}\n", "'dataset' is missing"),
        ("dataset: d.jsonl\npipelines: {a: {comand: [x]}}\n", r"pipelines\.a: a pipeline needs a type[\s\S]*command"),
        (
            "dataset: d.jsonl\npipelines: {a: {type: command, command: [x], timout: 3}}\n",
            r"pipelines\.a\.timout: unknown key[\s\S]*did you mean timeout",
        ),
        (
            "dataset: d.jsonl\npipelines: {a: {type: comand, command: [x]}}\n",
            r"unknown type 'comand'[\s\S]*did you mean command",
        ),
        ("dataset: d.jsonl\ndataset: e.jsonl\n", r"c\.yaml:2: the key 'dataset' stands twice, first in line 1"),
        ("dataset: [1]\n", r"c\.yaml:1: dataset: \[1\] does not belong here[\s\S]*dataset: golden.jsonl"),
        (
            "dataset: d.jsonl\npipelines: {a: {command: app.py}}\n",
            r"pipelines\.a\.command: 'app.py' does not[\s\S]*\[python, app",
        ),
        (
            "dataset: d.jsonl\npipelines: {a: {type: recorded, pth: x}}\n",
            r"pipelines\.a\.pth: unknown key[\s\S]*did you mean path",
        ),
        ("dataset: d.jsonl\nthresholds: {exact_match: 0.8}\n", r"0\.8 does not belong here[\s\S]*'>= 0\.8'"),
        ("dataset: d.jsonl\nrun: {repeats: true}\n", r"run\.repeats: True does not belong here"),
        ("dataset: d.jsonl\npipelines: {'': a.jsonl}\n", r"pipelines"),
        ("dataset: [unclosed\n", r"c\.yaml:2: is no YAML"),
        ("- a list\n", "holds no keys"),
        ("", "holds no keys"),
    ],
)
def test_mistakes_are_named_with_file_line_key_and_mend(
    ringtrue: Callable, write: Callable, text: str, told: str
) -> None:
    write("c.yaml", text)
    result = ringtrue("validate", "c.yaml")
    assert result.code == 2
    assert re.search(told, result.err), result.err
    assert "Traceback" not in result.err


def test_a_missing_config_offers_init(ringtrue: Callable) -> None:
    result = ringtrue("run", "none.yaml")
    assert (result.code, "ringtrue init" in result.err) == (2, True)
    nothing = ringtrue("run")
    assert (nothing.code, "ringtrue init" in nothing.err) == (2, True)


def test_the_schema_takes_short_forms_too(ringtrue: Callable) -> None:
    schema = config_schema()
    assert {"type": "string"} in schema["properties"]["dataset"]["anyOf"]
    assert set(schema["properties"]) == set(RunConfig.model_fields)
    assert schema["additionalProperties"] is False
    assert ringtrue("schema").json == schema


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("facts_matched >= 0.8", {"metric": "facts_matched", "require": ">= 0.8"}),
        (
            "base: f1_over_words(mode=squad)>0.5",
            {"pipeline": "base", "metric": "f1_over_words(mode=squad)", "require": ">0.5"},
        ),
        ("latency_s ≤ 2", {"metric": "latency_s", "require": "≤ 2"}),
        ("fair[openai:m] >= 1", {"metric": "fair[openai:m]", "require": ">= 1"}),
        (
            "base: fair[x:m@http://[::1]:8000/v1(temperature=0), repeats:3] >= 1",
            {
                "pipeline": "base",
                "metric": "fair[x:m@http://[::1]:8000/v1(temperature=0), repeats:3]",
                "require": ">= 1",
            },
        ),
        ("base: the strict one < 1", {"pipeline": "base", "metric": "the strict one", "require": "< 1"}),
    ],
)
def test_gates_on_the_command_line(written: str, read: dict[str, str]) -> None:
    assert threshold_of(written) == read


@pytest.mark.parametrize("written", ["facts_matched", ">= 0.8", ""])
def test_what_is_no_gate_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match=r"no threshold[\s\S]*--threshold"):
        threshold_of(written)


def test_the_stored_run_keeps_no_secret(ringtrue: Callable, write: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_ANSWERS", "answers.jsonl")
    write("golden.jsonl", [{"id": "a", "question": "Q?", "reference": "Lima"}])
    write("answers.jsonl", [{"id": "a", "answer": "Lima"}])
    write("ringtrue.yaml", "dataset: golden.jsonl\npipelines: {base: '${SECRET_ANSWERS}'}\n")
    assert ringtrue("run").code == 0
    assert b"${SECRET_ANSWERS}" in Path(".ringtrue/ringtrue.db").read_bytes()
    monkeypatch.delenv("SECRET_ANSWERS")
    assert ringtrue("report").code == 0
