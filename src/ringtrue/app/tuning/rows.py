"""Which rows teach, which choose, and which measure: never two rows of one question in two of these parts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.app.agreeing.sides import halves, sides
from ringtrue.errors import UsageError
from ringtrue.report.agreement.candidates import Labels, Person

__all__ = ["LEAST", "Parts", "parted"]

LEAST = 5  # rows of each label, below which neither a fit nor a figure means anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Examples are taken from `pool`; everything else is fitted and chosen on `chosen_on`; `test` measures."""

    pool: tuple[Person, ...]
    chosen_on: tuple[Person, ...]
    test: tuple[Person, ...]

    @property
    def fitting(self) -> tuple[Person, ...]:
        """All rows that the tuning sees."""
        return (*self.pool, *self.chosen_on)


def parted(people: Sequence[Person], labels: Labels, *, examples: int, seed: int, file: str) -> Parts:
    """The rows that have a label, in parts. Without `examples` there is no pool.

    Half of the questions measure, or the rows that the data call ``test``; the others are halved again for a pool.
    Raises UsageError, with the numbers, where a part is too small.
    """
    labelled = [row for row in people if row.label is not None]
    dev, test = sides(labelled, "dev/test", seed=seed, file=file)
    pool, chosen_on = halves(dev, f"{seed} examples") if examples else ([], dev)
    wanted = {"measuring (the test side)": (test, LEAST), "fitting": (chosen_on, LEAST)}
    if examples:
        wanted["examples"] = (pool, -(-examples // 2))
    short = [told for name, (rows, least) in wanted.items() if (told := _short(name, rows, labels, least))]
    if short:
        needed = sum(least * 2 for _, least in wanted.values())
        raise UsageError(
            f"{file}: too few labelled rows: {'; '.join(short)}",
            mend=f"label more rows: {needed} with both labels in balance are the least, and twice as many will mostly "
            "do, since whole questions are parted by chance",
        )
    return Parts(pool=tuple(pool), chosen_on=tuple(chosen_on), test=tuple(test))


def _short(name: str, rows: Sequence[Person], labels: Labels, least: int) -> str | None:
    counts = Counter(row.label for row in rows)
    if all(counts[label] >= least for label in labels.names):
        return None
    told = " and ".join(f"{counts[label]} {label}" for label in reversed(labels.names))
    return f"for {name} there are {told}, and {least} of each are needed"
