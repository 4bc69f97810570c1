"""Files of other tools whose rows are almost ours."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.data.importers import PEERS, import_dataset
from ringtrue.errors import DataError, UnknownNameError
from ringtrue.types import AllOf, AnyOf, Passage, Response, Sample

Write = Callable[[str, Any], Path]


def passages(*texts: str) -> tuple[Passage, ...]:
    return tuple(Passage(text=text) for text in texts)


def fields(sample: Sample) -> tuple[Any, ...]:
    return sample.question, sample.reference, sample.facts and sample.facts.tree, sample.reference_contexts


def test_a_tool_that_is_not_known_is_told() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown source 'ragass'\n  did you mean ragas\?"):
        import_dataset("x.json", "ragass")


@pytest.mark.parametrize("peer", PEERS)
def test_a_missing_file_is_told_whatever_the_tool(peer: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        import_dataset(tmp_path / "none.json", peer)


def test_ragas_of_the_first_kind(write: Write) -> None:
    rows = [{"question": "q", "answer": "a", "contexts": ["c"], "ground_truths": ["g"], "ground_truth": "g"}]
    loaded = import_dataset(write("r.jsonl", rows), "ragas")
    assert fields(loaded.dataset.samples[0]) == ("q", ("g",), None, None)
    assert loaded.answers is not None
    assert list(loaded.answers.values()) == [Response(answer="a", contexts=passages("c"))]


def test_test_sets_that_ragas_made(write: Write) -> None:
    rows = [{"question": "q", "contexts": ["c"], "ground_truth": "g", "evolution_type": "simple", "episode_done": True}]
    loaded = import_dataset(write("r.jsonl", rows), "ragas")
    assert fields(loaded.dataset.samples[0]) == ("q", ("g",), None, passages("c"))
    assert loaded.answers is None
    assert loaded.notes == ("not carried over: episode_done",)


def test_ragas_of_the_second_kind(write: Write) -> None:
    row = {
        "user_input": [
            {"content": "first", "type": "human"},
            {"content": "x", "type": "ai"},
            {"content": "q", "type": "human"},
        ],
        "response": "a",
        "retrieved_contexts": ["c"],
        "reference": "g",
        "reference_contexts": ["rc"],
        "rubrics": {"score1": "bad"},
    }
    loaded = import_dataset(write("r.jsonl", [row]), "ragas")
    assert fields(loaded.dataset.samples[0]) == ("q", ("g",), None, passages("rc"))
    assert loaded.dataset.samples[0].metadata == {"rubrics": {"score1": "bad"}}


def test_deepeval_goldens(write: Write) -> None:
    row = {
        "input": "q", "actualOutput": "a", "expectedOutput": "e", "context": ["g1", "g2"], "retrievalContext": ["r"],
        "additionalMetadata": {"level": 2}, "sourceFile": "s.md", "toolsCalled": [{"name": "t"}], "expectedTools": None,
    }  # fmt: skip
    loaded = import_dataset(write("d.json", json.dumps([row])), "deepeval")
    assert fields(loaded.dataset.samples[0]) == ("q", ("e",), None, passages("g1", "g2"))
    assert loaded.dataset.samples[0].metadata == {"level": 2, "sourceFile": "s.md"}
    assert loaded.answers is not None
    assert list(loaded.answers.values()) == [Response(answer="a", contexts=passages("r"))]
    assert loaded.notes == ("not carried over: toolsCalled",)


@pytest.mark.parametrize("cell", ["one; with comma, inside|two", '"[""one; with comma, inside"", ""two""]"'])
def test_deepeval_tables(write: Write, cell: str) -> None:
    cell = cell if cell.startswith('"') else f'"{cell}"'
    loaded = import_dataset(
        write("d.csv", f"input,actual_output,expected_output,context\nq,,e,{cell}\nr,,e,a; b;\n"), "deepeval"
    )
    assert fields(loaded.dataset.samples[0]) == ("q", ("e",), None, passages("one; with comma, inside", "two"))
    assert loaded.dataset.samples[1].reference_contexts == passages("a", "b")


def test_mlflow_datasets(write: Write) -> None:
    row = {
        "dataset_record_id": "r1",
        "inputs": {"question": "q", "lang": "de"},
        "outputs": {"response": "a"},
        "expectations": {
            "expected_response": "e", "expected_facts": ["f1", "f2<OR>f3"], "guidelines": ["be kind"],
            "expected_retrieved_context": [{"doc_uri": "u", "content": "c"}],
        },
        "tags": {"team": "x"}, "source": {"human": 1}, "created_time": 5,
    }  # fmt: skip
    expected = ("q", ("e",), AllOf(("f1", AnyOf(("f2", "f3")))), (Passage(text="c", id="u"),))
    as_text = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()}
    for given in (row, as_text):
        loaded = import_dataset(write("m.json", json.dumps([given])), "mlflow")
        (sample,) = loaded.dataset
        assert (sample.id, fields(sample)) == ("r1", expected)
        assert sample.metadata == {"lang": "de", "guidelines": ["be kind"], "tags": {"team": "x"}}
        assert loaded.answers == {("r1", 0): Response(answer="a")}
        assert "not carried over: source, created_time" in loaded.notes


def test_inspect_samples(write: Write) -> None:
    rows = [
        {"id": 1, "input": "q", "target": ["a1", "b<OR>1"], "metadata": {"level": 2}, "sandbox": "docker"},
        {"id": 2, "input": [{"role": "user", "content": "which?"}], "target": "B", "choices": ["x", "y"]},
        {"id": 3, "input": "open", "target": ""},
    ]
    loaded = import_dataset(write("i.jsonl", rows), "inspect")
    assert [fields(one) for one in loaded.dataset] == [
        ("q", ("a1", "b<OR>1"), AnyOf(("a1", "b<OR>1")), None),
        ("which?", ("y",), "y", None),
        ("open", (), None, None),
    ]
    assert [one.metadata for one in loaded.dataset] == [{"level": 2}, {"choices": ["x", "y"]}, {}]
    assert loaded.notes[0] == "not carried over: sandbox"


def test_inspect_logs(write: Write) -> None:
    def sample(epoch: int) -> dict[str, Any]:
        output = {"model": "m", "completion": f"c{epoch}", "usage": {"input_tokens": 5, "output_tokens": 2}}
        return {
            "id": "s",
            "epoch": epoch,
            "input": "q",
            "target": "t",
            "output": output,
            "scores": {"x": 1},
            "messages": [1],
        }

    log = {"version": 2, "status": "success", "samples": [sample(1), sample(2)]}
    loaded = import_dataset(write("log.json", json.dumps(log)), "inspect")
    assert len(loaded.dataset) == 1
    assert loaded.answers == {
        ("s", epoch - 1): Response(answer=f"c{epoch}", model="m", input_tokens=5, output_tokens=2) for epoch in (1, 2)
    }


def test_ragchecker_results(write: Write) -> None:
    row = {
        "query_id": "0", "query": "q", "gt_answer": "g", "response": "a",
        "retrieved_context": [{"doc_id": "d", "text": "t"}], "gt_answer_claims": [["s", "v", "o"]],
        "retrieved2answer": [["Entailment"]], "metrics": {"f1": 1},
    }  # fmt: skip
    loaded = import_dataset(write("r.json", json.dumps({"results": [row], "metrics": {}})), "ragchecker")
    assert fields(loaded.dataset.samples[0]) == ("q", ("g",), None, None)
    assert loaded.answers == {("0", 0): Response(answer="a", contexts=(Passage(text="t", id="d"),))}
    assert loaded.notes == ("not carried over: retrieved2answer, metrics",)


def test_azure_rows_and_conversations(write: Write) -> None:
    turns = [
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "x"},
        {"role": "user", "content": "q2"},
        {"role": "assistant", "content": "a2", "context": {"citations": [{"id": "d", "content": "c2"}]}},
    ]
    rows = [
        {"query": "q", "response": "a", "context": "c", "ground_truth": "g"},
        {"conversation": {"messages": turns}},
    ]
    loaded = import_dataset(write("a.jsonl", rows), "azure")
    assert [fields(one) for one in loaded.dataset] == [("q", ("g",), None, None), ("q2", (), None, None)]
    assert loaded.answers is not None
    assert list(loaded.answers.values()) == [
        Response(answer="a", contexts=passages("c")),
        Response(answer="a2", contexts=(Passage(text="c2", id="d"),)),
    ]
    assert loaded.notes[0] == "of conversations, the last question and answer are taken"
