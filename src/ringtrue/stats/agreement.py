"""Judges against people: every figure of every judge with its interval, and judge against judge."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

from ringtrue.stats.bootstrap import DEFAULT_METHOD, Method, bootstrap, on_tables, table_cells
from ringtrue.stats.comparing.paired import Difference, McNemar, holm, mcnemar, paired_difference
from ringtrue.stats.confusion import AGREEMENT, FOR_ANY, FOR_TWO, KAPPA, Label, is_missing
from ringtrue.stats.figure import Figure
from ringtrue.stats.probability import BRIER, brier_cells
from ringtrue.stats.ranking import auc_interval
from ringtrue.stats.raters import majorities

__all__ = ["Comparison", "JudgeFigures", "Verdicts", "compare", "measure"]

Runs: TypeAlias = Sequence[Sequence[Label | None]]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one judge said: runs × rows of labels, and of scores that speak for the positive label where it gives them.

    `probable` says that the scores are its probabilities.
    """

    runs: Runs
    scores: Sequence[Sequence[float | None]] | None = None
    probable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigures:
    """One judge against people.

    `n` rows have a label of people and a verdict of one run or more; of the places (row × run) with a label of people,
    `verdicts` have a verdict and `missing` have none. `table` counts verdicts over all runs, people in rows.
    """

    n: int
    verdicts: int
    missing: int
    table: tuple[tuple[int, ...], ...]
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The first judge against the second on the `n` rows that both have judged; `holm` corrects McNemar's p."""

    first: str
    second: str
    n: int
    agreement: Difference
    kappa: Difference
    mcnemar: McNemar
    holm: float | None


def measure(
    people: Sequence[Label | None],
    judges: Mapping[str, Verdicts],
    labels: Sequence[Label],
    *,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    method: Method = DEFAULT_METHOD,
) -> dict[str, JudgeFigures]:
    """Every judge's figures over rows with a label of `people`. Two `labels` are (negative, positive).

    With two labels there are agreement, kappa, precision, recall, f1, tpr, tnr, balanced_accuracy and mcc, with scores
    auc too, and with probabilities brier; with more labels those that do not need a positive one.
    """
    size = len(labels)
    statistics = {name: on_tables(one, size) for name, one in (FOR_TWO if size == 2 else FOR_ANY).items()}
    labelled = [row for row, label in enumerate(people) if not is_missing(label)]
    truth = [None if is_missing(label) else label == labels[-1] for label in people]
    found = {}
    for name, judge in judges.items():
        cells = table_cells(people, judge.runs, labels, clusters)
        figures = bootstrap(cells, statistics, draws=draws, seed=seed, method=method)
        if judge.scores is not None and size == 2:
            figures["auc"] = auc_interval(truth, judge.scores, clusters=clusters, draws=draws, seed=seed, method=method)
        if judge.scores is not None and size == 2 and judge.probable:
            squares = brier_cells(truth, judge.scores, clusters)
            figures |= bootstrap(squares, {"brier": BRIER}, draws=draws, seed=seed, method=method)
        verdicts = int(cells.sum())
        found[name] = JudgeFigures(
            n=sum(_judged(judge.runs, row) for row in labelled),
            verdicts=verdicts,
            missing=len(labelled) * len(judge.runs) - verdicts,
            table=tuple(tuple(row) for row in cells.sum((0, 1)).reshape(size, size).astype(int).tolist()),
            figures=figures,
        )
    return found


def compare(
    people: Sequence[Label | None],
    judges: Mapping[str, Verdicts],
    labels: Sequence[Label],
    *,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 2000,
    seed: int = 0,
    method: Method = DEFAULT_METHOD,
) -> list[Comparison]:
    """Every two judges on the rows that both have judged; McNemar takes each judge's majority over its runs."""
    found = []
    for first, second in combinations(judges, 2):
        one, other = judges[first].runs, judges[second].runs
        shared = [label if _judged(one, row) and _judged(other, row) else None for row, label in enumerate(people)]
        cells = table_cells(shared, one, labels, clusters), table_cells(shared, other, labels, clusters)
        differences = {
            name: paired_difference(*cells, on_tables(of, len(labels)), draws=draws, seed=seed, method=method)
            for name, of in (("agreement", AGREEMENT), ("kappa", KAPPA))
        }
        n = sum(not is_missing(label) for label in shared)
        tested = _tested(shared, one, other)
        found.append(Comparison(first=first, second=second, n=n, **differences, mcnemar=tested, holm=None))
    corrected = holm([one.mcnemar.p for one in found])
    return [replace(one, holm=p) for one, p in zip(found, corrected, strict=True)]


def _judged(runs: Runs, row: int) -> bool:
    return any(not is_missing(run[row]) for run in runs)


def _tested(people: Sequence[Label | None], first: Runs, second: Runs) -> McNemar:
    """McNemar's test of the majority verdicts, over the rows where both judges have one."""
    decided = [
        (label == one, label == other)
        for label, one, other in zip(
            people, *(majorities(list(zip(*runs, strict=True))) for runs in (first, second)), strict=True
        )
        if not is_missing(label) and one is not None and other is not None
    ]
    return mcnemar([one for one, _ in decided], [other for _, other in decided])
