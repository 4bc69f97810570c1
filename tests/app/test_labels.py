"""`ringtrue labels`: import and show, and what a person is told on the way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROWS = [{"id": "q1", "question": "Capital of Peru?", "reference": "Lima"}, {"id": "q2", "question": "And of Chile?"}]
LABELS = "item,rater,label,at\nq1,ana,yes,2026-05-01\nq1,bob,1,\nq2,ana,no,2026-05-03\n"


@pytest.fixture
def run(ringtrue: Callable, write: Callable) -> Callable[..., Any]:
    """The command line, in a folder with a run of one pipeline."""
    write("golden.jsonl", [{**one, "reference": "Lima"} for one in ROWS])
    write("answers.jsonl", [{"id": "q1", "answer": "Lima"}, {"id": "q2", "answer": "Rome"}])
    assert ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--json").code == 0
    return ringtrue


def test_labels_go_into_the_store_and_are_shown(run: Callable, write: Callable) -> None:
    write("labels.csv", LABELS)
    done = run("labels", "import", "labels.csv", "--metric", "correctness")
    assert done.code == 0, done.err
    assert "read as long: 3 new, 0 changed, 0 as before" in done.out
    assert "0 new, 0 changed, 3 as before" in run("labels", "import", "labels.csv", "--metric", "correctness").out
    shown = run("labels", "show").out.splitlines()
    assert shown[0].split() == ["metric", "rater", "answers", "also", "by", "others", "labels", "last"]
    assert shown[1].split() == ["correctness", "ana", "2", "1", "no", "1,", "yes", "1", "2026-05-03"]
    assert run("labels", "show", "--json").json["labels"] == [
        {
            "metric": "correctness",
            "rater": "ana",
            "items": 2,
            "overlap": 1,
            "labels": {"no": 1, "yes": 1},
            "last": "2026-05-03T00:00:00+00:00",
        },
        {"metric": "correctness", "rater": "bob", "items": 1, "overlap": 1, "labels": {"yes": 1}, "last": None},
    ]


def test_a_changed_mind_is_counted_as_such(run: Callable, write: Callable) -> None:
    write("labels.csv", LABELS)
    run("labels", "import", "labels.csv", "--metric", "correctness")
    write("again.csv", "item,rater,label\nq1,bob,no\n")
    told = run("labels", "import", "again.csv", "--metric", "correctness", "--json").json
    assert {key: told[key] for key in ("form", "new", "changed", "same", "older", "notes")} == {
        "form": "long",
        "new": 0,
        "changed": 1,
        "same": 0,
        "older": 0,
        "notes": [],
    }
    write("old.csv", "item,rater,label,at\nq2,ana,yes,2026-04-01\n")
    assert "1 older than what is stored" in run("labels", "import", "old.csv", "--metric", "correctness").out


def test_the_labels_of_a_judge_are_checked_and_written_as_the_judge_does(run: Callable, write: Callable) -> None:
    write("labels.csv", "item,rater,label\nq1,ana,pass\nq2,ana,0\n")
    assert run("labels", "import", "labels.csv", "--metric", "correctness").code == 0
    (one,) = run("labels", "show", "--json").json["labels"]
    assert one["labels"] == {"no": 1, "yes": 1}
    write("odd.csv", "item,rater,label\nq1,ana,perhaps\n")
    refused = run("labels", "import", "odd.csv", "--metric", "correctness")
    assert refused.code == 1
    assert "odd.csv:2: field 'label': unknown label 'perhaps' of correctness" in refused.err
    assert "known: " in refused.err


def test_the_labels_of_a_rubric_of_the_runs_own_are_known(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", [{**ROWS[0], "answer": "Lima"}])
    rubric = {
        "name": "politeness",
        "summary": "Whether the answer is polite.",
        "needs": ["answer"],
        "role": "You judge politeness.",
        "task": "Say whether it is polite.",
        "labels": {"polite": 1, "rude": 0},
        "positive": "polite",
    }
    write("politeness.yaml", yaml.safe_dump(rubric))
    config = {"dataset": "golden.jsonl", "metrics": ["exact_match"], "judges": [{"rubric": "politeness.yaml"}]}
    write("ringtrue.yaml", yaml.safe_dump(config))
    ringtrue("run", "ringtrue.yaml", "--json")
    write("labels.csv", "item,rater,label\nq1,ana,true\n")
    done = ringtrue("labels", "import", "labels.csv", "--metric", "politeness")
    assert done.code == 0, done.err
    assert ringtrue("labels", "show", "--json").json["labels"][0]["labels"] == {"polite": 1}


def test_what_is_missing_or_unclear_is_asked_for(run: Callable, write: Callable) -> None:
    write("labels.csv", LABELS)
    refused = run("labels", "import", "labels.csv")
    assert refused.code == 2
    assert "does not say which metric" in refused.err
    assert "exact_match" in refused.err  # the metrics of the run
    assert run("labels", "import", "labels.csv", "--metric", "m", "--run", "nothing").code == 2
    assert "no column and field" in run("labels", "import", "labels.csv", "--metric", "m", "--map", "item").err
    refused = run("labels", "import", "labels.csv", "--metric", "m", "--pipeline", "bass")
    assert refused.code == 2
    assert "did you mean base?" in refused.err
    assert "no such file" in run("labels", "import", "labls.csv", "--metric", "m").err
    assert "no labels yet" in run("labels", "show").out  # nothing of all this was kept


def test_a_slip_in_an_id_or_a_metric_is_told(run: Callable, write: Callable) -> None:
    write("labels.csv", "item,rater,label\nq1,ana,yes\nq22,ana,no\n")
    told = run("labels", "import", "labels.csv", "--metric", "corectness").out
    assert "left out: 1 ('q22', line 3: did you mean q2" in told
    assert "no metric is called 'corectness' (did you mean" in told
    assert " correctness?)" in told
    refused = run("labels", "show", "--metric", "correctness")
    assert refused.code == 2
    assert "did you mean corectness" in refused.err


def test_several_pipelines_need_a_name(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", ROWS[:1])
    for name in ("a", "b"):
        write(f"{name}.jsonl", [{"id": "q1", "answer": f"{name} says Lima"}])
    ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "a=a.jsonl", "--pipeline", "b=b.jsonl", "--json")
    write("labels.csv", "item,label\nq1,yes\n")
    words = ("labels", "import", "labels.csv", "--metric", "m", "--rater", "ana")
    refused = ringtrue(*words)
    assert refused.code == 2
    assert "--pipeline, or in a column `pipeline`: a, b" in refused.err
    assert "1 new" in ringtrue(*words, "--pipeline", "b").out


def test_without_a_store_there_is_nothing_to_label(ringtrue: Callable, write: Callable) -> None:
    write("labels.csv", LABELS)
    refused = ringtrue("labels", "import", "labels.csv", "--metric", "m")
    assert refused.code == 1
    assert "begin a run with: ringtrue run" in refused.err
    assert not Path(".ringtrue").exists()


def test_names_and_labels_are_shown_and_not_obeyed(run: Callable, write: Callable) -> None:
    write("labels.jsonl", [{"item": "q1", "rater": "[bold]ana[/bold] \x1b[31m%_", "label": "\x1b[2J\x00ok"}])
    run("labels", "import", "labels.jsonl", "--metric", "m")
    shown = run("labels", "show").out
    assert "[bold]ana[/bold]" in shown
    assert "\x1b" not in shown
    assert "\x00" not in shown
