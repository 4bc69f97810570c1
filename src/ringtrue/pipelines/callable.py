"""A Python function asked in this process: ``def`` in a thread, ``async def`` in the loop.

It is called with the question; with the Sample where its first parameter is named ``sample``; with both where another
one is. It gives back text, a dict of fields or a Response.
"""

import asyncio
import importlib
import inspect
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeAlias

from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines.checks import place, require_seconds
from ringtrue.pipelines.replies import response_from
from ringtrue.pipelines.threads import Caught, Threads
from ringtrue.types import Answer, Response, Sample

__all__ = ["CallablePipeline"]

_Bound: TypeAlias = Callable[[Sample], Any]


@dataclass(frozen=True, slots=True)
class CallablePipeline:
    """A function, or ``module:function`` to import when the pipeline is opened. `timeout` is in seconds.

    While the pipeline is open, `folder` is the first place where Python looks for modules. A ``def`` is called from
    several threads at once; where it outlives its timeout its thread goes on unheard, since Python cannot stop it.
    """

    name: str
    target: str | Callable[..., Any]
    timeout: float | None = None
    folder: str | None = None
    live: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if isinstance(self.target, str):
            module, colon, attribute = self.target.partition(":")
            if not (colon and module and attribute and all(part.isidentifier() for part in module.split("."))):
                raise ConfigError(
                    f"{self.target!r} names no function",
                    where=place(self.name, "target"),
                    mend="write it as 'module:function', for example 'my_app:answer'",
                )
        elif not callable(self.target):
            raise ConfigError(f"{self.target!r} cannot be called", where=place(self.name, "target"))
        if self.timeout is not None:
            require_seconds(self.timeout, place(self.name, "timeout"))

    @property
    def _label(self) -> str:
        if isinstance(self.target, str):
            return self.target
        named = self.target if hasattr(self.target, "__qualname__") else type(self.target)
        return f"{getattr(named, '__module__', 'builtins')}:{named.__qualname__}"

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answer]:
        """Give a function that calls the target; PipelineError at once where it cannot be imported or called so."""
        with _on_path(self.folder):
            target = self._imported(self.target) if isinstance(self.target, str) else self.target
            call = self._bound(target)
            is_async, threads = inspect.iscoroutinefunction(target), Threads()

            async def answer(sample: Sample, _: int) -> Response:
                outcome = call(sample) if is_async else threads.call(partial(call, sample))
                return response_from(await self._within_time(outcome))

            try:
                yield answer
            finally:
                threads.close()

    async def _within_time(self, outcome: Awaitable[Any]) -> Any:
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await outcome
        except TimeoutError:
            if not limit.expired():
                raise
            raise PipelineError(f"{self._label} did not answer within {self.timeout:g} s") from None
        except SystemExit as error:
            raise PipelineError(f"{self._label} asked Python to exit ({error.code!r})") from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise PipelineError(f"{self._label} was cancelled from inside") from error

    def _imported(self, target: str) -> Callable[..., Any]:
        name, _, path = target.partition(":")
        where = place(self.name, "target")
        with Caught() as caught:
            module = importlib.import_module(name)
        if isinstance(caught.error, KeyboardInterrupt):
            raise caught.error
        if error := caught.error:
            raise PipelineError(
                f"{where}: {target!r} cannot be imported: {type(error).__name__}: {error}{_origin(error)}",
                mend=self._where_modules_are(error, name),
            ) from error
        _require_own(module, self.folder, where)
        found: Any = module
        for part in path.split("."):
            if not hasattr(found, part):
                raise PipelineError(f"{where}: {_whose(module)} has no {path!r}", mend=_functions_of(module))
            found = getattr(found, part)
        if not callable(found):
            raise PipelineError(f"{where}: {target!r} is of type {type(found).__name__}, which cannot be called")
        function: Callable[..., Any] = found
        return function

    def _where_modules_are(self, error: BaseException, name: str) -> str | None:
        if not isinstance(error, ModuleNotFoundError):
            return None
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            return f"it is looked for in {self.folder or sys.path[0] or 'the working folder'} first"
        return f"install it for the Python that runs ringtrue, {sys.executable}"

    def _bound(self, target: Callable[..., Any]) -> _Bound:
        """How the target takes a Sample, by its signature; PipelineError where it cannot be called with one."""
        try:
            signature = inspect.signature(target)
        except (ValueError, TypeError):  # some functions written in C say nothing of their parameters
            return lambda sample: target(sample.question)
        names = list(signature.parameters)
        takes_both = "sample" in names[1:]
        try:
            signature.bind("question", **({"sample": None} if takes_both else {}))
        except TypeError as error:
            raise PipelineError(
                f"{place(self.name, 'target')}: {self._label}{signature} cannot be called with a question: {error}",
                mend="it takes (question), (sample) or (question, sample); give other parameters a default",
            ) from error
        if names[0] == "sample":
            return lambda sample: target(sample)
        if takes_both:
            return lambda sample: target(sample.question, sample=sample)
        return lambda sample: target(sample.question)


@contextmanager
def _on_path(folder: str | None) -> Iterator[None]:
    if folder is None:
        yield
        return
    entry = str(Path(folder).resolve())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        with suppress(ValueError):
            sys.path.remove(entry)


def _require_own(module: ModuleType, folder: str | None, where: str) -> None:
    """Refuse a module of the same name that was imported from elsewhere before: another application would be scored."""
    if folder is None or (file := getattr(module, "__file__", None)) is None:
        return
    home, top = Path(folder).resolve(), module.__name__.partition(".")[0]
    is_ours = (home / f"{top}.py").exists() or (home / top / "__init__.py").exists()
    if is_ours and not Path(file).resolve().is_relative_to(home):
        raise PipelineError(
            f"{where}: {_whose(module)} was imported before and stands in the way of the one in {folder}",
            mend="give the module another name, or run it in a Python of its own",
        )


def _whose(module: ModuleType) -> str:
    return f"module {module.__name__!r} ({getattr(module, '__file__', None) or 'built in'})"


def _functions_of(module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
    own = [name for name in names if getattr(vars(module)[name], "__module__", None) == module.__name__]
    return f"it has: {', '.join(own[:12])}" if own else "it has no function of its own"


def _origin(error: BaseException) -> str:
    """Where in the user's files an import broke."""
    ours = (__file__, importlib.__file__)
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename[:1] != "<"]
    theirs = [one for one in frames if one.filename not in ours]
    return f" ({theirs[-1].filename}:{theirs[-1].lineno})" if theirs else ""
