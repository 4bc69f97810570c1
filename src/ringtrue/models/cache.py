"""Replies that were paid for are kept: the same question with the same parameters is asked once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Protocol, TypeAlias

import orjson

from ringtrue.models.scheduler import Scheduler
from ringtrue.models.structured import schema_digest
from ringtrue.models.types import ChatModel, Completion, Message, ModelFailure, Request, Usage, usage_record

__all__ = ["CachedModel", "ReplyCache", "reply_key"]

_VERSION = 1  # raise it when a kept reply would read otherwise
_KEY_BYTES = 16
_KEPT = [name for name in Completion.__slots__ if name not in ("usage", "original_usage")]
_kept_of = attrgetter(*_KEPT)
_GATHERED_S = 0.01  # a question waits so long for others, since one look-up takes as long as many
_HIT = Usage(input_tokens=0, output_tokens=0, calls=0, cost=0.0, latency_s=0.0, cached=True)
_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


class ReplyCache(Protocol):
    """Where replies are kept. Both functions are called in the scheduler's thread, and have to be quick.

    `get` gives those that are there. What `put` is given a killed process does not lose from some 10 ms after on.
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
    *before, last = request.messages
    key = _begun(orjson.dumps(told, default=str, option=_SORTED), tuple(before)).copy()
    _add(key, last)
    return key.digest()


@lru_cache(maxsize=64)
def _begun(told: bytes, messages: tuple[Message, ...]) -> blake2b:
    """The hash up to the last message: what stands before that is mostly the same for many questions."""
    key = blake2b(told, digest_size=_KEY_BYTES)
    for message in messages:
        _add(key, message)
    return key


def _add(key: blake2b, message: Message) -> None:
    content = message.content.encode("utf-8", "surrogatepass")
    key.update(b"%s %d %b" % (message.role.encode(), len(content), content))


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model whose replies are kept. A question that is under way already is waited for rather than asked again.

    A new reply is handed over to be kept before it is given out.

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
        all_under_way: dict[bytes, _UnderWay] = self.scheduler.shared(CachedModel, dict)
        while (under_way := all_under_way.get(key)) is not None:
            await asyncio.wait((under_way,))
            outcome = under_way.result()
            if isinstance(outcome, Completion):
                return _as_hit(outcome)
            if isinstance(failure := outcome, ModelFailure):
                raise ModelFailure(
                    failure.kind, failure.message, raw=failure.raw, retryable=failure.retryable, mend=failure.mend
                )
        mine = all_under_way[key] = asyncio.get_running_loop().create_future()  # nobody asks the same meanwhile
        outcome = None
        try:
            outcome = await self._kept_or_asked(key, request)
            return outcome
        except ModelFailure as failure:
            outcome = failure
            raise
        finally:
            del all_under_way[key]
            mine.set_result(outcome)

    async def _kept_or_asked(self, key: bytes, request: Request) -> Completion:
        desk = self.scheduler.shared((_Desk, id(self.cache)), lambda: _Desk(self.cache))
        kept = await desk.get(key)
        if kept is not None and (found := _read(kept)) is not None:
            return found
        completion = await self.model.complete(request)
        self.cache.put({key: _write(completion)})
        return completion


class _Desk:
    """Where a cache is asked for single replies; it is asked for those of a moment together."""

    def __init__(self, cache: ReplyCache) -> None:
        self._cache = cache  # also keeps its id its own
        self._asked: list[tuple[bytes, asyncio.Future[bytes | None]]] = []

    def get(self, key: bytes) -> "asyncio.Future[bytes | None]":
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.create_task(self._look_up()).add_done_callback(partial(_told, self._asked))
        answer: asyncio.Future[bytes | None] = loop.create_future()
        self._asked.append((key, answer))
        return answer

    async def _look_up(self) -> Mapping[bytes, bytes]:
        await asyncio.sleep(_GATHERED_S)
        asked, self._asked = self._asked, []
        return self._cache.get([key for key, _ in asked])


def _told(
    asked: "Sequence[tuple[bytes, asyncio.Future[bytes | None]]]", look: "asyncio.Task[Mapping[bytes, bytes]]"
) -> None:
    """Give each who still waits their answer, or all of them what went wrong."""
    if look.cancelled():  # so are all who wait: the loop is about to end
        return
    error = look.exception()
    found = {} if error else look.result()
    for key, waiting in asked:
        if waiting.done():
            continue
        if error:
            waiting.set_exception(error)
        else:
            waiting.set_result(found.get(key))


# A question that was asked and not yet answered; it comes to ``None`` where it was called off.
_UnderWay: TypeAlias = "asyncio.Future[Completion | ModelFailure | None]"


def _as_hit(completion: Completion) -> Completion:
    return replace(completion, usage=_HIT, original_usage=completion.original_usage or completion.usage)


def _write(completion: Completion) -> bytes:
    fields = dict(zip(_KEPT, _kept_of(completion), strict=True))
    fields["usage"] = usage_record(completion.usage)
    return orjson.dumps(fields, default=str, option=orjson.OPT_NON_STR_KEYS)


def _read(kept: bytes) -> Completion | None:
    """The reply as a hit; ``None`` where what was kept cannot be read."""
    try:
        fields = orjson.loads(kept)
        usage = Usage(**fields.pop("usage"))
        return Completion(**fields, usage=_HIT, original_usage=usage)
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
        return None
