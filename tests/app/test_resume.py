"""Kill it anywhere: a run that was killed or interrupted ends, resumed, with the Scores of an undisturbed one."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

N = 12
# Answers slowly, and writes down each question it was asked.
APP = """
import json, sys, time
asked = json.load(sys.stdin)
with open("asked.txt", "a") as log:
    log.write(asked["id"] + "\\n")
time.sleep(0.15)
print(json.dumps({"answer": "Answer " + asked["id"]}))
"""
CONFIG = """
dataset: golden.jsonl
pipelines:
  slow: {{command: ["{python}", app.py]}}
  kept: answers.jsonl
metrics: [exact_match, f1_over_words, answer_words]
run: {{max_concurrency: 2}}
"""


@pytest.fixture
def project(write: Callable, tmp_path: Path) -> Path:
    write("app.py", APP)
    write("ringtrue.yaml", CONFIG.format(python=sys.executable))
    write(
        "golden.jsonl", [{"id": f"q{n}", "question": f"Question {n}?", "reference": f"Answer q{n}"} for n in range(N)]
    )
    write("answers.jsonl", [{"id": f"q{n}", "answer": f"Answer q{n % 3}"} for n in range(N)])
    return tmp_path


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from ringtrue.app.cli import main; main()", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_answers(project: Path, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while len(asked(project)) < wanted:
        assert time.monotonic() < deadline, "the run never got so far"
        time.sleep(0.01)


def asked(project: Path) -> list[str]:
    log = project / "asked.txt"
    return log.read_text().split() if log.exists() else []


def scores(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_a_killed_run_ends_with_the_same_scores(ringtrue: Callable, project: Path) -> None:
    assert ringtrue("run", "--store", "whole.db", "-o", "whole.jsonl").code == 0
    (project / "asked.txt").unlink()

    process = start("run", "--store", "killed.db")
    wait_for_answers(project, N // 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    before = asked(project)
    assert len(before) < N, "it was killed too late to show anything"

    assert ringtrue("resume", "--store", "killed.db", "-o", "killed.jsonl").code == 0
    assert scores("killed.jsonl") == scores("whole.jsonl")
    twice = [one for one in asked(project) if asked(project).count(one) > 1]
    assert len(set(twice)) <= 2, "only what was under way when it was killed may be asked again"


def test_ctrl_c_stops_cleanly_and_resume_goes_on(ringtrue: Callable, project: Path) -> None:
    process = start("run", "--store", "stopped.db")
    wait_for_answers(project, N // 2)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "ringtrue resume" in told
    assert "Traceback" not in told
    (listed,) = ringtrue("runs", "--store", "stopped.db", "--json").json
    assert listed["status"] == "interrupted"
    assert ringtrue("report", "--store", "stopped.db").code == 3, "an unfinished run passes no gate"

    result = ringtrue("resume", "--store", "stopped.db", "--json")
    assert result.code == 0
    assert result.json["summary"]["slow"]["exact_match"] == {
        **result.json["summary"]["slow"]["exact_match"],
        "scored": N,
    }
    (listed,) = ringtrue("runs", "--store", "stopped.db", "--json").json
    assert listed["status"] == "finished"


def test_a_finished_run_resumed_asks_nothing_again(ringtrue: Callable, project: Path) -> None:
    first = ringtrue("run", "--json").json
    before = asked(project)
    assert ringtrue("resume", "--json").json == first
    assert asked(project) == before


def test_resume_refuses_a_dataset_that_has_changed(ringtrue: Callable, project: Path, write: Callable) -> None:
    ringtrue("run", "--limit", "2")
    write("golden.jsonl", [{"id": f"q{n}", "question": f"Question {n}!", "reference": "x"} for n in range(N)])
    result = ringtrue("resume")
    assert result.code == 1
    assert "has changed since it began" in result.err
    assert ringtrue("report").code == 0, "the report needs the store alone"


def test_two_processes_do_not_work_on_one_run(ringtrue: Callable, project: Path) -> None:
    process = start("run", "--store", "held.db")
    wait_for_answers(project, 2)
    result = ringtrue("resume", "--store", "held.db")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert (result.code, "under way in another process" in result.err) == (1, True)
    assert ringtrue("resume", "--store", "held.db").code == 0
    assert ringtrue("resume", "--store", "none.db").code == 1
    assert not (project / "none.db").exists()
