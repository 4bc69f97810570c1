"""Labels to the responses of a run: by sample id, or by the id of the trace or span that the response came from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ringtrue.data.database.labels import HUMAN, human_signature
from ringtrue.data.labels.label import Label, LoadedLabels
from ringtrue.data.labels.settle import merge_ratings
from ringtrue.data.notes import Reading, places_text
from ringtrue.errors import UnknownNameError, UsageError, did_you_mean
from ringtrue.types import Answered, Score

__all__ = ["match_labels"]

_SHOWN = 5
_Place = tuple[str, str, int]  # pipeline, sample id, repeat
# Where a response or its sample may hold the ids that it has in a tracing tool.
_TRACE_KEYS = ("trace_id", "span_id", "trace.id", "span.id")


def match_labels(
    loaded: LoadedLabels, answers: Sequence[Answered], *, run_id: str
) -> tuple[list[Score], tuple[str, ...]]:
    """People's Scores over these responses, and notes: labels of no response are listed with the nearest ids.

    Raises UsageError where a label does not say its metric or, of several pipelines, whose answer it is about,
    UnknownNameError for a pipeline that there is not, and DataError where nothing fits.
    """
    reading = Reading(name=loaded.file, unit=loaded.unit)
    if any(one.metric is None for one in loaded.labels):
        raise UsageError(f"{loaded.file} does not say which metric its labels are about", mend="say it: --metric NAME")
    index = _Index(answers)
    found: list[Label] = []
    strangers: list[Label] = []
    for label in loaded.labels:
        place = index.place_of(label, reading)
        if place is None:
            strangers.append(label)
        else:
            pipeline, sample_id, repeat = place
            found.append(replace(label, item=sample_id, pipeline=pipeline, repeat=repeat))
    if strangers:
        told = _told(strangers, index, reading)
        if not found:
            raise reading.error(
                f"no label is of an answer of run {run_id}: {told}",
                mend="is it the right run (ringtrue runs)? or name the column of its ids with --map COLUMN=item",
            )
        reading.notes.add(f"labels of no answer of run {run_id}, left out: {len(strangers)} ({told})")
    merged = merge_ratings(found, reading)
    return [_score(one) for one in merged], reading.notes.lines(reading.unit)


class _Index:
    """The responses of a run by sample id, and by the ids of their traces and spans."""

    def __init__(self, answers: Sequence[Answered]) -> None:
        self.places = {(one.pipeline, one.sample_id, one.repeat) for one in answers}
        self.pipelines = sorted({one.pipeline for one in answers})
        self.samples: Mapping[str, str] = {one.sample_id.strip(): one.sample_id for one in answers} | {
            one.sample_id: one.sample_id for one in answers
        }
        self._traces = {
            _plain_id(held): (one.pipeline, one.sample_id, one.repeat) for one in answers for held in _trace_ids(one)
        }

    def place_of(self, label: Label, reading: Reading) -> _Place | None:
        """The response that a label is about, if it is one of the run's."""
        for held in (label.item, *label.others):
            if held in self.samples:
                place = (self._pipeline(label, reading), self.samples[held], label.repeat)
                return place if place in self.places else None
            if (traced := self._traces.get(_plain_id(held))) is not None:
                return traced
        return None

    def _pipeline(self, label: Label, reading: Reading) -> str:
        where = f"{reading.name}, {places_text([label.place], reading.unit)}"
        if label.pipeline is None and len(self.pipelines) > 1:
            raise UsageError(
                f"{where}: the label does not say which pipeline's answer it is about",
                mend=f"name it with --pipeline, or in a column `pipeline`: {', '.join(self.pipelines)}",
            )
        if label.pipeline is not None and label.pipeline not in self.pipelines:
            raise UnknownNameError("pipeline", label.pipeline, self.pipelines, where=where)
        return label.pipeline or self.pipelines[0]


def _trace_ids(answered: Answered) -> Iterator[str]:
    response = answered.response
    if response.trace_id is not None:
        yield response.trace_id
    yield from (str(response.metadata[key]) for key in _TRACE_KEYS if response.metadata.get(key) is not None)


def _plain_id(text: str) -> str:
    """The id of a trace or span as its hexadecimal digits alone: MLflow puts ``tr-`` before, UUIDs have hyphens."""
    return text.strip().lower().removeprefix("tr-").removeprefix("0x").replace("-", "")


def _told(strangers: Iterable[Label], index: _Index, reading: Reading) -> str:
    """The first ids that fit nothing, each with its place and the nearest of the run."""
    by_id: dict[str, list[int]] = {}
    for one in strangers:
        by_id.setdefault(one.item, []).append(one.place)
    told = []
    for item, places in list(by_id.items())[:_SHOWN]:
        where = places_text(places, reading.unit)
        if item in index.samples:
            told.append(f"{item!r} was not answered by that pipeline or repeat, {where}")
        else:
            near, _, _ = did_you_mean(item, index.samples.values()).partition(" known:")
            told.append(f"{item!r}, {where}" + (f": {near}" if near.startswith("did you mean") else ""))
    return "; ".join(told) + (" …" if len(by_id) > _SHOWN else "")


def _score(label: Label) -> Score:
    assert label.metric is not None
    assert label.pipeline is not None
    return Score(
        sample_id=label.item,
        pipeline=label.pipeline,
        repeat=label.repeat,
        metric=label.metric,
        status="scored",
        signature=human_signature(label.metric),
        value=label.value,
        label=label.label,
        rationale=label.rationale,
        source=f"{HUMAN}{label.rater}",
        at=label.at,
    )
