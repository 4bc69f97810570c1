"""Which rows cuts are fitted on, and which the figures are of: never two rows of one question on two sides."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal, TypeAlias

from ringtrue.errors import DataError, UsageError
from ringtrue.report.agreement.candidates import Person

__all__ = ["Split", "halves", "sides"]

Split: TypeAlias = Literal["dev/test", "dev", "test"]


def sides(people: Sequence[Person], split: Split | None, *, seed: int, file: str) -> tuple[list[Person], list[Person]]:
    """The rows to fit on, and those to measure on.

    The rows' own ``split`` decides where they have one (``dev``, ``test``; others stay out), else the questions are
    halved by a hash. Raises DataError where a question is on both sides, UsageError where a side is empty.
    """
    if split is None:
        return [], list(people)
    by_side: dict[str, list[Person]] = {"dev": [], "test": []}
    own = any(row.split in by_side for row in people)
    for row in people:
        side = row.split if own else _half(row, seed)
        if side in by_side:
            by_side[side].append(row)
    shared = {row.cluster for row in by_side["dev"]} & {row.cluster for row in by_side["test"]}
    if shared:
        raise DataError(
            f"{len(shared)} questions stand on both sides of the split, such as {str(min(shared, key=str))[:80]!r}: "
            "what is fitted on one side would be known on the other",
            file=file,
            field="split",
            mend="put all rows of a question on one side, or leave the column out for a split by question",
        )
    for side in ("dev", "test") if split == "dev/test" else (split,):
        if not by_side[side]:
            raise UsageError(f"no row is on the {side} side", mend="label more rows, or measure on all: no --split")
    return (by_side["dev"], by_side["test"]) if split == "dev/test" else ([], by_side[split])


def halves(people: Sequence[Person], salt: str) -> tuple[list[Person], list[Person]]:
    """The rows in two halves by question; another `salt` halves them otherwise."""
    first = [row for row in people if _half(row, salt) == "dev"]
    return first, [row for row in people if _half(row, salt) == "test"]


def _half(row: Person, seed: int | str) -> str:
    digest = blake2b(f"{seed} {row.cluster}".encode("utf-8", "surrogatepass"), digest_size=1).digest()
    return "dev" if digest[0] % 2 else "test"
