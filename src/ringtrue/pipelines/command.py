"""A program asked over its standard streams, one process a question.

The process gets one line of JSON on standard input, ``{"id", "question", "metadata"}``, and prints its answer on
standard output: a JSON object (``{"answer", "contexts"?, …}``), alone or as the last line, or plain text. Standard
error is for logs; its last lines are told where an answer fails. No shell is involved. Each process leads a group of
its own, which is killed as a whole when the time is up or the run is stopped.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from ringtrue.data.scalars import json_ready
from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines.checks import place, require_seconds
from ringtrue.pipelines.replies import MAX_REPLY_BYTES, decode, response_from_text
from ringtrue.types import Answer, Response, Sample

__all__ = ["Command"]

_STDERR_BYTES = 8192
_STDERR_LINES, _STDERR_SHOWN = 3, 400
_DEATH_S = 5.0  # how long a killed process may take to be gone before we stop waiting for it


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments, run once a question in the folder `cwd`. `timeout` is in seconds.

    `env` is added to our own environment.
    """

    name: str
    command: Sequence[str]
    timeout: float = 60.0
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    live: ClassVar[bool] = True

    def __post_init__(self) -> None:
        parts = self.command
        if isinstance(parts, str) or not parts or not all(isinstance(one, str) and "\0" not in one for one in parts):
            raise ConfigError(
                f"{parts!r} is no list of arguments",
                where=place(self.name, "command"),
                mend="write the program and each argument as an item of their own: [python, app.py]",
            )
        require_seconds(self.timeout, place(self.name, "timeout"))

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answer]:
        """Give a function that runs the program; PipelineError at once where there is no such program or folder."""
        environment = {**os.environ, **self.env}
        self._require_program(environment.get("PATH"))

        async def answer(sample: Sample, _: int) -> Response:
            told = {"id": sample.id, "question": sample.question, "metadata": json_ready(sample.metadata)}
            # ASCII escapes: the program reads the same text whatever encoding it takes its input for
            return _read(await self._exchange(json.dumps(told).encode("ascii") + b"\n", environment), self.timeout)

        yield answer

    def _require_program(self, path: str | None) -> None:
        if self.cwd is not None and not Path(self.cwd).is_dir():
            raise PipelineError(f"{place(self.name, 'cwd')}: no folder {self.cwd}", mend="make it, or name another")
        program = self.command[0]
        has_folder = "/" in program or os.sep in program
        wanted = str(Path(self.cwd or ".", program).absolute()) if has_folder else program
        if shutil.which(wanted, path=path) is None:
            raise PipelineError(
                f"{place(self.name, 'command')}: no program {program!r} {'there' if has_folder else 'on PATH'}",
                mend=f"install it, or give its whole path (the Python that runs ringtrue is {sys.executable})",
            )

    async def _exchange(self, question: bytes, environment: Mapping[str, str]) -> "_Exchange":
        """Run the program to its end or to the end of its time; stopped, nothing of its group is left."""
        process, exchange = await self._start(question, environment)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.timeout):
                    await exchange.ended
        finally:
            if exchange.code is None:
                await exchange.stop(process)
            process.close()
        return exchange

    async def _start(
        self, question: bytes, environment: Mapping[str, str]
    ) -> tuple[asyncio.SubprocessTransport, "_Exchange"]:
        loop = asyncio.get_running_loop()
        starting = asyncio.ensure_future(
            loop.subprocess_exec(
                lambda: _Exchange(question, loop.create_future()),
                *self.command,
                cwd=self.cwd,
                env=environment,
                start_new_session=True,
            )
        )
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:  # asyncio would kill the process alone, not the group
            with suppress(OSError):
                process, exchange = await starting
                await exchange.stop(process)
                process.close()
            raise
        except OSError as error:
            raise PipelineError(f"{self.command[0]} cannot be started: {error.strerror or error}") from error


class _Exchange(asyncio.SubprocessProtocol):
    """What one process is told and says.

    `ended` is done once the process is gone and its streams are closed, or when it has said too much. `code` is None
    until the former; `was_stopped` says that we killed it.
    """

    def __init__(self, question: bytes, ended: "asyncio.Future[None]") -> None:
        self.ended = ended
        self.code: int | None = None
        self.was_stopped = False
        self.out, self.err = bytearray(), bytearray()
        self._question = question
        self._gone = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process = transport
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        stdin.write(self._question)  # where the program does not read it, the loop lets the broken pipe pass
        stdin.write_eof()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.err += data
            del self.err[:-_STDERR_BYTES]
        elif not self.ended.done():
            self.out += data
            if self.has_flooded:
                self.ended.set_result(None)

    def process_exited(self) -> None:
        self._gone.set()

    def connection_lost(self, _: Exception | None) -> None:
        self.code = self._process.get_returncode()
        if not self.ended.done():
            self.ended.set_result(None)

    @property
    def has_flooded(self) -> bool:
        return len(self.out) > MAX_REPLY_BYTES

    async def stop(self, process: asyncio.SubprocessTransport) -> None:
        """Kill the process with its group, and wait until it is reaped; not for ever, should it not die."""
        self.was_stopped = True
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.get_pid(), signal.SIGKILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_DEATH_S):
                await self._gone.wait()


def _read(exchange: _Exchange, timeout: float) -> Response:
    """The answer in what the program printed, or a PipelineError with the last lines of its standard error."""
    if exchange.has_flooded:
        raise PipelineError(f"printed more than {MAX_REPLY_BYTES >> 20} MB and was killed")
    if exchange.was_stopped or exchange.code is None:
        raise PipelineError(f"did not end within {timeout:g} s and was killed{_last_words(exchange)}")
    if exchange.code != 0:
        raise PipelineError(f"{_end(exchange.code)}{_last_words(exchange)}")
    text = decode(bytes(exchange.out))
    if not text or text.isspace():
        raise PipelineError(f"printed nothing on standard output{_last_words(exchange)}")
    return response_from_text(text)


def _end(code: int) -> str:
    if code > 0:
        return f"exited {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _last_words(exchange: _Exchange) -> str:
    lines = [line for line in map(str.strip, exchange.err.decode("utf-8", "replace").splitlines()) if line]
    told = " | ".join(lines[-_STDERR_LINES:])
    return f": {'…' if len(told) > _STDERR_SHOWN else ''}{told[-_STDERR_SHOWN:]}" if told else ""
