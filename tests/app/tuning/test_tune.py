"""`ringtrue judge tune` from end to end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.judges.loading import load_rubric

Call = Callable[..., Any]
Write = Callable[..., Path]

JUDGE = "answer_correctness(mode=one_call)"


def model(name: str) -> tuple[str, str]:
    return "--judge-model", f"python:tuning_models:{name}"


FIGURES = ("n", "agreement", "agreement_ci", "kappa", "kappa_ci", "tpr", "tnr", "auc", "brier", "signature", "failed")


def told(judge: dict[str, Any]) -> dict[str, Any]:
    return {name: judge.get(name) for name in FIGURES}


def test_a_cut_mends_a_judge_that_is_sure_of_nothing_and_agree_finds_the_same(ringtrue: Call, data: Path) -> None:
    result = ringtrue("judge", "tune", JUDGE, data, *model("shy"), "-o", "mine.yaml", "--json")
    assert result.code == 0, result.err
    found = result.json
    # it never says yes: agreement by chance, kappa 0; the same probabilities rank the rows well
    assert found["before"]["kappa"] == 0
    assert found["after"]["kappa"] > 0.4
    assert found["helped"]
    low, high = found["difference"]["kappa_ci"]
    assert 0 < low < found["difference"]["kappa"] < high
    assert found["after"]["brier"] < found["before"]["brier"]
    agreed = ringtrue("agree", data, "--judge", "mine.yaml", *model("shy"), "--split", "test", "--json")
    assert agreed.code == 0, agreed.err
    assert told(agreed.json["judges"]["mine"]) == told(found["after"])
    assert agreed.json["n"] == found["measured_on"]["rows"]


def test_examples_teach_what_the_words_alone_do_not(ringtrue: Call, data: Path) -> None:
    words = ("judge", "tune", JUDGE, data, *model("schooled"), "--by", "examples", "-o", "taught.yaml")
    result = ringtrue(*words, "--json")
    assert result.code == 0, result.err
    found = result.json
    assert (found["after"]["kappa"], found["helped"], found["examples"]) == (1.0, True, 4)
    assert found["before"]["kappa"] < 0.8
    rubric = load_rubric("taught.yaml")
    assert sorted(one.label for one in rubric.examples).count("yes") >= 2
    agreed = ringtrue("agree", data, "--judge", "taught.yaml", *model("schooled"), "--split", "test", "--json")
    assert told(agreed.json["judges"]["taught"]) == told(found["after"])


def test_no_question_of_an_example_or_of_the_fit_is_in_the_test_rows(
    ringtrue: Call, data: Path, rows: list[dict[str, Any]]
) -> None:
    result = ringtrue("judge", "tune", JUDGE, data, *model("schooled"), "--by", "examples", "-o", "t.yaml", "--json")
    found = result.json
    assert found["fitted_on"]["questions"] + found["measured_on"]["questions"] == 80
    own = {one.fields["question"] for one in load_rubric("t.yaml").examples}
    marked = [row | {"split": "dev" if row["question"] in own else "test"} for row in rows]
    assert len(own) == 4
    assert sum(row["split"] == "dev" for row in marked) == 8


def test_the_rubric_file_tells_where_it_comes_from(ringtrue: Call, data: Path) -> None:
    assert ringtrue("judge", "tune", JUDGE, data, *model("shy"), "--seed", 3, "-o", "mine.yaml").code == 0
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert text.startswith("# answer_correctness_one_call, tuned by cut with python:tuning_models:shy on labelled, 2")
    rubric = load_rubric("mine.yaml")
    made = rubric.provenance
    assert made is not None
    assert (made["from"]["rubric"], made["from"]["version"], rubric.version) == ("answer_correctness_one_call", 1, 2)
    assert made["seed"] == 3
    assert made["data"]["name"] == "labelled"
    assert made["fitted_on"]["rows"] + made["measured_on"]["rows"] == 160
    assert made["before"]["kappa"]["value"] < made["after"]["kappa"]["value"]
    assert rubric.cut is not None
    assert rubric.calibration is not None


def test_a_tuned_file_can_be_tuned_again(ringtrue: Call, data: Path) -> None:
    assert ringtrue("judge", "tune", JUDGE, data, *model("shy"), "-o", "mine.yaml").code == 0
    again = ringtrue("judge", "tune", "mine.yaml", data, *model("shy"), "-o", "again.yaml", "--json")
    assert again.code == 0, again.err
    assert again.json["before"]["kappa"] == again.json["after"]["kappa"] > 0.4
    assert not again.json["helped"]
    assert load_rubric("again.yaml").version == 3


def test_examples_and_a_cut_go_together(ringtrue: Call, data: Path) -> None:
    ways = ("--by", "cut", "--by", "examples")
    result = ringtrue("judge", "tune", JUDGE, data, *model("shy"), *ways, "--json")
    assert result.code == 0, result.err
    assert [step["by"] for step in result.json["steps"]] == ["examples", "cut"]
    assert "none of 8 sets of 4 examples" in result.json["steps"][0]["says"]
    assert result.json["cut"] is not None


def test_what_does_not_help_is_told_plainly_and_written_only_where_asked(ringtrue: Call, data: Path) -> None:
    result = ringtrue("judge", "tune", JUDGE, data, *model("random_odds"))
    assert result.code == 0, result.err
    assert "It helped" not in result.out
    assert not list(Path().glob("*.yaml"))
    perfect = ringtrue("judge", "tune", JUDGE, data, *model("flat"), "--by", "examples", "--json")
    assert (perfect.json["changed"], perfect.json["helped"]) == (False, False)
    assert perfect.json["verdict"].startswith("Nothing was found")


def test_the_terminal_shows_before_after_and_difference(ringtrue: Call, data: Path) -> None:
    result = ringtrue("judge", "tune", JUDGE, data, *model("shy"))
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines if line.split()[:1] in (["before"], ["after"], ["difference"])] == [
        "before",
        "after",
        "difference",
    ]
    assert "It helped: the interval of the difference in kappa lies above 0." in result.out
    assert "-o FILE.yaml" in result.out


def test_a_second_command_asks_nothing_again(ringtrue: Call, data: Path) -> None:
    import tuning_models  # type: ignore[import-not-found]

    first = ringtrue("judge", "tune", JUDGE, data, *model("shy"), "--json")
    asked = len(tuning_models.calls)
    again = ringtrue("judge", "tune", JUDGE, data, *model("shy"), "--json")
    assert asked > 160
    assert len(tuning_models.calls) == asked
    assert again.json == first.json


def test_a_budget_ends_it_and_a_larger_one_goes_on(ringtrue: Call, data: Path) -> None:
    words = ("judge", "tune", JUDGE, data, *model("shy"))
    stopped = ringtrue(*words, "--max-calls", 100)
    assert stopped.code == 3
    assert "the tuning ended early: all 100 calls" in stopped.err
    assert ringtrue(*words, "--max-calls", 200).code == 0


def test_the_split_of_the_data_decides_where_it_has_one(
    ringtrue: Call, data: Path, rows: list[dict[str, Any]], write: Write
) -> None:
    split = write("split.jsonl", [row | {"split": "test" if n < 40 else "dev"} for n, row in enumerate(rows)])
    result = ringtrue("judge", "tune", JUDGE, split, *model("shy"), "--json")
    assert (result.json["fitted_on"]["rows"], result.json["measured_on"]["rows"]) == (120, 40)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("answer_correctness",), "tune its one-call form: 'answer_correctness(mode=one_call)'"),
        (("faithfulness",), "faithfulness judges item by item"),
        (("f1_over_words",), "unknown judge 'f1_over_words'"),
        (("baseline_five_star",), "labels: "),
        (("answer_correctness(mode=one_call, max_chars=900)",), "max_chars"),
        ((JUDGE, "--by", "luck"), "unknown way to tune 'luck'"),
        ((JUDGE, "-o", "mine.json"), "end it with .yaml"),
        (("nowhere.yaml",), "no such file"),
    ],
)
def test_what_is_off_is_told_before_anything_is_judged(
    ringtrue: Call, data: Path, words: tuple[str, ...], told: str
) -> None:
    result = ringtrue("judge", "tune", words[0], data, *model("shy"), *words[1:])
    assert result.code == 2
    assert told in result.err


def test_without_a_model_there_is_nothing_to_tune(ringtrue: Call, data: Path) -> None:
    result = ringtrue("judge", "tune", JUDGE, data)
    assert result.code == 2
    assert "--judge-model PROVIDER:MODEL" in result.err


@pytest.mark.parametrize(
    ("name", "told"), [("flat", "gives no probability of 'yes'"), ("broken", "every verdict failed, the first by")]
)
def test_a_judge_without_probabilities_gets_no_cut(ringtrue: Call, data: Path, name: str, told: str) -> None:
    result = ringtrue("judge", "tune", JUDGE, data, *model(name))
    assert result.code == 1
    assert told in result.err


def test_too_few_rows_are_refused_with_the_numbers(ringtrue: Call, data: Path, write: Write) -> None:
    few = write("few.jsonl", [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()[:12]])
    result = ringtrue("judge", "tune", JUDGE, few, *model("shy"))
    assert result.code == 2
    assert "few: too few labelled rows: for fitting there are 1 yes and 1 no" in result.err
    assert "and 5 of each are needed" in result.err
    assert "20 with both labels in balance are the least" in result.err


def test_labels_that_are_no_yes_and_no_are_refused(
    ringtrue: Call, rows: list[dict[str, Any]], data: Path, write: Write
) -> None:
    named = write("named.jsonl", [row | {"label": "good" if row["label"] == "yes" else "poor"} for row in rows])
    result = ringtrue("judge", "tune", JUDGE, named, *model("shy"))
    assert result.code == 2
    assert "people's labels are good, poor" in result.err


def test_labels_in_the_words_of_the_judge_will_do(
    ringtrue: Call, rows: list[dict[str, Any]], data: Path, write: Write
) -> None:
    labels = {"yes": "relevant", "no": "irrelevant"}
    named = write("named.jsonl", [row | {"label": labels[row["label"]]} for row in rows])
    result = ringtrue("judge", "tune", "answer_relevance", named, *model("shy"), "-o", "mine.yaml", "--json")
    assert result.code == 0, result.err
    words = ("--judge", "mine.yaml", *model("shy"), "--split", "test", "--metric", "answer_relevance")
    agreed = ringtrue("agree", named, *words, "--json")
    assert told(agreed.json["judges"]["mine"]) == told(result.json["after"])


def test_instructions_need_their_extra(ringtrue: Call, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "dspy", None)
    result = ringtrue("judge", "tune", JUDGE, data, *model("flat"), "--by", "instructions")
    assert result.code == 1
    assert "ringtrue[optimize]" in result.err
