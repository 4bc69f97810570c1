"""Answers that were recorded earlier, in a file or in memory."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.types import Answer, Response, Sample

__all__ = ["Recorded"]

_NO_RECORD = Response()


@dataclass(frozen=True, slots=True)
class Recorded:
    """Answers by sample id and repeat.

    A sample without a record gives an empty Response, so that its Scores are skipped, not failed: nobody asked.
    """

    name: str
    answers: Mapping[tuple[str, int], Response]
    live: ClassVar[bool] = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answer]:
        def answer(sample: Sample, repeat: int) -> Response:
            return self.answers.get((sample.id, repeat), _NO_RECORD)

        yield answer
