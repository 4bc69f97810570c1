"""docs/comparing.md: every command in it runs, and what it shows is what they print."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import ringtrue as rt
from ringtrue.stats.comparing.power import detectable_share

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")


def words(line: str) -> list[str]:
    return [str(ROOT / one) if one.startswith("examples/") else one for one in shlex.split(line)[1:]]


def plain(text: str) -> str:
    """One space between words, no line ends, and no run's id: pages fold what a terminal would."""
    return " ".join(re.sub(r"\d{8}-\d{6}-[0-9a-f]{4}", "RUN", text).split())


def test_the_commands_run_and_print_what_the_page_shows(ringtrue: Callable) -> None:
    blocks = re.findall(r"```\n(\$? ?ringtrue .*?)```", TEXT, re.S)
    shown = 0
    for block in blocks:
        lines = block.splitlines()
        if lines[0].startswith("$ "):
            shown += 1
            result = ringtrue(*words(lines[0].removeprefix("$ ")))
            assert plain(result.out) == plain("\n".join(lines[1:])), lines[0]
            assert result.code == (100 if "--fail-if" in lines[0] else 0)
            continue
        for line in lines:
            result = ringtrue(*words(line), *(["-o", "report.html"] if line.startswith("ringtrue run ") else []))
            assert result.code == 0, (line, result.err)
    assert (len(blocks), shown) == (5, 2)


def test_some_330_questions_show_a_difference_of_a_tenth() -> None:
    found = detectable_share(0.4, 330).value  # four in ten questions differ, as between these pipelines
    assert found == pytest.approx(0.1, abs=0.001)


def test_the_python_runs(write: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RINGTRUE_STORE", raising=False)
    golden = [{"id": f"q{n}", "question": f"What is {n}?", "reference": f"word {n}"} for n in range(8)]
    write("golden.jsonl", golden)
    for name in ("old", "new"):
        write(f"{name}.jsonl", [{"id": row["id"], "answer": row["reference"]} for row in golden])
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    names: dict[str, object] = {}
    exec(block, names)
    found = names["found"]
    assert isinstance(found, rt.RunComparison)
    assert found.passed
