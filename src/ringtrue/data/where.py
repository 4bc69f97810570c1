"""Which samples an expression keeps: JMESPath over the sample as `sample_record` writes it."""

import re
from collections.abc import Callable, Iterable

import jmespath
from jmespath.exceptions import JMESPathError, JMESPathTypeError

from ringtrue.data.records import sample_record
from ringtrue.errors import UsageError
from ringtrue.types import Sample

__all__ = ["fields_of", "predicate"]

_HINT = "write JMESPath, for example metadata.lang == 'de' or contains(question, 'price'); numbers stand in backticks"
_QUOTED_FIELD = re.compile(r'[=!]=\s*"([^"]*)"')


def predicate(where: str) -> Callable[[Sample], bool]:
    """Whether a sample fits: by JMESPath's truth, so that a field alone asks whether it is there.

    Raises UsageError where `where` cannot be read.
    """
    if quoted := _QUOTED_FIELD.search(where):  # it would be compared with a field that no sample has, and always differ
        raise UsageError(f"filter {where!r}: {quoted[1]!r} in double quotes is a field; text stands in single quotes")
    try:
        compiled = jmespath.compile(where)
    except JMESPathError as error:
        raise UsageError(f"filter {where!r} cannot be read: {' '.join(str(error).split())}", mend=_HINT) from error

    def fits(sample: Sample) -> bool:
        try:
            value = compiled.search(sample_record(sample))
        except JMESPathTypeError as error:
            if error.actual_type == "null":  # a function over a field that this sample lacks
                return False
            raise UsageError(f"filter {where!r} does not fit sample {sample.id!r}: {error}", mend=_HINT) from error
        except JMESPathError as error:
            raise UsageError(f"filter {where!r} cannot be used: {error}", mend=_HINT) from error
        if isinstance(value, int | float) and not isinstance(value, bool):  # JMESPath takes 0 for a yes
            raise UsageError(f"filter {where!r} gives a number, not yes or no, for sample {sample.id!r}", mend=_HINT)
        return bool(value)

    return fits


def fields_of(samples: Iterable[Sample]) -> tuple[str, ...]:
    """What a filter can name in these samples."""
    names: dict[str, None] = {}
    for sample in samples:
        record = sample_record(sample)
        names.update(dict.fromkeys(name for name in record if name != "metadata"))
        names.update(dict.fromkeys(f"metadata.{name}" for name in sample.metadata))
    return tuple(names)
