"""What an application gives back becomes a Response, or an error that says what it was."""

import json
import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import PipelineError
from ringtrue.pipelines.replies import decode, parse_json, response_from, response_from_text
from ringtrue.types import Passage, Response


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("Paris", "Paris"),
        ("  Paris\n", "  Paris\n"),
        ("", None),
        (" \n", None),
        (None, None),
        ({"answer": "Paris"}, "Paris"),
        ({"answer": None}, None),
        ({"answer": ""}, None),
        ({"answer": 0}, "0"),
        ({"answer": 3.0}, "3.0"),
        ({"answer": False}, "false"),
        ({"answer": ["Lyon"]}, "Lyon"),
        ({"answer": {"total": 5}}, '{"total": 5}'),
        (Response(answer="Paris"), "Paris"),
        (Response(answer=""), None),
    ],
)
def test_the_answer_is_text_or_missing(value: object, answer: str | None) -> None:
    assert response_from(value) == Response(answer=answer)


def test_a_dict_may_hold_every_field() -> None:
    assert response_from(
        {
            "answer": "Paris",
            "contexts": ["Paris is the capital.", {"id": "d7", "text": "On the Seine.", "score": 0.5}],
            "latency_s": 0.25,
            "input_tokens": 12,
            "output_tokens": "3",
            "cost": "0.002",
            "model": "small-1",
            "trace_id": "abc",
            "metadata": {"route": "fast"},
            "debug": "not read",
        }
    ) == Response(
        answer="Paris",
        contexts=(Passage(text="Paris is the capital."), Passage(text="On the Seine.", id="d7", score=0.5)),
        latency_s=0.25,
        input_tokens=12,
        output_tokens=3,
        cost=0.002,
        model="small-1",
        trace_id="abc",
        metadata={"route": "fast"},
    )


@pytest.mark.parametrize("value", [True, -1, "many", 1.5, math.nan, math.inf, [3], None, 10**400])
def test_a_token_count_that_is_no_count_is_unknown(value: object) -> None:
    assert response_from({"answer": "x", "input_tokens": value}).input_tokens is None


@pytest.mark.parametrize("value", [True, -0.1, "$3", math.nan, {}, None])
def test_a_cost_that_is_no_amount_is_unknown(value: object) -> None:
    assert response_from({"answer": "x", "cost": value}).cost is None


def test_no_contexts_retrieved_differs_from_not_known() -> None:
    assert response_from({"answer": "x", "contexts": []}).contexts == ()
    assert response_from({"answer": "x"}).contexts is None


def test_passages_and_documents_of_libraries_are_taken() -> None:
    @dataclass
    class Document:
        page_content: str
        metadata: dict[str, Any]

    passages = response_from(
        {"answer": "x", "contexts": [Passage(text="a", id="1"), Document("b", {"page": 3})]}
    ).contexts
    assert passages == (Passage(text="a", id="1"), Passage(text="b", metadata={"page": 3}))


def test_an_error_without_an_answer_is_kept() -> None:
    assert response_from({"error": "quota used up"}) == Response(error="quota used up")


@pytest.mark.parametrize("nothing", [None, False, "", [], {}])
def test_an_error_field_that_says_nothing_is_none(nothing: object) -> None:
    assert response_from({"answer": "x", "error": nothing}) == Response(answer="x")


def test_a_dict_without_an_answer_names_its_keys() -> None:
    with pytest.raises(PipelineError, match=r"holds no 'answer'; its keys are: output, usage \{total\}"):
        response_from({"output": "Paris", "usage": {"total": 3}})


@pytest.mark.parametrize(
    ("value", "kind"), [(["Paris"], "a list"), (42, "an int"), (b"Paris", "a bytes"), (object(), "an obj")]
)
def test_a_wrong_type_is_named(value: object, kind: str) -> None:
    with pytest.raises(PipelineError, match=f"returned {kind}.*a str, a dict with 'answer' or a ringtrue.Response"):
        response_from(value)


def test_an_answer_that_is_no_text_is_refused_rather_than_printed() -> None:
    with pytest.raises(PipelineError, match="'answer' is an object, not text"):
        response_from({"answer": object()})


def test_halves_of_surrogate_pairs_are_mended_everywhere() -> None:
    cut = "cut \ud83d"
    response = response_from({"answer": cut, "contexts": [cut], "model": cut, "metadata": {cut: [cut]}})
    assert response == Response(
        answer="cut \ufffd",
        contexts=(Passage(text="cut \ufffd"),),
        model="cut \ufffd",
        metadata={"cut \ufffd": ["cut \ufffd"]},
    )


@pytest.mark.parametrize(
    ("printed", "answer"),
    [
        ("Paris\n", "Paris"),
        ("Paris\r\n", "Paris"),
        ("two\nlines\n", "two\nlines"),
        ('{"answer": "Paris"}\n', "Paris"),
        ('{\n  "answer": "Paris"\n}\n', "Paris"),
        ('loading the index …\n{"answer": "Paris"}\n', "Paris"),
        ('an example:\n{"capital": "Paris"}', 'an example:\n{"capital": "Paris"}'),
        ('["Paris"]', '["Paris"]'),
        ('"Paris"', "Paris"),
        ('"Paris" is the capital', '"Paris" is the capital'),
        ('{"answer": "x", "score": NaN}', "x"),
    ],
)
def test_printed_text_is_an_object_or_the_answer(printed: str, answer: str) -> None:
    assert response_from_text(printed).answer == answer


@pytest.mark.parametrize("printed", ['{"answer": "Par', "{not json}", '{"answer": ' * 100_000])
def test_a_broken_object_is_an_error_that_shows_its_beginning(printed: str) -> None:
    with pytest.raises(PipelineError, match="not JSON") as caught:
        response_from_text(printed)
    assert printed[:9] in caught.value.message
    assert len(caught.value.message) < 400


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: not text.isspace()))
def test_every_answer_survives_as_json(answer: str) -> None:
    assert response_from_text(json.dumps({"answer": answer})).answer == answer


def test_a_byte_order_mark_is_no_text() -> None:
    assert decode(b"\xef\xbb\xbfParis") == "Paris"


@pytest.mark.parametrize(
    ("encoding", "why"), [("utf-8", "not UTF-8: byte 0xe9 at offset 3"), ("utf-99", "unknown encoding")]
)
def test_what_cannot_be_decoded_is_told(encoding: str, why: str) -> None:
    with pytest.raises(PipelineError, match=why):
        decode(b"caf\xe9", encoding)


def test_long_numbers_are_exact() -> None:
    assert parse_json("123456789012345678901") == 123456789012345678901
