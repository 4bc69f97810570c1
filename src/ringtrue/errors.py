"""The errors of ringtrue, one tree. Every message names the thing, the place, what is known and the mend.

::

    RingtrueError                what a person can mend; the command line prints it without a traceback
    ├── UsageError               the words of a command or a call are off            (exit code 2)
    ├── UnknownNameError         no metric, pipeline, key or field of that name      (exit code 2)
    ├── ConfigError              a run's configuration: file, key, mend              (exit code 2)
    ├── DataError                a dataset or answers file: file, line, field, mend
    ├── PipelineError            a pipeline could not be opened, or one answer failed
    ├── ModelFailure             a model gave no usable reply; its `kind` says why   (in ringtrue.models.types)
    ├── StoreError               the store cannot be opened, read or written
    ├── OutputError              a report cannot be written
    └── MissingExtraError        an optional library is not installed; the message holds the install line

    Skip                         raised by a metric that does not apply to a row; becomes ``skipped``, never a number
"""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "ConfigError",
    "DataError",
    "MissingExtraError",
    "OutputError",
    "PipelineError",
    "RingtrueError",
    "Skip",
    "StoreError",
    "UnknownNameError",
    "UsageError",
    "did_you_mean",
]


class RingtrueError(Exception):
    """Something a person can mend.

    `mend` says how; it is printed on a line of its own after the message.
    """

    exit_code = 1

    def __init__(self, message: str, *, mend: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return self.message if self.mend is None else f"{self.message}\n  {self.mend}"


class UsageError(RingtrueError):
    """The words of a command or of a call are off."""

    exit_code = 2


class UnknownNameError(RingtrueError):
    """No thing of that name; the message offers the nearest known ones."""

    exit_code = 2

    def __init__(self, kind: str, name: str, known: Iterable[str], *, where: str | None = None) -> None:
        place = f"{where}: " if where else ""
        super().__init__(f"{place}unknown {kind} {name!r}", mend=did_you_mean(name, known))


class ConfigError(RingtrueError):
    """A run's configuration is off; `where` is the file and the key."""

    exit_code = 2

    def __init__(self, message: str, *, where: str | None = None, mend: str | None = None) -> None:
        super().__init__(f"{where}: {message}" if where else message, mend=mend)


class DataError(RingtrueError):
    """A data file is off. `line` counts from 1 (line feeds only); `field` is the column or key."""

    def __init__(
        self,
        message: str,
        *,
        file: object = None,
        line: int | None = None,
        field: str | None = None,
        mend: str | None = None,
    ) -> None:
        self.file, self.line, self.field = (None if file is None else str(file)), line, field
        place = ":".join(str(part) for part in (self.file, line) if part is not None)
        named = f"field {field!r}: " if field else ""
        super().__init__(f"{place}: {named}{message}" if place else f"{named}{message}", mend=mend)


class PipelineError(RingtrueError):
    """A pipeline could not be opened, or one answer failed. The runner turns the latter into a failed Response."""


class StoreError(RingtrueError):
    """The store cannot be opened, read or written."""


class OutputError(RingtrueError):
    """A report cannot be written."""


class MissingExtraError(RingtrueError):
    """An optional library is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional library", mend=f"install it with: pip install 'ringtrue[{extra}]'")


class Skip(Exception):
    """A metric does not apply to this row: the Score is ``skipped`` with this reason."""


def did_you_mean(name: str, known: Iterable[str], *, limit: int = 12) -> str:
    """Offer the names nearest to `name`, then the known ones (at most `limit`)."""
    names = sorted(set(known))
    near = get_close_matches(name.casefold(), [n.casefold() for n in names], n=3, cutoff=0.6)
    guesses = [n for n in names if n.casefold() in near]
    listed = ", ".join(names[:limit]) + (f" … ({len(names) - limit} more)" if len(names) > limit else "")
    known_line = f"known: {listed}" if names else "none is known here"
    return f"did you mean {' or '.join(guesses)}? {known_line}" if guesses else known_line
