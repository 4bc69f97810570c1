"""Replies that were paid for are kept."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ringtrue.models.cache import CachedModel, reply_key
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import ChatModel, Completion, Message, ModelFailure, Request, Usage


class Kept(dict[bytes, bytes]):
    """A cache in memory."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:  # type: ignore[override]
        return {key: self[key] for key in keys if key in self}

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        self.update(replies)


class Scripted:
    """A model that answers what it is told to, and counts how often it is asked."""

    id = "test:m"

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes, self.asked = list(outcomes), 0

    async def complete(self, request: Request) -> Completion:
        self.asked += 1
        await asyncio.sleep(0.01)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


USAGE = Usage(input_tokens=40, output_tokens=10, calls=1, cost=0.01, latency_s=0.5)
REPLY = Completion(
    text='{"verdict": "yes"}',
    parsed={"verdict": "yes"},
    finish_reason="stop",
    usage=USAGE,
    model="m-1",
    raw={"id": 1},
    label_probabilities={"yes": 0.9, "no": 0.1},
    label_mass=0.97,
)


def request(text: str = "So?", **fields: Any) -> Request:
    return Request(messages=(Message("user", text),), **fields)


def cached(scheduler: Scheduler, model: ChatModel, kept: Any = None) -> CachedModel:
    return CachedModel(model, Kept() if kept is None else kept, scheduler)


def test_a_kept_reply_costs_nothing_and_remembers_what_it_took(scheduler: Scheduler) -> None:
    inner = Scripted(REPLY)
    model = cached(scheduler, inner)
    assert scheduler.run_sync(model.complete(request())) == REPLY
    hit = scheduler.run_sync(model.complete(request()))
    assert inner.asked == 1
    assert hit.usage == Usage(input_tokens=0, output_tokens=0, calls=0, cost=0.0, latency_s=0.0, cached=True)
    assert hit.original_usage == USAGE
    for name in ("text", "parsed", "finish_reason", "model", "raw", "label_probabilities", "label_mass"):
        assert getattr(hit, name) == getattr(REPLY, name)


def test_the_same_question_under_way_is_asked_once(scheduler: Scheduler) -> None:
    inner = Scripted(REPLY)
    model = cached(scheduler, inner)

    async def many() -> list[Completion]:
        return await asyncio.gather(*(model.complete(request()) for _ in range(10)))

    found = asyncio.run(many())
    assert inner.asked == 1
    assert sum(one.usage.cached for one in found) == 9
    assert {one.text for one in found} == {REPLY.text}


def test_replies_are_looked_up_together_and_kept_before_they_are_given_out(scheduler: Scheduler) -> None:
    class Counted(Kept):
        times = 0

        def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:  # type: ignore[override]
            self.times += 1
            return super().get(keys)

    kept = Counted()
    model = cached(scheduler, Scripted(REPLY), kept)

    async def one(number: int) -> None:
        asked = request(f"So {number}?")
        await model.complete(asked)
        assert reply_key("test:m", asked) in kept

    async def many() -> None:
        await asyncio.gather(*map(one, range(20)))

    asyncio.run(many())
    assert (len(kept), kept.times < 20) == (20, True)


def test_where_replies_cannot_be_looked_up_all_who_wait_are_told(scheduler: Scheduler) -> None:
    class Locked(Kept):
        def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:  # type: ignore[override]
            raise OSError("locked")

    model = cached(scheduler, Scripted(REPLY), Locked())

    async def many() -> list[Any]:
        asked = (model.complete(request(f"So {number}?")) for number in range(5))
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [str(one) for one in asyncio.run(many())] == ["locked"] * 5


def test_a_reply_is_kept_though_the_scheduler_closes_before_it_is_given_out() -> None:
    kept, came = Kept(), threading.Event()

    class Told(Scripted):
        async def complete(self, request: Request) -> Completion:
            came.set()
            return REPLY

    async def left() -> None:
        with Scheduler() as scheduler:
            asking = asyncio.ensure_future(cached(scheduler, Told(), kept).complete(request()))
            await asyncio.to_thread(came.wait, 10)
        asking.cancel()

    asyncio.run(left())
    assert len(kept) == 1


def test_where_replies_cannot_be_kept_all_who_wait_are_told(scheduler: Scheduler) -> None:
    class Full(Kept):
        def put(self, replies: Mapping[bytes, bytes]) -> None:
            raise OSError("no room")

    model = cached(scheduler, Scripted(REPLY), Full())

    async def many() -> list[Any]:
        asked = (model.complete(request(f"So {number}?")) for number in range(5))
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [str(one) for one in asyncio.run(many())] == ["no room"] * 5


def test_models_of_one_name_share_what_is_under_way(scheduler: Scheduler) -> None:
    inner, kept = Scripted(REPLY), Kept()

    async def two() -> None:
        await asyncio.gather(*(cached(scheduler, inner, kept).complete(request()) for _ in range(2)))

    asyncio.run(two())
    assert inner.asked == 1


def test_a_failure_is_shared_but_not_kept(scheduler: Scheduler) -> None:
    inner = Scripted(ModelFailure("unparsed", "no object", raw="hm", usage=USAGE), REPLY)
    model = cached(scheduler, inner)

    async def two() -> list[Any]:
        return await asyncio.gather(*(model.complete(request()) for _ in range(2)), return_exceptions=True)

    first, second = asyncio.run(two())
    assert (first.kind, second.kind, second.raw) == ("unparsed", "unparsed", "hm")
    assert (first.usage, second.usage) == (USAGE, None)  # spent once
    assert inner.asked == 1
    assert scheduler.run_sync(model.complete(request())) == REPLY


def test_where_the_first_asker_calls_off_the_next_one_asks(scheduler: Scheduler) -> None:
    inner = Scripted(REPLY)
    model = cached(scheduler, inner)

    async def two() -> Completion:
        first = asyncio.ensure_future(model.complete(request()))
        while not inner.asked:
            await asyncio.sleep(0.001)
        second = asyncio.ensure_future(model.complete(request()))
        await asyncio.sleep(0.002)
        first.cancel()
        return await second

    assert asyncio.run(two()).text == REPLY.text
    assert inner.asked == 2


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b"{}", b'{"usage": {"calls": 1}}', b'{"usage": 3}'])
def test_what_cannot_be_read_is_asked_for_anew(damaged: bytes, scheduler: Scheduler) -> None:
    kept, inner = Kept(), Scripted(REPLY)
    model = cached(scheduler, inner, kept)
    scheduler.run_sync(model.complete(request()))
    for key in kept:
        kept[key] = damaged
    assert scheduler.run_sync(model.complete(request())) == REPLY
    assert inner.asked == 2


def test_whatever_may_change_the_reply_changes_the_key() -> None:
    schema = {"type": "object"}
    keys = [
        reply_key("a:m", request()),
        reply_key("a:n", request()),
        reply_key("a:m", request(), base_url="http://b"),
        reply_key("a:m", request("So!")),
        reply_key("a:m", request(params={"temperature": 0})),
        reply_key("a:m", request(), params={"temperature": 1}),
        reply_key("a:m", request(schema=schema)),
        reply_key("a:m", request(labels=("yes", "no"))),
        reply_key("a:m", request(repeat=1)),
        reply_key("a:m", request("\ud83d")),
        reply_key("a:m", Request(messages=(Message("system", "So?"),))),
        reply_key("a:m", Request(messages=(Message("user", "So"), Message("user", "?")))),
        reply_key("a:m", Request(messages=(Message("user", "So? user 1 x"),))),
        reply_key("a:m", Request(messages=(Message("user", "So? "), Message("user", "x")))),
    ]
    assert len(set(keys)) == len(keys)


def test_what_may_not_change_the_reply_does_not_change_the_key() -> None:
    one = reply_key("a:m", request(params={"seed": 1, "temperature": 0}), base_url=None)
    assert one == reply_key("a:m", request(params={"temperature": 0}), params={"seed": 1, "temperature": 9})
    assert one == reply_key("a:m", request(params={"temperature": 0, "seed": 1}))
    assert one.hex() == reply_key("a:m", request(params={"seed": 1, "temperature": 0})).hex()
