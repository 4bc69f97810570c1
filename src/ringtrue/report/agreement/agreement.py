"""Judges against people: people first, then each judge with intervals, judge against judge, and the worst misses.

A pure function of labelled rows and of what judges said of them. What is drawn again for the intervals are the
questions (clusters) and the judges' runs, not the rows.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ringtrue.report.agreement.candidates import Candidate, Labels, Person, verdicts_of
from ringtrue.report.agreement.found import WITHIN, Agreement, Human, Judged, Miss, Settings, Slice
from ringtrue.stats.agreement import JudgeFigures, Verdicts, compare, measure
from ringtrue.stats.alpha import Level, krippendorff
from ringtrue.stats.figure import Figure
from ringtrue.stats.prevalence import design_effect, labels_for_agreement
from ringtrue.stats.probability import Bin, calibration, calibration_error
from ringtrue.stats.ranking import Cut, best_cut, sweep
from ringtrue.stats.raters import Ceiling, ceiling, flip_rate, majority_share, rater_pairs, skew

__all__ = ["build_agreement"]

_LOW_ALPHA, _HIGH_SKEW = 0.4, 0.9
_MOST_FAILED = 0.05
_MOST_MISSES = 50
_MOST_SLICES = 20


def build_agreement(
    people: Sequence[Person],
    candidates: Sequence[Candidate],
    labels: Labels,
    *,
    name: str,
    fingerprint: str,
    metric: str = "",
    dev: Sequence[Person] = (),
    settings: Settings | None = None,
    notes: Sequence[str] = (),
    stopped: bool = False,
) -> Agreement:
    """Hold `candidates` against `people`.

    Cuts that nobody named are fitted on the `dev` rows, where there are any. `stopped` says that a budget ended the
    judging before all was judged.
    """
    settings = settings or Settings()
    rated = [one for one in people if one.label is not None]
    human = _human(people, labels, settings)
    cuts = {one.name: _cut(one, labels, [row for row in dev if row.label is not None]) for one in candidates}
    said = {one.name: _verdicts(one, rated, labels, cuts[one.name].at) for one in candidates}
    truth = [row.label for row in rated]
    clusters = [row.cluster for row in rated]
    figures = measure(truth, said, labels.names, clusters=clusters, draws=settings.draws, seed=settings.seed)
    judged = [_judged(one, figures[one.name], cuts[one.name], rated, labels) for one in candidates]
    return Agreement(
        name=name,
        fingerprint=fingerprint,
        metric=metric,
        labels=labels,
        n=len(rated),
        clusters=len(set(clusters)),
        dev=len(dev),
        human=human,
        judges=judged,
        comparisons=compare(truth, said, labels.names, clusters=clusters, draws=settings.draws, seed=settings.seed),
        slices=_slices(rated, candidates, labels, cuts, settings),
        warnings=_warnings(human, rated),
        settings=settings,
        notes=notes,
        incomplete=_incomplete(judged, stopped),
    )


def _incomplete(judged: Sequence[Judged], stopped: bool) -> str | None:
    if stopped:
        return "a budget ended the judging; the same command with a larger one goes on from there"
    failed = [one for one in judged if one.failed > _MOST_FAILED * (one.figures.verdicts + one.failed)]
    if not failed:
        return None
    named = ", ".join(f"{one.candidate.name} ({one.failed:,})" for one in failed)
    return f"more than {_MOST_FAILED:.0%} of the verdicts failed: {named}"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A cut, where it comes from, and the curve that it was chosen on."""

    at: float | None
    source: str | None
    curve: Sequence[Cut] = ()


def _human(people: Sequence[Person], labels: Labels, settings: Settings) -> Human:
    names = tuple(dict.fromkeys(name for row in people for name in row.raters))
    ratings = [[row.raters.get(name) for name in names] for row in people]
    given = {rating for row in ratings for rating in row if rating is not None}
    comparable = given <= set(labels.names)
    level = _level(given)
    values = (
        ratings if level == "nominal" else [[None if one is None else float(one) for one in row] for row in ratings]
    )
    clusters = [row.cluster for row in people]
    draws, seed = settings.draws, settings.seed
    return Human(
        names=names,
        labels=dict(Counter(row.label for row in people if row.label is not None).most_common()),
        unlabelled=sum(row.label is None for row in people),
        alpha=krippendorff(values, level, clusters=clusters, draws=draws, seed=seed),
        level=level,
        majority_share=majority_share(ratings),
        skew=skew([row.label for row in people]),
        ceiling=ceiling(ratings, clusters=clusters, draws=draws, seed=seed) if comparable else _other_scale(),
        pairs=rater_pairs(ratings),
    )


def _other_scale() -> Ceiling:
    without = Figure(None, why="raters use another scale than the labels")
    return Ceiling(agreement=without, kappa=without, n=0)


def _level(kinds: Set[str]) -> Level:
    """Numbers of more than two kinds are a scale; anything else is names."""
    return "ordinal" if len(kinds) > 2 and all(_is_number(one) for one in kinds) else "nominal"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _cut(candidate: Candidate, labels: Labels, dev: Sequence[Person]) -> _Chosen:
    """Where the candidate's scores become the positive label; nothing where it gives labels or none is positive."""
    if candidate.scores is None or labels.positive is None:
        return _Chosen(None, None)
    curve = _curve(candidate, labels, dev)
    if candidate.labelled:
        return _Chosen(None, None, curve)
    if candidate.cut is not None and candidate.fixed:
        return _Chosen(candidate.cut, "named", curve)
    best = best_cut(curve)
    if best is None:
        return _Chosen(candidate.middle if candidate.cut is None else candidate.cut, "not fitted")
    return _Chosen(best.at, "fitted on dev", curve)


def _curve(candidate: Candidate, labels: Labels, rows: Sequence[Person]) -> Sequence[Cut]:
    """Agreement at every cut over rows × runs, where the candidate gives scores."""
    _, scores = verdicts_of(candidate, [row.id for row in rows], labels, None)
    truth = [row.label == labels.positive for row in rows]
    pairs = [(right, score) for run in scores for right, score in zip(truth, run, strict=True) if score is not None]
    if not pairs:
        return ()
    cuts = sweep([right for right, _ in pairs], [score for _, score in pairs])
    return [replace(one, at=candidate.rising(one.at)) for one in cuts]


def _verdicts(candidate: Candidate, rows: Sequence[Person], labels: Labels, cut: float | None) -> Verdicts:
    found, scores = verdicts_of(candidate, [row.id for row in rows], labels, cut)
    ranked = scores if candidate.scores and labels.positive else None
    return Verdicts(runs=found, scores=ranked, probable=candidate.scores == "probability")


def _judged(
    candidate: Candidate, figures: JudgeFigures, chosen: _Chosen, rows: Sequence[Person], labels: Labels
) -> Judged:
    ids = [row.id for row in rows]
    verdicts, scores = verdicts_of(candidate, ids, labels, chosen.at)
    truth = [row.label == labels.positive for row in rows]
    pooled = [score for run in scores for score in run]
    bins: Sequence[Bin] = ()
    if candidate.scores == "probability" and labels.positive is not None:
        bins = calibration(truth * len(scores), pooled)
    elif "auc" in figures.figures:
        without = Figure(None, why="its scores are no probabilities")
        figures = replace(figures, figures={**figures.figures, "brier": without})
    unsaid = [said for run in candidate.runs for id in ids if (said := run.get(id)) and said.status != "scored"]
    agreement = figures.figures["agreement"]
    return Judged(
        candidate=candidate,
        figures=figures,
        cut=chosen.at,
        cut_from=chosen.source,
        curve=chosen.curve or _curve(candidate, labels, rows if candidate.scores and labels.positive else ()),
        bins=bins,
        calibration_error=calibration_error(bins) if bins else Figure(None, why="no probabilities"),
        flip_rate=flip_rate([list(row) for row in zip(*verdicts, strict=True)])
        if len(verdicts) > 1
        else Figure(None, why="one run"),
        failed=sum(said.status == "failed" for said in unsaid),
        skipped=sum(said.status == "skipped" for said in unsaid),
        reasons=dict(Counter((said.error or said.status).partition("\n")[0] for said in unsaid).most_common()),
        misses=_misses(candidate, verdicts, scores, rows, chosen.at),
        needed=_needed(agreement, figures.n),
    )


def _needed(agreement: Figure, n: int) -> int | None:
    """Labels for an interval of ± `WITHIN` around this agreement, as much as rows of one question hang together."""
    if agreement.value is None or not n:
        return None
    return labels_for_agreement(agreement.value, WITHIN, design=max(design_effect(agreement, n) or 1.0, 1.0))


def _misses(
    candidate: Candidate,
    verdicts: Sequence[Sequence[str | None]],
    scores: Sequence[Sequence[float | None]],
    rows: Sequence[Person],
    cut: float | None,
) -> list[Miss]:
    """The rows that the candidate got wrong in its first run, the surest first."""
    found = []
    for place, row in enumerate(rows):
        verdict, score = verdicts[0][place], scores[0][place]
        if verdict is None or verdict == row.label:
            continue
        shown = None if score is None else candidate.rising(score)  # turned back
        said = candidate.runs[0][row.id]
        found.append(
            Miss(
                person=row,
                verdict=verdict,
                score=shown,
                sureness=_sureness(candidate, shown, cut),
                rationale=said.rationale,
            )
        )
    found.sort(key=lambda miss: -(miss.sureness if miss.sureness is not None else -1))
    return found[:_MOST_MISSES]


def _sureness(candidate: Candidate, score: float | None, cut: float | None) -> float | None:
    """How far the score is from the cut, as a share of how far it could be."""
    if score is None:
        return None
    low, high = (0.0, 1.0) if candidate.scores == "probability" else candidate.range
    if low is None or high is None:
        return None
    at = candidate.middle if cut is None else cut
    room = high - at if score >= at else at - low
    return min(abs(score - at) / room, 1.0) if room > 0 else 0.0


def _slices(
    rows: Sequence[Person],
    candidates: Sequence[Candidate],
    labels: Labels,
    cuts: Mapping[str, _Chosen],
    settings: Settings,
) -> list[Slice]:
    """Each value of the field that was asked for, the commonest first."""
    if settings.by is None:
        return []
    values = [str(row.sample.metadata.get(settings.by, "none")) for row in rows]
    found = []
    for value, n in Counter(values).most_common(_MOST_SLICES):
        kept = [row for row, own in zip(rows, values, strict=True) if own == value]
        figures = measure(
            [row.label for row in kept],
            {one.name: _verdicts(one, kept, labels, cuts[one.name].at) for one in candidates},
            labels.names,
            clusters=[row.cluster for row in kept],
            draws=settings.draws,
            seed=settings.seed,
        )
        found.append(Slice(value=value, n=n, figures=figures))
    return found


def _warnings(human: Human, rows: Sequence[Person]) -> list[str]:
    """Why agreement with these labels may say little."""
    found = []
    alpha, most = human.alpha.alpha.value, human.skew.value
    if len(human.names) < 2:
        found.append("one label a row: how far people agree among themselves is not known, nor what a judge can reach")
    elif alpha is not None and alpha < _LOW_ALPHA:
        found.append(f"people hardly agree among themselves (alpha {alpha:.2f}): agreement with them says little")
    if most is not None and len({row.label for row in rows}) > 1 and most > _HIGH_SKEW:
        found.append(f"{most:.0%} of the labels are alike: a judge that always said the same would agree as often")
    if len({row.label for row in rows}) == 1:
        found.append(
            "all labels are alike: kappa is undefined, and nothing shows whether a judge tells right from wrong"
        )
    if human.unlabelled:
        found.append(f"{human.unlabelled:,} rows have no label that most raters gave; they are set aside")
    return found
