"""llama.cpp in this process: any GGUF file, asked as a chat-completions endpoint is, without a network."""

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ringtrue.errors import ConfigError, MissingExtraError
from ringtrue.models.faults import Fault, fault_of
from ringtrue.models.scheduler import Scheduler

__all__ = ["GgufTransport", "file_of", "load_options"]

# How the file is loaded; a model's parameters may say otherwise. One thread: on busy cores two are many times slower.
_OPTIONS = {"n_ctx": 4096, "n_threads": 1, "n_parallel": 1, "n_gpu_layers": 0}


def load_options(params: dict[str, Any]) -> dict[str, int]:
    """The options of loading, taken out of `params`. Raises ConfigError for one that is no whole number."""
    options = {name: params.pop(name, usual) for name, usual in _OPTIONS.items()}
    for name, value in options.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise ConfigError(f"{name} is {value!r}", where="params", mend="give a whole number")
    return options


def file_of(name: str) -> Path:
    """The model's file. Raises ConfigError where there is none."""
    path = Path(name).expanduser()
    if not path.is_file():
        raise ConfigError(f"there is no file {name}", where="gguf", mend="name a GGUF file: gguf:path/to/model.gguf")
    return path


class GgufTransport:
    """The model in memory, loaded when it is first asked, and a thread for each call that it works on."""

    def __init__(self, scheduler: Scheduler, file: Path, options: Mapping[str, int]) -> None:
        self._scheduler, self._file, self._options = scheduler, file, options
        self._loading = asyncio.Lock()
        self._server: Any = None

    async def send(self, body: Mapping[str, Any], timeout_s: float) -> Any:
        """llama.cpp's answer, a Fault where it has none. What takes longer than `timeout_s` goes on unheard."""
        loop = asyncio.get_running_loop()
        threads = self._scheduler.threads(str(self._file), self._options["n_parallel"])
        async with self._loading:
            if self._server is None:
                self._server = await loop.run_in_executor(threads, self._load)
                self._scheduler.on_close(self._close)
        asking = loop.run_in_executor(threads, partial(self._server.handle_chat_completions, dict(body)))
        try:
            answer = await asyncio.wait_for(asking, timeout_s)
        except TimeoutError:
            return Fault(kind="timed_out", message=f"{self._file.name} gave no reply within {timeout_s:.4g} s")
        except (ValueError, RuntimeError) as error:  # a schema or a template that llama.cpp cannot use
            return fault_of(400, str(error))
        if told := answer.get("error"):
            code = told.get("code") if isinstance(told, dict) else None
            return fault_of(code if isinstance(code, int) and 400 <= code < 600 else 500, answer)
        return answer

    def _load(self) -> Any:
        try:
            import xllamacpp  # 100 MB, and only for local models
        except ImportError as error:
            raise MissingExtraError("a model of gguf:", "gguf") from error
        settings = xllamacpp.CommonParams()
        settings.model.path = str(self._file)
        settings.n_ctx = self._options["n_ctx"]
        settings.n_parallel = self._options["n_parallel"]
        settings.n_gpu_layers = self._options["n_gpu_layers"]
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self._options["n_threads"]
        settings.verbosity = -1
        try:
            return xllamacpp.Server(settings)
        except RuntimeError as error:
            raise ConfigError(f"llama.cpp cannot load {self._file}", where="gguf", mend="is it a GGUF file?") from error

    async def _close(self) -> None:
        self._server = None
