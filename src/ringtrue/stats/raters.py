"""People against people: majority labels, how far raters agree, and the ceiling that a judge can be measured against.

Ratings are items × raters. ``None`` and NaN are ratings that were not given; they are no category.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.stats.bootstrap import bootstrap, cluster_codes
from ringtrue.stats.confusion import (
    AGREEMENT,
    KAPPA,
    NO_ROWS,
    ONE_CATEGORY,
    Array,
    Label,
    Statistic,
    agreement,
    codes,
    divided,
    figure,
    is_missing,
    kappa,
    known_labels,
    table,
)
from ringtrue.stats.figure import Figure

__all__ = [
    "Ceiling",
    "RaterPair",
    "Ratings",
    "ceiling",
    "coded_ratings",
    "flip_rate",
    "item_agreement",
    "majorities",
    "majority",
    "majority_share",
    "pairwise_agreement",
    "rater_pairs",
    "skew",
]

Ratings: TypeAlias = Sequence[Sequence[Label | None]]

_MOST_CELLS = 20_000_000  # 160 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterPair:
    """Two raters (columns of the ratings) over the `n` items that both have rated."""

    first: int
    second: int
    n: int
    agreement: Figure
    kappa: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How well one rater meets the majority of the others: a judge that does as well is as good as a person.

    `n` counts the (item, rater) pairs behind it.
    """

    agreement: Figure
    kappa: Figure
    n: int


def majority(labels: Sequence[Label | None]) -> Label | None:
    """The label of more than half of the ratings that were given; ``None`` at a tie, or where nobody has rated.

    One rating alone is a majority; of three, two are enough; two that differ have none, and neither have three.
    """
    given = [label for label in labels if not is_missing(label)]
    if not given:
        return None
    label, count = Counter(given).most_common(1)[0]
    return label if 2 * count > len(given) else None


def majorities(ratings: Ratings) -> list[Label | None]:
    """The majority label of each item."""
    return [majority(labels) for labels in ratings]


def majority_share(ratings: Ratings) -> Figure:
    """Share of the rated items that have a majority label."""
    rated = [labels for labels in ratings if not all(map(is_missing, labels))]
    if not rated:
        return Figure(None, why="no rated items")
    return Figure(sum(label is not None for label in majorities(rated)) / len(rated))


def skew(labels: Sequence[Label | None]) -> Figure:
    """Share of the commonest label: above 0.9, a judge that always says the same agrees nearly always."""
    given = [label for label in labels if not is_missing(label)]
    if not given:
        return Figure(None, why="no labels")
    return Figure(max(Counter(given).values()) / len(given))


def item_agreement(ratings: Ratings) -> list[float | None]:
    """Share of agreeing pairs of raters, by item (Fleiss 1971, doi:10.1037/h0031619); ``None`` below two ratings."""
    found: list[float | None] = []
    for labels in ratings:
        counts = Counter(label for label in labels if not is_missing(label))
        n = counts.total()
        found.append(sum(k * (k - 1) for k in counts.values()) / (n * (n - 1)) if n > 1 else None)
    return found


def pairwise_agreement(ratings: Ratings) -> Figure:
    """Mean of `item_agreement` over the items with two ratings or more."""
    shares = [share for share in item_agreement(ratings) if share is not None]
    return Figure(fsum(shares) / len(shares)) if shares else Figure(None, why=_why_no_pairs(ratings))


def flip_rate(runs: Ratings) -> Figure:
    """Chance that two runs of a judge give one row different labels. `runs` are rows × runs."""
    same = pairwise_agreement(runs)
    return Figure(None, why="one run only, or no row judged twice") if same.value is None else Figure(1 - same.value)


def rater_pairs(ratings: Ratings) -> list[RaterPair]:
    """Agreement and Cohen's kappa of every two raters that have rated."""
    columns = list(zip(*ratings, strict=True))
    labels = known_labels(*columns)
    rated = [place for place, column in enumerate(columns) if not all(map(is_missing, column))]
    found = []
    for first, second in combinations(rated, 2):
        counts = table(columns[first], columns[second], labels)
        found.append(
            RaterPair(
                first=first,
                second=second,
                n=int(counts.sum()),
                agreement=figure(counts, AGREEMENT),
                kappa=figure(counts, KAPPA),
            )
        )
    return found


def coded_ratings(ratings: Ratings, labels: Sequence[Label]) -> NDArray[np.int64]:
    """The ratings as places in `labels`, -1 where none was given: (items, raters). All items have as many places."""
    raters = len(ratings[0]) if ratings else 0
    for item, row in enumerate(ratings):
        if len(row) != raters:
            raise ValueError(f"item {item + 1} has {len(row)} places for raters, item 1 has {raters}")
    flat = codes([label for row in ratings for label in row], labels)
    return flat.reshape(len(ratings), raters)


def ceiling(
    ratings: Ratings, *, clusters: Sequence[Hashable] | None = None, draws: int = 2000, seed: int = 0
) -> Ceiling:
    """Each rater in turn against the majority of the others, as if the rater were a judge.

    Means over raters, weighted by the items that each is measured on. Where the others are tied, their tied labels
    share the item: to leave it out would measure people on the clear items only (and where a third rater was asked to
    break ties, on nothing else). With two raters it is their plain agreement. A rater whose kappa is undefined is left
    out of the mean of kappas.
    """
    labels = known_labels(*ratings)
    coded = coded_ratings(ratings, labels)
    raters, size = coded.shape[1], len(labels)
    cluster, count = cluster_codes(clusters, len(ratings))
    why = _why_no_pairs(ratings) if pairwise_agreement(ratings).value is None else None
    if count * raters * size**2 > _MOST_CELLS:
        why = f"{size} different labels are too many for a majority"
    if why:
        return Ceiling(agreement=Figure(None, why=why), kappa=Figure(None, why=why), n=0)
    cells = _left_out_cells(coded, cluster, count, size)

    def tables(flat: Array) -> Array:
        return flat.reshape(*flat.shape[:-1], raters, size, size)

    statistics = {
        "agreement": Statistic(lambda flat: agreement(tables(flat).sum(-3)), NO_ROWS, lambda flat: flat.sum(-1)),
        "kappa": Statistic(lambda flat: _mean_kappa(tables(flat)), ONE_CATEGORY),
    }
    found = bootstrap(cells, statistics, draws=draws, seed=seed)
    return Ceiling(agreement=found["agreement"], kappa=found["kappa"], n=round(float(cells.sum())))


def _mean_kappa(tables: Array) -> Array:
    """Mean over raters (third axis from the end), weighted by their rows, of the kappas that are defined."""
    kappas, rows = kappa(tables), tables.sum((-2, -1))
    rows = np.where(np.isnan(kappas), 0, rows)
    return divided((np.nan_to_num(kappas) * rows).sum(-1), rows.sum(-1))


def _left_out_cells(coded: NDArray[np.int64], cluster: NDArray[np.int64], count: int, size: int) -> Array:
    """Tables (commonest label of the others, own label) by cluster and rater: (1, clusters, raters × K²)."""
    raters = coded.shape[1]
    cells = np.zeros((count, raters, size * size))
    given = coded[:, :, None] == np.arange(size)  # items × raters × labels
    counts = given.sum(1)
    for rater in range(raters):
        others = counts - given[:, rater]
        rated = (others.sum(1) > 0) & (coded[:, rater] >= 0)
        commonest = (others == others.max(1, keepdims=True)) & rated[:, None]
        item, label = np.nonzero(commonest)
        where = (cluster[item] * size + label) * size + coded[item, rater]
        shares = 1 / commonest.sum(1)[item]
        cells[:, rater] = np.bincount(where, shares, minlength=count * size * size).reshape(count, -1)
    return cells.reshape(1, count, raters * size * size)


def _why_no_pairs(ratings: Ratings) -> str:
    rated = sum(not all(map(is_missing, column)) for column in zip(*ratings, strict=True))
    return "fewer than two raters" if rated < 2 else "no item that two raters have rated"
