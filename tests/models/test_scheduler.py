"""One loop in a thread of its own, asked from anywhere."""

import asyncio
import concurrent.futures
import contextvars
import gc
import threading

import pytest

from ringtrue.models.scheduler import Scheduler


async def thread_of() -> int:
    return threading.get_ident()


async def fail() -> None:
    raise LookupError("as it is")


def test_everything_runs_in_the_one_thread(scheduler: Scheduler) -> None:
    first = scheduler.run_sync(thread_of())
    assert first != threading.get_ident()
    assert asyncio.run(scheduler.run(thread_of())) == first
    assert scheduler.run_sync(scheduler.run(thread_of())) == first


def test_plain_code_may_ask_inside_a_running_loop(scheduler: Scheduler) -> None:
    async def caller() -> int:
        return scheduler.run_sync(thread_of())

    assert asyncio.run(caller()) == scheduler.run_sync(thread_of())


def test_plain_code_inside_the_scheduler_itself_is_told_that_it_cannot(scheduler: Scheduler) -> None:
    async def caller() -> int:
        return scheduler.run_sync(thread_of())

    with pytest.raises(RuntimeError, match="wait for itself"):
        scheduler.run_sync(caller())


def test_errors_come_back_as_they_are(scheduler: Scheduler) -> None:
    with pytest.raises(LookupError, match="as it is"):
        scheduler.run_sync(fail())
    with pytest.raises(LookupError, match="as it is"):
        asyncio.run(scheduler.run(fail()))


def test_many_at_once_from_several_loops(scheduler: Scheduler) -> None:
    async def echo(value: int) -> int:
        await asyncio.sleep(0.001)
        return value

    async def many(start: int) -> list[int]:
        return await asyncio.gather(*(scheduler.run(echo(start + index)) for index in range(200)))

    found: dict[int, list[int]] = {}

    def work(start: int) -> None:
        found[start] = asyncio.run(many(start))

    threads = [threading.Thread(target=work, args=(start,)) for start in (0, 1000, 2000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == {start: list(range(start, start + 200)) for start in (0, 1000, 2000)}


def test_a_cancellation_travels(scheduler: Scheduler) -> None:
    began, cancelled = threading.Event(), threading.Event()

    async def wait() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def caller() -> None:
        task = asyncio.ensure_future(scheduler.run(wait()))
        while not began.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(caller())
    assert cancelled.wait(5)


def test_closing_ends_what_is_under_way_and_what_is_open() -> None:
    scheduler, begun, events = Scheduler(), threading.Event(), []

    async def closing() -> None:
        events.append("closed")

    async def wait() -> None:
        scheduler.on_close(closing)
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            events.append("ended")

    def close() -> None:
        begun.wait(5)
        scheduler.close()

    closer = threading.Thread(target=close)
    closer.start()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scheduler.run(wait()))
    closer.join(5)
    assert events == ["ended", "closed"]


def test_nobody_waits_for_ever_for_a_scheduler_that_is_closing() -> None:
    scheduler, outcomes, begun = Scheduler(), [], threading.Event()

    def ask_on() -> None:
        for _ in range(2000):
            try:
                outcomes.append(scheduler.run_sync(thread_of()))
            except concurrent.futures.CancelledError:
                outcomes.append(0)
            begun.set()

    asker = threading.Thread(target=ask_on)
    asker.start()
    begun.wait(5)
    for _ in range(5):
        scheduler.close()
    asker.join(30)
    scheduler.close()
    assert len(outcomes) == 2000


def test_it_starts_anew_after_it_was_closed() -> None:
    scheduler = Scheduler()
    first = scheduler.run_sync(thread_of())
    scheduler.close()
    scheduler.close()
    assert first not in {thread.ident for thread in threading.enumerate()}
    with scheduler:
        scheduler.run_sync(thread_of())


def test_a_forgotten_scheduler_ends_its_thread() -> None:
    scheduler = Scheduler()
    scheduler.run_sync(thread_of())
    thread = next(one for one in threading.enumerate() if one.name == "ringtrue-models")
    del scheduler
    gc.collect()
    thread.join(5)
    assert not thread.is_alive()


def test_the_callers_context_goes_along(scheduler: Scheduler) -> None:
    variable = contextvars.ContextVar("variable", default="unset")

    async def look() -> str:
        return variable.get()

    variable.set("set")
    assert scheduler.run_sync(look()) == "set"


def test_what_is_shared_is_made_once(scheduler: Scheduler) -> None:
    async def twice() -> tuple[list[int], list[int]]:
        return scheduler.shared("key", list), scheduler.shared("key", list)

    one, other = scheduler.run_sync(twice())
    assert one is other
