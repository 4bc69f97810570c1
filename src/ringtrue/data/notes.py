"""What a person should know of a reading, and how a bad row is told: raised, or left out and counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ringtrue.errors import DataError

__all__ = ["Notes", "Reading", "Unit", "places_text"]

Unit = Literal["line", "item", "row"]
_SKIP = "mend it, or leave such rows out with --skip-bad-rows"
_SHOWN = 5


class Notes:
    """Remarks in the order they first came up. One remark about many rows becomes one line that counts them."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = {}

    def add(self, text: str, place: int | None = None) -> None:
        """Note `text`, about the row at `place` if one is given."""
        places = self._places.setdefault(text, [])
        if place is not None:
            places.append(place)

    def lines(self, unit: Unit) -> tuple[str, ...]:
        """One line a remark: ``rows left out: 7 (lines 3, 5, 8, 13, 21 …)``."""
        return tuple(
            f"{text}: {len(places)} ({places_text(places, unit)})" if places else text
            for text, places in self._places.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one source is read. `name` is the file as the user wrote it; `unit` is what a row's place counts from 1."""

    name: str
    unit: Unit = "item"
    strict: bool = False
    skip_bad_rows: bool = False
    encoding: str | None = None
    notes: Notes = field(default_factory=Notes)

    def error(
        self, message: str, *, place: int | None = None, field: str | None = None, mend: str | None = None
    ) -> DataError:
        """The DataError that names this source and the place in it."""
        if place is not None and self.unit != "line":
            return DataError(f"{self.unit} {place}: {message}", file=self.name, field=field, mend=mend)
        return DataError(message, file=self.name, line=place, field=field, mend=mend)

    def bad_row(self, reason: str, place: int, message: str | None = None, *, mend: str = _SKIP) -> None:
        """Raise, or with `skip_bad_rows` count the row as left out for `reason`; `message` is about this row alone."""
        if not self.skip_bad_rows:
            raise self.error(message or reason, place=place, mend=mend)
        self.notes.add(f"bad rows left out, {reason}", place)


def places_text(places: Sequence[int], unit: Unit) -> str:
    """``line 3``, ``lines 3 and 5``, or ``lines 3, 5, 8, 13, 21 …`` where there are more than five."""
    if len(places) == 1:
        return f"{unit} {places[0]}"
    if len(places) > _SHOWN:
        return f"{unit}s {', '.join(map(str, places[:_SHOWN]))} …"
    return f"{unit}s {', '.join(map(str, places[:-1]))} and {places[-1]}"
