"""Any value of a JSON, YAML, CSV or Parquet cell as text, as a number, or as missing."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

__all__ = ["Written", "is_missing", "json_ready", "mend_surrogates", "mended", "to_number", "to_text"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class Written(str):
    """A scalar as a YAML file has it, which YAML would take for a number or a boolean (``007``, ``no``, ``3.10``).

    As text it is what is written. Only where a value may be any JSON (metadata) does it become the number or boolean,
    and only if that is written the same way, so that nothing is lost: ``3`` does, ``007`` and ``3.10`` do not.
    """

    __slots__ = ()


def to_text(value: Any) -> str | None:
    """`value` as text, unchanged where it is text; None where it is missing.

    Numbers and booleans are written as JSON writes them (``3.0`` is ``"3.0"``, True is ``"true"``), a list of one is
    its item, and any other list or object is its JSON. Missing are None, NaN, an empty list, and text that is empty or
    blank.
    """
    if isinstance(value, str):
        return str(value) if value and not value.isspace() else None
    value = json_ready(value)
    if isinstance(value, list) and len(value) <= 1:
        return to_text(value[0]) if value else None
    if value is None or isinstance(value, str):
        return value or None
    return json.dumps(value, ensure_ascii=False)


def is_missing(value: Any) -> bool:
    """Whether `value` says nothing: None, NaN, or text that is empty or blank. An empty list does say something."""
    if isinstance(value, str):
        return not value or value.isspace()
    return value is None or (not isinstance(value, list | dict | int) and json_ready(value) is None)


def to_number(value: Any) -> float | None:
    """`value` as a finite number, from text too; None where it is none. Booleans are no numbers."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def json_ready(value: Any) -> Any:
    """`value` as what JSON can hold: NaN is None, a date its ISO text, a foreign type its text.

    Integers beyond 64 bits are text, since most JSON readers would round them.
    """
    match value:
        case None | bool():
            return value
        case Enum():
            return json_ready(value.value)
        case Written():
            return _typed(value)
        case str():
            return str(value)
        case int():
            return int(value) if -(2**63) <= value < 2**63 else str(value)
        case float():
            return _finite(float(value))
        case Mapping():
            return {str(key): json_ready(item) for key, item in value.items()}
        case bytes() | bytearray():
            return value.decode("utf-8", "backslashreplace")
    return _foreign(value)


def mended(value: Any) -> Any:
    """A JSON value without halves of surrogate pairs, which no database can hold."""
    match value:
        case str():
            return mend_surrogates(value)
        case list():
            return [mended(item) for item in value]
        case dict():
            return {mend_surrogates(key): mended(item) for key, item in value.items()}
    return value


def mend_surrogates(text: str) -> str:
    """`text` with U+FFFD for each half of a surrogate pair, which no file or database can hold."""
    return _SURROGATE.sub("\ufffd", text)


def _typed(written: str) -> Any:
    try:
        value = json.loads(written)
    except ValueError:
        return str(written)
    return json_ready(value) if json.dumps(value) == written else str(written)


def _finite(value: float) -> float | str | None:
    """The number; None for NaN; infinities as JavaScript writes them."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _foreign(value: Any) -> Any:
    """A value of another library: numpy and pandas by what they can do, dates by ISO 8601, others by their text."""
    if hasattr(value, "tolist"):  # a numpy array or number
        return json_ready(value.tolist())
    if type(value).__name__ in ("NAType", "NaTType"):  # pandas' missing values
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, Iterable):
        return [json_ready(item) for item in value]
    return str(value)
