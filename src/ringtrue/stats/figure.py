"""A figure that may be undefined: a number with its interval, or the reason why there is none."""

from dataclasses import dataclass

__all__ = ["Figure"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its interval from `low` to `high` (95 % unless asked otherwise).

    `value` is ``None`` where it is undefined, never 0 or NaN, and `why` says the reason. Where there is a value, `why`
    says why it has no interval, or that it was cut.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.why:
            raise ValueError("an undefined figure needs its reason")
