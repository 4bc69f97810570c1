"""`ringtrue compare` and `ringtrue.compare`: stored runs, tags, gates, files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ringtrue as rt

ROOT = Path(__file__).parents[3]
GOLDEN = [{"id": f"q{n}", "question": f"What is {n}?", "reference": f"word {n}", "lang": "en"} for n in range(12)]


@pytest.fixture
def project(write: Callable) -> None:
    """A golden dataset, an old file of answers (all right) and a new one (a third is wrong)."""
    write("golden.jsonl", GOLDEN)
    write("old.jsonl", [{"id": row["id"], "answer": row["reference"]} for row in GOLDEN])
    write(
        "new.jsonl",
        [{"id": row["id"], "answer": "no" if n % 3 == 0 else row["reference"]} for n, row in enumerate(GOLDEN)],
    )


def run(ringtrue: Callable, *words: str) -> None:
    told = ringtrue("run", "--dataset", "golden.jsonl", "--metric", "exact_match", *words)
    assert told.code == 0, told.err


def test_the_example_says_what_ten_questions_can_and_cannot_show(ringtrue: Callable) -> None:
    assert ringtrue("run", ROOT / "examples/amazon_10q/ringtrue.yaml", "-o", "r.html").code == 0
    told = ringtrue("compare", "--metric", "factual_knowledge", "--json")
    assert told.code == 0, told.err
    one = told.json["pairs"][0]
    # Published: the pipelines know .8, .4 and .5 of the facts.
    assert (one["a"], one["b"], one["n"], one["wins"], one["ties"], one["losses"]) == (
        "pipeline1",
        "pipeline2",
        10,
        4,
        6,
        0,
    )
    assert (one["difference"], one["ci"]) == (pytest.approx(0.4), [pytest.approx(0.1), pytest.approx(0.8)])
    assert (one["p"], one["p_adjusted"]) == (0.125, 0.375)  # 2 / 2^4; three pairs
    assert one["minimum_detectable"] == pytest.approx(0.673, abs=1e-3)
    text = " ".join(ringtrue("compare", "--metric", "factual_knowledge").out.split())
    assert "10 questions can only show a difference of 0.673 or more" in text


def test_a_tagged_run_is_the_baseline_of_the_latest(ringtrue: Callable, project: None) -> None:
    run(ringtrue, "--pipeline", "rag=old.jsonl", "--tag", "baseline", "--tag", "v1")
    run(ringtrue, "--pipeline", "rag=new.jsonl")
    told = ringtrue("compare", "baseline", "latest", "--fail-if", "exact_match drops by > 0.02", "--json")
    assert told.code == 100
    (one,) = told.json["pairs"]
    assert (one["a"], one["b"], one["losses"]) == ("rag@latest", "rag@baseline", 4)
    assert one["difference"] == pytest.approx(-1 / 3)
    assert told.json["runs"][0]["tags"] == ["baseline", "v1"]
    shown = ringtrue("compare", "baseline", "latest", "--fail-if", "exact_match drops by > 0.02")
    assert "FAILED  exact_match drops by > 0.02: rag@latest against rag@baseline (the baseline): −0.333" in shown.out
    assert "within noise (p 0.125)" in shown.out
    assert ringtrue("compare", "baseline", "latest", "--fail-if", "exact_match drops by > 50%").code == 0


def test_gates_need_no_baseline_named(ringtrue: Callable, project: None) -> None:
    run(ringtrue, "--pipeline", "a=old.jsonl", "--pipeline", "b=new.jsonl")
    told = ringtrue("compare", "--pipelines", "a,b", "--fail-if", "exact_match drops by > 0.02")
    assert told.code == 100
    assert "a is the baseline of the gates, since it is the first" in told.out
    assert ringtrue("compare", "--baseline", "b", "--fail-if", "exact_match drops by > 0.02").code == 0


def test_files_are_written_and_json_goes_alone_to_standard_output(ringtrue: Callable, project: None) -> None:
    run(ringtrue, "--pipeline", "a=old.jsonl", "--pipeline", "b=new.jsonl")
    words = ("--slice", "metadata.lang", "--margin", ".05", "-o", "out/c.json", "-o", "c.md", "--json")
    told = ringtrue("compare", *words)
    assert told.code == 0, told.err
    assert json.loads(Path("out/c.json").read_text("utf-8")) == told.json
    assert told.json["pairs"][0]["slices"][0]["n"] == 12
    assert told.json["pairs"][0]["non_inferior"] is True
    assert "wrote out/c.json" in told.err
    assert Path("c.md").read_text("utf-8").startswith("## ringtrue: comparison")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nope"], "unknown run 'nope'"),
        (["--margin", "x"], "'x' is no number"),
        (["--margin", "-1"], "'-1' is no margin"),
        (["--margin", "rouge=0.1"], "unknown metric 'rouge'"),
        (["--fail-if", "exact_match"], "cannot be read"),
        (["--test", "t"], "known: permutation, wilcoxon"),
        (["--slice", "metadata.nope"], "known: metadata.lang"),
        (["--cluster-by", "nope"], "unknown metadata field 'nope'"),
        (["-o", "c.html.txt"], "names no format of a comparison"),
    ],
)
def test_a_slip_is_told_without_a_traceback(ringtrue: Callable, project: None, words: list[str], told: str) -> None:
    run(ringtrue, "--pipeline", "a=old.jsonl", "--pipeline", "b=new.jsonl")
    result = ringtrue("compare", *words)
    assert result.code == 2
    assert told in result.err


def test_the_python_door_compares_runs_ids_and_tags(ringtrue: Callable, project: None) -> None:
    old = rt.run("golden.jsonl", {"rag": "old.jsonl"}, ["exact_match"], tags="baseline")
    new = rt.run("golden.jsonl", {"rag": "new.jsonl"}, ["exact_match"])
    found = rt.compare(old, new, margin=0.05, fail_if="exact_match drops by > 0.02")
    (one,) = found.pairs
    assert (one.b, one.margin, one.non_inferior, found.exit_code, found.passed) == (
        f"rag@{old.id}",
        0.05,
        False,
        100,
        False,
    )
    by_name = rt.compare("baseline", new.id, margin={"exact_match": 0.05})
    assert by_name.pairs[0].difference == one.difference
    by_name.save("c.json")
    assert json.loads(Path("c.json").read_text("utf-8")) == json.loads(json.dumps(by_name.to_dict()))
    with pytest.raises(rt.RingtrueError, match="one pipeline only"):
        rt.compare()
