"""One judge with several models in a run: each is a metric of its own, from the config to the report and back."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

ROWS = [
    {"id": "peru", "question": "Capital of Peru?", "answer": "It is Lima."},
    {"id": "chile", "question": "Capital of Chile?", "answer": "It is Rome."},
]
# One model finds every answer relevant, the other none; for Chile it breaks as long as there is a file "broken".
MODELS = """
from pathlib import Path

def _said(request, verdict):
    with Path("calls.txt").open("a") as log:
        log.write(verdict + "\\n")
    return {"rationale": "because", "verdict": verdict}

def kind(request):
    return _said(request, "relevant")

def strict(request):
    if Path("broken").exists() and "Chile" in request.messages[-1].content:
        raise RuntimeError("the model is down")
    return _said(request, "irrelevant")
"""
CONFIG = """
dataset: rows.jsonl
metrics: [answer_relevance]
judges:
  - {{metric: answer_relevance, model: '{kind}'}}
  - {{metric: answer_relevance, model: '{strict}'{more}}}
"""


@pytest.fixture
def models(write: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, str]:
    module = f"models_{abs(hash(tmp_path))}"
    write(f"{module}.py", MODELS)
    write("rows.jsonl", ROWS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return f"python:{module}:kind", f"python:{module}:strict"


def configured(models: tuple[str, str], more: str = "") -> str:
    kind, strict = models
    return CONFIG.format(kind=kind, strict=strict, more=more)


def test_each_model_has_a_metric_of_its_own_wherever_the_run_is_shown(
    ringtrue: Callable, models: tuple[str, str], write: Callable
) -> None:
    write("ringtrue.yaml", configured(models))
    labels = [f"answer_relevance[{one}]" for one in models]
    result = ringtrue("run", "--json", "-o", "scores.jsonl", "-o", "report.html", "-o", "report.md", "-o", "r.xml")
    assert result.code == 0, result.err
    means = {label: cell["mean"] for label, cell in result.json["summary"]["answers"].items()}
    assert means == {labels[0]: 1.0, labels[1]: 0.0}
    lines = [json.loads(line) for line in Path("scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(line["metric"], line["value"]) for line in lines} == set(means.items())
    assert all(label in Path("report.html").read_text(encoding="utf-8") for label in labels)
    again = ringtrue("report", "--json").json
    assert again["summary"] == result.json["summary"]
    told = "".join(ringtrue("report").out.split())
    assert all("answer_relevance[" in told and one.rpartition(":")[2] in told for one in models)


def test_a_name_labels_a_judge_and_gates_find_it(ringtrue: Callable, models: tuple[str, str], write: Callable) -> None:
    write("ringtrue.yaml", configured(models, ", name: the strict one"))
    result = ringtrue("run", "--json", "--threshold", "the strict one >= 0.5")
    assert result.code == 100
    assert list(result.json["summary"]["answers"]) == ["answer_relevance", "the strict one"]
    assert ringtrue("report").code == 100
    assert ringtrue("run", "--json", "--threshold", "answers: answer_relevance >= 1").code == 0


def test_gates_name_a_model_where_two_judge(ringtrue: Callable, models: tuple[str, str], write: Callable) -> None:
    write("ringtrue.yaml", configured(models))
    assert ringtrue("run", "--threshold", f"answer_relevance[{models[0]}] >= 1").code == 0
    assert ringtrue("run", "--threshold", f"answers: answer_relevance[{models[1]}] >= 1").code == 100
    unclear = ringtrue("run", "--threshold", "answer_relevance >= 1")
    assert (unclear.code, "write one of them" in unclear.err) == (2, True)


def test_resume_mends_the_judge_that_failed_and_asks_no_other(
    ringtrue: Callable, models: tuple[str, str], write: Callable
) -> None:
    write("ringtrue.yaml", configured(models))
    write("broken", "")
    first = ringtrue("run", "--json").json["summary"]["answers"]
    assert [(cell["scored"], cell["failed"]) for cell in first.values()] == [(2, 0), (1, 1)]
    Path("broken").unlink()
    Path("calls.txt").unlink()
    second = ringtrue("resume", "--json")
    assert second.code == 0, second.err
    cells = second.json["summary"]["answers"]
    assert list(cells) == list(first)
    assert [(cell["scored"], cell["failed"]) for cell in cells.values()] == [(2, 0), (2, 0)]
    assert Path("calls.txt").read_text(encoding="utf-8").split() == ["irrelevant"]


def test_judges_for_all_metrics_may_be_several_too(
    ringtrue: Callable, models: tuple[str, str], write: Callable
) -> None:
    text = configured(models).replace("metric: answer_relevance, ", "")
    write("ringtrue.yaml", text.replace("[answer_relevance]", "[answer_relevance, coherence, answer_words]"))
    cells = ringtrue("run", "--json", "--max-failed", "1").json["summary"]["answers"]
    wanted = [f"{name}[{model}]" for name in ("answer_relevance", "coherence") for model in models]
    assert list(cells) == [*wanted, "answer_words"]


def test_what_names_cannot_say_is_told(ringtrue: Callable, models: tuple[str, str], write: Callable) -> None:
    same = (models[0], models[0])
    for text, told in (
        (configured(same, ", name: again"), "are one metric"),
        (configured(models).replace("metric: answer_relevance", "name: all"), "would stand for every judge"),
        (configured(models, ", name: ''"), "name"),
    ):
        write("ringtrue.yaml", text)
        result = ringtrue("run")
        assert (result.code, told in result.err, "Traceback" in result.err) == (2, True, False), result.err
