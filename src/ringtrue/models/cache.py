"""Replies that were paid for are kept: the same question with the same parameters is asked once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Protocol

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


class ReplyCache(Protocol):
    """Where replies are kept. Both functions are called in the scheduler's thread, and have to be quick."""

    def get(self, key: bytes) -> bytes | None: ...
    def put(self, key: bytes, value: bytes) -> None: ...


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

    async def complete(self, request: Request) -> Completion:
        """The kept reply, with ``usage.cached``, or a new one. Failures are not kept."""
        return await self.scheduler.run(self._complete(request))

    async def _complete(self, request: Request) -> Completion:
        key = reply_key(self.id, request, base_url=self.base_url, params=self.params)
        all_under_way: dict[bytes, _UnderWay] = self.scheduler.shared(_UnderWay, dict)
        while True:
            kept = self.cache.get(key)
            if kept is not None and (completion := _read(kept)) is not None:
                return completion
            if (under_way := all_under_way.get(key)) is None:
                break
            await under_way.over.wait()
            if isinstance(under_way.outcome, Completion):
                return _as_hit(under_way.outcome)
            if isinstance(failure := under_way.outcome, ModelFailure):
                raise ModelFailure(
                    failure.kind, failure.message, raw=failure.raw, retryable=failure.retryable, mend=failure.mend
                )
        return await self._ask(key, request, all_under_way)

    async def _ask(self, key: bytes, request: Request, all_under_way: "dict[bytes, _UnderWay]") -> Completion:
        mine = all_under_way[key] = _UnderWay()
        try:
            completion = mine.outcome = await self.model.complete(request)
            self.cache.put(key, _write(completion))
            return completion
        except ModelFailure as failure:
            mine.outcome = failure
            raise
        finally:
            del all_under_way[key]
            mine.over.set()


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
