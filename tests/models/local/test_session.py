"""A network opened once, on the cores that this process may use."""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from ringtrue.errors import MissingExtraError, RingtrueError
from ringtrue.models.local import session
from ringtrue.models.local.session import cores, open_session
from tests.models.local.onnx_bytes import doubling

ROW = np.array([[1, 2, 3]], dtype=np.float32)


def test_a_network_runs_and_is_opened_once(tmp_path: Path) -> None:
    file = tmp_path / "double.onnx"
    file.write_bytes(doubling())
    opened = open_session(file)
    assert opened.run(None, {"x": ROW})[0].tolist() == [[2, 4, 6]]
    assert open_session(str(file)) is opened
    assert open_session(tmp_path / "." / "double.onnx") is opened
    assert open_session(doubling()) is open_session(doubling())
    assert open_session(file, threads=cores() + 1) is not opened


def test_a_file_may_be_changed_before_it_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "reversed.onnx"
    file.write_bytes(doubling()[::-1])
    opened = open_session(file, prepare=lambda content: content[::-1])
    assert opened.run(["y"], {"x": ROW})[0].tolist() == [[2, 4, 6]]


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "broken.onnx"
    file.write_bytes(b"no network")
    with pytest.raises(RingtrueError, match=r"cannot load .*broken\.onnx"):
        open_session(file)
    with pytest.raises(RingtrueError, match=r"cannot load .*gone\.onnx"):
        open_session(tmp_path / "gone.onnx")
    with pytest.raises(RingtrueError, match="cannot load the bytes given"):
        open_session(b"no network")


def test_without_onnxruntime_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ringtrue\[local\]'"):
        open_session(doubling(), threads=77)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux counts cores so")
def test_cores_are_those_of_the_process_and_of_its_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quota = tmp_path / "cpu.max"
    monkeypatch.setattr(session, "_CGROUP", quota)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    # Eight logical processors, of which each core has two.
    for processor in range(8):
        (tmp_path / f"cpu{processor}").write_text(f"{processor % 4},{processor % 4 + 4}\n")
    monkeypatch.setattr(session, "_SIBLINGS", str(tmp_path / "cpu{}"))
    assert cores() == 4
    for written, count in (("max 100000", 4), ("150000 100000", 2), ("20000 100000", 1), ("900000 100000", 4)):
        quota.write_text(f"{written}\n")
        assert cores() == count
    monkeypatch.setattr(session, "_SIBLINGS", str(tmp_path / "none{}"))
    quota.unlink()
    assert cores() == 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_opens_its_own() -> None:
    opened = open_session(doubling())
    opened.run(None, {"x": ROW})
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of what is tried here
        child = os.fork()
    if not child:
        try:
            os.write(write, bytes([int(opened.run(None, {"x": ROW})[0][0, 2]), open_session(doubling()) is opened]))
        finally:
            os._exit(0)
    os.close(write)
    assert os.read(read, 8) == bytes([6, 1])
    os.waitpid(child, 0)
