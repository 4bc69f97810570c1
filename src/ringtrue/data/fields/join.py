"""Rows to a dataset's samples, and answers to the samples that they answer, by id and repeat."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.data.fields.columns import Columns
from ringtrue.data.fields.rows import RowReader
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading, places_text
from ringtrue.data.scalars import is_missing
from ringtrue.text.words import clip
from ringtrue.types import Dataset, Response, Sample

__all__ = ["Answers", "join_answers", "samples_of"]

Answers = Mapping[tuple[str, int], Response]
_SHOWN = 5
_TWICE = "give each row an id of its own; --skip-bad-rows keeps the first of them"
_ONCE = "number the repeats; --skip-bad-rows keeps the first of them"


@dataclass(frozen=True, slots=True)
class _Given:
    """One recorded response, with the repeat that its row names."""

    sample_id: str
    repeat: int | None
    response: Response
    place: int


def samples_of(raw: RawRows, columns: Columns) -> tuple[list[Sample], Answers | None]:
    """The samples of a file in its order and, where it carries answers too, these.

    A row with an id that was there is bad, unless a repeat column says that it is the same sample answered again.
    """
    reader, reading = RowReader(raw, columns), raw.reading
    samples: dict[str, Sample] = {}
    places: dict[str, int] = {}
    given: list[_Given] = []
    for row, place in _rows(raw):
        sample = reader.sample_of(row, place)
        repeat = reader.repeat_of(row, place)
        first = samples.get(sample.id)
        if first is not None and (repeat is None or _golden(first) != _golden(sample)):
            if reader.id_of(row) is not None:
                message = f"the id {sample.id!r} stands twice: {places_text([places[sample.id], place], reading.unit)}"
                reading.bad_row("their id stood before", place, message, mend=_TWICE)
                continue
            sample = replace(sample, id=_next_free(sample.id, samples))
            reading.notes.add("rows with the same question and golden answer, told apart as -2, -3 …", place)
        samples.setdefault(sample.id, sample)
        places.setdefault(sample.id, place)
        if columns.have_answers:
            given.append(_Given(sample.id, repeat, reader.response_of(row, place, extras=False), place))
    return list(samples.values()), _placed(given, reading) if columns.have_answers else None


def join_answers(raw: RawRows, columns: Columns, dataset: Dataset) -> Answers:
    """The responses of a file by the sample that each answers: by id, else by question.

    Answers for no sample, and samples without an answer, are noted. Raises DataError where nothing fits.
    """
    reader, reading = RowReader(raw, columns), raw.reading
    rows = list(_rows(raw))
    targets = _by_id([reader.id_of(row) for row, _ in rows], dataset)
    if not any(targets):
        targets = _by_question([reader.question_of(row) for row, _ in rows], dataset, reading)
    if not any(targets):
        raise _nothing_fits(reader, [row for row, _ in rows], dataset, reading)
    given: list[_Given] = []
    strangers: list[str] = []
    for (row, place), sample_ids in zip(rows, targets, strict=True):
        if not sample_ids:
            strangers.append(reader.id_of(row) or clip(reader.question_of(row) or f"{reading.unit} {place}", 40))
            continue
        response, repeat = reader.response_of(row, place), reader.repeat_of(row, place)
        given.extend(_Given(sample_id, repeat, response, place) for sample_id in sample_ids)
    answers = _placed(given, reading)
    _note_gaps(strangers, answers, dataset, reading)
    return answers


def _rows(raw: RawRows) -> Iterator[tuple[Mapping[str, Any], int]]:
    for row, place in zip(raw.rows, raw.places, strict=True):
        if all(map(is_missing, row.values())):
            raw.reading.notes.add("rows without any value left out", place)
        else:
            yield row, place


def _golden(sample: Sample) -> tuple[Any, ...]:
    return sample.question, sample.reference, sample.facts, sample.reference_contexts


def _next_free(name: str, taken: Mapping[str, Sample]) -> str:
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _by_id(ids: Sequence[str | None], dataset: Dataset) -> list[tuple[str, ...]]:
    """The sample of each id; spaces around an id do not count where it is clear without them."""
    known = {sample.id.strip(): sample.id for sample in dataset} | {sample.id: sample.id for sample in dataset}
    found = (None if one is None else known.get(one) or known.get(one.strip()) for one in ids)
    return [() if one is None else (one,) for one in found]


def _by_question(questions: Sequence[str | None], dataset: Dataset, reading: Reading) -> list[tuple[str, ...]]:
    """The samples of each question. One answer serves all that ask it; as many answers as samples go in order."""
    samples: dict[str, list[str]] = {}
    for sample in dataset:
        if sample.question is not None:
            samples.setdefault(sample.question.strip(), []).append(sample.id)
    stripped = [question.strip() if question else None for question in questions]
    if not samples.keys() & set(stripped):
        return [() for _ in questions]
    if reading.strict:
        raise reading.error(
            "strict: no id fits, answers would be joined by question", mend="give answers their sample's id"
        )
    reading.notes.add("answers joined to samples by question, since no id fits")
    times = Counter(stripped)
    targets: list[tuple[str, ...]] = []
    for place, question in enumerate(stripped):
        ids = samples.get(question or "", [])
        if len(ids) > 1 and times[question] == len(ids):
            ids = [ids[stripped[:place].count(question)]]
        elif len(ids) > 1 and times[question] > 1:
            shown = clip(question or "", 40)
            raise reading.error(
                f"{times[question]} answers to {shown!r}, which {len(ids)} samples ask: {_some(ids)}",
                mend="give answers their sample's id",
            )
        targets.append(tuple(ids))
    return targets


def _nothing_fits(
    reader: RowReader, rows: Sequence[Mapping[str, Any]], dataset: Dataset, reading: Reading
) -> Exception:
    here = [one for row in rows[:_SHOWN] if (one := reader.id_of(row))]
    there = [sample.id for sample in dataset][:_SHOWN]
    return reading.error(
        f"no answer fits a sample of {dataset.name}: ids here {_some(here) or 'none'}; ids there {_some(there)}",
        mend="name the id column with --map COLUMN=id, or give answers the question as it stands in the dataset",
    )


def _placed(given: Sequence[_Given], reading: Reading) -> Answers:
    """Responses by sample and repeat. Repeats counted from 1 count from 0; where none is named, they are in order."""
    named = [one.repeat for one in given if one.repeat is not None]
    shift = 1 if named and min(named) >= 1 else 0
    answers: dict[tuple[str, int], Response] = {}
    places: dict[tuple[str, int], int] = {}
    for one in sorted(given, key=lambda one: one.repeat is None):
        repeat = one.repeat - shift if one.repeat is not None else 0
        while one.repeat is None and (one.sample_id, repeat) in answers:
            repeat += 1
        key = (one.sample_id, repeat)
        if key in answers:
            where = places_text([places[key], one.place], reading.unit)
            message = f"sample {one.sample_id!r}, repeat {one.repeat}, is answered twice: {where}"
            reading.bad_row("answered before", one.place, message, mend=_ONCE)
            continue
        answers[key], places[key] = one.response, one.place
    again = [sample_id for (sample_id, repeat) in answers if repeat > 0]
    if again and not named:
        ids = list(dict.fromkeys(again))
        reading.notes.add(f"several answers for one sample are taken as repeats, in order: {len(ids)} ({_some(ids)})")
    return answers


def _note_gaps(strangers: Sequence[str], answers: Answers, dataset: Dataset, reading: Reading) -> None:
    if strangers:
        reading.notes.add(f"answers for no sample of {dataset.name}, left out: {len(strangers)} ({_some(strangers)})")
    answered = {sample_id for sample_id, _ in answers}
    if without := [sample.id for sample in dataset if sample.id not in answered]:
        reading.notes.add(f"samples without an answer: {len(without)} of {len(dataset)} ({_some(without)})")


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_SHOWN]) + (" …" if len(listed) > _SHOWN else "")
