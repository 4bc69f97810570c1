"""JSON and JSON lines."""

from typing import Any

import pytest

from ringtrue.data.formats.jsontext import read_json, read_jsonl
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError


def lines(**options: Any) -> Reading:
    return Reading(name="f.jsonl", unit="line", **options)


def test_lines_end_at_line_feeds_only() -> None:
    raw = read_jsonl('{"a":"x\u2028y"}\r\n{"a":"x\u0085y"}\r\n\r\n \n{"a":"z"}', lines())
    assert list(raw.rows) == [{"a": "x\u2028y"}, {"a": "x\x85y"}, {"a": "z"}]
    assert list(raw.places) == [1, 2, 5]


def test_files_that_were_put_together_may_keep_their_marks() -> None:
    assert list(read_jsonl('{"a":1}\n\ufeff{"a":2}\n', lines()).rows) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{oops}", r"f\.jsonl:2: not JSON: .+ \(column 2\)"),
        ('{"a": "cut', r"f\.jsonl:2: not JSON: Unterminated string"),
        ("[1]", r"f\.jsonl:2: not a JSON object but a list"),
        ("null", r"f\.jsonl:2: not a JSON object but null"),
        ("7", r"f\.jsonl:2: not a JSON object but a number"),
        ('"x"', r"f\.jsonl:2: not a JSON object but a text"),
        ("[" * 100_000, r"f\.jsonl:2: not JSON: it is nested too deeply"),
        ('{"a": 1' + "0" * 5000 + "}", r"f\.jsonl:2: not JSON: Exceeds the limit"),
    ],
    ids=["word", "cut", "list", "null", "number", "text", "deep", "long number"],
)
def test_a_bad_line_is_told_or_left_out_and_counted(line: str, message: str) -> None:
    text = '{"a":1}\n' + line + '\n{"a":3}\n'
    with pytest.raises(DataError, match=message) as error:
        read_jsonl(text, lines())
    assert "--skip-bad-rows" in str(error.value)
    raw = read_jsonl(text, lines(skip_bad_rows=True))
    assert [row["a"] for row in raw.rows] == [1, 3]
    assert any(
        note.startswith("bad rows left out") and note.endswith("(line 2)") for note in raw.reading.notes.lines("line")
    )


def test_the_first_five_bad_lines_are_named() -> None:
    raw = read_jsonl("x\n" * 7 + '{"a":1}', lines(skip_bad_rows=True))
    assert raw.reading.notes.lines("line") == ("bad rows left out, not JSON: 7 (lines 1, 2, 3, 4, 5 …)",)


def test_long_integers_are_exact_and_nan_is_read() -> None:
    (row,) = read_jsonl('{"a": 12345678901234567890123, "b": NaN, "c": 18446744073709551615}', lines()).rows
    assert row["a"] == 12345678901234567890123
    assert row["b"] != row["b"]
    assert row["c"] == 2**64 - 1


def test_half_of_a_surrogate_pair_is_mended_and_noted() -> None:
    raw = read_jsonl('{"a": ["cut \\ud83d"], "b": "\\ud83d\\ude00"}', lines())
    assert list(raw.rows) == [{"a": ["cut \ufffd"], "b": "\U0001f600"}]
    assert "half of a surrogate pair" in raw.reading.notes.lines("line")[0]


def test_a_line_with_a_foreign_byte_can_be_left_out() -> None:
    raw = read_jsonl('{"a":"\udc92"}\n{"a":"é"}', lines(skip_bad_rows=True))
    assert list(raw.rows) == [{"a": "é"}]
    assert raw.reading.notes.lines("line") == ("bad rows left out, not UTF-8: 1 (line 1)",)


@pytest.mark.parametrize(
    "text",
    [
        '[{"q": "a", "n": 1}, {"q": "b", "n": 2}]',
        '{"samples": [{"q": "a", "n": 1}, {"q": "b", "n": 2}], "version": 3}',
        '{"results": [{"q": "a", "n": 1}, {"q": "b", "n": 2}], "metrics": [1]}',
        '{"whatever": [{"q": "a", "n": 1}, {"q": "b", "n": 2}]}',
        '{"q": ["a", "b"], "n": [1, 2]}',
        '{"q": {"0": "a", "1": "b"}, "n": {"0": 1, "1": 2}}',
        '{"0": {"q": "a", "n": 1}, "1": {"q": "b", "n": 2}}',
        '{"columns": ["q", "n"], "index": [0, 1], "data": [["a", 1], ["b", 2]]}',
        '{"rows": [{"row_idx": 0, "row": {"q": "a", "n": 1}}, {"row_idx": 1, "row": {"q": "b", "n": 2}}]}',
        '{"q": "a", "n": 1}\n{"q": "b", "n": 2}\n',
    ],
    ids=[
        "list",
        "samples",
        "results",
        "one list",
        "columns",
        "pandas columns",
        "pandas index",
        "pandas split",
        "hub page",
        "lines",
    ],
)
def test_the_shapes_in_which_documents_hold_rows(text: str) -> None:
    raw = read_json(text, Reading(name="f.json"))
    assert list(raw.rows) == [{"q": "a", "n": 1}, {"q": "b", "n": 2}]
    assert list(raw.places) == [1, 2]


def test_rows_by_id_keep_it() -> None:
    raw = read_json('{"s1": {"q": "a"}, "s2": {"q": "b", "id": "own"}}', Reading(name="f"))
    assert list(raw.rows) == [{"id": "s1", "q": "a"}, {"id": "own", "q": "b"}]


def test_what_stands_beside_the_rows_is_the_head() -> None:
    assert read_json('{"name": "n", "items": [{"a": 1}]}', Reading(name="f")).head == {"name": "n"}


def test_a_broken_document_is_told_with_its_line() -> None:
    with pytest.raises(DataError, match=r"f\.json:2: not JSON: .*delimiter"):
        read_json('[{"a": 1},\n {"a" 2}]', Reading(name="f.json"))


@pytest.mark.parametrize(("text", "what"), [("5", "a number"), ('"x"', "a text"), ("{}", "an object")])
def test_a_document_without_rows_is_told(text: str, what: str) -> None:
    with pytest.raises(DataError, match=f"no rows in it: {what}"):
        read_json(text, Reading(name="f"))


def test_an_item_that_is_no_object_is_told_or_left_out() -> None:
    with pytest.raises(DataError, match="f: item 2: not an object but a text"):
        read_json('[{"a": 1}, "x"]', Reading(name="f"))
    assert list(read_json('[{"a": 1}, "x"]', Reading(name="f", skip_bad_rows=True)).places) == [1]


def test_a_list_that_is_named_jsonl_is_read_with_a_note_unless_strict() -> None:
    text = '[\n{"a": 1},\n{"a": 2}\n]'
    raw = read_jsonl(text, lines())
    assert list(raw.rows) == [{"a": 1}, {"a": 2}]
    assert raw.reading.notes.lines("item") == ("one JSON list, not one object a line: read as .json",)
    with pytest.raises(DataError, match=r"f\.jsonl:1: not JSON"):
        read_jsonl(text, lines(strict=True))
