"""A Python function as a model, plain or async: it takes a Request, and gives text, an object or a Completion."""

import asyncio
import importlib
import inspect
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from ringtrue.errors import ConfigError
from ringtrue.models.faults import Fault
from ringtrue.models.providers.wire import Form, How, Reply
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import Completion, Request

__all__ = ["PythonDialect", "PythonTransport", "name_of", "target_of"]


class PythonDialect:
    """The function sees the request as it is."""

    forms: tuple[Form, ...] = ("prompt",)
    top_logprobs = 0
    never: frozenset[str] = frozenset()
    bounds = False

    def body(self, request: Request, _: How) -> Request:
        """The request itself."""
        return request

    def read(self, answer: Any) -> Reply | Fault:
        """The function's text, or what else it gave."""
        match answer:
            case str():
                return Reply(text=answer)
            case Completion():
                usage = answer.usage
                return Reply(
                    given=answer,
                    finish_reason=answer.finish_reason,
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                    model=answer.model,
                    raw=answer.raw,
                )
            case Mapping():
                return Reply(given=dict(answer), raw=answer)
        message = f"the function gave back {type(answer).__name__}, which is no text, dict or Completion"
        return Fault(kind="bad_request", message=message)


class PythonTransport:
    """Calls the function: a coroutine in the loop, anything else in a thread. What it raises goes on to the caller."""

    def __init__(self, scheduler: Scheduler, target: Callable[..., Any], concurrency: int) -> None:
        self._scheduler, self._target, self._concurrency = scheduler, target, concurrency

    async def send(self, body: Request, timeout_s: float) -> Any:
        """What the function gives back, within `timeout_s`; a thread that takes longer goes on unheard."""
        try:
            async with asyncio.timeout(timeout_s) as limit:
                if inspect.iscoroutinefunction(self._target):
                    return await self._target(body)
                threads = self._scheduler.threads("python", self._concurrency)
                call = partial(copy_context().run, self._target, body)
                outcome = await asyncio.get_running_loop().run_in_executor(threads, call)
                return await outcome if inspect.isawaitable(outcome) else outcome
        except TimeoutError:
            if not limit.expired():
                raise
            return Fault(kind="timed_out", message=f"the function gave nothing back within {timeout_s:.4g} s")


def name_of(function: Callable[..., Any]) -> str:
    """``module:function``, as the id of a model shows it."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"


def target_of(model: str | Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, or the one that ``python:module:function`` names. Raises ConfigError where there is none."""
    if callable(model):
        return model
    path = model.strip().partition(":")[2].removeprefix("/")
    module, _, attribute = path.partition(":")
    mend = "write it as python:module:function, and have its folder on PYTHONPATH"
    if not module or not attribute:
        raise ConfigError(f"model {model!r} names no function", mend=mend)
    try:
        found = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"model {model!r} cannot be imported: {error}", mend=mend) from error
    if not callable(found):
        raise ConfigError(f"model {model!r} is no function", mend=mend)
    return found
