"""When an HTTP request is worth another try, and after how long."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["PASSING", "Fault", "pause", "retry_after"]

PASSING = frozenset({408, 409, 425, 429, *range(500, 600)})  # states of a server that may pass
_FIRST_S, _LONGEST_S, _LONGEST_ASKED_S = 0.5, 30.0, 60.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A try that gave no reply: what to tell, whether it may pass, and how long the server asks to wait (seconds)."""

    message: str
    may_pass: bool = False
    wait_s: float | None = None


def pause(fault: Fault, tries: int) -> float:
    """Seconds to wait after `tries` tries (at least one) that ended in this fault.

    What the server asks for; else twice as long each time, spread so that many questions do not come back at once.
    """
    if fault.wait_s is not None:
        return fault.wait_s
    return random.uniform(0.5, 1.0) * min(_FIRST_S * 2.0 ** (tries - 1), _LONGEST_S)


def retry_after(header: str | None) -> float | None:
    """The seconds a server asks to wait, at most a minute: a number or a date (RFC 9110 section 10.2.3)."""
    if header is None:
        return None
    try:
        seconds = _until(parsedate_to_datetime(header)) if not header.strip().isdecimal() else float(header)
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0.0), _LONGEST_ASKED_S)


def _until(date: datetime) -> float:
    return (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
