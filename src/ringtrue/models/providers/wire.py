"""What the adapters share: how a request is put this time, and what a reply says, whoever sent it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from ringtrue.models.faults import Fault
from ringtrue.models.probabilities import Token
from ringtrue.models.types import Request

__all__ = ["Dialect", "Ending", "Form", "How", "Reply", "Transport", "text_or_none", "whole_number"]

# How the shape of the reply is asked for, from the surest way to the loosest; "text" asks for none.
Form: TypeAlias = Literal["schema", "tool", "object", "prompt", "text"]
Ending: TypeAlias = Literal["stop", "length", "filtered", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a request is put to an endpoint this time.

    `left_out` are parameters that the endpoint refuses. `max_tokens` is a larger budget than the user's, after a
    truncated reply; `budget_name` is what this endpoint calls it. `top_logprobs` is how many likeliest tokens are asked
    for. `bounds` sends a schema with its bounds.
    """

    form: Form
    left_out: frozenset[str] = frozenset()
    max_tokens: int | None = None
    budget_name: str = "max_tokens"
    top_logprobs: int = 0
    bounds: bool = False

    def params(self, request: Request) -> dict[str, Any]:
        """The user's parameters that are sent, the budget under this endpoint's name for it."""
        params = {name: value for name, value in request.params.items() if name not in self.left_out}
        given = [params.pop(name) for name in ("max_tokens", "max_completion_tokens") if name in params]
        if budgets := [*filter(None, (self.max_tokens, *given))]:
            params[self.budget_name] = max(budgets)
        return params


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an endpoint said.

    `tool` holds the arguments of the forced tool, `other_tool` the name of one that nobody asked for. `given` is what a
    Python function gave back, where it gave no text.
    """

    text: str | None = None
    tool: str | Mapping[str, Any] | None = None
    other_tool: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    ending: Ending = "stop"
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens: Sequence[Token] = ()
    model: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)
    given: Any = None


class Dialect(Protocol):
    """How one kind of endpoint is asked and read, without any input or output.

    `forms` are the ways to ask for a shape, the surest first; `top_logprobs` is how many likeliest tokens it can be
    asked for; `never` are usual parameters that it does not have. `bounds` says that it may take a schema with bounds.
    """

    @property
    def forms(self) -> tuple[Form, ...]: ...
    @property
    def top_logprobs(self) -> int: ...
    @property
    def never(self) -> frozenset[str]: ...
    @property
    def bounds(self) -> bool: ...
    def body(self, request: Request, how: How, /) -> Any: ...
    def read(self, answer: Any) -> Reply | Fault: ...


class Transport(Protocol):
    """How a body gets to an endpoint, and its answer back, within so many seconds."""

    async def send(self, body: Any, timeout_s: float) -> Any: ...


def text_or_none(value: Any) -> str | None:
    """`value` where it is a text."""
    return value if isinstance(value, str) else None


def whole_number(value: Any) -> int | None:
    """A count of tokens; ``None`` for anything that is none (a text, a negative number)."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
