"""Files: the format goes by the ending, a file is whole or not there, and what cannot be written is known before."""

import sys
from pathlib import Path

import pytest

from ringtrue.errors import MissingExtraError, OutputError, UsageError
from ringtrue.report import write
from ringtrue.report.report import Report
from ringtrue.report.write import FORMATS, check_output, write_report


@pytest.mark.parametrize("ending", FORMATS)
def test_each_ending_writes_its_format_into_a_new_folder(hostile: Report, tmp_path: Path, ending: str) -> None:
    path = tmp_path / "a" / "b" / f"report{ending.upper()}"
    check_output(path)
    assert not path.parent.exists()  # checking leaves nothing behind
    write_report(hostile, str(path))
    begins = {
        ".json": b"{\n",
        ".jsonl": b'{"sample_id"',
        ".csv": b"id,question,",
        ".parquet": b"PAR1",
        ".md": b"## ringtrue",
        ".xml": b"<?xml",
        ".html": b"<!doctype html>",
    }
    assert path.read_bytes().startswith(begins[ending])
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_an_unknown_ending_lists_the_known_ones(hostile: Report, tmp_path: Path) -> None:
    for name in ("report.pdf", "report", "report.json.gz"):
        for door in (lambda path: write_report(hostile, path), check_output):
            with pytest.raises(UsageError, match=r"known endings: \.json \.jsonl \.csv"):
                door(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told_before_and_after(hostile: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    for place in (tmp_path / "file" / "report.json", tmp_path / "folder.json", tmp_path / ("n" * 300 + ".json")):
        for door in (lambda path: write_report(hostile, path), check_output):
            with pytest.raises(OutputError, match="cannot be written") as caught:
                door(place)
            assert str(place) in str(caught.value)
            assert "name a file in a folder" in str(caught.value)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder.json"]


def test_a_folder_without_the_right_to_write_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(write.tempfile, "TemporaryFile", refuse)  # whoever runs the tests may write anywhere
    with pytest.raises(OutputError, match=r"report\.html: cannot be written: Permission denied"):
        check_output(tmp_path / "report.html")


def test_a_failure_on_the_way_leaves_the_old_file_whole(
    hostile: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(report: Report) -> list[bytes]:
        raise OSError(28, "No space left on device")

    def half(report: Report):  # type: ignore[no-untyped-def]
        yield b"half of it"
        broken(report)

    path = tmp_path / "scores.jsonl"
    path.write_bytes(b"old\n")
    path.chmod(0o640)
    monkeypatch.setattr(write, "FORMATS", {**FORMATS, ".jsonl": half})
    with pytest.raises(OutputError, match="No space left on device"):
        write_report(hostile, path)
    assert path.read_bytes() == b"old\n"
    monkeypatch.undo()
    write_report(hostile, path)
    assert path.read_bytes().startswith(b'{"sample_id"')
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["scores.jsonl"]


def test_parquet_without_its_library_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"ringtrue\[arrow\]"):
        check_output(tmp_path / "scores.parquet")
