"""Replies that were paid for are kept: the same question with the same parameters is asked once."""

import asyncio
from asyncio import CancelledError
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Generic, Protocol, TypeVar

import orjson

from ringtrue.models.scheduler import Scheduler
from ringtrue.models.structured import schema_digest
from ringtrue.models.types import ChatModel, Completion, ModelFailure, Request, Usage

__all__ = ["CachedModel", "ReplyCache", "reply_key"]

_VERSION = 1  # raise it when a kept reply would read otherwise
_KEY_BYTES = 16
_KEPT = [name for name in Completion.__slots__ if name not in ("usage", "original_usage")]
_HIT = Usage(input_tokens=0, output_tokens=0, calls=0, cost=0.0, latency_s=0.0, cached=True)
_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
_GATHERED_S = 0.01  # a reply waits so long for others, so that they are kept in one transaction

Q = TypeVar("Q")
A = TypeVar("A")


class ReplyCache(Protocol):
    """Where replies are kept. Both functions are called in the scheduler's thread, and have to be quick.

    `get` gives those that are there; once `put` returns, a killed process does not lose what it was given.
    """

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]: ...
    def put(self, replies: Mapping[bytes, bytes]) -> None: ...


def reply_key(
    model_id: str, request: Request, *, base_url: str | None = None, params: Mapping[str, Any] | None = None
) -> bytes:
    """The key of a reply: a hash of everything that may change it.

    `params` are the model's own, under the request's. `base_url` is told where it is not the provider's, since one
    model under two addresses may be two models.
    """
    sent = {**params, **request.params} if params else request.params
    schema = b"" if request.schema is None else schema_digest(request.schema)
    told = [_VERSION, model_id, base_url, sent, schema.hex(), request.labels, request.repeat]
    key = blake2b(orjson.dumps(told, default=str, option=_SORTED), digest_size=_KEY_BYTES)
    for message in request.messages:
        content = message.content.encode("utf-8", "surrogatepass")
        key.update(b"%s %d " % (message.role.encode(), len(content)))
        key.update(content)
    return key.digest()


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model whose replies are kept. A question that is under way already is waited for rather than asked again.

    A reply is given out when it is kept, at most 10 ms after it came. So nothing is built on a reply that a killed
    process would have to pay for again.

    `params` are the model's own, under those of a request; `base_url` is told where it is not the provider's.
    """

    model: ChatModel
    cache: ReplyCache
    scheduler: Scheduler
    base_url: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def address(self) -> str | None:
        """The base URL, for people and signatures, where `id` alone does not say who answers."""
        address: str | None = getattr(self.model, "address", None)
        return address

    async def complete(self, request: Request) -> Completion:
        """The kept reply, with ``usage.cached``, or a new one. Failures are not kept."""
        return await self.scheduler.run(self._complete(request))

    async def _complete(self, request: Request) -> Completion:
        key = reply_key(self.id, request, base_url=self.base_url, params=self.params)
        all_under_way: dict[bytes, _UnderWay] = self.scheduler.shared(_UnderWay, dict)
        while (under_way := all_under_way.get(key)) is not None:
            await under_way.over.wait()
            if isinstance(under_way.outcome, Completion):
                return _as_hit(under_way.outcome)
            if isinstance(failure := under_way.outcome, ModelFailure):
                raise ModelFailure(
                    failure.kind, failure.message, raw=failure.raw, retryable=failure.retryable, mend=failure.mend
                )
        mine = all_under_way[key] = _UnderWay()  # before the first wait, so that nobody asks the same meanwhile
        try:
            mine.outcome = await self._kept_or_asked(key, request)
            return mine.outcome
        except ModelFailure as failure:
            mine.outcome = failure
            raise
        finally:
            del all_under_way[key]
            mine.over.set()

    async def _kept_or_asked(self, key: bytes, request: Request) -> Completion:
        desk = self.scheduler.shared((_Desk, id(self.cache)), lambda: _Desk(self.cache))
        kept = await desk.get(key)
        if kept is not None and (found := _read(kept)) is not None:
            return found
        completion = await self.model.complete(request)
        await desk.put((key, _write(completion)))
        return completion


class _Gathered(Generic[Q, A]):
    """Answers together what is asked within some seconds: `answer` gives one answer a question, in order."""

    def __init__(self, answer: Callable[[list[Q]], list[A]], within_s: float) -> None:
        self._answer, self._within_s = answer, within_s
        self._asked: list[tuple[Q, asyncio.Future[A]]] = []

    def __call__(self, question: Q) -> "asyncio.Future[A]":
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.create_task(self._answers(self._asked)).add_done_callback(partial(_told, self._asked))
        answer: asyncio.Future[A] = loop.create_future()
        self._asked.append((question, answer))
        return answer

    async def _answers(self, asked: "list[tuple[Q, asyncio.Future[A]]]") -> list[A]:
        with suppress(CancelledError):  # the loop is about to end: what was asked so far is answered all the same
            await asyncio.sleep(self._within_s)
        self._asked = []
        return self._answer([question for question, _ in asked])


def _told(asked: "list[tuple[Q, asyncio.Future[A]]]", batch: "asyncio.Task[list[A]]") -> None:
    """Give each who still waits their answer, or all of them what went wrong."""
    error = batch.exception()
    answers = [] if error else batch.result()
    for place, (_, waiting) in enumerate(asked):
        if waiting.done():
            continue
        if error:
            waiting.set_exception(error)
        else:
            waiting.set_result(answers[place])


class _Desk:
    """Where a cache is asked for single replies; it is asked for, and given, those of a moment together."""

    def __init__(self, cache: ReplyCache) -> None:
        self._cache = cache  # also keeps its id its own
        self.get = _Gathered(self._get, 0)
        self.put = _Gathered(self._put, _GATHERED_S)

    def _get(self, keys: list[bytes]) -> list[bytes | None]:
        found = self._cache.get(keys)
        return [found.get(key) for key in keys]

    def _put(self, replies: list[tuple[bytes, bytes]]) -> list[None]:
        self._cache.put(dict(replies))
        return [None] * len(replies)


class _UnderWay:
    """A question that was asked and not yet answered. `outcome` stays ``None`` where it was called off."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.outcome: Completion | ModelFailure | None = None


def _as_hit(completion: Completion) -> Completion:
    return replace(completion, usage=_HIT, original_usage=completion.original_usage or completion.usage)


def _write(completion: Completion) -> bytes:
    fields = {name: getattr(completion, name) for name in _KEPT}
    fields["usage"] = {name: getattr(completion.usage, name) for name in Usage.__slots__}
    return orjson.dumps(fields, default=str, option=orjson.OPT_NON_STR_KEYS)


def _read(kept: bytes) -> Completion | None:
    """The reply as a hit; ``None`` where what was kept cannot be read."""
    try:
        fields = orjson.loads(kept)
        usage = Usage(**fields.pop("usage"))
        return Completion(**fields, usage=_HIT, original_usage=usage)
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
        return None
