"""What is asked of a model, what it gives back, and the one way in which that fails."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal, Protocol, TypeAlias

from ringtrue.errors import RingtrueError

__all__ = [
    "ChatModel",
    "Completion",
    "FailureKind",
    "Message",
    "ModelFailure",
    "Request",
    "Role",
    "Usage",
    "total_usage",
    "usage_record",
]

Role: TypeAlias = Literal["system", "user", "assistant"]

FailureKind: TypeAlias = Literal[
    "refused",  # the model declined to answer
    "truncated",  # the reply ran out of tokens, after larger budgets were tried
    "unparsed",  # no complete JSON object of the asked shape in the reply
    "timed_out",
    "rate_limited",
    "auth",  # no key, a wrong one, or no right to this model
    "transport",  # no connection, a broken one, or a server's error
    "filtered",  # the provider's content filter
    "empty",  # a reply without text
    "bad_label",  # a reply that is none of the labels
    "low_label_mass",  # the labels have little of the first token's probability
    "bad_request",  # the endpoint does not accept the request
    "budget",  # the run's own limit of calls, money or time is reached
]

# Whether the same question, asked again, may well be answered.
_RETRYABLE = frozenset({"unparsed", "timed_out", "rate_limited", "transport", "empty", "bad_label", "budget"})


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model.

    `schema` is the JSON schema that the reply must have. `labels` are wanted probabilities: of the whole reply where
    there is no schema, else of the property whose ``enum`` they are. `params` are what the user set (``temperature``,
    ``max_tokens``, ``seed``, ``top_p``, or the provider's own), nothing else is sent. `repeat` counts from 0 and keeps
    repeats of one question apart in the cache.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    labels: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one answer took, the tries that gave no answer included.

    Tokens are ``None`` where the endpoint did not tell them; `cost`, in US dollars, where the tokens or the model's
    price are unknown. `latency_s` is the time in which the model was at work: waiting for a turn is left out. `cached`
    says that the reply was in the cache: nothing was asked or paid.
    """

    input_tokens: int | None
    output_tokens: int | None
    calls: int
    cost: float | None
    latency_s: float
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's reply that is what was asked for.

    `parsed` is the object of the asked schema, the label, or ``None`` where plain text was asked. `label_probabilities`
    add up to 1; `label_mass` is the share that all labels together had of the next token, the rest went to other words.
    Both are ``None`` where the endpoint gives no token probabilities. `model` is what the endpoint calls itself, `raw`
    its reply without the token probabilities. `original_usage` is what a reply from the cache took when it was paid
    for.
    """

    text: str
    parsed: Any
    finish_reason: str | None
    usage: Usage
    model: str
    raw: Mapping[str, Any] = field(default_factory=dict)
    label_probabilities: Mapping[str, float] | None = None
    label_mass: float | None = None
    original_usage: Usage | None = None


_values_of = attrgetter(*Usage.__slots__)


class ModelFailure(RingtrueError):
    """A model gave no usable reply; `kind` says why.

    `raw` is what it said, `retryable` whether the same question may be answered when it is asked again, `usage` what
    was spent all the same.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        raw: str | None = None,
        usage: Usage | None = None,
        retryable: bool | None = None,
        mend: str | None = None,
    ) -> None:
        super().__init__(message, mend=mend)
        self.kind: FailureKind = kind
        self.raw = raw
        self.usage = usage
        self.retryable = kind in _RETRYABLE if retryable is None else retryable


class ChatModel(Protocol):
    """A model that can be asked from any event loop. `id` is ``provider:model``."""

    @property
    def id(self) -> str: ...
    async def complete(self, request: Request) -> Completion:
        """The reply to `request`; ModelFailure where there is none that can be used."""
        ...


def usage_record(usage: Usage) -> dict[str, Any]:
    """The Usage as a dict of JSON values."""
    return dict(zip(Usage.__slots__, _values_of(usage), strict=True))


def total_usage(usages: Iterable[Usage]) -> Usage:
    """The sum. What is unknown in one is unknown in the sum."""
    given = list(usages)
    if len(given) == 1:
        return given[0]
    inputs, outputs = [one.input_tokens for one in given], [one.output_tokens for one in given]
    costs = [one.cost for one in given]
    return Usage(
        input_tokens=None if None in inputs else sum(filter(None, inputs)),
        output_tokens=None if None in outputs else sum(filter(None, outputs)),
        calls=sum(one.calls for one in given),
        cost=None if None in costs else sum(filter(None, costs), start=0.0),
        latency_s=sum(one.latency_s for one in given),
        cached=bool(given) and all(one.cached for one in given),
    )
