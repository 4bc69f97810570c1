"""CSV and TSV."""

from typing import Any

import pytest

from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.tables import read_csv, read_tsv
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError


def table(text: str, **options: Any) -> RawRows:
    return read_csv(text, Reading(name="f.csv", unit="line", **options))


def notes(raw: RawRows) -> tuple[str, ...]:
    return raw.reading.notes.lines("line")


def test_a_row_stands_where_it_starts() -> None:
    raw = table('id,answer\r\n1,"one\r\ntwo\nthree"\r\n\r\n2,"a\rb\u2028c"\r\n3,x')
    assert [row["answer"] for row in raw.rows] == ["one\r\ntwo\nthree", "a\rb\u2028c", "x"]
    assert list(raw.places) == [2, 6, 7]
    assert raw.cells


@pytest.mark.parametrize(
    "text",
    [
        "question;reference\nWhat, who?;x",
        "question\treference\nWhat, who?\tx",
        'question,reference\n"What, who?",x',
        "sep=;\r\nquestion;reference\r\nWhat, who?;x",
    ],
    ids=["semicolon", "tab", "comma", "excel"],
)
def test_the_delimiter_goes_by_the_header(text: str) -> None:
    assert list(table(text).rows) == [{"question": "What, who?", "reference": "x"}]


def test_a_header_of_unknown_names_is_cut_into_the_most_columns() -> None:
    assert list(table("Frage;Antwort;Zahl, netto\na;b;1,5").rows) == [
        {"Frage": "a", "Antwort": "b", "Zahl, netto": "1,5"}
    ]


def test_a_single_column_is_a_table_too() -> None:
    assert list(table("question\nWhat; who?\n").rows) == [{"question": "What; who?"}]


def test_tsv_keeps_commas() -> None:
    raw = read_tsv("question\treference\na, b\tc\n", Reading(name="f.tsv"))
    assert list(raw.rows) == [{"question": "a, b", "reference": "c"}]


def test_old_mac_line_ends() -> None:
    assert list(table("a,b\r1,2\r3,4\r").rows) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_our_own_guard_is_taken_off_and_other_apostrophes_stay() -> None:
    assert list(table("a,b,c,d\n'=x,'tis,''=y,-5\n").rows) == [{"a": "=x", "b": "'tis", "c": "'=y", "d": "-5"}]


def test_names_are_trimmed_and_nameless_columns_numbered() -> None:
    assert list(table(" question , ,reference\nq,0,r\n").rows) == [{"question": "q", "column_2": "0", "reference": "r"}]


def test_too_many_cells_are_told_or_the_row_left_out() -> None:
    text = "a,b\n1,2,3\n4,5,\n6,7\n"
    with pytest.raises(
        DataError, match=r"f\.csv:2: 3 cells where the header has 2(.|\n)*in quotes(.|\n)*--skip-bad-rows"
    ):
        table(text)
    raw = table(text, skip_bad_rows=True)
    assert list(raw.rows) == [{"a": "4", "b": "5"}, {"a": "6", "b": "7"}]
    assert notes(raw) == ("bad rows left out, too many cells: 1 (line 2)",)


def test_too_few_cells_are_noted_and_the_rest_is_empty() -> None:
    raw = table("a,b,c\n1,2\n")
    assert list(raw.rows) == [{"a": "1", "b": "2", "c": ""}]
    assert notes(raw) == ("rows with fewer cells than the header, the rest is missing: 1 (line 2)",)


def test_a_quote_that_never_closes_is_told_and_costs_one_line_only() -> None:
    text = 'a,b\n1,"open\n2,x\n3,"fine"\n4,"bad"tail\n5,y\n'
    with pytest.raises(DataError, match=r"f\.csv:2: .*quote"):
        table(text)
    raw = table(text, skip_bad_rows=True)
    assert [row["a"] for row in raw.rows] == ["2", "3", "5"]
    assert notes(raw) == ("bad rows left out, quotes that do not pair: 2 (lines 2 and 5)",)


def test_a_column_that_stands_twice_is_told() -> None:
    with pytest.raises(DataError, match=r"f\.csv:1: column 'a' stands twice in the header"):
        table("a,b,a\n1,2,3\n")


def test_a_very_long_cell() -> None:
    (row,) = table("answer\n" + "x" * 5_000_000 + "\n").rows
    assert len(row["answer"]) == 5_000_000


def test_a_row_with_a_foreign_byte_can_be_left_out() -> None:
    raw = table("a\né\n\udc92\n", skip_bad_rows=True)
    assert [row["a"] for row in raw.rows] == ["é"]
    assert notes(raw) == ("bad rows left out, not UTF-8: 1 (line 3)",)
