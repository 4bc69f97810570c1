"""People's Scores in the store: added with their history, and the latest of each person read back.

A person's Score of a metric has the signature ``METRIC|human`` and the source ``human:NAME``. It belongs to an item (a
sample's content with a response's), as all Scores do, so that it serves every run in which the same answer comes up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import orjson
import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import insert
from ringtrue.errors import DataError, StoreError
from ringtrue.types import Score

__all__ = ["HUMAN", "AddedLabels", "add_labels", "human_signature", "labels_of"]

HUMAN = "human:"
_SUFFIX = "|human"
_Key: TypeAlias = tuple[bytes, str, str]  # item, signature, source
_Outcome: TypeAlias = Literal["new", "changed", "same", "older"]
_Ids: TypeAlias = Callable[[sa.Connection, set[str]], Mapping[str, int]]


class AddedLabels(NamedTuple):
    """What became of people's Scores.

    They were `new`, or `changed` what the person had said before, or said the `same`, or were `older` than what the
    person has said since, and so not taken.
    """

    new: int
    changed: int
    same: int
    older: int


def human_signature(metric: str) -> str:
    """The signature of people's Scores of a metric."""
    return metric + _SUFFIX


def add_labels(connection: sa.Connection, run: int, scores: Sequence[Score], ids: _Ids) -> AddedLabels:
    """Keep people's Scores over the responses of the run of that number. `ids` gives the numbers of signatures.

    Raises StoreError for a Score over a response that the run has not, and DataError where one person says two things
    of one answer (which two pipelines gave, say) and not when.
    """
    items = _items(connection, run)
    latest = _latest(connection, run)
    given: dict[_Key, Score] = {}
    taken: list[tuple[bytes, int, Score]] = []
    counts: dict[_Outcome, int] = {"new": 0, "changed": 0, "same": 0, "older": 0}
    for score in sorted(scores, key=lambda one: one.at or ""):
        item = items.get((score.pipeline, score.sample_id, score.repeat))
        if item is None:
            raise StoreError(
                f"the run has no answer of {score.pipeline} to {score.sample_id!r}, repeat {score.repeat}",
                mend="name the run that was labelled; ringtrue runs lists them",
            )
        key = (item, score.signature, score.source)
        if key in given:
            _refuse_two_words(given[key], score)
        given[key] = score
        revision, before = latest.get(key, (-1, None))
        outcome = _outcome(before, score)
        counts[outcome] += 1
        if outcome in ("new", "changed"):
            taken.append((item, revision + 1, score))
            latest[key] = (revision + 1, score)
    numbers = ids(connection, {score.signature for _, _, score in taken})  # last, since an error above undoes it
    rows = [tables.score_row(item, numbers[score.signature], revision, score) for item, revision, score in taken]
    insert(connection, tables.scores, rows)
    return AddedLabels(**counts)


def labels_of(connection: sa.Connection, run: int) -> Iterator[Score]:
    """The latest of each person's Scores of any metric over the responses of a run, in a fixed order."""
    by_item: dict[bytes, list[Score]] = {}
    for (item, _, _), (_, score) in sorted(_latest(connection, run).items()):
        by_item.setdefault(item, []).append(score)
    for (pipeline, sample_id, repeat), item in sorted(_items(connection, run).items()):
        for score in by_item.get(item, ()):
            yield replace(score, sample_id=sample_id, pipeline=pipeline, repeat=repeat)


def _items(connection: sa.Connection, run: int) -> dict[tuple[str, str, int], bytes]:
    held = tables.responses.c
    query = sa.select(held.pipeline, held.sample_id, held.repeat, held.item).where(held.run == run)
    return {(pipeline, sample, repeat): bytes(item) for pipeline, sample, repeat, item in connection.execute(query)}


def _latest(connection: sa.Connection, run: int) -> dict[_Key, tuple[int, Score]]:
    """What each person last said of each item of a run, with its revision. The Scores have no place in the run yet."""
    held = tables.scores.c
    of_run = sa.select(tables.responses.c.item).where(tables.responses.c.run == run)
    query = (
        sa.select(
            held.item,
            tables.signatures.c.signature,
            held.revision,
            held.source,
            held.status,
            held.value,
            held.label,
            held.detail,
        )
        .join(tables.signatures, tables.signatures.c.id == held.signature)
        .where(held.item.in_(of_run), held.source.like(f"{HUMAN}%"))
        .order_by(held.revision)
    )
    found: dict[_Key, tuple[int, Score]] = {}
    for item, signature, revision, source, status, value, label, detail in connection.execute(query):
        more = orjson.loads(detail) if detail else {}
        score = Score(
            sample_id="",
            pipeline="",
            repeat=0,
            metric=signature.removesuffix(_SUFFIX),
            status=status,
            signature=signature,
            value=value,
            label=label,
            rationale=more.get("rationale"),
            error=more.get("error"),
            source=source,
            at=more.get("at"),
        )
        found[bytes(item), signature, source] = (revision, score)
    return found


def _outcome(before: Score | None, score: Score) -> _Outcome:
    """What a Score is beside what the person said last. A new rationale is news, a new date alone is not."""
    if before is None:
        return "new"
    if _verdict(before) == _verdict(score) and score.rationale in (None, before.rationale):
        return "same"
    if before.at is not None and score.at is not None and score.at < before.at:
        return "older"
    return "changed"


def _refuse_two_words(one: Score, other: Score) -> None:
    """Two verdicts of one person on one answer need dates that differ, or the order of rows would decide."""
    if _verdict(one) == _verdict(other) or (one.at is not None and one.at != other.at):
        return
    said = [
        f"{score.label if score.label is not None else score.value} (pipeline {score.pipeline}, {score.sample_id!r}, "
        f"repeat {score.repeat})"
        for score in (one, other)
    ]
    raise DataError(
        f"{one.source.removeprefix(HUMAN)} rates one and the same answer differently by {one.metric}: "
        f"{' and '.join(said)}",
        mend="leave one out, or say when each was given, in a column `at`: the latest counts",
    )


def _verdict(score: Score) -> tuple[Any, ...]:
    return score.status, score.label, score.value
