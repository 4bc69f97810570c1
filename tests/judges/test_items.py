"""What is judged, and how it is packed into questions: nothing is left out, nothing is cut without a trace."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.facts import parse_facts
from ringtrue.errors import DataError, Skip, UsageError
from ringtrue.judges.items import Item, guidelines_in, passages_in, questions_about, questions_of, shown_fields
from ringtrue.judges.loading import builtin_rubric
from ringtrue.types import Passage, Response, Sample
from tests.judges.scripted import row


def passage(id: str, text: str) -> Item:
    return Item(id=id, kind="passage", text=text)


def claim(place: int) -> Item:
    return Item(id=f"c{place}", kind="claim", text="x")


passages = st.lists(st.text(alphabet="ab. \n你。", max_size=3000), max_size=6).map(
    lambda texts: [passage(f"p{place}", text) for place, text in enumerate(texts, 1)]
)


@given(passages, st.integers(500, 4000))
def test_packing_keeps_every_character_of_every_passage(given_passages: list[Item], size: int) -> None:
    questions = questions_of([claim(1)], given_passages, size)
    found: dict[str, str] = {one.id: "" for one in given_passages}
    for question in questions:
        assert sum(len(piece.text) for piece in question.pieces) <= size
        for piece in question.pieces:
            found[piece.id] += piece.text
    assert found == {one.id: one.text for one in given_passages}


@given(passages, st.integers(500, 4000))
def test_no_passage_comes_up_twice_in_one_question(given_passages: list[Item], size: int) -> None:
    for question in questions_about(given_passages, size):
        ids = [piece.id for piece in question.pieces]
        assert len(set(ids)) == len(ids)
        assert [item.id for item in question.items] == ids


def test_a_long_passage_is_cut_after_a_sentence_and_says_so() -> None:
    text = "One sentence stands here. " * 40
    first, second, third = [one.pieces[0] for one in questions_about([passage("p1", text)], 500)]
    assert first.text.endswith("here. ")
    assert (first.part, first.parts, third.part, third.parts) == (1, 3, 3, 3)
    assert first.text + second.text + third.text == text


def test_parts_that_would_fit_together_still_go_apart() -> None:
    # The window of 500 ends with a whole sentence, before which it is cut; that one alone fills the room that is left.
    text = f"{'A' * 258}. {'B' * 238}. {'C' * 398}."
    questions = questions_about([passage("p1", text)], 500)
    assert [[len(piece.text) for piece in one.pieces] for one in questions] == [[260], [240], [399]]


def test_a_text_without_sentences_is_cut_at_a_space_else_anywhere() -> None:
    spaced = questions_about([passage("p1", "word " * 200)], 501)
    assert all(one.pieces[0].text.endswith(" ") for one in spaced)
    solid = questions_about([passage("p1", "x" * 1200)], 500)
    assert [len(one.pieces[0].text) for one in solid] == [500, 500, 200]


def test_many_items_are_parted_and_each_part_sees_all_passages() -> None:
    questions = questions_of(
        [claim(n) for n in range(1, 91)], [passage("p1", "a" * 400), passage("p2", "b" * 400)], 500
    )
    assert [len(one.items) for one in questions] == [40, 40, 40, 40, 10, 10]
    assert [one.pieces[0].id for one in questions] == ["p1", "p2"] * 3
    assert [len(one.items) for one in questions_about([passage(f"p{n}", "x") for n in range(50)], 500)] == [40, 10]


def test_without_passages_there_is_one_question() -> None:
    assert [one.pieces for one in questions_of([claim(1)], [], 500)] == [()]


def test_too_little_room_is_refused() -> None:
    with pytest.raises(UsageError, match="max_chars cannot be 20"):
        questions_of([claim(1)], [passage("p1", "x")], 20)


def test_passages_get_ids_in_rank_order_and_keep_their_names() -> None:
    items = passages_in([Passage(text="a", id="doc7"), Passage(text="b")])
    assert [(one.id, one.text, one.name) for one in items] == [("p1", "a", "doc7"), ("p2", "b", None)]


def test_passages_of_ids_alone_are_not_judged() -> None:
    with pytest.raises(Skip, match="1 of 2 passages have no text"):
        passages_in([Passage(text="a"), Passage(text=None, id="doc8")])


@pytest.mark.parametrize(
    ("value", "texts", "names"),
    [
        ("Be brief.", ["Be brief."], [None]),
        (["Be brief.", "Say please."], ["Be brief.", "Say please."], [None, None]),
        ({"tone": "Be kind."}, ["Be kind."], ["tone"]),
    ],
)
def test_guidelines_are_a_text_a_list_or_named(value: Any, texts: list[str], names: list[str | None]) -> None:
    items = guidelines_in(value)
    assert [one.text for one in items] == texts
    assert [one.name for one in items] == names
    assert items[0].id == "g1"


@pytest.mark.parametrize("value", [[1], ["a", " "], {"tone": None}, 5])
def test_what_is_no_guideline_is_told(value: Any) -> None:
    with pytest.raises(DataError, match="is no guideline"):
        guidelines_in(value)


def test_the_fields_shown_are_those_named_and_there() -> None:
    sample, response = row("A", ["c"], reference=("R",), facts=parse_facts("f"), metadata={"tone": "x"})
    shown = shown_fields(builtin_rubric("answer_correctness"), sample, response)
    assert list(shown) == ["answer", "facts", "reference", "question"]
    shown = shown_fields(builtin_rubric("faithfulness"), *row("A", [], question=None))
    assert shown == {"answer": "A", "contexts": ()}


@pytest.mark.parametrize(
    ("name", "sample", "response", "reason"),
    [
        ("guideline", Sample(id="a"), Response(answer="A"), "no metadata.guidelines"),
        ("guideline", Sample(id="a", metadata={"guidelines": []}), Response(answer="A"), "no metadata.guidelines"),
        ("answer_correctness", Sample(id="a"), Response(answer="A"), "no facts or reference"),
        ("faithfulness", Sample(id="a"), Response(answer="A"), "no contexts"),
        ("refusal", Sample(id="a"), Response(answer="A"), "no question"),
    ],
)
def test_a_missing_field_skips_with_its_name(name: str, sample: Sample, response: Response, reason: str) -> None:
    with pytest.raises(Skip, match=reason):
        shown_fields(builtin_rubric(name), sample, response)


def test_metadata_of_the_response_is_seen_too() -> None:
    response = Response(answer="A", metadata={"guidelines": "Be brief."})
    assert shown_fields(builtin_rubric("guideline"), Sample(id="a"), response)["metadata.guidelines"] == "Be brief."
