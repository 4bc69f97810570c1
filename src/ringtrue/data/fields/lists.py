"""Lists and objects that were written out as text: JSON, Python literals (pandas), numpy arrays."""

import ast
import io
import json
import re
import tokenize
import warnings
from collections.abc import Mapping
from typing import Any

from ringtrue.data.scalars import json_ready

__all__ = ["list_in_text", "object_of", "texts_in_text"]

_LONGEST = 20_000_000
_ARRAY = re.compile(r"array\((?P<list>\[.*\])(?:,\s*dtype=[\w'\"<>.]+)?\)", re.DOTALL)
_SIDE_BY_SIDE = re.compile(r"""['"]\s+[rbuRBU]?['"]""")


def list_in_text(text: str) -> list[Any] | dict[str, Any] | None:
    """The list or object that `text` writes out, or None where it is plain text.

    Nothing is evaluated: a text is JSON, a Python literal, or text. ``['a' 'b']``, as numpy prints it, holds two items.
    """
    text = text.strip()
    if found := _ARRAY.fullmatch(text):
        text = found["list"]
    if not text or text[0] + text[-1] not in ("[]", "()", "{}") or len(text) > _LONGEST:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = _literal(text)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return value if isinstance(value, list | dict) else None


def object_of(value: Any) -> dict[str, Any] | None:
    """The JSON-ready dict that metadata are, as an object, as JSON in a text, or as Arrow's list of pairs."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value):
        value = dict(value)
    return json_ready(value) if isinstance(value, Mapping) else None


def texts_in_text(text: str) -> list[Any] | None:
    """As `list_in_text`, but only a list whose items are all text, or such lists: ``[1]`` is a footnote, not a list."""
    value = list_in_text(text) if text.lstrip()[:1] in ("[", "(", "a") else None
    return value if isinstance(value, list) and _holds_texts(value) else None


def _holds_texts(value: Any) -> bool:
    return all(isinstance(item, str) or (isinstance(item, list) and _holds_texts(item)) for item in value)


def _literal(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an odd backslash in a text is not the user's Python
        try:
            value = ast.literal_eval(text)
            return _numpy_items(text) if isinstance(value, list) and _SIDE_BY_SIDE.search(text) else value
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, tokenize.TokenError):
            return None


def _numpy_items(text: str) -> Any:
    """The items of a flat list, where strings side by side are items of their own, not one string."""
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type == tokenize.STRING]
    signs = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.string in ("[", "]", "(", "{")]
    return [ast.literal_eval(one.string) for one in tokens] if len(signs) == 2 else ast.literal_eval(text)
