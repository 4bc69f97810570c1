"""`ringtrue diagnose` and `ringtrue.diagnose`: from files to the stage to mend, and errors in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ringtrue as rt

EXAMPLE = Path(__file__).parents[3] / "examples/amazon_10q/ringtrue.yaml"
ENTRIES = {
    "How long does a refund take?": "A refund takes nine working days after the parcel has reached our store.",
    "What does express delivery cost?": "Express delivery costs 7.90 euros, and nothing from 120 euros on.",
    "Can I change the delivery address?": "You can change it until six in the evening of the day of your order.",
    "Are gift cards valid for ever?": "Gift cards are valid for thirty months from the day they were bought on.",
}
WHOLE = [f"{question} {answer}" for question, answer in ENTRIES.items()]


def cut(text: str, size: int = 50) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@pytest.fixture
def shop(write: Callable[..., Path]) -> Path:
    """Two pipelines: A fetched pieces of 50 characters and failed, B whole entries and did not."""
    pieces = cut(" ".join(WHOLE))
    write(
        "golden.jsonl",
        [{"id": f"q{n}", "question": q, "reference": a, "facts": a} for n, (q, a) in enumerate(ENTRIES.items())],
    )
    write(
        "a.jsonl",
        [{"id": f"q{n}", "answer": "We cannot say.", "contexts": pieces[3 * n : 3 * n + 2]} for n in range(4)],
    )
    write("b.jsonl", [{"id": f"q{n}", "answer": a, "contexts": [WHOLE[n]]} for n, a in enumerate(ENTRIES.values())])
    write("pieces.jsonl", [{"id": f"p{n}", "text": text} for n, text in enumerate(pieces)])
    return write(
        "ringtrue.yaml",
        "dataset: golden.jsonl\npipelines: {A: a.jsonl, B: b.jsonl}\nmetrics: [facts_matched, recall_over_words, "
        "answer_words_in_contexts]\n",
    )


def test_from_files_to_the_stage_to_mend(ringtrue: Any, shop: Path) -> None:
    assert ringtrue("run", shop, "-q").code == 0
    result = ringtrue("diagnose", "--corpus", "pieces.jsonl", "-o", "d.md", "-o", "d.json")
    assert result.code == 0, result.err
    assert "A: 4 of 4 answers failed (facts_matched < 1)" in result.out
    assert "Mend first: chunk" in result.out
    assert "⟦" in result.out
    assert "B: 0 of 4 answers failed" in result.out
    assert "No answer failed" in result.out
    told = json.loads(Path("d.json").read_text(encoding="utf-8"))
    assert told["pipelines"]["A"]["first"]["stage"] == "chunk"
    assert told["pipelines"]["B"]["first"] is None
    assert "**Mend first: chunk" in Path("d.md").read_text(encoding="utf-8")


def test_two_pipelines_of_a_run_are_before_and_after(ringtrue: Any, shop: Path) -> None:
    ringtrue("run", shop, "-q")
    told = ringtrue("diagnose", "--pipeline", "A", "--pipeline", "B", "--json").json
    (moved,) = told["moved"]
    assert (moved["before"], moved["after"], moved["questions"]) == ("A", "B", 4)
    assert (moved["failed"]["before"], moved["failed"]["after"]) == (1.0, 0.0)
    assert moved["stages"][0]["stage"] == "chunk"
    shown = ringtrue("diagnose", "--pipeline", "A", "--pipeline", "B").out
    assert "failed: 100% → 0% (-1.000), over 4 shared questions" in shown


def test_two_runs_are_before_and_after(ringtrue: Any, shop: Path) -> None:
    first = ringtrue(
        "run", "--dataset", "golden.jsonl", "--pipeline", "v1=a.jsonl", "--metric", "facts_matched", "--json", "-q"
    ).json["run"]
    second = ringtrue(
        "run", "--dataset", "golden.jsonl", "--pipeline", "v2=b.jsonl", "--metric", "facts_matched", "--json", "-q"
    ).json["run"]
    for words in ([first, second], [second, "--against", first], ["--against", first]):
        told = ringtrue("diagnose", *words, "--json").json
        assert (told["run"], told["moved"][0]["before"]) == (second, f"v1 ({first})")
        assert told["moved"][0]["failed"]["difference"] == -1.0


def test_the_python_door_takes_a_run_and_passages(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.parent)
    run = rt.run("golden.jsonl", {"A": "a.jsonl"}, ["facts_matched"], store=":memory:")
    found = rt.diagnose(run, corpus=cut(" ".join(WHOLE)))
    assert found.pipelines["A"].first.stage == "chunk"  # type: ignore[union-attr]
    assert found.to_dict()["corpus"] == len(cut(" ".join(WHOLE)))
    found.save("d.json")
    assert json.loads(Path("d.json").read_text(encoding="utf-8")) == found.to_dict()


def test_the_rule_of_failure_can_be_given(ringtrue: Any, shop: Path) -> None:
    ringtrue("run", shop, "-q")
    told = ringtrue("diagnose", "--failed-if", "recall_over_words < 0", "--json").json["pipelines"]["A"]
    assert (told["failed"], told["failed_if"]) == (0, ["recall_over_words < 0"])


def test_the_configuration_sets_readings_and_thresholds(ringtrue: Any, shop: Path) -> None:
    text = shop.read_text(encoding="utf-8")
    shop.write_text(
        f"{text}readings: {{other_words_or_miss: false, likely_hallucinated_fact: {{recall: 0.1}}}}\n"
        "diagnosis: {failed_if: ['recall_over_words < 0.9'], stage_share: 0.5, cut_passages: 1.1}\n",
        encoding="utf-8",
    )
    told = ringtrue("run", shop, "--json", "-q").json["readings"]
    assert "other_words_or_miss" not in {one["name"] for one in told}
    assert "facts = 0 and recall ≥ 0.1" in {one["rule"] for one in told}
    found = ringtrue("diagnose", "--pipeline", "A", "--json").json
    assert found["thresholds"]["stage_share"] == 0.5
    assert found["pipelines"]["A"]["failed_if"] == ["recall_over_words < 0.9"]
    assert found["pipelines"]["A"]["first"]["stage"] != "chunk"


@pytest.mark.parametrize(
    ("line", "told", "mend"),
    [
        ("readings: {verbos: false}", "unknown key 'verbos'", "verbose"),
        ("readings: {verbose: {recal: 1}}", "unknown key 'recal'", "did you mean recall?"),
        ("readings: {verbose: {recall: much}}", "readings.verbose.recall", ""),
        ("diagnosis: {rnk: 3}", "unknown key 'rnk'", "rank"),
        ("diagnosis: {rank: -1}", "diagnosis.rank", ""),
    ],
)
def test_slips_in_the_configuration_are_told(ringtrue: Any, shop: Path, line: str, told: str, mend: str) -> None:
    shop.write_text(f"{shop.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    result = ringtrue("run", shop, "-q")
    assert result.code == 2
    assert told in result.err
    assert mend in result.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--pipeline", "C"], "unknown pipeline 'C'"),
        (["--corpus", "no.jsonl"], "no such file"),
        (["--corpus", "ids.jsonl"], "no row has a text"),
        (["-o", "d.pdf"], "ending '.pdf' names no format of a diagnosis"),
        (["--failed-if", "fact < 1"], "unknown metric 'fact'"),
        (["--failed-if", "A: facts_matched < 1"], "names a pipeline"),
        (["x", "y", "z"], "more than two runs"),
        (["nobody"], "nobody"),
    ],
)
def test_slips_are_told_without_a_traceback(ringtrue: Any, write: Any, shop: Path, words: list[str], told: str) -> None:
    ringtrue("run", shop, "-q")
    write("ids.jsonl", [{"id": "a"}])
    result = ringtrue("diagnose", *words)
    assert result.code in (1, 2)
    assert told in result.err
    assert "Traceback" not in result.err


def test_the_all_zero_rows_of_the_example_are_golden_data(ringtrue: Any) -> None:
    ringtrue("run", EXAMPLE, "-q")
    told = ringtrue("diagnose", "--json").json["pipelines"]
    for one in told.values():
        golden = {failure["id"] for failure in one["failures"] if failure["stage"] == "golden"}
        assert golden == {"key-challenge", "principal-office"}
        assert {failure["evidence"][0]["sign"] for failure in one["failures"] if failure["id"] in golden} == {
            "ill_formed"
        }
        assert one["unknown"] == one["failed"] - 2
