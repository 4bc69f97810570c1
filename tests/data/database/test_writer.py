"""What is to be written is written in groups, and nobody goes on unknowingly where it cannot be."""

import asyncio

import pytest

from ringtrue.data.database.writer import Writer
from ringtrue.errors import StoreError


def test_without_a_loop_each_is_written_at_once() -> None:
    groups: list[list[int]] = []
    writer: Writer[int] = Writer(groups.append)
    writer.put(1)
    writer.put(2)
    assert groups == [[1], [2]]


def test_in_a_loop_what_comes_together_is_written_together_and_in_order() -> None:
    groups: list[list[int]] = []
    writer: Writer[int] = Writer(groups.append)

    async def work() -> None:
        for number in range(5):
            writer.put(number)
        assert groups == []
        while not groups:
            await asyncio.sleep(0.001)
        writer.put(5)
        writer.flush()

    asyncio.run(work())
    assert groups == [[0, 1, 2, 3, 4], [5]]


def test_what_a_loop_left_behind_is_written_by_the_next_flush() -> None:
    groups: list[list[int]] = []
    writer: Writer[int] = Writer(groups.append)

    async def left() -> None:
        writer.put(1)

    asyncio.run(left())
    writer.flush()
    writer.flush()
    assert groups == [[1]]


def test_where_nothing_can_be_written_whoever_comes_next_is_told() -> None:
    def full(_: list[int]) -> None:
        raise StoreError("no room")

    writer: Writer[int] = Writer(full)

    async def work() -> None:
        writer.put(1)
        await asyncio.sleep(0.05)
        with pytest.raises(StoreError, match="no room"):
            writer.put(2)

    asyncio.run(work())
    with pytest.raises(StoreError, match="no room"):
        writer.flush()
