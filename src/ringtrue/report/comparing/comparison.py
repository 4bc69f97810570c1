"""Pipelines held against each other: a pure function of stored Scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ringtrue.report.comparing.beside import beside, repeated
from ringtrue.report.comparing.found import Compared, Comparison, MetricInfo, Outcome, Settings, Slice, Test, Unpaired
from ringtrue.report.comparing.gates import Gate, check_gates, incomplete
from ringtrue.report.comparing.rows import (
    MOST_SLICES,
    Key,
    Paired,
    differences,
    flips,
    pair_up,
    slices,
    span,
    tally_of,
)
from ringtrue.report.comparing.sides import Source, choose_metrics, choose_sides, run_sides, shared_rows
from ringtrue.report.comparing.values import Scored, Values, field_values, read_values
from ringtrue.report.comparing.words import NAME, verdict
from ringtrue.report.plain import one_line
from ringtrue.stats.comparing.difference import non_inferior, standard_error
from ringtrue.stats.comparing.effect import cohens_dz, cohens_h, tally
from ringtrue.stats.comparing.paired import holm, mcnemar_counts
from ringtrue.stats.comparing.power import ALPHA, LEAST, detectable, detectable_share
from ringtrue.stats.comparing.wilcoxon import signed_rank
from ringtrue.stats.figure import Figure

__all__ = ["build_comparison"]


def build_comparison(
    sources: Sequence[Source],
    *,
    pipelines: Sequence[str] = (),
    baseline: str | None = None,
    metrics: Sequence[str] = (),
    gates: Sequence[Gate] = (),
    allow_mismatch: bool = False,
    settings: Settings | None = None,
) -> Comparison:
    """Compare the pipelines of one or several runs over the rows that these share.

    Raises UsageError where there is nothing to compare, UnknownNameError for names that the runs have not.
    """
    settings = settings or Settings()
    runs = run_sides(sources)
    chosen = choose_sides(sources, pipelines, baseline, gated=bool(gates))
    infos, made = choose_metrics(sources, metrics, allow_mismatch=allow_mismatch)
    rows, warnings = shared_rows(sources)
    labels = [one.label for one in infos]
    values = read_values(sources, chosen.sides, infos, rows, settings.cluster_by)
    cuts = {name: _cut(values, name) for name in settings.slices}
    held = pair_up([(a.name, b.name) for a, b in chosen.pairs], infos, values)
    pairs = _corrected(_compared(held, cuts, values, settings))
    checked = check_gates(gates, pairs, [one.label for one in infos])
    return Comparison(
        runs=runs,
        sides=chosen.sides,
        metrics=infos,
        baseline=chosen.baseline,
        rows=len(rows),
        questions=values.questions,
        pairs=pairs,
        beside=[beside(one.name, values.answers[one.name]) for one in chosen.sides],
        repeated=list(repeated(chosen.sides, labels, values)),
        gates=checked,
        settings=settings,
        warnings=(*warnings, *_unfinished(sources), *_alike(values)),
        notes=(*chosen.notes, *made, *_cut_notes(values, settings.slices)),
        incomplete=incomplete(sources, pairs, checked),
    )


def _compared(
    held: Mapping[Key, Paired], cuts: Mapping[str, Sequence[str | None]], values: Values, settings: Settings
) -> list[Compared]:
    """Every pair and metric, its p not corrected yet."""
    figures, flipped = differences(held, settings), flips(held, settings)
    sliced = slices(held, cuts, values, settings)
    return [_one(key, rows, figures[key], flipped.get(key), sliced[key], settings) for key, rows in held.items()]


def _one(
    key: Key, rows: Paired, difference: Figure, flip: float | None, sliced: Sequence[Slice], settings: Settings
) -> Compared:
    info, questions = rows.info, len(rows.counts)
    test, p = _test(rows, flip) if questions > 1 else (None, None)
    mean_a, mean_b = (float(side.mean()) if questions else None for side in (rows.means_a, rows.means_b))
    margin = _margin(info, settings)
    return Compared(
        metric=key.metric,
        a=key.a,
        b=key.b,
        better=info.better,
        binary=rows.binary,
        n=len(rows.places),
        questions=questions,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=difference if questions else Figure(None, why=_nothing(key, rows)),
        test=test,
        p=p,
        p_adjusted=None,
        effect=_effect(key, rows, mean_a, mean_b),
        effect_name="Cohen's h" if rows.binary else "Cohen's d_z",
        detectable=_detectable(rows),
        tally=tally_of(info, rows.by_question),
        unpaired=_unpaired(rows.first, rows.second),
        outcome="undefined",
        margin=margin,
        non_inferior=None if margin is None else non_inferior(_rising(info, difference), margin),
        slices=sliced,
    )


def _test(rows: Paired, flip: float | None) -> tuple[Test, float]:
    if rows.plain:
        counted = tally(rows.by_question)
        return "exact McNemar", mcnemar_counts(counted.wins, counted.losses, len(rows.counts)).p
    if flip is not None:
        return "sign-flip permutation", flip
    return "Wilcoxon signed-rank", signed_rank(rows.by_question.tolist()).p


def _effect(key: Key, rows: Paired, mean_a: float | None, mean_b: float | None) -> Figure:
    if mean_a is None or mean_b is None:
        return Figure(None, why=_nothing(key, rows))
    return Figure(cohens_h(mean_a, mean_b)) if rows.binary else cohens_dz(rows.by_question)


def _detectable(rows: Paired) -> Figure:
    questions = len(rows.counts)
    if rows.plain and questions:
        return detectable_share(float((rows.by_question != 0).mean()), questions)
    error = float(standard_error(rows.sums[:, None], rows.counts)[0]) if questions >= LEAST else 0.0
    return detectable(error, questions, span(rows.info), seen=float(rows.by_question.mean()) if questions else 0.0)


def _margin(info: MetricInfo, settings: Settings) -> float | None:
    if info.better is None:
        return None
    return settings.margins.get(info.label, settings.margins.get("") if info.range == (0, 1) else None)


def _rising(info: MetricInfo, difference: Figure) -> Figure:
    """The difference such that more of it is better."""
    if info.better == "higher" or difference.value is None or difference.low is None or difference.high is None:
        return difference
    return Figure(-difference.value, -difference.high, -difference.low)


def _unpaired(first: Scored, second: Scored) -> Unpaired:
    without_a, without_b = np.isnan(first.means), np.isnan(second.means)
    return Unpaired(
        only_a=int((~without_a & without_b).sum()),
        only_b=int((without_a & ~without_b).sum()),
        neither=int((without_a & without_b).sum()),
        failed_a=first.failed,
        skipped_a=first.skipped,
        failed_b=second.failed,
        skipped_b=second.skipped,
    )


def _corrected(pairs: Sequence[Compared]) -> list[Compared]:
    """The pairs with Holm's correction over all of them, and what follows."""
    adjusted = holm([one.p for one in pairs])
    tests = sum(p is not None for p in adjusted)
    done = [replace(one, p_adjusted=p, outcome=_outcome(one, p)) for one, p in zip(pairs, adjusted, strict=True)]
    return [replace(one, verdict=verdict(one, tests)) for one in done]


def _outcome(one: Compared, p: float | None) -> Outcome:
    if one.difference.value is None or p is None:
        return "undefined"
    if p >= ALPHA or not one.difference.value:
        return "none"
    return "a" if (one.difference.value > 0) == (one.better != "lower") else "b"


def _nothing(key: Key, rows: Paired) -> str:
    """Why no row is scored on both sides."""
    if rows.first.labels or rows.second.labels:
        return "the metric gives words, which have no mean"
    for side, scored in ((key.a, rows.first), (key.b, rows.second)):
        if not scored.repeats:
            counts = [f"{n:,} {name}" for name, n in (("failed", scored.failed), ("skipped", scored.skipped)) if n]
            return f"no row of {one_line(side, NAME)} is scored" + (f" ({', '.join(counts)})" if counts else "")
    return "no row is scored on both sides"


def _alike(values: Values) -> Iterable[str]:
    if values.questions == 1 < len(values.samples):
        yield (
            f"All {len(values.samples):,} rows have the same question, so they hang together and nothing can be "
            "tested; --cluster-by row takes each for itself."
        )


def _unfinished(sources: Sequence[Source]) -> Iterable[str]:
    for one in sources:
        if one.report.run.status != "finished":
            yield f"Run {one.called} is {one.report.run.status}, not finished: only what was scored so far is compared."


def _cut(values: Values, name: str) -> list[str | None]:
    return field_values(values.samples, name, where="--slice")


def _cut_notes(values: Values, names: Sequence[str]) -> Iterable[str]:
    for name in names:
        kinds = len(set(field_values(values.samples, name, where="--slice")))
        if kinds > MOST_SLICES:
            yield f"{name} has {kinds:,} values; the {MOST_SLICES} most frequent are shown"
