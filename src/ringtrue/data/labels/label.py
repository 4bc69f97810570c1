"""The noun: what one person said of one answer; and what a file of such labels is on the way to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.data.notes import Unit

__all__ = ["Asked", "Label", "LoadedLabels", "Rating"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What one person said of one answer.

    `item` is the sample's id as the file has it; `others` are ids that the file gives beside it (of a trace, a span, a
    task), tried where `item` is no sample's. `label` or `value` is set: a verdict of two sides has both (``yes`` and
    1), one of other words a label alone, a number a value alone. `at` is ISO 8601 in UTC, `place` is the file's line or
    row. `pipeline` and `metric` are None where the file does not say them.
    """

    item: str
    rater: str
    place: int
    pipeline: str | None = None
    repeat: int = 0
    metric: str | None = None
    label: str | None = None
    value: float | None = None
    rationale: str | None = None
    at: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedLabels:
    """The labels of a file, which `form` it has, and how it was read.

    `file` and `unit` (what a place counts) are for messages; `mapping` is column to field where the two differ; `notes`
    are what a person should know.
    """

    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    form: str
    file: str
    unit: Unit
    mapping: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A rating as its file has it, before it is read: the values are of any type, and any may be missing.

    `given` is the verdict, `number` a number beside it; `field` is the column that `given` is from, for messages.
    """

    place: int
    ids: tuple[Any, ...]
    given: Any
    field: str
    number: Any = None
    rater: Any = None
    metric: Any = None
    pipeline: Any = None
    repeat: Any = None
    rationale: Any = None
    at: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the user says of a file: `metric`, `rater` and `pipeline` for rows that do not say them.

    `raters` are the columns that hold one person's labels each; `mapping` is column to field, before any guess.
    """

    metric: str | None = None
    rater: str | None = None
    raters: Sequence[str] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    pipeline: str | None = None
