"""FMEval's datasets, results and configurations."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.data.importers import import_dataset
from ringtrue.errors import DataError
from ringtrue.types import AnyOf, Response

Write = Callable[[str, Any], Path]


def test_results_keep_their_answers_and_lose_their_scores(write: Write) -> None:
    row = {
        "model_input": "q",
        "model_output": "a",
        "target_output": "x<OR>y",
        "category": "c",
        "scores": [{"name": "f1"}],
    }
    loaded = import_dataset(write("f.jsonl", [row]), "fmeval")
    (sample,) = loaded.dataset
    assert sample.reference == ("x", "y")
    assert sample.facts is not None
    assert sample.facts.tree == AnyOf(("x", "y"))
    assert sample.metadata == {"category": "c"}
    assert loaded.answers == {(sample.id, 0): Response(answer="a")}
    assert loaded.notes == ("not carried over: scores",)


def test_the_built_in_datasets_call_the_target_answers(write: Write) -> None:
    loaded = import_dataset(
        write("t.jsonl", [{"question": "q", "answers": "x<OR>y", "knowledge_category": "c"}]), "fmeval"
    )
    assert loaded.dataset.samples[0].reference == ("x", "y")
    assert loaded.mapping == {"answers": "reference,facts"}


@pytest.mark.parametrize(
    ("name", "content", "mime", "prefix"),
    [
        ("d.jsonl", '{"in": {"q": "q1"}, "t": "x<OR>y"}\n{"in": {"q": "q2"}, "t": 5}\n', "application/jsonlines", ""),
        (
            "d.json",
            '{"all": [{"in": {"q": "q1"}, "t": "x<OR>y"}, {"in": {"q": "q2"}, "t": 5}]}',
            "application/json",
            "all[].",
        ),
    ],
)
def test_a_configuration_says_where_the_columns_are(
    write: Write, name: str, content: str, mime: str, prefix: str
) -> None:
    write(name, content)
    config = {
        "dataset_name": "d", "dataset_uri": name, "dataset_mime_type": mime, "model_input_location": f"{prefix}in.q",
        "target_output_location": f"{prefix}t", "category_location": None,
    }  # fmt: skip
    loaded = import_dataset(write("config.json", json.dumps(config)), "fmeval")
    assert [(one.question, one.reference) for one in loaded.dataset] == [("q1", ("x", "y")), ("q2", ("5",))]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset_uri": "s3://bucket/d.jsonl"}, "the dataset is at s3://bucket/d.jsonl"),
        ({"model_input_location": "[["}, r"'\[\[' is no JMESPath"),
        (
            {"target_output_location": "[].nosuch"},
            "the locations do not find columns of one length: model_input 1, target_output 0",
        ),
    ],
)
def test_a_configuration_that_is_off_is_told(write: Write, change: dict[str, str], message: str) -> None:
    write("d.json", '[{"q": "q1", "t": "x"}]')
    config = {"dataset_uri": "d.json", "model_input_location": "[].q", "target_output_location": "[].t"} | change
    with pytest.raises(DataError, match=message):
        import_dataset(write("config.json", json.dumps(config)), "fmeval")
