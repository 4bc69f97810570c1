"""Which column is which field."""

from collections.abc import Mapping
from typing import Any

import pytest

from ringtrue.data.aliases import FIELDS, SURE, WEAK, plain_name, similar_field
from ringtrue.data.fields.columns import Columns, Role, map_columns
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError, UnknownNameError


def decide(
    *rows: Mapping[str, Any], asked: Mapping[str, str] | None = None, role: Role = "dataset", **options: Any
) -> tuple[Columns, tuple[str, ...], RawRows]:
    raw = RawRows(rows=rows, places=range(1, len(rows) + 1), reading=Reading(name="f", **options))
    raw, columns = map_columns(raw, asked, role)
    return columns, raw.reading.notes.lines("item"), raw


# spec: field names across peers, a column each; `|` parts what one tool calls it in its versions
PEERS = {
    "fmeval": ("model_input", "model_output", "context", "target_output"),
    "ragas 1": ("question", "answer", "contexts", "ground_truth"),
    "ragas 0": ("question", "answer", "contexts", "ground_truths"),
    "ragas 2": ("user_input", "response", "retrieved_contexts", "reference"),
    "deepeval": ("input", "actual_output", "retrieval_context", "expected_output"),
    "deepeval, camel": ("input", "actualOutput", "retrievalContext", "expectedOutput"),
    "mlflow": ("inputs", "outputs", "retrieved_context", "expected_response"),
    "mlflow 2": ("request", "response", "retrieved_context", "expected_response"),
    "phoenix": ("input", "output", "documents", "reference"),
    "openinference": ("input.value", "output.value", "retrieval.documents", "expected"),
    "autoevals": ("input", "output", "context", "expected"),
    "azure": ("query", "response", "context", "ground_truth"),
    "ragchecker": ("query", "response", "retrieved_context", "gt_answer"),
    "trulens": ("query", "output", "context", "expected_response"),
    "inspect": ("input", "output.completion", "documents", "target"),
    "haystack": ("questions", "predicted_answers", "contexts", "answers"),
    "spoken": ("User Question", "Model-Answer", "Retrieved Docs", "GOLD answer"),
}


@pytest.mark.parametrize("names", PEERS.values(), ids=PEERS)
def test_every_peer_is_understood(names: tuple[str, ...]) -> None:
    columns, _, _ = decide(dict(zip(names, "abcd", strict=True)))
    found = {field: columns.fields[field] for field in ("question", "answer", "contexts", "reference")}
    assert found == {field: (name,) for field, name in zip(found, names, strict=True)}
    assert columns.mapping == {
        name: "reference,facts" if name == "target_output" else field
        for field, name in zip(found, names, strict=True)
        if name != field
    }


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("claims", "facts"),
        ("expected_facts", "facts"),
        ("expected_retrieved_context", "reference_contexts"),
        ("qid", "id"),
        ("Latency", "latency_s"),
        ("latencyMs", "latency_ms"),
        ("prompt_tokens", "input_tokens"),
        ("epoch", "repeat"),
    ],
)
def test_other_fields(name: str, field: str) -> None:
    assert decide({"question": "q", "answer": "a", name: "1"})[0].fields[field] == (name,)


def test_fmevals_target_is_reference_and_facts() -> None:
    columns, _, _ = decide({"model_input": "q", "target_output": "A<OR>B"})
    assert columns.fields["reference"] == columns.fields["facts"] == ("target_output",)
    assert columns.split == {"target_output"}


def test_a_context_is_retrieved_beside_answers_and_golden_without() -> None:
    assert decide({"query": "q", "response": "r", "context": "c"})[0].fields["contexts"] == ("context",)
    assert decide({"query": "q", "context": "c"})[0].fields["reference_contexts"] == ("context",)
    assert decide({"query": "q", "response": None, "context": "c"})[0].fields["reference_contexts"] == ("context",)


def test_a_context_beside_a_retrieval_context_is_golden() -> None:
    columns, _, _ = decide({"input": "q", "actual_output": "a", "context": ["g"], "retrieval_context": ["r"]})
    assert columns.fields["reference_contexts"] == ("context",)
    assert columns.fields["contexts"] == ("retrieval_context",)


def test_everyday_words_are_noted_as_guesses() -> None:
    _, notes, _ = decide({"input": "q", "target": "t"})
    assert notes == (
        "column 'input' was taken for question (--map input=… says otherwise)",
        "column 'target' was taken for reference (--map target=… says otherwise)",
    )


def test_our_own_name_wins_and_the_other_column_is_kept_as_metadata() -> None:
    columns, notes, _ = decide({"question": "q", "query": "rewritten"})
    assert columns.fields["question"] == ("question",)
    assert columns.extras == {"query": "query"}
    assert notes == ("column 'query' is not read as question, since 'question' is (--map says otherwise)",)


def test_two_columns_for_one_field_are_refused() -> None:
    with pytest.raises(
        DataError, match=r"two columns could be `answer`: 'response' and 'prediction'(.|\n)*--map response=answer"
    ):
        decide({"question": "q", "response": "a", "prediction": "b"})


def test_columns_that_never_differ_are_one() -> None:
    columns, _, _ = decide(
        {"question": "q", "ground_truth": "x", "ground_truths": ["x"]},
        {"query": "r", "ground_truth": "y", "ground_truths": None},
    )
    assert columns.fields["question"] == ("question", "query")
    assert columns.fields["reference"] == ("ground_truth", "ground_truths")


def test_what_the_user_says_goes_before_any_guess() -> None:
    columns, notes, _ = decide(
        {"question": "q", "Frage": "f", "Soll": "x"}, asked={"Frage": "question", "soll": "reference,facts"}
    )
    assert columns.fields["question"] == ("Frage",)
    assert columns.fields["reference"] == columns.fields["facts"] == ("Soll",)
    assert columns.split == {"Soll"}
    assert columns.extras == {"question": "question"}
    assert notes == ()


def test_the_user_may_name_a_path() -> None:
    columns, _, raw = decide({"a": {"b": [{"c": "q"}]}}, {"a": None}, asked={"a.b[0].c": "question"})
    assert columns.fields["question"] == ("a.b[0].c",)
    assert [row["a.b[0].c"] for row in raw.rows] == ["q", None]


def test_a_column_that_is_not_there_is_told_before_anything() -> None:
    with pytest.raises(
        DataError,
        match=r"column 'referense' not found; available columns: question, reference\n  did you mean reference\?",
    ):
        decide({"question": "q", "reference": "r"}, asked={"referense": "reference"})


def test_a_field_that_is_not_known_is_told() -> None:
    with pytest.raises(UnknownNameError, match=r"--map q=quesion: unknown field 'quesion'\n  did you mean question\?"):
        decide({"q": "x"}, asked={"q": "quesion"})


def test_strict_refuses_guesses_and_says_what_to_write() -> None:
    row = {"model_input": "q", "target_output": "t", "my output (final)": "x"}
    with pytest.raises(DataError, match="--map model_input=question --map target_output=reference,facts"):
        decide(row, strict=True)
    columns, _, _ = decide(row, strict=True, asked={"model_input": "question", "target_output": "reference,facts"})
    assert columns.extras == {"my output (final)": "my output (final)"}
    with pytest.raises(DataError, match='--map "User Question=question"'):
        decide({"User Question": "q"}, strict=True)


def test_a_misspelt_column_is_noted() -> None:
    columns, notes, _ = decide({"question": "q", "referense": "x", "language": "de"})
    assert columns.extras == {"referense": "referense", "language": "language"}
    assert notes == ("column 'referense' is kept as metadata; if it is reference, say --map referense=reference",)


def test_measurements_in_a_golden_file_are_metadata() -> None:
    columns, _, _ = decide({"question": "q", "reference": "r", "model": "m", "cost": 1, "error": "e"})
    assert columns.extras == {"model": "model", "cost": "cost", "error": "error"}


def test_columns_of_answers_that_are_all_empty_make_a_golden_file() -> None:
    columns, notes, _ = decide({"input": "q", "actual_output": None, "retrieval_context": "", "expected_output": "e"})
    assert not columns.have_answers
    assert notes[0] == "golden data only, since these columns are empty in every row: actual_output, retrieval_context"


def test_failed_answers_are_answers() -> None:
    assert decide({"question": "q", "answer": None, "error": "HTTP 500"})[0].have_answers


def test_golden_fields_in_a_file_of_answers_are_left_to_the_dataset() -> None:
    columns, _, _ = decide(
        {"id": "1", "answer": "a", "reference": "r", "target_output": "t", "note": "n"}, role="answers"
    )
    assert set(columns.fields) == {"id", "answer"}
    assert columns.extras == {"note": "note"}


def test_nested_rows_are_laid_flat() -> None:
    columns, _, raw = decide(
        {
            "inputs": {"question": "q", "topic": "t"},
            "expectations": {"expected_response": "r", "expected_facts": ["f"], "guidelines": ["g"]},
            "outputs": {"response": "a", "usage": {"prompt_tokens": 3}},
        }
    )
    assert columns.mapping == {
        "inputs.question": "question",
        "expectations.expected_response": "reference",
        "expectations.expected_facts": "facts",
        "outputs.response": "answer",
        "outputs.usage.prompt_tokens": "input_tokens",
    }
    assert columns.extras == {"inputs.topic": "topic", "expectations.guidelines": "guidelines"}
    assert raw.rows[0]["inputs.question"] == "q"


@pytest.mark.parametrize(
    ("row", "field", "column", "value"),
    [
        ({"inputs": {"anything": "q"}}, "question", "inputs", "q"),
        (
            {"inputs": {"messages": [{"role": "user", "content": "q"}]}},
            "question",
            "inputs.messages",
            [{"role": "user", "content": "q"}],
        ),
        ({"question": "q", "response": {"total": 5, "unit": "kg"}}, "answer", "response", {"total": 5, "unit": "kg"}),
        ({"question": "q", "expected": {"answer": "r"}}, "reference", "expected.answer", "r"),
        ({"question": "q", "answers": {"text": ["r"], "answer_start": [1]}}, "reference", "answers.text", ["r"]),
        ({"inputs.query": "q", "outputs.response": "a"}, "answer", "outputs.response", "a"),
        ({"question": "q", "output": {"text": "a"}}, "answer", "output.text", "a"),
    ],
)
def test_objects_in_rows(row: Mapping[str, Any], field: str, column: str, value: Any) -> None:
    columns, _, raw = decide(row)
    assert columns.fields[field] == (column,)
    assert raw.rows[0][column] == value


def test_the_table_of_names_holds_plain_names_of_known_fields() -> None:
    assert set(SURE.values()) | set(WEAK.values()) <= set(FIELDS)
    assert not SURE.keys() & WEAK.keys()
    assert all(plain_name(name) == name for name in (*SURE, *WEAK))


@pytest.mark.parametrize(
    ("name", "field"),
    [("referense", "reference"), ("Qestion", "question"), ("city", None), ("ground truht", "reference")],
)
def test_misspellings(name: str, field: str | None) -> None:
    assert similar_field(name) == field
