"""A command asked over its standard streams: real processes, and none of them left behind."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines import Command
from ringtrue.types import Passage, Response, Sample

SAMPLE = Sample(id="q1", question="„Köln“ 退款 🎉 $(id) {{ id }}", metadata={"n": 3, "day": float("nan")})

# Holds the FIFO "alive" open, and so does a child of its own.
HANGS = "exec 9>alive; echo started >&9; echo waiting for the model >&2; sleep 60 & sleep 60"


class Watch:
    """Reads from the FIFO "alive": it ends when the last process that holds it open is gone."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "alive")
        self._fifo = os.open(folder / "alive", os.O_RDONLY | os.O_NONBLOCK)

    def has_started(self) -> bool:
        return self._read() == b"started\n"

    def has_ended(self) -> bool:
        """Whether nobody is left; waits some seconds for the kernel to bury them."""
        for _ in range(500):
            if self._read() == b"":
                return True
            time.sleep(0.01)
        return False

    def _read(self) -> bytes | None:
        try:
            return os.read(self._fifo, 100)
        except BlockingIOError:
            return None

    def close(self) -> None:
        os.close(self._fifo)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(tmp_path)
    yield watch
    watch.close()


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Command]:
    """A command that runs these lines of Python in `tmp_path`."""

    def script(lines: str, **options: Any) -> Command:
        (tmp_path / "app.py").write_text(lines, encoding="utf-8")
        return Command("app", [sys.executable, "app.py"], cwd=str(tmp_path), **options)

    return script


def test_the_question_comes_as_json_and_the_answer_goes_as_json(script: Any, ask: Any) -> None:
    pipeline = script("""
import json, sys
line = sys.stdin.readline()
told = json.loads(line)
rest = sys.stdin.read() or "no more"
print(json.dumps({"answer": told["question"], "contexts": [line], "model": rest, "cost": told["metadata"]["n"]}))
""")
    [response] = ask(pipeline, SAMPLE)
    told = {"id": "q1", "question": SAMPLE.question, "metadata": {"n": 3, "day": None}}
    assert response == Response(
        answer=SAMPLE.question, contexts=(Passage(text=json.dumps(told) + "\n"),), model="no more", cost=3.0
    )


def test_plain_text_is_the_answer_without_its_last_line_end(script: Any, ask: Any) -> None:
    [response] = ask(script("import sys; sys.stdout.buffer.write('Grüße\\n aus Köln\\n'.encode())"), SAMPLE)
    assert response == Response(answer="Grüße\n aus Köln")


def test_logs_on_standard_error_are_no_part_of_an_answer(script: Any, ask: Any) -> None:
    assert ask(script("import sys; print('log', file=sys.stderr); print('Paris')"), SAMPLE) == [
        Response(answer="Paris")
    ]


def test_many_questions_are_asked_at_once_each_of_a_process_of_its_own(script: Any, ask: Any) -> None:
    pipeline = script("import json, os, sys; print(json.loads(sys.stdin.read())['id'], os.getpid())")
    answers = [one.answer.split() for one in ask(pipeline, *(Sample(id=str(n), question="?") for n in range(4)))]
    assert [sample_id for sample_id, _ in answers] == ["0", "1", "2", "3"]
    assert len({process for _, process in answers}) == 4


def test_large_questions_and_answers_pass_whether_read_or_not(script: Any, ask: Any) -> None:
    large = Sample(id="q1", question="word " * 1_000_000)
    [echoed] = ask(script("import json, sys; print(json.loads(sys.stdin.read())['question'])"), large)
    assert echoed.answer == large.question
    assert ask(script("print('Paris')"), large) == [Response(answer="Paris")]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("import sys; print('Paris'); sys.exit(3)", "exited 3"),
        ("import sys; sys.exit('a\\nb\\n\\nc\\nno key for the model\\n')", "exited 1: b | c | no key for the model"),
        ("import sys; sys.exit('x' * 5000)", "exited 1: …" + "x" * 400),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "was killed by SIGSEGV"),
        ("", "printed nothing on standard output"),
        ("import sys; print(' '); print('oops', file=sys.stderr)", "printed nothing on standard output: oops"),
        (
            'print(\'{"answer": "Par\')',
            'the reply is not JSON (Unterminated string starting at: line 1 column 12 (char 11)): {"answer": "Par',
        ),
        ('print(\'{"output": "Paris"}\')', "the reply holds no 'answer'; its keys are: output"),
        ("import sys; sys.stdout.buffer.write(b'caf\\xe9')", "the reply is not UTF-8: byte 0xe9 at offset 3"),
    ],
)
def test_what_is_no_answer_is_told(lines: str, told: str, script: Any, ask: Any) -> None:
    assert ask(script(lines), SAMPLE) == [told]


def test_a_process_that_hangs_is_killed_with_its_children(watch: Watch, ask: Any, tmp_path: Path) -> None:
    [error] = ask(Command("app", ["sh", "-c", HANGS], cwd=str(tmp_path), timeout=0.5), SAMPLE)
    assert error == "did not end within 0.5 s and was killed: waiting for the model"
    assert watch.has_started()
    assert watch.has_ended()


def test_a_process_whose_child_keeps_the_output_open_is_killed_too(watch: Watch, ask: Any, tmp_path: Path) -> None:
    command = ["sh", "-c", "exec 9>alive; echo started >&9; sleep 60 & echo Paris"]
    [error] = ask(Command("app", command, cwd=str(tmp_path), timeout=0.5), SAMPLE)
    assert error == "did not end within 0.5 s and was killed"
    assert watch.has_started()
    assert watch.has_ended()


@pytest.mark.parametrize("slow_to_start", [False, True])
def test_a_run_that_is_stopped_leaves_no_process(slow_to_start: bool, watch: Watch, tmp_path: Path) -> None:
    async def stop_midway() -> None:
        loop = asyncio.get_running_loop()
        start = loop.subprocess_exec

        async def start_slowly(*arguments: Any, **options: Any) -> Any:
            started = await start(*arguments, **options)
            await asyncio.sleep(0.2)
            return started

        if slow_to_start:
            loop.subprocess_exec = start_slowly  # type: ignore[method-assign]
        async with Command("app", ["sh", "-c", HANGS], cwd=str(tmp_path)).open() as answer:
            asking = asyncio.ensure_future(answer(SAMPLE, 0))  # type: ignore[arg-type]
            while not watch.has_started():
                await asyncio.sleep(0.01)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking

    asyncio.run(asyncio.wait_for(stop_midway(), timeout=30))
    assert watch.has_ended()


def test_a_process_that_never_stops_printing_is_killed(script: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ringtrue.pipelines.command.MAX_REPLY_BYTES", 1 << 20)
    assert ask(script("while True: print('x' * 65536)"), SAMPLE) == ["printed more than 1 MB and was killed"]


def test_no_shell_reads_the_arguments(ask: Any) -> None:
    command = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "$HOME; echo", "*", "`id`"]
    assert ask(Command("app", command), SAMPLE) == [Response(answer="['$HOME; echo', '*', '`id`']")]


def test_the_environment_is_ours_and_what_is_added(script: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGTRUE_TEST_OURS", "ours")
    pipeline = script("import os; print(os.environ['RINGTRUE_TEST_OURS'], os.environ['ADDED'])", env={"ADDED": "added"})
    assert ask(pipeline, SAMPLE) == [Response(answer="ours added")]


def test_a_program_in_the_folder_is_found_by_its_path(ask: Any, tmp_path: Path) -> None:
    program = tmp_path / "app"
    program.write_text("#!/bin/sh\necho Paris\n", encoding="utf-8")
    program.chmod(0o755)
    assert ask(Command("app", ["./app"], cwd=str(tmp_path)), SAMPLE) == [Response(answer="Paris")]


def test_a_file_that_is_no_program_is_told(ask: Any, tmp_path: Path) -> None:
    program = tmp_path / "app"
    program.write_bytes(b"\x00\x01")
    program.chmod(0o755)
    assert ask(Command("app", [str(program)]), SAMPLE) == [f"{program} cannot be started: Exec format error"]


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("no-such-program", "pipeline 'app': command: no program 'no-such-program' on PATH"),
        ("./app", "pipeline 'app': command: no program './app' there"),
        ("./notes.txt", "pipeline 'app': command: no program './notes.txt' there"),
    ],
)
def test_a_program_that_is_missing_is_told_before_anything_is_asked(
    program: str, told: str, ask: Any, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("not to be run", encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        ask(Command("app", [program], cwd=str(tmp_path)), SAMPLE)
    assert caught.value.message == told
    assert sys.executable in str(caught.value)


def test_a_folder_that_is_missing_is_told_before_anything_is_asked(ask: Any, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"pipeline 'app': cwd: no folder .*/nowhere"):
        ask(Command("app", [sys.executable], cwd=str(tmp_path / "nowhere")), SAMPLE)


@pytest.mark.parametrize("command", ["python app.py", [], ["app", 3], ["app", "a\0b"]])
def test_a_command_is_a_list_of_texts(command: Any) -> None:
    with pytest.raises(ConfigError, match=r"pipeline 'app': command: .* is no list of arguments"):
        Command("app", command)


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), True, "60"])
def test_a_timeout_is_a_time(timeout: Any) -> None:
    with pytest.raises(ConfigError, match=r"pipeline 'app': timeout: .* is no time"):
        Command("app", ["app"], timeout=timeout)
