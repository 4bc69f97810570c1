"""How fast an endpoint is asked, and when it is asked again. Time is the test's own."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.faults import Fault
from ringtrue.models.throttle import Bucket, Clock, Limits, Slots, Throttle

BUSY = Fault(kind="rate_limited", message="HTTP 429", status=429, passing=True, congested=True)
DOWN = Fault(kind="transport", message="cannot reach it", passing=True)
BROKEN = Fault(kind="transport", message="HTTP 500", status=500, passing=True)
LOCKED = Fault(kind="auth", message="HTTP 401", status=401, stops=True)


class Time:
    """A clock that stands still but for what is slept."""

    def __init__(self, dice: float = 1.0) -> None:
        self.at = 0.0
        self.slept: list[float] = []
        self.clock = Clock(now=lambda: self.at, sleep=self.sleep, chance=lambda: dice)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.at += seconds
        await asyncio.sleep(0)


def script(*outcomes: Any, time: Time | None = None, takes: float = 0.0) -> Callable[[float], Awaitable[Any]]:
    """A `send` that gives one outcome a call."""
    left = list(outcomes)

    async def send(timeout_s: float) -> Any:
        if time is not None:
            time.at += takes
        return left.pop(0)

    return send


def test_a_fault_that_passes_is_tried_again_after_growing_waits() -> None:
    time = Time()
    throttle = Throttle(Limits(), time.clock)
    assert asyncio.run(throttle.call(script(BROKEN, BROKEN, BROKEN, "fine"))) == "fine"
    assert time.slept == [0.5, 1.0, 2.0]


def test_chance_spreads_the_waits_from_none_to_all() -> None:
    time = Time(dice=0.0)
    asyncio.run(Throttle(Limits(), time.clock).call(script(BROKEN, "fine")))
    assert time.slept == [0.0]


def test_the_last_fault_tells_how_often_it_was_tried() -> None:
    time = Time()
    found = asyncio.run(Throttle(Limits(tries=2), time.clock).call(script(BROKEN, BROKEN)))
    assert isinstance(found, Fault)
    assert found.message == "HTTP 500 (tried 2 times)"


def test_a_fault_that_does_not_pass_is_not_tried_again() -> None:
    time = Time()
    refused = Fault(kind="bad_request", message="HTTP 400", status=400)
    assert asyncio.run(Throttle(Limits(), time.clock).call(script(refused))) is refused
    assert time.slept == []


def test_what_the_server_asks_for_is_waited_and_all_calls_keep_quiet() -> None:
    time = Time(dice=0.0)
    throttle = Throttle(Limits(), time.clock)
    busy = Fault(kind="rate_limited", message="", status=429, passing=True, congested=True, wait_s=7)

    async def both() -> float:
        assert await throttle.call(script(busy, "fine")) == "fine"
        time.at = 3.0  # another call, while the endpoint still wants quiet
        assert await throttle.call(script("fine")) == "fine"
        return time.at

    assert asyncio.run(both()) == 7.0
    assert time.slept == [7.0, 4.0]


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    time = Time()
    busy = Fault(kind="rate_limited", message="HTTP 429", status=429, passing=True, congested=True, wait_s=3600)
    found = asyncio.run(Throttle(Limits(deadline_s=60), time.clock).call(script(busy)))
    assert isinstance(found, Fault)
    assert found.kind == "rate_limited"
    assert "in 3600 s, would come after the deadline of 60 s" in found.message
    assert time.slept == []


def test_all_tries_of_a_call_share_one_deadline() -> None:
    time, given_s = Time(), []

    async def slow(timeout_s: float) -> Fault:
        given_s.append(timeout_s)
        time.at += timeout_s
        return Fault(kind="timed_out", message="late", passing=True, congested=True)

    asyncio.run(Throttle(Limits(timeout_s=40, deadline_s=100), time.clock).call(slow))
    assert given_s == [40, 40, pytest.approx(18.5)]  # 100 - 2 * 40 - waits of 0.5 and 1


def test_a_wrong_key_stops_all_further_calls_at_once() -> None:
    throttle, asked = Throttle(Limits(concurrency=1), Time().clock), []

    async def send(timeout_s: float) -> Any:
        asked.append(1)
        return LOCKED

    async def many() -> list[Any]:
        return await asyncio.gather(*(throttle.call(send) for _ in range(20)))

    found = asyncio.run(many())
    assert len(asked) == 1
    assert {one.kind for one in found} == {"auth"}
    assert found[-1].message == "not asked, after an earlier call: HTTP 401"


def test_an_endpoint_that_never_answered_is_given_up_and_one_that_did_is_not() -> None:
    for answered, asked_at_most in ((False, 3), (True, 8)):
        throttle, asked = Throttle(Limits(tries=1), Time().clock), []

        async def send(timeout_s: float, asked: list[int] = asked) -> Any:
            asked.append(1)
            return DOWN

        async def many(throttle: Throttle = throttle, send: Any = send, answered: bool = answered) -> None:
            if answered:
                await throttle.call(script("fine"))
            for _ in range(8):
                assert (await throttle.call(send)).kind == "transport"

        asyncio.run(many())
        assert len(asked) == asked_at_most


def test_requests_and_tokens_a_minute_space_the_calls_out() -> None:
    time = Time()
    throttle = Throttle(Limits(requests_per_minute=60), time.clock)

    async def several() -> None:
        for _ in range(4):
            await throttle.call(script("fine"))

    asyncio.run(several())
    assert time.slept == [1.0, 1.0, 1.0]
    time = Time()
    throttle = Throttle(Limits(tokens_per_minute=6000), time.clock)

    async def two() -> None:
        await throttle.call(script("fine"), tokens=100)  # the first second's worth
        throttle.correct(50)  # it took more than was thought
        await throttle.call(script("fine"), tokens=100)

    asyncio.run(two())
    assert time.slept == [1.5]


@given(st.floats(1, 6000), st.lists(st.floats(0, 500), max_size=30))
def test_a_bucket_never_lets_more_through_than_its_rate(per_minute: float, amounts: list[float]) -> None:
    time = Time()
    bucket = Bucket(per_minute, time.clock)
    taken = 0.0
    for amount in amounts:
        time.at += bucket.take(amount)
        taken += amount
        assert taken <= time.at * per_minute / 60 + max(per_minute / 60, 1) + 1e-6


def test_a_bucket_without_a_rate_never_waits() -> None:
    assert Bucket(None, Time().clock).take(1e9) == 0


def busy_slots(slots: Slots, calls: int) -> list[int]:
    """Take as many slots as there are, and let more calls wait."""

    async def take() -> list[int]:
        waiting = [asyncio.ensure_future(slots.acquire()) for _ in range(calls)]
        await asyncio.sleep(0)
        got = [one.result() for one in waiting if one.done()]
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return got

    return asyncio.run(take())


def test_calls_at_once_double_until_the_first_setback_then_grow_by_one() -> None:
    slots = Slots(most=40, start=4)

    def round_of_calls(*, congested: bool = False) -> int:
        for era in busy_slots(slots, slots.limit):
            slots.release(era, congested=congested)
        return slots.limit

    assert [round_of_calls() for _ in range(3)] == [8, 16, 32]
    assert round_of_calls() == 40
    assert round_of_calls(congested=True) == 20  # once, though forty calls met it
    assert [round_of_calls() for _ in range(2)] == [21, 22]
    assert [round_of_calls(congested=True) for _ in range(6)] == [11, 5, 2, 1, 1, 1]


def test_calls_that_say_nothing_of_the_load_change_nothing() -> None:
    slots = Slots(most=8, start=4)
    for era in busy_slots(slots, 4):
        slots.release(era, congested=None)
    assert slots.limit == 4


def test_slots_grow_only_where_they_are_all_in_use() -> None:
    slots = Slots(most=8, start=4)
    for _ in range(20):
        for era in busy_slots(slots, 1):
            slots.release(era, congested=False)
    assert slots.limit == 4


def test_a_slot_that_a_cancelled_call_was_given_goes_to_the_next() -> None:
    async def run() -> int:
        slots = Slots(most=1)
        era = await slots.acquire()
        second, third = (asyncio.ensure_future(slots.acquire()) for _ in range(2))
        await asyncio.sleep(0)
        slots.release(era, congested=None)  # the second has the slot now, and is cancelled before it runs on
        second.cancel()
        await asyncio.wait_for(third, 1)
        return slots.in_use

    assert asyncio.run(run()) == 1


def test_no_more_calls_are_under_way_than_allowed() -> None:
    time = Time()
    throttle, under_way, most = Throttle(Limits(concurrency=3), time.clock), 0, 0

    async def send(timeout_s: float) -> str:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return "fine"

    async def many() -> list[Any]:
        return await asyncio.gather(*(throttle.call(send) for _ in range(20)))

    assert asyncio.run(many()) == ["fine"] * 20
    assert most == 3
