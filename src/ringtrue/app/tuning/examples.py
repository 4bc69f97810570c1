"""Sets of worked examples from labelled rows, of which the best is to be chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ringtrue.errors import Skip, UsageError
from ringtrue.judges.items import shown_fields
from ringtrue.judges.prompts.render import texts_of
from ringtrue.judges.rubric import Example, Rubric
from ringtrue.report.agreement.candidates import Candidate, Labels, Person, Said

__all__ = ["LONGEST", "example_sets"]

LONGEST = 4_000  # characters of an example: a longer row would push the question itself out of sight
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that can be an example, and what the judge said of it without any."""

    person: Person
    fields: Mapping[str, Any]
    said: Said


def example_sets(
    rubric: Rubric,
    pool: Sequence[Person],
    zero_shot: Candidate,
    labels: Labels,
    *,
    size: int,
    trials: int,
    seed: int,
) -> dict[str, tuple[Example, ...]]:
    """Up to `trials` different sets of `size` examples, by what they are.

    Drawn sets hold as many rows of one label as of the other, and no question twice. One more set holds the rows on
    which the judge without examples was wrong, and the surest of it. Raises UsageError where the pool is too small.
    """
    (said,) = zero_shot.runs
    rows = [
        _Row(person, fields, said.get(person.id) or Said())
        for person in pool
        if (fields := _fields(rubric, person)) is not None
    ]
    by_label = {name: [row for row in rows if row.person.label == name] for name in labels.names}
    if any(len({row.person.cluster for row in one}) < -(-size // 2) for one in by_label.values()):
        raise _too_few(by_label, size)
    sets: dict[str, list[_Row]] = {}
    misses = _surest_misses(rows, labels, size)
    if len(misses) == size:
        sets["the surest misses"] = misses
    for place in range(1, trials * 4):  # draws may repeat one another
        if len(sets) >= trials:
            break
        drawn = _drawn(by_label, size, Random(f"{seed} {place}"))
        if drawn and not any({id(row) for row in one} == {id(row) for row in drawn} for one in sets.values()):
            sets[f"draw {place}"] = drawn
    if not sets:
        raise _too_few(by_label, size)
    return {name: tuple(_example(rubric, row, labels) for row in one) for name, one in sets.items()}


def _fields(rubric: Rubric, person: Person) -> dict[str, Any] | None:
    """The row's data as an example shows them; ``None`` where something is missing, or it is too long."""
    try:
        shown = shown_fields(rubric, person.sample, person.response)
    except Skip:
        return None
    texts = {name: texts_of(value) for name, value in shown.items()}
    if not all(texts.values()) or sum(len(text) for one in texts.values() for text in one) > LONGEST:
        return None
    return {name: one[0] if len(one) == 1 else one for name, one in texts.items()}


def _too_few(by_label: Mapping[str, Sequence[_Row]], size: int) -> UsageError:
    told = " and ".join(f"{len(rows)} {label}" for label, rows in by_label.items())
    return UsageError(
        f"too few rows can be examples: {told} have all that the judge needs and no more than {LONGEST:,} characters, "
        f"and {-(-size // 2)} of each, of different questions, are needed",
        mend="label more short rows, or ask for fewer --examples",
    )


def _drawn(by_label: Mapping[str, Sequence[_Row]], size: int, random: Random) -> list[_Row]:
    """As many of one label as of the other, in any order; empty where chance used up the questions."""
    names = list(by_label)
    random.shuffle(names)
    counts = {name: size // 2 + (size % 2 if place == 0 else 0) for place, name in enumerate(names)}
    found: list[_Row] = []
    for name, count in counts.items():
        taken = {row.person.cluster for row in found}
        free = [row for row in random.sample(by_label[name], len(by_label[name])) if row.person.cluster not in taken]
        one_each = {row.person.cluster: row for row in free}
        found += list(one_each.values())[:count]
    random.shuffle(found)
    return found if len(found) == size else []


def _surest_misses(rows: Sequence[_Row], labels: Labels, size: int) -> list[_Row]:
    """The rows that the judge got wrong, one a question; the farther its probability was off, the sooner."""
    wrong = [row for row in rows if row.said.label in labels.names and row.said.label != row.person.label]
    wrong.sort(key=lambda row: -abs((_MIDDLE if row.said.score is None else row.said.score) - _MIDDLE))
    by_cluster: dict[Any, _Row] = {}
    for row in wrong:
        by_cluster.setdefault(row.person.cluster, row)
    return list(by_cluster.values())[:size]


def _example(rubric: Rubric, row: _Row, labels: Labels) -> Example:
    """The example, with the judge's own reason where it was right: for a verdict that it missed it gave none."""
    positive = row.person.label == labels.positive
    label = next(one for one in rubric.labels if (one == rubric.positive) == positive)
    right = row.said.label == row.person.label
    return Example(fields=row.fields, label=label, rationale=(row.said.rationale or "") if right else "")
