"""YAML whose scalars keep their written text."""

from typing import Any

import pytest

from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.yamltext import read_yaml, yaml_value
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError


def read(text: str, **options: Any) -> RawRows:
    return read_yaml(text, Reading(name="f.yaml", unit="line", **options))


@pytest.mark.parametrize(
    "written",
    [
        "no",
        "NO",
        "Off",
        "y",
        "true",
        "007",
        "3.10",
        "1_000",
        "12:30",
        "2024-01-15",
        "0x1F",
        "1e3",
        "+5",
        "=",
        "0o17",
        ".5",
    ],
)
def test_a_plain_scalar_is_what_is_written(written: str) -> None:
    (row,) = read(f"- a: {written}\n  b: '{written}'\n").rows
    assert row["a"] == row["b"] == written


@pytest.mark.parametrize("written", ["~", "null", "Null", "", ".nan", ".NaN"])
def test_a_plain_nothing_is_missing_and_a_quoted_one_is_text(written: str) -> None:
    (row,) = read(f"- a: {written}\n  b: '{written}'\n").rows
    assert row == {"a": None, "b": written}


def test_rows_know_their_lines() -> None:
    raw = read("# a comment\nname: x\nitems:\n  - a: 1\n\n  - a: |\n      two\n      lines\n  - {a: 3}\n")
    assert list(raw.places) == [4, 6, 9]
    assert raw.rows[1]["a"] == "two\nlines\n"
    assert raw.head == {"name": "x"}


def test_anchors_and_merge_keys() -> None:
    raw = read("base: &b {lang: de, a: 1}\nitems:\n  - {<<: *b, a: 2}\n  - {<<: [*b, {x: y}], q: *b}\n")
    assert list(raw.rows) == [
        {"lang": "de", "a": "2"},
        {"lang": "de", "a": "1", "x": "y", "q": {"lang": "de", "a": "1"}},
    ]


def test_documents_are_rows() -> None:
    assert list(read("a: x\n---\na: y\n").rows) == [{"a": "x"}, {"a": "y"}]


@pytest.mark.parametrize(
    "text",
    [
        "- a: !!python/object/apply:os.system [x]\n",
        "- a: !!python/name:os.system x\n",
        "- a: !mine x\n",
        "- a: !!binary aGk=\n",
    ],
)
def test_tags_of_programs_are_not_read(text: str) -> None:
    with pytest.raises(DataError, match=r"f\.yaml:1: the tag .* is not read"):
        read(text)


def test_aliases_of_aliases_do_not_fill_the_memory() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    with pytest.raises(DataError, match="anchors that repeat too much"):
        read(text)


def test_an_anchor_inside_itself_is_told() -> None:
    with pytest.raises(DataError, match="anchors that repeat too much, or nesting that is too deep"):
        read("- &a [*a]\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a: b: c\n", "f.yaml:1: not YAML: mapping values are not allowed"),
        ("- a: 1\n  b: 2\n  a: 3\n", "f.yaml:3: the key 'a' stands twice"),
        ("- a: 'open\n", "f.yaml:.*not YAML"),
        ("- a: \x07\n", "f.yaml: not YAML"),
        ("- ? [x, y]\n  : 1\n", "f.yaml:1: a key that is no text"),
        ("just text\n", "no rows in it: a text"),
        ("- a: 1\n- text\n", "f.yaml:2: not an object but a text"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(text)


def test_a_value_of_any_shape() -> None:
    assert yaml_value("[a, {b: no}]", Reading(name="f")) == ["a", {"b": "no"}]
    assert yaml_value("", Reading(name="f")) is None
