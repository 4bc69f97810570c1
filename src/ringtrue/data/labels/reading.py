"""Reading one label, and one point in time, as people and tools write them."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias

from ringtrue.data.scalars import to_number, to_text
from ringtrue.errors import UnknownNameError

__all__ = ["Kind", "kind_of", "normal_label", "read_at", "read_label"]

Kind: TypeAlias = Literal["missing", "switch", "number", "flag", "word"]

_YES = frozenset({"yes", "y", "true", "t", "pass", "passed", "1", "👍"})
_NO = frozenset({"no", "n", "false", "f", "fail", "failed", "0", "👎"})
# What people and tools write where they gave no verdict. It is no category.
_MISSING = frozenset({"", "skip", "skipped", "n/a", "#n/a", "na", "nan", "null", "none", "nil", "<na>", "nat"})
_GAP = re.compile(r"[\s_\-–—]+")
_NUMERAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
# Seconds since 1970 have at most 11 digits for the next thousand years; each thousandfold is the next smaller unit.
_EPOCH_STEPS = (1e11, 1e14, 1e17)
_LEAST_EPOCH = 1e8  # March 1973: what is less is a year, or the day of a spreadsheet


def normal_label(value: Any) -> str | None:
    """One writing for one label; None where nothing was said.

    Case, spaces, underscores and hyphens do not matter. Yes, true, pass, 1, 1.0 (as text too) are ``yes``, their
    opposites ``no``; other numbers are written short (``3.0`` is ``3``), other words small. Blank, NaN, null, "skip"
    and "n/a" are missing, not a category.
    """
    plain = _plain(value)
    if plain in _MISSING:
        return None
    return "yes" if plain in _YES else "no" if plain in _NO else plain


def read_label(value: Any, labels: Mapping[str, float | None] | Collection[str] | None = None) -> str | None:
    """`value` as one of `labels`, in their writing; without `labels` as `normal_label` writes it. None where missing.

    Where `value` is a plain yes or no (true, pass, 1, "1.0" …) and `labels` say neither, it is the positive or negative
    one of them: those of the greatest and the least value of a mapping, or the first and second of a list of two.
    Raises UnknownNameError for anything else that is not among `labels`.
    """
    if labels is None:
        return normal_label(value)
    plain = _plain(value)
    by_name = {_plain(name): name for name in labels}
    if plain in by_name:
        return by_name[plain]
    if plain in _MISSING:
        return None
    sides = _sides(labels)
    if sides is not None and plain in _YES:
        return sides[0]
    if sides is not None and plain in _NO:
        return sides[1]
    raise UnknownNameError("label", to_text(value) or "", labels)


def kind_of(value: Any) -> Kind:
    """What a rating is written as: a ``switch`` is 0 or 1, a ``flag`` a word such as yes or fail."""
    plain = _plain(value)
    if plain in _MISSING:
        return "missing"
    if plain in ("0", "1"):
        return "switch"
    if plain in _YES or plain in _NO:
        return "flag"
    return "number" if _NUMERAL.fullmatch(plain) else "word"


def read_at(value: Any) -> str | None:
    """A point in time as ISO 8601 in UTC; None where missing. Without a zone it is taken to be in UTC.

    Takes dates, ISO 8601 text, and seconds, milliseconds, microseconds or nanoseconds since 1970. Raises ValueError.
    """
    if isinstance(value, datetime):
        return _utc(value)
    if isinstance(value, date):
        return _utc(datetime(value.year, value.month, value.day))
    text = to_text(value)
    if text is None or text.strip().casefold() in _MISSING:
        return None
    text = text.strip()
    number = to_number(text)
    if number is not None and not re.fullmatch(r"(?:19|20)\d{6}", text):  # 20260501 is a date
        if number < _LEAST_EPOCH:
            raise ValueError("no date, and too few seconds since 1970 to mean one")
        try:
            return _utc(datetime.fromtimestamp(number / 1000 ** sum(number >= step for step in _EPOCH_STEPS), UTC))
        except (OverflowError, OSError) as error:
            raise ValueError("out of range") from error
    return _utc(datetime.fromisoformat(text.removesuffix("UTC").rstrip()))


def _utc(when: datetime) -> str:
    try:
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except OverflowError as error:
        raise ValueError("out of range") from error


def _plain(value: Any) -> str:
    """`value` in small letters without the signs that do not matter; ``""`` where it says nothing."""
    text = unicodedata.normalize("NFKC", to_text(value) or "").strip().casefold()
    if _NUMERAL.fullmatch(text) and (number := to_number(text)) is not None:
        return repr(number).removesuffix(".0") if number else "0"
    return _GAP.sub(" ", text).strip(" .,;:!\"'")


def _sides(labels: Mapping[str, float | None] | Collection[str]) -> tuple[str, str] | None:
    """The positive and the negative label, where there is one of each."""
    yes = [name for name in labels if _plain(name) in _YES]
    no = [name for name in labels if _plain(name) in _NO]
    if len(yes) == len(no) == 1:
        return yes[0], no[0]
    if isinstance(labels, Mapping):
        valued = {name: value for name, value in labels.items() if value is not None}
        best = [name for name, value in valued.items() if value == max(valued.values())]
        worst = [name for name, value in valued.items() if value == min(valued.values())]
        if len(best) == len(worst) == 1 and best != worst:
            return best[0], worst[0]
    if len(labels) == 2 and not isinstance(labels, set | frozenset):
        first, second = labels
        return first, second
    return None
