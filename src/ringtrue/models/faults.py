"""What went wrong with one try, as a value: its kind, whether another try may work, and how long to wait for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from ringtrue.models.types import FailureKind
from ringtrue.text.words import clip

__all__ = ["Fault", "fault_of", "fault_of_status"]

# States of a server that may pass (408 timeout, 409 conflict, 425 too early, 429 too many, 529 overloaded).
_PASSING = frozenset({408, 409, 425, 429, *range(500, 600)}) - {501, 505}
_CONGESTED = frozenset({408, 429, 503, 504, 529})
_USED_UP = re.compile(
    r"insufficient_quota|billing|credit balance|exceeded your current quota.{0,40}plan", re.IGNORECASE
)
_FILTERED = re.compile(r"content_filter|content_policy|ResponsibleAIPolicy|content management policy", re.IGNORECASE)
_SHOWN, _KEPT = 300, 4000

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)(?:ec(?:ond)?s?|in(?:ute)?s?|illiseconds?)?", re.IGNORECASE)
# "try again in 1.5s", "Please retry in 12.3s.", "retry after 30 seconds", "1m30s".
_ASKED = re.compile(
    rf"(?:again|retry)\s+(?:in|after)\s+((?:{_DURATION.pattern}\s*)+)|\"retryDelay\":\s*\"({_DURATION.pattern})\"",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A try that gave no reply.

    `passing` says that another try may work, `congested` that the endpoint has too much to do, `stops` that no call of
    this endpoint and model can work. `status` is ``None`` where no server answered. `wait_s` is what the server asks
    for, in seconds. `param` is the field that the server names, `body` what it sent.
    """

    kind: FailureKind
    message: str
    status: int | None = None
    passing: bool = False
    congested: bool = False
    stops: bool = False
    wait_s: float | None = None
    param: str | None = None
    body: str = ""


def fault_of_status(status: int, headers: Mapping[str, str], body: bytes, reason: str = "") -> Fault:
    """The fault that an HTTP status other than 2xx tells, with what its headers and body add."""
    text = body[: 16 * _KEPT].decode("utf-8", "replace")
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError:
        parsed = None
    fault = fault_of(status, parsed if parsed is not None else text, text=text, reason=reason)
    asked = _header_wait(headers)
    return fault if asked is None else replace(fault, wait_s=asked)


def fault_of(status: int, error: Any, *, text: str | None = None, reason: str = "") -> Fault:
    """The fault of an error object as endpoints write them: ``{"error": {"message": …}}`` and its kin."""
    written = text if text is not None else orjson.dumps(error, default=str).decode()
    inner = _inner(error)
    message = clip(_message(inner) or written, _SHOWN)
    told = f"HTTP {status} {reason}".rstrip() + (f": {message}" if message else "")
    param = inner.get("param") if isinstance(inner, Mapping) else None
    wait_s = _body_wait(written)
    # Gemini says "quota" and "billing" of a limit a minute too, and then how long to wait.
    used_up = status in (400, 402, 403, 429) and wait_s is None and _USED_UP.search(written) is not None
    kind = _kind(status, written)
    return Fault(
        kind=kind,
        message=told,
        status=status,
        passing=status in _PASSING and not used_up,
        congested=status in _CONGESTED and not used_up,
        stops=status in (401, 402, 403) or used_up or (status == 404 and "support" not in written),
        wait_s=wait_s,
        param=param if isinstance(param, str) else None,
        body=written[:_KEPT],
    )


def _kind(status: int, written: str) -> FailureKind:
    if status in (401, 402, 403):
        return "auth"
    if status == 429:
        return "rate_limited"
    if status in (408, 504):
        return "timed_out"
    if status >= 500 or status < 400:
        return "transport"
    if status not in (409, 425):
        return "filtered" if _FILTERED.search(written) else "bad_request"
    return "transport"


def _inner(error: Any) -> Any:
    """The object that holds the message: inside ``error``, inside a list of one."""
    while isinstance(error, list) and error:
        error = error[0]
    if isinstance(error, Mapping) and isinstance(error.get("error"), Mapping):
        return error["error"]
    return error


def _message(error: Any) -> str:
    if not isinstance(error, Mapping):
        return error if isinstance(error, str) else ""
    for key in ("message", "Message", "error", "detail", "msg", "error_description"):
        if isinstance(error.get(key), str):
            return str(error[key])
        if isinstance(error.get(key), list) and error[key]:
            return "; ".join(_message(one) for one in error[key])
    return ""


def _header_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that the headers ask to wait: in milliseconds, in seconds, or until a date (RFC 9110 10.2.3)."""
    lower = {key.lower(): value.strip() for key, value in headers.items() if key.lower().startswith("retry-after")}
    try:
        if "retry-after-ms" in lower:
            return max(float(lower["retry-after-ms"]) / 1000, 0.0)
        if (text := lower.get("retry-after")) is None:
            return None
        if re.fullmatch(r"\d+(?:\.\d+)?", text):
            return float(text)
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return max((date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)


def _body_wait(text: str) -> float | None:
    if (found := _ASKED.search(text)) is None:
        return None
    pieces = _DURATION.findall(found[1] or found[4] or "")
    return sum(float(amount) * _SECONDS[unit.lower()] for amount, unit in pieces)
