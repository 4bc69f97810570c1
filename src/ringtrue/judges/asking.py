"""One question to a model, its reply held against the schema, and the record of all that was asked for a row."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from ringtrue.errors import RingtrueError, Skip
from ringtrue.models.structured import conform, last_object
from ringtrue.models.types import (
    ChatModel,
    Completion,
    Message,
    ModelFailure,
    Request,
    Usage,
    total_usage,
    usage_record,
)

__all__ = ["JudgeFailure", "JudgeSkip", "Log", "Place", "Voter", "together"]

T = TypeVar("T")

# Where a question stands in the record of a row: its step, the voter, and its number among theirs.
Place: TypeAlias = tuple[int, int, int]


class JudgeFailure(RingtrueError):
    """A judge came to no verdict. `kind` is that of a ModelFailure or a NoVerdict; the message begins with it.

    `usage` and `exchanges` are what was spent and said all the same, as a Verdict holds them.
    """

    def __init__(self, kind: str, message: str, log: "Log", *, mend: str | None = None) -> None:
        super().__init__(f"{kind.replace('_', ' ')}: {message}", mend=mend)
        self.kind, self.usage, self.exchanges = kind, log.usage, log.exchanges


class JudgeSkip(Skip):
    """A judge does not apply to a row, as a model's reply showed. `usage` and `exchanges` are as in a JudgeFailure."""

    def __init__(self, reason: str, log: "Log") -> None:
        super().__init__(reason)
        self.usage, self.exchanges = log.usage, log.exchanges


@dataclass(frozen=True, slots=True)
class Voter:
    """A model asked for the `repeat`-th time (from 0). `params` are sent with every request."""

    model: ChatModel
    repeat: int = 0
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.model.id} #{self.repeat + 1}" if self.repeat else self.model.id


class Log:
    """What was asked of models for one row, and what it took. Kept by place, so that its order is always the same."""

    def __init__(self) -> None:
        self._kept: dict[Place, tuple[dict[str, Any], Usage | None]] = {}

    @property
    def usage(self) -> Mapping[str, Any]:
        """Tokens, calls, cost in US dollars and seconds, summed; nothing asked is nothing spent."""
        return usage_record(total_usage([usage for _, usage in self._kept.values() if usage is not None]))

    @property
    def exchanges(self) -> tuple[Mapping[str, Any], ...]:
        """Every question with its reply, in order."""
        return tuple(self._kept[place][0] for place in sorted(self._kept))

    async def ask(
        self,
        voter: Voter,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        *,
        about: str,
        place: Place,
        labels: Sequence[str] = (),
    ) -> tuple[dict[str, Any], Completion]:
        """The object that the model replies with, as `schema` wants it. Raises ModelFailure.

        `about` tells people what is asked: ``claims``, or the name of the rubric.
        """
        request = Request(
            messages=tuple(messages), schema=schema, labels=tuple(labels), params=voter.params, repeat=voter.repeat
        )
        asked: dict[str, Any] = {
            "about": about,
            "model": voter.model.id,
            "repeat": voter.repeat,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
        }
        try:
            completion = await voter.model.complete(request)
        except ModelFailure as failure:
            asked |= {"failure": failure.kind, "message": failure.message, "reply": failure.raw}
            if failure.usage is not None:
                asked["usage"] = usage_record(failure.usage)
            self._kept[place] = (asked, failure.usage)
            raise
        asked["reply"] = completion.text
        asked["replied_by"] = completion.model
        asked["finish_reason"] = completion.finish_reason
        if completion.label_mass is not None:
            asked["label_mass"] = completion.label_mass
        asked["usage"] = usage_record(completion.usage)
        self._kept[place] = (asked, completion.usage)
        parsed = completion.parsed if isinstance(completion.parsed, dict) else last_object(completion.text)
        return conform(parsed, schema, raw=completion.text), completion


async def together(questions: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """All outcomes, in order. The first failure is raised when all are over, so that none goes on uncounted."""
    if len(questions) == 1:
        return [await questions[0]]
    outcomes = await asyncio.gather(*questions, return_exceptions=True)
    found: list[T] = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
        found.append(outcome)
    return found
