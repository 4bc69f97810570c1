"""Checks of the options of a pipeline, and what a config would say of it."""

import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ringtrue.errors import ConfigError

__all__ = [
    "place",
    "require_at_least",
    "require_headers",
    "require_method",
    "require_object",
    "require_seconds",
    "require_url",
]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # the name of a method or header, RFC 9110 section 5.6.2


def place(name: str, key: str) -> str:
    """How messages name one option of one pipeline."""
    return f"pipeline {name!r}: {key}"


def require_seconds(value: float, where: str) -> None:
    """Refuse a time that is no finite number above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and value > 0):
        raise ConfigError(f"{value!r} is no time", where=where, mend="give seconds, such as 60")


def require_at_least(value: int, least: int, where: str) -> None:
    """Refuse a number that is not whole or too small."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{value!r} is no whole number of {least} or more", where=where)


def require_url(url: str, where: str) -> None:
    """Refuse what is no address of the web. The message does not show it, since it may hold a secret."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except (ValueError, AttributeError, TypeError):
        good = False
    if not good:
        raise ConfigError("this is no web address", where=where, mend="begin it with http:// or https:// and a host")


def require_method(method: str, where: str) -> None:
    """Refuse what is no name of a method."""
    if not _TOKEN.fullmatch(method):
        raise ConfigError(f"{method!r} is no HTTP method", where=where, mend="known: GET, POST, PUT, PATCH, DELETE")


def require_headers(headers: Mapping[str, str], where: str) -> None:
    """Refuse what no request can carry. The message does not show a value, since it may be a secret."""
    for key, value in headers.items():
        if not _TOKEN.fullmatch(key):
            raise ConfigError(f"{key!r} is no name of a header", where=where)
        if not isinstance(value, str) or any(sign in value.strip() for sign in "\r\n\0"):
            raise ConfigError("the value is not one line of text", where=f"{where}.{key}")


def require_object(body: Any, where: str) -> None:
    """Refuse JSON that is written as a string: a quotation mark in a question would break it."""
    if isinstance(body, str) and body.lstrip()[:1] in ("{", "[") and not body.lstrip().startswith("{{"):
        raise ConfigError("this is a string", where=where, mend="write an object: {q: '{{ question }}'}")
