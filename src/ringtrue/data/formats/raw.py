"""Raw rows: what every format reader gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.data.notes import Reading

__all__ = ["RawRows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRows:
    """Rows as the source has them, each with its place (the line where it starts, or its number).

    `cells` says that every value is text of a spreadsheet, in which a list is written out; `head` is what stands beside
    the rows in the file, such as its name and version.
    """

    rows: Sequence[Mapping[str, Any]]
    places: Sequence[int]
    reading: Reading
    cells: bool = False
    head: Mapping[str, Any] = field(default_factory=dict)
