"""What a run may spend on models: calls, money and time. When it is spent, every further call fails as ``budget``."""

from collections.abc import Callable
from time import monotonic

from ringtrue.models.types import ModelFailure, Request

__all__ = ["Budget", "estimate_tokens"]

_BYTES_A_TOKEN, _MESSAGE_TOKENS = 4, 4  # of UTF-8 text, and what a message takes besides
_OUTPUT_GUESS = 200


class Budget:
    """The limits of one run, and what was spent. Used from the scheduler's loop only; reading it is safe anywhere.

    `max_cost` is in US dollars, `max_seconds` counts from now. A call is let through as long as what was spent, what
    the calls under way will probably cost and its own estimate stay within `max_cost`.
    """

    def __init__(
        self,
        *,
        max_calls: int | None = None,
        max_cost: float | None = None,
        max_seconds: float | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.max_calls, self.max_cost = max_calls, max_cost
        self.calls = 0
        self.cost = 0.0
        self._under_way = 0.0
        self._now = now
        self._deadline = None if max_seconds is None else now() + max_seconds
        self._max_seconds = max_seconds

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the run's deadline; ``None`` where there is none."""
        return None if self._deadline is None else self._deadline - self._now()

    @property
    def spent(self) -> str | None:
        """Which limit is reached, in words; ``None`` while there is room."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            return f"all {self.max_calls} calls of the run's budget are made"
        if self.max_cost is not None and self.cost >= self.max_cost:
            return f"${self.cost:.4f} of the run's budget of ${self.max_cost:g} are spent"
        if (left := self.seconds_left) is not None and left <= 0:
            return f"the run's time of {self._max_seconds:g} s is over"
        return None

    def admit(self, estimate: float) -> None:
        """Let a call of about this cost through; ModelFailure of kind ``budget`` where the limits do not allow it."""
        why = self.spent
        if why is None and self.max_cost is not None and self.cost + self._under_way + estimate > self.max_cost:
            why = (
                f"${self.cost:.4f} are spent and ${self._under_way:.4f} under way of the run's budget of "
                f"${self.max_cost:g}, which another ${estimate:.4f} would exceed"
            )
        if why:
            raise ModelFailure("budget", why, mend="resume the run with a larger budget")
        self.calls += 1
        self._under_way += estimate

    def settle(self, estimate: float, cost: float | None) -> None:
        """The admitted call is over. Where its cost is not known, its estimate is taken for it."""
        self._under_way -= estimate
        self.cost += estimate if cost is None else cost


def estimate_tokens(request: Request) -> tuple[int, int]:
    """About how many tokens one call will take, in and out: by the length of its messages, and by a guess."""
    size = sum([_bytes_in(message.content) for message in request.messages])
    most = request.params.get("max_tokens")
    guess = min(most, _OUTPUT_GUESS) if isinstance(most, int) else _OUTPUT_GUESS
    return size // _BYTES_A_TOKEN + _MESSAGE_TOKENS * len(request.messages), guess


def _bytes_in(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
