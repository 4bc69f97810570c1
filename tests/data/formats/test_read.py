"""Any file, by its ending."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ringtrue.data.formats.read import read_rows
from ringtrue.errors import DataError


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.jsonl", '{"a": "1"}'),
        ("f.NDJSON", '{"a": "1"}'),
        ("f.json", '[{"a": "1"}]'),
        ("f.csv", "a\n1"),
        ("f.tsv", "a\tb\n1\t"),
        ("f.yaml", "- a: 1"),
        ("f.yml", "- a: 1"),
    ],
)
def test_the_format_goes_by_the_ending(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert read_rows(tmp_path / name).rows[0]["a"] == "1"
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content.encode()))
    assert read_rows(str(tmp_path / f"{name}.gz")).rows[0]["a"] == "1"


def test_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["1", None], "l": [["x", "y"], []]}), tmp_path / "f.parquet")
    raw = read_rows(tmp_path / "f.parquet")
    assert list(raw.rows) == [{"a": "1", "l": ["x", "y"]}, {"a": None, "l": []}]
    assert (list(raw.places), raw.reading.unit) == ([1, 2], "row")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("f.jsonl", b"", "the file is empty"),
        ("f.jsonl", b"\n \n", "no usable row"),
        ("f.json", b"[]", "no usable row"),
        ("f.csv", b"a,b\n", "the header is there, but no row"),
        ("f.csv", b"\xef\xbb\xbf", "no usable row|no row"),
        ("f.yaml", b"# nothing\n", "no usable row"),
        ("f.parquet", b"PAR1 no", "not Parquet"),
        ("f.csv.gz", b"a\n1", "not a whole gzip file"),
        ("f.csv.gz", gzip.compress(b"a\n1", mtime=0)[:-4], "not a whole gzip file"),
        ("f.xlsx", b"PK", r"unknown ending '\.xlsx'(.|\n)*known endings: \.jsonl"),
        ("f", b"a", "the file has no ending"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message) as error:
        read_rows(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_a_missing_file_names_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "golden.csv").write_text("a\n1")
    with pytest.raises(DataError, match=r"golden\.jsonl: no such file(.|\n)*data files there: golden\.csv"):
        read_rows(tmp_path / "golden.jsonl")
    with pytest.raises(DataError, match=r"the folder .*nosuch does not exist"):
        read_rows(tmp_path / "nosuch" / "golden.jsonl")


@pytest.mark.parametrize("name", ["folder", "folder.csv"])
def test_a_folder_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read_rows(tmp_path / name)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(DataError, match="cannot be read: Permission denied"):
        read_rows(tmp_path / "f.csv")


def test_a_name_that_no_file_can_have_is_told() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_rows("a\0b.csv")
