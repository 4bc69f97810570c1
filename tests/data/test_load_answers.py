"""Recorded answers and the samples that they answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.data.load import dataset_of, load_answers
from ringtrue.errors import DataError
from ringtrue.types import Dataset, Passage, Response

Write = Callable[[str, Any], Path]


@pytest.fixture
def gold() -> Dataset:
    rows = [{"id": "a", "question": "One?"}, {"id": "b", "question": "Two?"}, {"id": "c", "question": "Two?"}]
    return dataset_of(rows, name="gold").dataset


def answers(path: Path, dataset: Dataset, **options: Any) -> tuple[dict[tuple[str, int], str | None], tuple[str, ...]]:
    recorded = load_answers(path, dataset, **options)
    return {key: one.answer for key, one in recorded.answers.items()}, recorded.notes


def test_answers_are_joined_by_id(write: Write, gold: Dataset) -> None:
    rows = [{"id": "b", "answer": "2"}, {"id": "a ", "answer": "1"}, {"id": "c", "answer": None, "error": "HTTP 500"}]
    recorded = load_answers(write("a.jsonl", rows), gold)
    assert recorded.answers == {
        ("b", 0): Response(answer="2"),
        ("a", 0): Response(answer="1"),
        ("c", 0): Response(error="HTTP 500"),
    }
    assert recorded.notes == ()


def test_columns_are_found_and_others_are_metadata(write: Write, gold: Dataset) -> None:
    text = "qid,output,contexts,latency,reference,extra\na,x,\"['p', 'q']\",0.5,no,e\nb,y,[],,no,\nc,z,,,no,\n"
    recorded = load_answers(write("a.csv", text), gold)
    assert recorded.mapping == {"qid": "id", "output": "answer", "latency": "latency_s"}
    assert recorded.answers["a", 0] == Response(
        answer="x", contexts=(Passage(text="p"), Passage(text="q")), latency_s=0.5, metadata={"extra": "e"}
    )
    assert recorded.answers["b", 0] == Response(answer="y", contexts=())
    assert recorded.answers["c", 0] == Response(answer="z")


def test_a_map_says_which_column_is_the_answer(write: Write, gold: Dataset) -> None:
    path = write("a.jsonl", [{"id": "a", "text": "x"}])
    with pytest.raises(DataError, match=r"no column holds answers; columns: id, text\n.*--map text=answer"):
        load_answers(path, gold)
    assert answers(path, gold, mapping={"text": "answer"})[0] == {("a", 0): "x"}


def test_strangers_and_gaps_are_noted(write: Write, gold: Dataset) -> None:
    found, notes = answers(
        write("a.jsonl", [{"id": "a", "answer": "1"}, *({"id": f"z{n}", "answer": "?"} for n in range(7))]), gold
    )
    assert found == {("a", 0): "1"}
    assert notes == (
        "answers for no sample of gold, left out: 7 (z0, z1, z2, z3, z4 …)",
        "samples without an answer: 2 of 3 (b, c)",
    )


def test_nothing_that_fits_is_an_error_with_the_ids_of_both(write: Write, gold: Dataset) -> None:
    with pytest.raises(DataError, match=r"no answer fits a sample of gold: ids here 1, 2; ids there a, b, c"):
        load_answers(write("a.jsonl", [{"id": 1, "answer": "x"}, {"id": 2, "answer": "y"}]), gold)
    with pytest.raises(DataError, match="ids here none"):
        load_answers(write("b.jsonl", [{"answer": "x"}]), gold)


@pytest.mark.parametrize("extra", [{}, {"id": "other"}], ids=["no id", "no id that fits"])
def test_answers_without_a_fitting_id_are_joined_by_question(
    write: Write, gold: Dataset, extra: dict[str, str]
) -> None:
    rows = [{"question": "Two? ", "answer": "2", **extra}, {"question": "One?", "answer": "1", **extra}]
    path = write("a.jsonl", rows)
    found, notes = answers(path, gold)
    assert found == {("a", 0): "1", ("b", 0): "2", ("c", 0): "2"}
    assert notes == ("answers joined to samples by question, since no id fits",)
    with pytest.raises(DataError, match="strict: no id fits"):
        load_answers(path, gold, strict=True)


def test_as_many_answers_as_samples_that_ask_go_in_order(write: Write, gold: Dataset) -> None:
    rows = [{"question": "Two?", "answer": "first"}, {"question": "Two?", "answer": "second"}]
    assert answers(write("a.jsonl", rows), gold)[0] == {("b", 0): "first", ("c", 0): "second"}
    with pytest.raises(DataError, match=r"3 answers to 'Two\?', which 2 samples ask: b, c"):
        load_answers(write("b.jsonl", [*rows, rows[0]]), gold)


def test_several_answers_for_one_sample_are_repeats_in_order(write: Write, gold: Dataset) -> None:
    rows = [{"id": one, "answer": f"{one}{n}"} for n in (1, 2) for one in ("a", "b", "c")]
    found, notes = answers(write("a.jsonl", rows), gold)
    assert found == {(one, n - 1): f"{one}{n}" for n in (1, 2) for one in ("a", "b", "c")}
    assert notes == ("several answers for one sample are taken as repeats, in order: 3 (a, b, c)",)


@pytest.mark.parametrize("first", [0, 1])
def test_repeats_are_numbered_as_the_file_says(write: Write, gold: Dataset, first: int) -> None:
    rows = [{"id": one, "answer": f"{one}{n}", "Repeat": first + n} for n in (1, 0) for one in ("a", "b", "c")]
    found, notes = answers(write("a.jsonl", rows), gold)
    assert found == {(one, n): f"{one}{n}" for n in (0, 1) for one in ("a", "b", "c")}
    assert notes == ()


def test_an_answer_that_is_given_twice_is_told_or_left_out(write: Write, gold: Dataset) -> None:
    rows = [
        {"id": "a", "answer": "x", "repeat": 0},
        {"id": "b", "answer": "y", "repeat": 0},
        {"id": "a", "answer": "z", "repeat": 0},
    ]
    path = write("a.jsonl", rows)
    with pytest.raises(DataError, match=r"a\.jsonl:3: sample 'a', repeat 0, is answered twice: lines 1 and 3"):
        load_answers(path, gold)
    found, notes = answers(path, gold, skip_bad_rows=True)
    assert found == {("a", 0): "x", ("b", 0): "y"}
    assert notes[0] == "bad rows left out, answered before: 1 (line 3)"


def test_bad_lines_of_answers_are_told_or_left_out(write: Write, gold: Dataset) -> None:
    path = write("a.jsonl", '{"id":"a","answer":"x"}\n{"id":"b","ans\n')
    with pytest.raises(DataError, match=r"a\.jsonl:2: not JSON"):
        load_answers(path, gold)
    found, notes = answers(path, gold, skip_bad_rows=True)
    assert found == {("a", 0): "x"}
    assert notes[0] == "bad rows left out, not JSON: 1 (line 2)"


def test_a_very_long_answer(write: Write, gold: Dataset) -> None:
    long = "word " * 1_000_000
    assert answers(write("a.jsonl", [{"id": "a", "answer": long}]), gold)[0] == {("a", 0): long}
    assert answers(write("a.csv", f'id,answer\na,"{long}"\n'), gold)[0] == {("a", 0): long}
