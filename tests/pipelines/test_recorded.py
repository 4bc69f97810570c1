"""Recorded answers: looked up, never made up."""

import asyncio

from ringtrue.pipelines import Recorded
from ringtrue.types import Pipeline, Response, Sample


def answers_of(pipeline: Pipeline, *places: tuple[str, int]) -> list[object]:
    async def ask() -> list[object]:
        async with pipeline.open() as answer:
            return [answer(Sample(id=sample_id), repeat) for sample_id, repeat in places]

    return asyncio.run(ask())


def test_an_answer_is_found_by_sample_and_repeat() -> None:
    first, second = Response(answer="one"), Response(answer="two")
    pipeline = Recorded("base", {("a", 0): first, ("a", 1): second})
    assert answers_of(pipeline, ("a", 1), ("a", 0)) == [second, first]


def test_a_sample_without_a_record_has_neither_answer_nor_error() -> None:
    pipeline = Recorded("base", {("a", 0): Response(answer="one")})
    assert answers_of(pipeline, ("b", 0), ("a", 1)) == [Response(), Response()]


def test_it_is_not_live() -> None:
    assert not Recorded("base", {}).live
