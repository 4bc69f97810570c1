"""The paired rows of each pair and metric, and their figures: all that stand on the same rows go through together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ringtrue.report.comparing.found import SMALL_SLICE, MetricInfo, Settings, Slice
from ringtrue.report.comparing.values import Scored, Values
from ringtrue.stats.comparing.difference import mean_differences, summed
from ringtrue.stats.comparing.effect import Tally, tally
from ringtrue.stats.comparing.signflip import sign_flip
from ringtrue.stats.confusion import Array
from ringtrue.stats.figure import Figure

__all__ = ["MOST_SLICES", "Key", "Paired", "differences", "flips", "pair_up", "slices", "span", "tally_of"]

MOST_SLICES = 20


class Key(NamedTuple):
    """One metric of one side against another."""

    metric: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Paired:
    """The rows that both sides have: their places among the shared rows, and each side's means.

    `sums` are the differences summed by question, `counts` the rows of each question.
    """

    info: MetricInfo
    first: Scored
    second: Scored
    places: NDArray[np.int64]
    means_a: Array
    means_b: Array
    sums: Array
    counts: NDArray[np.int64]

    @property
    def by_question(self) -> Array:
        """Each question's mean difference."""
        by_question: Array = self.sums / np.maximum(self.counts, 1)
        return by_question

    @property
    def binary(self) -> bool:
        return self.first.binary and self.second.binary

    @property
    def plain(self) -> bool:
        """Two verdicts a question and no more: what McNemar's test is made for."""
        return self.binary and len(self.counts) == len(self.places) and self.first.most == 1 == self.second.most


def pair_up(pairs: Sequence[tuple[str, str]], metrics: Sequence[MetricInfo], values: Values) -> dict[Key, Paired]:
    """The paired rows by metric, then pair."""
    found = {}
    for info in metrics:
        for a, b in pairs:
            first, second = values.scored[a][info.label], values.scored[b][info.label]
            places = np.flatnonzero(~np.isnan(first.means) & ~np.isnan(second.means))
            one, other = first.means[places], second.means[places]
            sums, counts = summed((one - other)[:, None], values.clusters[places].tolist())
            found[Key(info.label, a, b)] = Paired(info, first, second, places, one, other, sums[:, 0], counts)
    return found


def span(info: MetricInfo) -> float | None:
    """The greatest difference that there can be."""
    low, high = info.range
    return None if low is None or high is None else high - low


def tally_of(info: MetricInfo, by_question: Array) -> Tally | None:
    """Wins, ties and losses of the first side; ``None`` where no direction is better."""
    if info.better is None:
        return None
    return tally(by_question if info.better == "higher" else -by_question)


def differences(held: Mapping[Key, Paired], settings: Settings) -> dict[Key, Figure]:
    """Every difference with its interval."""
    found: dict[Key, Figure] = {}
    for keys in _alike(held):
        sums = np.stack([held[key].sums for key in keys], -1)
        spans = [span(held[key].info) for key in keys]
        counts = held[keys[0]].counts
        figures = mean_differences(sums, counts, spans, draws=settings.draws, seed=settings.seed)
        found.update(zip(keys, figures, strict=True))
    return found


def flips(held: Mapping[Key, Paired], settings: Settings) -> dict[Key, float]:
    """The p of the sign-flip test of every pair and metric that it is needed for."""
    wanted = {
        key: one
        for key, one in held.items()
        if not one.plain and (one.binary or settings.graded == "permutation") and len(one.counts) > 1
    }
    found: dict[Key, float] = {}
    for keys in _alike(wanted):
        sums = np.stack([wanted[key].sums for key in keys], -1)
        found.update(zip(keys, sign_flip(sums, seed=settings.seed), strict=True))
    return found


def slices(
    held: Mapping[Key, Paired], cuts: Mapping[str, Sequence[str | None]], values: Values, settings: Settings
) -> dict[Key, list[Slice]]:
    """The differences by the values of each field; of many values, the most frequent."""
    found: dict[Key, list[Slice]] = {key: [] for key in held}
    for name, column in cuts.items():
        for value in _commonest(column):
            inside = np.array([one == value for one in column], dtype=np.bool_)
            for keys in _alike(held):
                for key, one in zip(keys, _slice(held, keys, name, value, inside, values, settings), strict=True):
                    found[key].append(one)
    return found


def _slice(
    held: Mapping[Key, Paired],
    keys: Sequence[Key],
    name: str,
    value: str | None,
    inside: NDArray[np.bool_],
    values: Values,
    settings: Settings,
) -> Iterator[Slice]:
    """One slice of pairs and metrics over the same rows."""
    kept = inside[held[keys[0]].places]
    places = held[keys[0]].places[kept]
    columns = np.stack([(held[key].means_a - held[key].means_b)[kept] for key in keys], -1)
    sums, counts = summed(columns, values.clusters[places].tolist())
    spans = [span(held[key].info) for key in keys]
    figures = mean_differences(sums, counts, spans, draws=settings.draws, seed=settings.seed)
    for at, (key, figure) in enumerate(zip(keys, figures, strict=True)):
        yield Slice(
            field=name,
            value=value,
            n=len(places),
            questions=len(counts),
            difference=figure,
            tally=tally_of(held[key].info, sums[:, at] / np.maximum(counts, 1)),
            small=len(counts) < SMALL_SLICE,
        )


def _alike(held: Mapping[Key, Paired]) -> list[list[Key]]:
    """The keys of which all stand on the same rows, together."""
    alike: dict[bytes, list[Key]] = {}
    for key, one in held.items():
        alike.setdefault(one.places.tobytes(), []).append(key)
    return list(alike.values())


def _commonest(values: Sequence[str | None]) -> list[str | None]:
    """The values in the order of their rows; of many, the most frequent ones. Rows without a value come last."""
    counts: dict[str | None, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    kept = set(sorted(counts, key=lambda value: -counts[value])[:MOST_SLICES])
    return sorted((one for one in counts if one in kept), key=lambda value: value is None)
