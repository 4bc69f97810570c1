"""Lists that were written out as text."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.fields.lists import list_in_text, object_of, texts_in_text


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a', 'b']", ["a", "b"]),
        ("""['it''s', "the lifeguard's", 'say "x"']""", ["its", "the lifeguard's", 'say "x"']),
        (
            r"['two\nlines', 'fixed\xa0space', 'back\\slash', '\d']",
            ["two\nlines", "fixed\xa0space", "back\\slash", "\\d"],
        ),
        ("('a', 'b')", ["a", "b"]),
        ("[]", []),
        (" ['a'] \n", ["a"]),
        ("['a', None, 1]", ["a", None, 1]),
        ("array(['a', 'b'], dtype=object)", ["a", "b"]),
        ("array(['a',\n       'b'], dtype='<U1')", ["a", "b"]),
        ("['a' 'b']", ["a", "b"]),
        ("""['a, b'\n "it's"]""", ["a, b", "it's"]),
        ('{"text": "a"}', {"text": "a"}),
        ("[{'content': 'a', 'score': 0.5}]", [{"content": "a", "score": 0.5}]),
    ],
)
def test_what_json_pandas_and_numpy_print(text: str, items: Any) -> None:
    assert list_in_text(text) == items


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "[see below]",
        "[1",
        "a]",
        "['open]",
        "(as of 2024)",
        "[x for x in y]",
        "5",
        "'a'",
        "[" * 200_000 + "]" * 200_000,
        "[a](http://x)",
        "{1: }",
    ],
    ids=range(13),
)
def test_plain_texts_stay_text(text: str) -> None:
    assert list_in_text(text) is None


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('touch pwned')", "[__import__('os').system('touch pwned')]", "[open('pwned', 'w')]"],
)
def test_nothing_is_evaluated(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list_in_text(text) is None
    assert not list(tmp_path.iterdir())


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_every_list_that_python_prints_is_read_back(items: list[str]) -> None:
    assert list_in_text(repr(items)) == items
    assert list_in_text(str(pd.Series([items])[0])) == items


@given(st.lists(st.text("ab '\"\\n,[]é", min_size=1), min_size=2, max_size=4))
def test_every_array_that_numpy_prints_is_read_back(items: list[str]) -> None:
    array = np.array(items, dtype=object)
    assert list_in_text(str(array)) == items
    assert list_in_text(repr(array)) == items


@pytest.mark.parametrize(
    ("text", "items"), [("['a', 'b']", ["a", "b"]), ('[["a", "b"], "c"]', [["a", "b"], "c"]), ("[]", [])]
)
def test_a_list_of_texts(text: str, items: Any) -> None:
    assert texts_in_text(text) == items


@pytest.mark.parametrize("text", ["[1]", "[1, 'a']", '{"a": "b"}', "[null]", "a, b", "[{'a': 1}]"])
def test_what_is_no_list_of_texts(text: str) -> None:
    assert texts_in_text(text) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ([("a", 1)], {"a": 1}),
        ("text", None),
        ("[1]", None),
        (["a"], None),
        ("[" * 100_000, None),
    ],
    ids=range(7),
)
def test_an_object_from_its_forms(value: Any, expected: Any) -> None:
    assert object_of(value) == expected
