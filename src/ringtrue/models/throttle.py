"""How fast one endpoint is asked: how many calls at once, how many calls and tokens a minute, and when to try again.

The number of calls at once finds itself: it doubles until the endpoint first says that it has too much to do, is halved
each time it says so, and else grows by one whenever as many calls as are allowed at once have gone well.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from ringtrue.models.faults import Fault

__all__ = ["Bucket", "Clock", "Limits", "Slots", "Throttle"]

T = TypeVar("T")
_FIRST_S, _LONGEST_S = 0.5, 30.0  # pauses between tries
_LEAST_S = 1.0  # what a try is given, however near the deadline is
_GIVEN_UP_CALLS = 3  # calls given up, after which an endpoint that never answered is held to be down


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, which tests hold in their hands. `now` is in seconds, `chance` from 0 to 1."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an endpoint is asked at most.

    `concurrency` is the greatest number of calls at once. `timeout_s` is for one try, `deadline_s` for all tries of one
    call from the moment of its first. `tries` counts the first one. `asks_again` is how often a reply that says nothing
    usable is asked for once more.
    """

    concurrency: int = 50
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_s: float = 120.0
    deadline_s: float = 600.0
    tries: int = 6
    asks_again: int = 1


class Bucket:
    """A token bucket that holds one second's worth, and lends: who takes more than it holds waits the rest out."""

    def __init__(self, per_minute: float | None, clock: Clock) -> None:
        self._rate = None if per_minute is None else per_minute / 60
        self._clock = clock
        self._level = self._most = max(self._rate or 0.0, 1.0)
        self._filled = clock.now()

    def take(self, amount: float) -> float:
        """Take `amount`, and give the seconds to wait before it may be used. A negative amount gives back."""
        if self._rate is None:
            return 0.0
        now = self._clock.now()
        self._level = min(self._level + (now - self._filled) * self._rate, self._most)
        self._filled = now
        self._level -= amount
        return max(-self._level / self._rate, 0.0)


class Slots:
    """The calls that may be under way at once: additive increase, multiplicative decrease."""

    def __init__(self, most: int, start: int = 8) -> None:
        self.limit = min(start, most)
        self.in_use = 0
        self._most = most
        self._doubling = True
        self._gone_well = 0
        self._filled = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._era = 0

    async def acquire(self) -> int:
        """Wait for a slot; the era in which it was given goes back with it."""
        if self.in_use >= self.limit or self._waiting:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._give_back()
                raise
        else:
            self.in_use += 1
        self._filled |= self.in_use >= self.limit
        return self._era

    def release(self, era: int, *, congested: bool | None) -> None:
        """Give the slot back. `congested` is ``None`` where the call told nothing of the endpoint's load.

        Calls that were under way at a setback do not count for another one.
        """
        if congested and era == self._era:
            self.limit, self._doubling, self._gone_well = max(self.limit // 2, 1), False, 0
            self._era += 1
        elif congested is False:
            self._gone_well += 1
            if self._gone_well >= self.limit:
                if self._filled:  # an endpoint that was not asked for more has not shown that it bears more
                    self.limit = min(self.limit * 2 if self._doubling else self.limit + 1, self._most)
                self._gone_well, self._filled = 0, False
        self._give_back()

    def _give_back(self) -> None:
        self.in_use -= 1
        while self._waiting and self.in_use < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_use += 1
                turn.set_result(None)


class Throttle:
    """One endpoint's calls. Used from one event loop only."""

    def __init__(self, limits: Limits, clock: Clock | None = None) -> None:
        self.limits = limits
        self.clock = clock or Clock()
        self.slots = Slots(limits.concurrency)
        self._requests = Bucket(limits.requests_per_minute, self.clock)
        self._tokens = Bucket(limits.tokens_per_minute, self.clock)
        self._quiet_until = 0.0
        self._stopped: Fault | None = None
        self._answered = False
        self._given_up_calls = 0

    async def call(self, send: Callable[[float], Awaitable[T | Fault]], *, tokens: int = 0) -> T | Fault:
        """What `send` gives, tried again as long as that may help; the last Fault where it never did.

        `send` takes the seconds that it may take. `tokens` is how many it will probably use.
        """
        deadline: float | None = None
        tries = 0
        while True:
            if (wait := max(self._requests.take(1), self._tokens.take(tokens))) > 0:
                await self.clock.sleep(wait)
            era = await self.slots.acquire()
            congested: bool | None = None
            try:
                while (wait := self._quiet_until - self.clock.now()) > 0:  # it may be put off meanwhile
                    await self.clock.sleep(wait)
                if self._stopped:
                    return replace(self._stopped, message=f"not asked, after an earlier call: {self._stopped.message}")
                now = self.clock.now()
                deadline = now + self.limits.deadline_s if deadline is None else deadline
                outcome = await send(min(self.limits.timeout_s, max(deadline - now, _LEAST_S)))
                congested = isinstance(outcome, Fault) and outcome.congested
            finally:
                self.slots.release(era, congested=congested)
            tries += 1
            if not isinstance(outcome, Fault):
                self._answered = True
                return outcome
            self._note(outcome)
            wait = self._pause(outcome, tries)
            if not outcome.passing or tries >= self.limits.tries or self.clock.now() + wait > deadline:
                return self._given_up(outcome, tries, wait)
            await self.clock.sleep(wait)

    def correct(self, tokens: int) -> None:
        """Take so many tokens more than were thought (fewer where negative)."""
        self._tokens.take(tokens)

    def _note(self, fault: Fault) -> None:
        self._answered |= fault.status is not None
        if fault.stops and self._stopped is None:
            self._stopped = fault
        if fault.passing and fault.congested and fault.wait_s and fault.wait_s <= self.limits.deadline_s:
            self._quiet_until = max(self._quiet_until, self.clock.now() + fault.wait_s)

    def _pause(self, fault: Fault, tries: int) -> float:
        """Seconds before the next try: what the server asks for, and chance, so that calls do not meet again."""
        spread = self.clock.chance() * min(_FIRST_S * 2.0 ** (tries - 1), _LONGEST_S)
        return spread if fault.wait_s is None else fault.wait_s + self.clock.chance() * _FIRST_S

    def _given_up(self, fault: Fault, tries: int, wait: float) -> Fault:
        if not fault.passing:
            return fault
        if not self._answered:
            self._given_up_calls += 1
            if self._given_up_calls >= _GIVEN_UP_CALLS:
                self._stopped = fault
        why = f"tried {tries} times" if tries > 1 else "tried once"
        if tries < self.limits.tries:
            why += f"; the next try, in {wait:.0f} s, would come after the deadline of {self.limits.deadline_s:g} s"
        return replace(fault, message=f"{fault.message} ({why})")
