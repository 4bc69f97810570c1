"""The stored Scores as arrays over the shared rows: what every figure of a comparison is computed from."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ringtrue.errors import UnknownNameError
from ringtrue.report.comparing.found import MetricInfo, Side
from ringtrue.report.comparing.sides import Source
from ringtrue.stats.bootstrap import cluster_codes
from ringtrue.stats.confusion import Array
from ringtrue.types import Response, Sample, Score

__all__ = ["Answers", "Scored", "Values", "field_values", "read_values"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One side and metric. `means` are by row, over its repeats, NaN where none is scored; `repeats` by row number.

    `binary` says that the metric goes from 0 to 1 and every value is one of these. `failed` and `skipped` count Scores,
    `labels` those that are words only.
    """

    means: Array
    repeats: Mapping[int, Sequence[float]]
    binary: bool
    failed: int
    skipped: int
    labels: int

    @property
    def most(self) -> int:
        """The greatest number of scored repeats that a row has."""
        return max(map(len, self.repeats.values()), default=0)


@dataclass(frozen=True, slots=True)
class Answers:
    """The responses of one side over the shared rows."""

    responses: Sequence[Response]


@dataclass(frozen=True, slots=True)
class Values:
    """All that is compared. `clusters` are the questions' numbers by row; Scores are by side name, then metric."""

    samples: Sequence[Sample]
    clusters: NDArray[np.int64]
    questions: int
    scored: Mapping[str, Mapping[str, Scored]]
    answers: Mapping[str, Answers]


def read_values(
    sources: Sequence[Source],
    sides: Sequence[Side],
    metrics: Sequence[MetricInfo],
    rows: Mapping[str, int],
    cluster_by: str | None = None,
) -> Values:
    """Gather the Scores and responses of the `rows` (ids by their place), as they are in the runs."""
    wanted = {one.label for one in metrics}
    found = {one.name: _Gathered(metrics) for one in sides}
    for source in sources:
        here = {one.pipeline: found[one.name] for one in sides if one.run == source.report.run.id}
        for row in source.report.rows:
            place = rows.get(row.sample.id)
            if place is None:
                continue
            for (pipeline, _), response in row.responses.items():
                if pipeline in here:
                    here[pipeline].responses.append(response)
            for (pipeline, _), by_metric in row.scores.items():
                if pipeline in here:
                    here[pipeline].take(place, by_metric, wanted)
    samples = [sample for sample in sources[0].report.dataset if sample.id in rows]
    clusters, questions = cluster_codes(_clusters(samples, cluster_by), len(samples))
    return Values(
        samples=samples,
        clusters=clusters,
        questions=questions,
        scored={name: one.scored(len(samples)) for name, one in found.items()},
        answers={name: Answers(one.responses) for name, one in found.items()},
    )


def field_values(samples: Sequence[Sample], name: str, *, where: str) -> list[str | None]:
    """A metadata field of each sample as text. Raises UnknownNameError where no sample has it."""
    key = name.removeprefix("metadata.")
    if not any(key in one.metadata for one in samples):
        known = dict.fromkeys(f"metadata.{each}" for one in samples for each in one.metadata)
        raise UnknownNameError("metadata field", name, known, where=where)
    return [None if one.metadata.get(key) is None else str(one.metadata[key]) for one in samples]


class _Gathered:
    """What is gathered of one side, row by row."""

    def __init__(self, metrics: Sequence[MetricInfo]) -> None:
        self.responses: list[Response] = []
        self._shares = {one.label for one in metrics if one.range == (0, 1)}
        self._values: dict[str, dict[int, list[float]]] = {one.label: {} for one in metrics}
        self._counts = {one.label: {"failed": 0, "skipped": 0, "labels": 0} for one in metrics}

    def take(self, place: int, by_metric: Mapping[str, Score], wanted: set[str]) -> None:
        for label, score in by_metric.items():
            if label not in wanted:
                continue
            status, value = score.status, score.value
            if status == "scored" and value is not None:
                held = self._values[label]
                if place in held:
                    held[place].append(value)
                else:
                    held[place] = [value]
            else:
                self._counts[label]["labels" if status == "scored" else status] += 1

    def scored(self, rows: int) -> dict[str, Scored]:
        return {label: self._scored(label, rows) for label in self._values}

    def _scored(self, label: str, rows: int) -> Scored:
        values = self._values[label]
        means = np.full(rows, np.nan)
        for place, repeats in values.items():
            means[place] = repeats[0] if len(repeats) == 1 else sum(repeats) / len(repeats)
        binary = label in self._shares and bool(values)
        binary = binary and all(value in (0.0, 1.0) for repeats in values.values() for value in repeats)
        return Scored(means, values, binary, **self._counts[label])


def _clusters(samples: Sequence[Sample], by: str | None) -> list[Hashable]:
    """What each row's question is. A row without the field is a question of its own."""
    if by == "row":
        return [one.id for one in samples]
    if by is not None:
        values = field_values(samples, by, where="--cluster-by")
        return [("", one.id) if value is None else value for one, value in zip(samples, values, strict=True)]
    return [one.metadata.get("qid") or one.question or ("", one.id) for one in samples]
