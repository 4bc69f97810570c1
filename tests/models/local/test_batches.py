"""Batches across callers: each gets its own, whatever was worked on together."""

import asyncio
import os
import threading
import warnings
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.local.batches import Batcher, cut


class Work:
    """Doubles numbers; waits for `gate` first, so that others can queue up behind it."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.threads: set[str] = set()
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, batch: Sequence[int]) -> list[int]:
        assert self.gate.wait(10)
        self.batches.append(list(batch))
        self.threads.add(threading.current_thread().name.rpartition("_")[0])
        if 13 in batch:
            raise ValueError("thirteen")
        return [2 * one for one in batch]


def batcher(work: Work, **more: int) -> Batcher[int, int]:
    return Batcher(work, length=lambda one: one, **more)


def test_each_caller_gets_its_results_in_its_order() -> None:
    assert batcher(Work(), most=2).now([3, 1, 2, 3]) == [6, 2, 4, 6]


def test_no_items_give_no_results() -> None:
    work = Work()
    assert batcher(work).now([]) == []
    assert asyncio.run(batcher(work)([])) == []
    assert work.batches == []


def test_what_comes_while_the_worker_is_busy_goes_together_each_item_once() -> None:
    async def together() -> None:
        work = Work()
        double = batcher(work)
        work.gate.clear()
        first = asyncio.create_task(double([1]))
        await asyncio.sleep(0)
        later = [asyncio.create_task(double([number, 7])) for number in (2, 3, 4)]
        await asyncio.sleep(0)
        work.gate.set()
        assert await asyncio.gather(first, *later) == [[2], [4, 14], [6, 14], [8, 14]]
        assert work.batches == [[1], [7, 4, 3, 2]]

    asyncio.run(together())


def test_a_result_is_remembered_and_the_least_recently_used_is_forgotten() -> None:
    work = Work()
    double = batcher(work, kept=2)
    double.now([1, 2])
    double.now([1])
    double.now([3])  # forgets 2
    work.batches.clear()
    assert double.now([1, 3]) == [2, 6]
    assert work.batches == []
    double.now([2])
    assert work.batches == [[2]]


def test_what_is_kept_may_be_counted_by_weight() -> None:
    work = Work()
    double = Batcher(work, length=lambda one: one, kept=10, weight=lambda result: result)
    double.now([4])
    double.now([2])  # 8 + 4 > 10: forgets 4
    double.now([2])
    double.now([4])
    assert work.batches == [[4], [2], [4]]
    double.now([50])  # too heavy to keep
    assert double.now([50]) == [100]


def test_an_error_goes_to_those_callers_only_and_the_item_may_be_asked_again() -> None:
    work = Work()
    double = batcher(work, most=1)
    with pytest.raises(ValueError, match="thirteen"):
        double.now([13, 1])
    assert double.now([1]) == [2]
    with pytest.raises(ValueError, match="thirteen"):
        double.now([13])
    assert work.batches.count([13]) == 2


def test_a_batch_with_too_few_results_is_an_error() -> None:
    broken: Batcher[int, int] = Batcher(lambda _: [1], length=lambda one: one)
    with pytest.raises(ValueError, match="1 results for a batch of 2"):
        broken.now([1, 2])


def test_a_cancelled_caller_harms_no_other_and_what_nobody_wants_is_not_worked_on() -> None:
    async def together() -> None:
        work = Work()
        double = batcher(work, most=1)
        work.gate.clear()
        first = asyncio.create_task(double([1]))
        gone, stays = asyncio.create_task(double([2, 3])), asyncio.create_task(double([3, 4]))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        work.gate.set()
        assert await asyncio.gather(first, stays) == [[2], [6, 8]]
        assert gone.cancelled()
        assert [2] not in work.batches
        assert await double([2]) == [4]

    asyncio.run(together())


def test_callers_in_several_event_loops_and_threads_are_served_by_one_worker() -> None:
    work = Work()
    double, other = batcher(work), batcher(work)
    found: dict[int, list[int]] = {}

    def one_loop(start: int) -> None:
        async def ask() -> list[int]:
            results = await asyncio.gather(*(double([start + step]) for step in range(20)))
            return [result for (result,) in results]

        found[start] = asyncio.run(ask())

    threads = [threading.Thread(target=one_loop, args=(start,)) for start in (100, 200)]
    for thread in threads:
        thread.start()
    found[300] = other.now(range(300, 320))
    for thread in threads:
        thread.join(10)
    assert found == {start: [2 * (start + step) for step in range(20)] for start in (100, 200, 300)}
    assert work.threads == {"ringtrue-networks"}


@given(st.lists(st.integers(1, 300), unique=True), st.integers(1, 8), st.integers(1, 600))
def test_batches_hold_every_item_once_within_their_bounds(lengths: list[int], most: int, most_tokens: int) -> None:
    batches = cut([(length, length) for length in lengths], most, most_tokens)
    for batch in batches:
        assert 1 <= len(batch) <= most
        assert len(batch) == 1 or max(batch) * len(batch) <= most_tokens
    assert [one for batch in batches for one in batch] == sorted(lengths, reverse=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_works_with_a_thread_of_its_own() -> None:
    double = batcher(Work())
    double.now([1])
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of what is tried here
        child = os.fork()
    if not child:
        try:
            os.write(write, bytes(double.now([2])))
        finally:
            os._exit(0)
    os.close(write)
    assert os.read(read, 8) == bytes([4])
    os.waitpid(child, 0)
