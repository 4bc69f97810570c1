"""Passages from what files hold."""

from typing import Any

import pytest

from ringtrue.data.fields.passages import passages_of, pieces_of, with_ids
from ringtrue.types import Passage

A, B = Passage(text="a"), Passage(text="b")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        ([], ()),
        ("[]", ()),
        ("a", (A,)),
        (["a", "b"], (A, B)),
        (("a", "b"), (A, B)),
        ("['a', 'b']", (A, B)),
        ('[{"text": "a"}, {"text": "b"}]', (A, B)),
        ('{"text": "a"}', (A,)),
        ("[1]", (Passage(text="[1]"),)),
        ('{"price": 5}', (Passage(text='{"price": 5}'),)),
        ([{"text": "a"}, "b"], (A, B)),
        (["a", None, ""], (A, Passage(text=None), Passage(text=None))),
        ([7, {}], (Passage(text="7"), Passage(text=None))),
        (5, (Passage(text="5"),)),
    ],
)
def test_texts_lists_and_lists_in_text(value: Any, expected: Any) -> None:
    assert passages_of(value) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"id": "i", "text": "t", "score": 0.5, "metadata": {"p": 1}},
            Passage(text="t", id="i", score=0.5, metadata={"p": 1}),
        ),
        ({"doc_id": 7, "text": "t"}, Passage(text="t", id="7")),
        ({"chunk_id": "c", "content": "t", "similarity": "0.25"}, Passage(text="t", id="c", score=0.25)),
        (
            {"page_content": "t", "metadata": {"source": "s"}, "type": "Document"},
            Passage(text="t", metadata={"source": "s", "type": "Document"}),
        ),
        ({"document": {"id": "i", "content": "t", "score": 1}}, Passage(text="t", id="i", score=1.0)),
        ({"document.id": "i", "document.content": "t", "document.score": 2}, Passage(text="t", id="i", score=2.0)),
        ({"node": {"text": "t", "id_": "i"}, "score": 0.1}, Passage(text="t", id="i", score=0.1)),
        (
            {"content": {"text": "t"}, "location": {"uri": "s3"}, "score": 0.3},
            Passage(text="t", score=0.3, metadata={"location": {"uri": "s3"}}),
        ),
        ({"doc_uri": "u", "content": "t"}, Passage(text="t", id="u")),
        ({"id": "only"}, Passage(text=None, id="only")),
        ({"text": "t", "score": "high"}, Passage(text="t", metadata={"score": "high"})),
        ({"text": "t", "title": None, "page": 0}, Passage(text="t", metadata={"page": 0})),
        ({"title": "no text"}, Passage(text='{"title": "no text"}')),
        ({"Text": "t", "ID": "i"}, Passage(text="t", id="i")),
        ({"text": "t", "metadata": '{"p": 1}'}, Passage(text="t", metadata={"p": 1})),
    ],
)
def test_objects_of_many_libraries(item: Any, expected: Passage) -> None:
    assert passages_of([item]) == (expected,)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("one|two", ["one", "two"]),
        ("one | two | three", ["one", "two", "three"]),
        ("one;two;three", ["one", "two", "three"]),
        ("The pool opens at 6; it closes at 9.", None),
        ("| a | b |\n|---|---|\n| 1 | 2 |", None),
        ("one||two", None),
        ("R&amp;D;x", None),
        ("plain", None),
        ("ends with;", None),
    ],
)
def test_a_cell_is_cut_only_where_it_is_clearly_a_list(text: str, pieces: list[str] | None) -> None:
    assert list(pieces_of(text)) == (pieces or [text])


def test_only_who_asks_gets_cells_cut() -> None:
    assert passages_of("a|b") == (Passage(text="a|b"),)
    assert passages_of("a|b", cut=pieces_of) == (A, B)
    assert passages_of('["a|b"]', cut=pieces_of) == (Passage(text="a|b"),)


def test_ids_from_a_column_beside() -> None:
    assert with_ids((A, B), ["1", 2]) == (Passage(text="a", id="1"), Passage(text="b", id="2"))
    assert with_ids((A,), "['x']") == (Passage(text="a", id="x"),)
    assert with_ids(None, ["1"]) == (Passage(text=None, id="1"),)
    assert with_ids((A,), None) == (A,)
    assert with_ids((A, B), ["1"]) is None
