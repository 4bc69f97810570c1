"""The table of all judges over a folder of labelled sets."""

import sys
from pathlib import Path

import pytest

from benchmarks.agreement.__main__ import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "check_a_judge"


def test_every_set_of_a_folder_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tables.md"
    words = [str(EXAMPLE), "--store", str(tmp_path / "kept.db"), "--draws", "50", "-o", str(out)]
    monkeypatch.setattr(sys, "argv", ["agreement", *words])
    main()
    text = out.read_text(encoding="utf-8")
    assert "## labelled" in text
    for judge in ("prompt\\_v1", "containment (baseline)", "token\\_f1 (baseline)", "fmeval\\_recall (baseline)"):
        assert f"| {judge} | 24 |" in text
    assert "Krippendorff's alpha" in text
    assert "## labelled" in capsys.readouterr().out


def test_a_set_that_cannot_be_measured_is_named_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jsonl").write_text('{"question": "Q?", "answer": "A"}\n', encoding="utf-8")
    (tmp_path / "b.jsonl").write_text((EXAMPLE / "labelled.jsonl").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["agreement", str(tmp_path), "--store", ":memory:", "--draws", "0"])
    main()
    told = capsys.readouterr().out
    assert "Not measured" in told.split("## b")[0]
    assert "prompt\\_v1" in told.split("## b")[1]
