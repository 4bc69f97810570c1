"""A network of ONNX Runtime, opened once in a process and run on the cores that this process may use."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from numpy.typing import NDArray

from ringtrue.errors import MissingExtraError, RingtrueError

__all__ = ["Session", "cores", "open_session"]

_CGROUP = Path("/sys/fs/cgroup/cpu.max")  # "max 100000", or the microseconds of each so many that may be used
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"  # logical processors that share a core


class Session:
    """A network ready to run, by several threads at once if need be.

    A forked process opens it anew when it first runs it, for the threads of ONNX Runtime stay behind in its parent.
    """

    def __init__(self, load: Callable[[], str | bytes], named: str, threads: int) -> None:
        self._load, self._named, self._threads = load, named, threads
        self._left: list[Any] = []  # the parent's, never let go of: that would wait for threads that are not here
        self._open()

    def run(self, outputs: Sequence[str] | None, feeds: Mapping[str, NDArray[Any]], /) -> list[NDArray[Any]]:
        """The outputs of these names (of all, for ``None``) for these inputs."""
        if self._process != os.getpid():
            with _opening:
                if self._process != os.getpid():
                    self._left.append(self._session)
                    self._open()
        found: list[NDArray[Any]] = self._session.run(outputs, feeds)
        return found

    def _open(self) -> None:
        self._session = _opened(self._load(), self._named, self._threads)
        self._process = os.getpid()


_known: dict[tuple[object, int], Session] = {}
_opening = Lock()


def open_session(
    network: str | Path | bytes, *, threads: int | None = None, prepare: Callable[[bytes], bytes] | None = None
) -> Session:
    """The network of a file (or of its bytes), ready to run; the same one each time it is asked for.

    `threads` work on one batch, by default as many as there are cores; `prepare` changes the file's bytes before they
    are loaded. Raises MissingExtraError where ONNX Runtime is not installed, RingtrueError where it cannot load the
    network.
    """
    threads = threads or cores()
    identity: object = os.path.realpath(network) if not isinstance(network, bytes) else blake2b(network).digest()
    named = "the bytes given" if isinstance(network, bytes) else str(network)
    with _opening:
        if (identity, threads) not in _known:
            _known[identity, threads] = Session(partial(_loaded, network, prepare), named, threads)
        return _known[identity, threads]


def _loaded(network: str | Path | bytes, prepare: Callable[[bytes], bytes] | None) -> str | bytes:
    if prepare is None:
        return network if isinstance(network, bytes) else os.fspath(network)
    return prepare(network if isinstance(network, bytes) else Path(network).read_bytes())


def cores() -> int:
    """Physical cores that this process may use: its affinity, its container's share of time; 1 at least."""
    if not hasattr(os, "sched_getaffinity"):  # macOS, Windows
        return os.cpu_count() or 1
    mine = os.sched_getaffinity(0)
    count = len({_core_of(one) for one in mine})
    try:
        quota, period = _CGROUP.read_text(encoding="ascii").split()
        return max(1, min(count, -(-int(quota) // int(period))))
    except (OSError, ValueError):  # no cgroup of version 2, or no quota ("max")
        return count


def _core_of(processor: int) -> str:
    try:
        return Path(_SIBLINGS.format(processor)).read_text(encoding="ascii").strip()
    except OSError:
        return str(processor)


def _opened(network: str | bytes, named: str, threads: int) -> Any:
    try:
        import onnxruntime as ort  # 60 MB, and only for local networks
        from onnxruntime.capi import onnxruntime_pybind11_state as state
    except ImportError as error:
        raise MissingExtraError("a local network", "local") from error
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # it is made for batches of one shape
    options.log_severity_level = 3  # errors only
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads leave the core to others
    ort.disable_telemetry_events()
    kinds = (state.Fail, state.InvalidArgument, state.InvalidGraph, state.InvalidProtobuf, state.NoSuchFile)
    broken = (*kinds, state.NotImplemented, state.RuntimeException)
    try:
        return ort.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    except broken as error:
        raise RingtrueError(
            f"ONNX Runtime {ort.__version__} cannot load {named}: {error}", mend="is it a whole ONNX file?"
        ) from error


def _forget() -> None:
    """Whoever held the lock is not in the forked process."""
    global _opening
    _opening = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
