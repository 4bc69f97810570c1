"""Confusion tables of people (rows) against a judge (columns), and the figures that are computed from them.

Every figure takes an array of tables of the shape ``(..., K, K)`` and gives an array of the shape ``(...)``, so that
the thousands of tables of a bootstrap go through the same code as the table itself. Inside these arrays NaN stands
for "undefined"; `figure` and the bootstrap turn it into a Figure with its reason.

Figures of two labels take ``(..., 2, 2)`` with the positive label last: true negatives at [0, 0], false positives at
[0, 1], false negatives at [1, 0], true positives at [1, 1].
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringtrue.errors import UnknownNameError
from ringtrue.stats.figure import Figure

__all__ = [
    "AGREEMENT",
    "BALANCED_ACCURACY",
    "F1",
    "FOR_ANY",
    "FOR_TWO",
    "KAPPA",
    "MCC",
    "NO_ROWS",
    "ONE_CATEGORY",
    "PRECISION",
    "RECALL",
    "TNR",
    "TPR",
    "Array",
    "Label",
    "Statistic",
    "agreement",
    "balanced_accuracy",
    "codes",
    "divided",
    "f1",
    "figure",
    "is_missing",
    "kappa",
    "known_labels",
    "mcc",
    "one_against_rest",
    "precision",
    "recall",
    "table",
    "tnr",
    "tpr",
]

Array: TypeAlias = NDArray[np.float64]
Label: TypeAlias = Hashable

NO_ROWS = "no rows that both have labelled"
ONE_CATEGORY = "one category only"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A vectorised function from cells to a figure, and the reason why it can be undefined.

    `base` gives the denominator of a figure that is a share of rows, so that Wilson's interval can stand in where all
    rows say the same and no resample differs.
    """

    of: Callable[[Array], Array]
    why: str
    base: Callable[[Array], Array] | None = None


def is_missing(label: Label | None) -> bool:
    """No rating was given: ``None`` or NaN."""
    return label is None or label != label


def known_labels(*columns: Sequence[Label | None]) -> tuple[Label, ...]:
    """All labels that occur in `columns`, in a stable order (by value where they can be compared, else as text)."""
    found = {label for column in columns for label in column if not is_missing(label)}
    try:
        return tuple(sorted(found))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(found, key=lambda label: (type(label).__name__, str(label))))


def codes(labels: Sequence[Label | None], known: Sequence[Label]) -> NDArray[np.int64]:
    """The place of each label in `known`, -1 where it is missing. A label that is not in `known` is an error."""
    places = {label: place for place, label in enumerate(known)}
    try:
        found = [-1 if is_missing(label) else places[label] for label in labels]
    except KeyError as error:
        raise UnknownNameError("label", str(error.args[0]), map(str, known)) from None
    return np.array(found, dtype=np.int64)


def table(people: Sequence[Label | None], judge: Sequence[Label | None], labels: Sequence[Label]) -> Array:
    """Count the rows by (label of people, label of the judge). Rows where either is missing are left out."""
    size = len(labels)
    rows, columns = codes(people, labels), codes(judge, labels)
    if len(rows) != len(columns):
        raise ValueError(f"{len(rows)} labels of people and {len(columns)} of the judge: they must be the same rows")
    both = (rows >= 0) & (columns >= 0)
    counted = np.bincount(rows[both] * size + columns[both], minlength=size * size)
    return counted.reshape(size, size).astype(np.float64)


def figure(tables: Array, statistic: Statistic) -> Figure:
    """One figure of one table, without an interval."""
    value = float(statistic.of(tables))
    if np.isnan(value):
        return Figure(None, why=statistic.why if tables.sum() else NO_ROWS)
    return Figure(value)


def one_against_rest(tables: Array, place: int) -> Array:
    """Fold K labels into two: the label at `place` is positive, all others are negative."""
    hit = tables[..., place, place]
    people, judge = tables[..., place, :].sum(-1), tables[..., :, place].sum(-1)
    rest = tables.sum((-2, -1)) - people - judge + hit
    return np.stack([np.stack([rest, judge - hit], -1), np.stack([people - hit, hit], -1)], -2)


def divided(top: Array, bottom: Array) -> Array:
    """`top` / `bottom`, and NaN where `bottom` is 0."""
    shares: Array = np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=bottom != 0)
    return shares


def _sum(cells: Array, axis: int | tuple[int, int]) -> Array:
    total: Array = cells.sum(axis)
    return total


def agreement(tables: Array) -> Array:
    """Share of rows on the diagonal."""
    return divided(np.trace(tables, axis1=-2, axis2=-1), tables.sum((-2, -1)))


def kappa(tables: Array, weights: Literal["linear", "quadratic"] | None = None) -> Array:
    """Agreement beyond chance (Cohen 1960, doi:10.1177/001316446002000104; weighted: Cohen 1968, doi:10.1037/h0026256).

    Computed as one minus observed over expected disagreement, in whole numbers up to the last division. Undefined where
    people and judge together use one label only: chance alone would agree on every row.
    """
    steps = np.arange(tables.shape[-1], dtype=np.float64)
    apart = np.abs(steps[:, None] - steps)
    disagreement = {None: np.sign(apart), "linear": apart, "quadratic": apart**2}[weights]
    expected = np.einsum("...i,...j,ij->...", tables.sum(-1), tables.sum(-2), disagreement)
    observed = np.einsum("...ij,ij->...", tables, disagreement) * tables.sum((-2, -1))
    return divided(expected - observed, expected)


def precision(tables: Array) -> Array:
    """Share of true positives among the judge's positives."""
    return divided(tables[..., 1, 1], _called_positive(tables))


def tpr(tables: Array) -> Array:
    """True-positive rate (recall, sensitivity): share of people's positives that the judge calls positive."""
    return divided(tables[..., 1, 1], _positives(tables))


def tnr(tables: Array) -> Array:
    """True-negative rate (specificity): share of people's negatives that the judge calls negative."""
    return divided(tables[..., 0, 0], _negatives(tables))


recall = tpr


def f1(tables: Array) -> Array:
    """Harmonic mean of precision and recall; undefined where nobody says positive."""
    return divided(2 * tables[..., 1, 1], _positives(tables) + _called_positive(tables))


def balanced_accuracy(tables: Array) -> Array:
    """Mean over the labels of the share that the judge gets right (Brodersen et al. 2010, doi:10.1109/ICPR.2010.764).

    Undefined where people never use one of the labels.
    """
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    shares: Array = divided(right, tables.sum(-1)).mean(-1)
    return shares


def mcc(tables: Array) -> Array:
    """Correlation of the two labellings (Matthews 1975, doi:10.1016/0005-2795(75)90109-9); K labels: Gorodkin 2004."""
    people, judge, n = tables.sum(-1), tables.sum(-2), tables.sum((-2, -1))
    together = np.trace(tables, axis1=-2, axis2=-1) * n - (people * judge).sum(-1)
    spread = np.sqrt(n * n - (people * people).sum(-1)) * np.sqrt(n * n - (judge * judge).sum(-1))
    return divided(together, spread)


def _rows(tables: Array) -> Array:
    return _sum(tables, (-2, -1))


def _positives(tables: Array) -> Array:
    return _sum(tables[..., 1, :], -1)


def _negatives(tables: Array) -> Array:
    return _sum(tables[..., 0, :], -1)


def _called_positive(tables: Array) -> Array:
    return _sum(tables[..., 1], -1)


AGREEMENT = Statistic(agreement, NO_ROWS, _rows)
KAPPA = Statistic(partial(kappa, weights=None), ONE_CATEGORY)
PRECISION = Statistic(precision, "the judge calls nothing positive", _called_positive)
TPR = RECALL = Statistic(tpr, "people call nothing positive", _positives)
TNR = Statistic(tnr, "people call nothing negative", _negatives)
F1 = Statistic(f1, "nobody calls anything positive")
BALANCED_ACCURACY = Statistic(balanced_accuracy, "people do not use every label")
MCC = Statistic(mcc, "people or the judge use one label only")

FOR_ANY: Mapping[str, Statistic] = {
    "agreement": AGREEMENT,
    "kappa": KAPPA,
    "balanced_accuracy": BALANCED_ACCURACY,
    "mcc": MCC,
}
FOR_TWO: Mapping[str, Statistic] = {
    "agreement": AGREEMENT,
    "kappa": KAPPA,
    "precision": PRECISION,
    "recall": RECALL,
    "f1": F1,
    "tpr": TPR,
    "tnr": TNR,
    "balanced_accuracy": BALANCED_ACCURACY,
    "mcc": MCC,
}
