"""Exports of other tools, in the shapes that their documentation shows (cited in the readers)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.data.labels.load import load_labels
from ringtrue.errors import DataError

Loaded = Any


def told(loaded: Loaded) -> list[tuple[Any, ...]]:
    return [(one.item, one.metric, one.rater, one.label, one.value) for one in loaded.labels]


def choice(question: str, *given: str) -> dict[str, Any]:
    return {"from_name": question, "to_name": "answer", "type": "choices", "value": {"choices": list(given)}}


def task(number: int, data: dict[str, Any], *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"id": number, "data": data, "annotations": list(annotations), "predictions": [], "project": 83}


def annotation(by: Any, *result: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 1001,
        "completed_by": by,
        "result": list(result),
        "was_cancelled": False,
        "created_at": "2026-05-01T10:00:00.728353Z",
        "updated_at": "2026-05-01T12:00:00.728378Z",
        **more,
    }


def test_label_studio_tasks(write: Callable) -> None:
    stars = {"from_name": "tone", "to_name": "answer", "type": "rating", "value": {"rating": 4}}
    why = {"from_name": "why", "to_name": "answer", "type": "textarea", "value": {"text": ["as the page says"]}}
    tasks = [
        task(1, {"sample_id": "q1", "text": "…"}, annotation(10, choice("correct", "Yes"), stars, why)),
        task(2, {"sample_id": "q2"}, annotation({"id": 11, "email": "bob@x.invalid"}, choice("correct", "No"))),
        task(3, {"sample_id": "q3"}, annotation(10, was_cancelled=True), annotation(11)),
    ]
    loaded = load_labels(write("export.json", json.dumps(tasks)))
    assert loaded.form == "Label Studio"
    assert told(loaded) == [
        ("q1", "correct", "10", "yes", 1.0),
        ("q1", "tone", "10", None, 4.0),
        ("q2", "correct", "bob@x.invalid", "no", 0.0),
    ]
    assert loaded.labels[0].rationale == "as the page says"
    assert loaded.labels[0].at == "2026-05-01T12:00:00.728378+00:00"
    assert loaded.notes == ("annotations that were skipped, so no rating: 1 (item 3)",)


def test_label_studio_tasks_without_an_id_of_ours_go_by_their_number_and_marks_are_left_out(write: Callable) -> None:
    mark = {"from_name": "spans", "type": "labels", "value": {"start": 0, "end": 3, "labels": ["wrong"]}}
    tasks = [task(7, {"text": "…"}, annotation(1, mark, choice("correct", "a", "b")))]
    loaded = load_labels(write("export.json", json.dumps(tasks)))
    assert told(loaded) == [("7", "correct", "1", "a, b", None)]
    assert [note.partition(":")[0] for note in loaded.notes] == [
        "marks on parts of a task are no labels of the whole, left out",
        "tasks whose data hold no id of a sample go by the task's own id",
    ]


FLAT = {"annotation_id": 5, "annotator": 3, "created_at": "2026-05-01T10:00:00Z", "lead_time": 4.2, "id": 9}


@pytest.mark.parametrize(
    "rows",
    [
        [
            {**FLAT, "sample_id": "q1", "correct": "Yes", "tone": [{"rating": 4}]},
            {**FLAT, "sample_id": "q2", "correct": {"choices": ["no"]}, "tone": None},
        ],
        (
            "annotation_id,annotator,created_at,lead_time,id,sample_id,correct,tone\n"
            '5,3,2026-05-01T10:00:00Z,4.2,9,q1,Yes,"[{""rating"": 4}]"\n'
            "5,3,2026-05-01T10:00:00Z,4.2,9,q2,no,\n"
        ),
    ],
)
def test_label_studios_flat_exports(write: Callable, rows: Any) -> None:
    path = write("min.csv", rows) if isinstance(rows, str) else write("min.json", json.dumps(rows))
    loaded = load_labels(path, metric="correct")
    assert loaded.form == "Label Studio, flat"
    assert told(loaded) == [("q1", "correct", "3", "yes", 1.0), ("q2", "correct", "3", "no", 0.0)]
    assert told(load_labels(path, metric="tone")) == [("q1", "tone", "3", None, 4.0)]
    with pytest.raises(DataError, match=r"no column holds labels[\s\S]*--map"):
        load_labels(path)


NESTED = [
    {
        "id": "q1",
        "fields": {"question": "Q?"},
        "metadata": {},
        "responses": {
            "correct": [{"value": "yes", "user_id": "u1"}, {"value": "no", "user_id": "u2"}],
            "comment": [{"value": "clear", "user_id": "u1"}],
        },
        "suggestions": {"correct": {"value": "yes", "agent": "gpt"}},
        "status": "completed",
    }
]
FLATTENED = [
    {
        "id": "q1",
        "question": "Q?",
        "correct.responses": ["yes", "no", "no"],
        "correct.responses.users": ["u1", "u2", "u3"],
        "correct.responses.status": ["submitted", "submitted", "draft"],
        "comment.responses": ["clear"],
        "comment.responses.users": ["u1"],
        "comment.responses.status": ["submitted"],
        "correct.suggestion": "yes",
    }
]
REST = [
    {
        "id": "2f9c",
        "external_id": "q1",
        "responses": [
            {
                "values": {"correct": {"value": "yes"}, "comment": {"value": "clear"}},
                "status": "submitted",
                "user_id": "u1",
                "updated_at": "2026-05-01T10:00:00",
            },
            {"values": {"correct": {"value": "no"}}, "status": "submitted", "user_id": "u2"},
            {"values": {"correct": {"value": "yes"}}, "status": "discarded", "user_id": "u3"},
        ],
    }
]
BY_QUESTION = [
    {
        "external_id": "q1",
        "correct": [
            {"user_id": "u1", "value": "yes", "status": "submitted"},
            {"user_id": "u2", "value": "no", "status": "submitted"},
        ],
        "correct-suggestion": None,
        "comment": [{"user_id": "u1", "value": "clear", "status": "submitted"}],
        "comment-suggestion": None,
    }
]


@pytest.mark.parametrize(
    "content",
    [
        NESTED,
        {"q1": NESTED[0]},
        {name: [value] for name, value in NESTED[0].items()},
        FLATTENED,
        REST,
        BY_QUESTION,
    ],
    ids=["records", "index", "names", "flat", "rest", "v1"],
)
def test_argilla_records(write: Callable, content: Any) -> None:
    loaded = load_labels(write("records.json", json.dumps(content)))
    assert loaded.form == "Argilla"
    assert told(loaded) == [("q1", "correct", "u1", "yes", 1.0), ("q1", "correct", "u2", "no", 0.0)]
    assert loaded.labels[0].rationale == "clear"


def test_argillas_unfinished_responses_are_counted(write: Callable) -> None:
    loaded = load_labels(write("records.json", json.dumps(FLATTENED)))
    assert loaded.notes == ("drafts and discarded responses left out: 1 (item 1)",)


ANNOTATION = {
    "id": "U3Bhbg==",
    "updated_at": "2026-05-01T16:53:57+00:00",
    "source": "APP",
    "user_id": None,
    "name": "correctness",
    "annotator_kind": "HUMAN",
    "result": {"label": "yes", "score": 0.5, "explanation": "as it says"},
    "metadata": {},
    "identifier": "ana",
    "span_id": "d3068fb3e0003c15",
}


def test_a_page_of_phoenix(write: Callable) -> None:
    model = ANNOTATION | {"annotator_kind": "LLM", "identifier": "judge"}
    bob = ANNOTATION | {"identifier": "", "user_id": "u2", "result": {"label": None, "score": 0, "explanation": None}}
    path = write("page.json", json.dumps({"data": [model, ANNOTATION, bob], "next_cursor": None}))
    loaded = load_labels(path)
    assert loaded.form == "Phoenix"
    assert told(loaded) == [
        ("d3068fb3e0003c15", "correctness", "ana", "yes", 0.5),
        ("d3068fb3e0003c15", "correctness", "u2", "no", 0.0),
    ]
    assert (loaded.labels[0].rationale, loaded.labels[0].at) == ("as it says", "2026-05-01T16:53:57+00:00")
    assert loaded.notes == ("annotations not by people left out: 1 (item 1)",)


def test_a_dataframe_of_phoenix(write: Callable) -> None:
    head = "span_id,annotation_name,annotator_kind,identifier,result.label,result.score,result.explanation,updated_at"
    path = write("frame.csv", f"{head}\nd30,correctness,HUMAN,ana,no,,wrong,2026-05-01\n")
    loaded = load_labels(path)
    assert told(loaded) == [("d30", "correctness", "ana", "no", 0.0)]
    assert loaded.labels[0].rationale == "wrong"


def test_a_sample_named_in_phoenixs_metadata_comes_before_the_span(write: Callable) -> None:
    loaded = load_labels(write("page.json", json.dumps({"data": [ANNOTATION | {"metadata": {"sample_id": "q1"}}]})))
    assert (loaded.labels[0].item, loaded.labels[0].others) == ("q1", ("d3068fb3e0003c15",))


def assessment(name: str, by: str, kind: str = "HUMAN", **more: Any) -> dict[str, Any]:
    return {
        "assessment_id": "a-1",
        "assessment_name": name,
        "trace_id": "tr-a25b",
        "source": {"source_type": kind, "source_id": by},
        "create_time": "2026-05-01T16:54:48.215Z",
        "rationale": "ok",
        **more,
    }


ASSESSED = {
    "info": {
        "trace_id": "tr-a25b",
        "tags": {"question_id": "q1"},
        "assessments": [
            assessment("correct", "judge", "LLM_JUDGE", feedback={"value": 1.0}),
            assessment("correct", "ana", feedback={"value": False}, valid=True),
            assessment("correct", "ana", feedback={"value": True}, valid=False),
            assessment("answer", "ana", expectation={"value": "365 days"}),
        ],
    },
    "data": {"spans": [{"span_id": "CIv="}]},
}


@pytest.mark.parametrize(
    "content", [ASSESSED, [ASSESSED], {"traces": [ASSESSED]}, [ASSESSED["info"]]], ids=["one", "list", "page", "infos"]
)
def test_mlflow_traces(write: Callable, content: Any) -> None:
    loaded = load_labels(write("traces.json", json.dumps(content)))
    assert loaded.form == "MLflow"
    assert told(loaded) == [("q1", "correct", "ana", "no", 0.0)]
    assert loaded.labels[0].others == ("tr-a25b",)
    assert loaded.labels[0].at == "2026-05-01T16:54:48.215000+00:00"
    assert [note.partition(":")[0] for note in loaded.notes] == [
        "assessments not by people left out",
        "assessments that a later one took the place of, left out",
        "expectations are golden values, not ratings",
    ]


def test_an_expectation_of_mlflow_is_taken_where_it_is_asked_for(write: Callable) -> None:
    loaded = load_labels(write("traces.json", json.dumps(ASSESSED)), metric="answer")
    assert told(loaded) == [("q1", "answer", "ana", "365 days", None)]


def test_a_table_of_mlflow_traces(write: Callable) -> None:
    row = {"trace_id": "tr-a25b", "assessments": json.dumps(ASSESSED["info"]["assessments"])}  # type: ignore[index]
    loaded = load_labels(write("traces.jsonl", [row]))
    assert told(loaded) == [("tr-a25b", "correct", "ana", "no", 0.0)]


@pytest.mark.parametrize(
    "content",
    [
        [{"id": 1, "annotations": [{"result": [None, {"type": "choices"}, {"type": "choices", "value": []}]}]}],
        [{"id": 1, "responses": {"q": [None, {}, {"value": None, "user_id": None}]}}],
        [{"id": 1, "responses": [{"values": {"q": None}}, 3]}],
        {"data": [{"annotator_kind": "HUMAN", "span_id": None, "result": None}]},
        [{"info": {"assessments": [{"source": "x", "name": "y"}, 5, "{", None]}}],
    ],
)
def test_broken_exports_are_told_and_no_crash(write: Callable, content: Any) -> None:
    with pytest.raises(DataError, match=r"no label is in it|no column holds labels"):
        load_labels(write("export.json", json.dumps(content)))
