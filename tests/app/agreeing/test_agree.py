"""`ringtrue agree` from end to end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
Write = Callable[..., Path]

# A model that finds an answer right where it says "right": for a claims judge, a judge of the whole and a graded one.
MODEL = """
import json

def judge(request):
    text = request.messages[-1].content
    properties = (request.schema or {})["properties"]
    right = "it is right" in text
    if "claims" in properties:
        return json.dumps({"claims": [{"source": "G", "claim": "It is G.", "kind": "essential"}]})
    if "verdicts" in properties:
        ids = properties["verdicts"]["properties"]
        known = next(iter(ids.values()))["properties"]["verdict"]["enum"]
        label = known[0] if right else known[-1]
        return json.dumps({"verdicts": {one: {"reason": "r", "quote": "", "verdict": label} for one in ids}})
    labels = properties["verdict"]["enum"]
    said = "yes" if right else "no"
    said = said if said in labels else labels[-1] if right else labels[0]
    return json.dumps({**({"rationale": "so"} if "rationale" in properties else {}), "verdict": said})

def broken(request):
    return "no verdict at all"
"""


@pytest.fixture
def data(write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Twelve rows of six questions; the third and the last answer are judged wrongly by whoever looks for "right"."""
    monkeypatch.syspath_prepend(str(tmp_path))
    write("agreeing_model.py", MODEL)
    rows = []
    for place in range(12):
        right = place % 2 == 0
        looks_right = right != (place in (2, 11))
        rows.append(
            {
                "id": f"r{place}",
                "qid": place // 2,
                "question": f"Q{place // 2}?",
                "reference": "It is G.",
                "answer": f"Answer {place}: it is {'right' if looks_right else 'not'}.",
                "raters": {"ann": right, "ben": right, "cem": right if place else not right},
                "judges": {"old": int(looks_right), "new": int(right), "new_prob": 0.9 if right else 0.2},
            }
        )
    return write("labelled.jsonl", rows)


MODEL_ID = "python:agreeing_model:judge"


def test_stored_judges_are_measured_without_a_model(ringtrue: Call, data: Path) -> None:
    result = ringtrue("agree", data, "--json")
    assert result.code == 0, result.err
    judges = result.json["judges"]
    assert list(judges) == ["old", "new"]
    assert judges["old"]["agreement"] == pytest.approx(10 / 12)
    assert judges["old"]["kappa"] == pytest.approx(2 / 3)
    assert (judges["new"]["agreement"], judges["new"]["auc"], judges["old"]["auc"]) == (1.0, 1.0, None)
    figures = {"n", "agreement", "agreement_ci", "kappa", "kappa_ci", "tpr", "tnr", "auc", "brier", "failed"}
    assert set(judges["old"]) >= figures
    assert set(result.json["human"]) >= {"alpha", "majority_share", "skew", "ceiling"}
    assert (result.json["n"], result.json["clusters"]) == (12, 6)


def test_the_published_comparison_is_one_command(ringtrue: Call, data: Path) -> None:
    names = ["claims", "one_call", "statements", "five_star", "five_point", "factuality"]
    names += ["containment", "token_f1", "fmeval_recall"]
    words = [word for name in names for word in ("--baseline", name)]
    result = ringtrue("agree", data, *words, "--judge-model", MODEL_ID, "--json")
    assert result.code == 0, result.err
    judges = result.json["judges"]
    assert list(judges) == names
    for name in ("claims", "one_call", "five_star", "five_point", "factuality"):
        assert judges[name]["n"] == 12
        assert judges[name]["agreement"] == pytest.approx(10 / 12), name
    assert all(judges[name]["baseline"] for name in names)
    assert judges["five_star"]["cut"] == 4
    assert "It is G." not in str(judges["containment"]["reasons"])


def test_runs_ask_the_model_anew_and_a_second_command_does_not(ringtrue: Call, data: Path) -> None:
    words = ("agree", data, "--judge", "answer_correctness(mode=one_call)", "--judge-model", MODEL_ID, "--runs", 3)
    first = ringtrue(*words, "--json")
    assert first.code == 0, first.err
    (judge,) = first.json["judges"].values()
    assert (judge["runs"], judge["flip_rate"]) == (3, 0.0)
    again = ringtrue(*words, "--json")
    assert again.json["judges"] == first.json["judges"]


def test_a_judge_may_have_a_name_and_a_model_of_its_own(ringtrue: Call, data: Path) -> None:
    result = ringtrue("agree", data, "--judge", f"mine=answer_correctness@{MODEL_ID}", "--judge", MODEL_ID, "--json")
    assert result.code == 0, result.err
    assert list(result.json["judges"]) == ["mine", MODEL_ID]
    assert result.json["judges"]["mine"]["signature"] == result.json["judges"][MODEL_ID]["signature"]


def test_a_rubric_file_is_a_judge(ringtrue: Call, data: Path, write: Write) -> None:
    rubric = write(
        "mine.yaml",
        "name: mine\nsummary: Mine.\nneeds: [answer]\nrole: You are one.\ntask: Is {answer} right?\n"
        "labels: {right: 1, wrong: 0}\npositive: right\n",
    )
    write("agreeing_model2.py", MODEL.replace('"yes" if right else "no"', '"right" if right else "wrong"'))
    result = ringtrue("agree", data, "--judge", rubric, "--judge-model", "python:agreeing_model2:judge", "--json")
    assert result.code == 0, result.err
    assert result.json["judges"]["mine"]["agreement"] == pytest.approx(10 / 12)


def test_a_judge_that_fails_has_no_verdicts_and_the_command_says_so(ringtrue: Call, data: Path) -> None:
    words = ("--judge", "answer_correctness", "--judge-model", "python:agreeing_model:broken")
    result = ringtrue("agree", data, *words, "--json")
    assert result.code == 3
    (judge,) = result.json["judges"].values()
    assert (judge["n"], judge["failed"], judge["agreement"], judge["kappa"]) == (0, 12, None, None)
    assert "unparsed" in str(judge["reasons"])


def test_a_budget_stops_it_cleanly(ringtrue: Call, data: Path) -> None:
    words = ("--judge", "answer_correctness(mode=one_call)", "--judge-model", MODEL_ID)
    result = ringtrue("agree", data, *words, "--max-calls", 4, "--judge-concurrency", 1, "--json")
    assert result.code == 3
    assert "budget" in result.json["incomplete"]
    done = ringtrue("agree", data, *words, "--json")
    assert done.code == 0
    assert done.json["incomplete"] is None


def test_cuts_are_fitted_on_one_side_and_frozen_on_the_other(ringtrue: Call, data: Path) -> None:
    result = ringtrue("agree", data, "--baseline", "token_f1", "--split", "dev/test", "--json")
    assert result.code == 0, result.err
    assert result.json["n"] + result.json["dev"] == 12
    assert result.json["judges"]["token_f1"]["cut_from"] == "fitted on dev"
    named = ringtrue("agree", data, "--baseline", "token_f1", "--split", "dev/test", "--cut", "token_f1=0.3", "--json")
    assert (named.json["judges"]["token_f1"]["cut"], named.json["judges"]["token_f1"]["cut_from"]) == (0.3, "named")


def test_a_question_on_both_sides_of_a_split_is_refused(ringtrue: Call, data: Path, write: Write) -> None:
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    path = write("split.jsonl", [row | {"split": "dev" if place % 2 else "test"} for place, row in enumerate(rows)])
    result = ringtrue("agree", path, "--split", "dev/test")
    assert result.code == 1
    assert "6 questions stand on both sides of the split" in result.err


def test_what_was_measured_corrects_the_pass_rate_of_a_later_run(ringtrue: Call, data: Path) -> None:
    words = ("--judge", "answer_correctness(mode=one_call)", "--judge-model", MODEL_ID)
    assert ringtrue("agree", data, *words).code == 0
    run = ("run", "--dataset", data, "--metric", "answer_correctness(mode=one_call)", "--judge-model", MODEL_ID)
    told = ringtrue(*run)
    assert told.code == 0, told.err
    # 6 of 12 pass by the judge; TPR = TNR = 5/6, so the corrected rate is .5 as well
    assert "answer_correctness passes 0.500 of 12 answers; people would pass 0.500" in told.out
    assert "TPR 0.833, TNR 0.833 on 12 labels of labelled" in told.out
    pages = ringtrue(*run, "-o", "r.html", "-o", "r.md")
    assert pages.code == 0, pages.err
    for page in ("r.html", "r.md"):
        assert "people would pass 0.500" in Path(page).read_text(encoding="utf-8").replace("\\", "")
    rates = ringtrue(*run, "--json").json["pass_rates"]
    assert rates[0]["corrected"] == pytest.approx(0.5)
    assert rates[0]["corrected_ci"][0] < 0.5 < rates[0]["corrected_ci"][1]


def test_a_judge_that_nobody_checked_is_named(ringtrue: Call, data: Path) -> None:
    run = ("run", "--dataset", data, "--metric", "answer_relevance", "--judge-model", MODEL_ID)
    assert "Never checked against people: answer_relevance" in ringtrue(*run).out


def test_a_labelled_run_is_measured_by_its_own_scores(ringtrue: Call, data: Path, write: Write) -> None:
    assert ringtrue("run", "--dataset", data, "--metric", "answer_correctness", "--judge-model", MODEL_ID).code == 0
    rows = [{"item": f"r{place}", "rater": who, "label": place % 2 == 0} for place in range(12) for who in ("a", "b")]
    imported = ringtrue("labels", "import", write("people.jsonl", rows), "--metric", "answer_correctness")
    assert imported.code == 0, imported.err
    result = ringtrue("agree", "--run", "latest", "--json")
    assert result.code == 0, result.err
    judge = result.json["judges"]["answer_correctness"]
    assert (judge["n"], judge["agreement"]) == (12, pytest.approx(10 / 12))
    assert result.json["metric"] == "answer_correctness"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name labelled rows, or a run"),
        (("--judge", "nobody"), "unknown judge 'nobody'"),
        (("--baseline", "nobody"), "unknown baseline 'nobody'"),
        (("--judge", "coherence"), "judge 'coherence' has no model"),
        (("--judge", "old", "--cut", "old=high"), "'high' is no number"),
        (("--judge", "old", "--cut", "other=1"), "unknown judge 'other'"),
        (("--judge", "old", "--judge", "old"), "two judges are named 'old'"),
        (("--split", "half"), "--split 'half' is unknown"),
        (("-o", "report.doc"), "names no format of an agreement"),
        (("--judge-base-url", "http://127.0.0.1:1"), "a judge's address without a model"),
        (("--metric", "nothing"), "unknown metric 'nothing'"),
        (("--cluster-by", "nothing"), "unknown column 'nothing'"),
    ],
)
def test_what_is_off_is_told_before_anything_is_judged(
    ringtrue: Call, data: Path, words: tuple[str, ...], told: str
) -> None:
    result = ringtrue("agree", *([data] if words else []), *words)
    assert result.code == 2
    assert told in result.err
