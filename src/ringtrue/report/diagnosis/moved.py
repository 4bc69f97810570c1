"""Before and after: which stage the failures moved away from, over the questions that both sides have judged."""

from math import fsum

from ringtrue.report.diagnosis.found import Moved, PipelineDiagnosis, StageMoved
from ringtrue.report.diagnosis.stages import ORDER, StageName
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import mean_interval

__all__ = ["moved_between"]


def moved_between(before: PipelineDiagnosis, after: PipelineDiagnosis, *, names: tuple[str, str]) -> Moved:
    """Shares of the shared questions that failed at each stage, before and after, and their paired differences.

    A question with repeats counts once, by the share of them that failed. The interval is Student's, over the
    questions' differences; it is left out where all of these are equal.
    """
    shared = [one for one in before.questions if one in set(after.questions)]
    left_out = len({*before.questions, *after.questions}) - len(shared)
    sides = [_rates(one) for one in (before, after)]
    stages: tuple[StageName | None, ...] = (*ORDER, None)
    moved = [_moved(stage, [rates.get(stage, {}) for rates in sides], shared) for stage in stages]
    return Moved(
        before=names[0],
        after=names[1],
        questions=len(shared),
        left_out=left_out,
        failed=_moved(None, [_any(rates) for rates in sides], shared),
        stages=[one for one in moved if one.before or one.after],
    )


_Rates = dict[StageName | None, dict[str, float]]


def _rates(one: PipelineDiagnosis) -> _Rates:
    """By stage, then question: the share of its answers that failed there."""
    repeats = 1 + max((failure.repeat for failure in one.failures), default=0)
    answers = max(repeats, round(one.judged / len(one.questions)) if one.questions else 1)
    found: _Rates = {}
    for failure in one.failures:
        rates = found.setdefault(failure.stage, {})
        rates[failure.sample_id] = rates.get(failure.sample_id, 0.0) + 1 / answers
    return found


def _any(rates: _Rates) -> dict[str, float]:
    total: dict[str, float] = {}
    for one in rates.values():
        for name, share in one.items():
            total[name] = total.get(name, 0.0) + share
    return total


def _moved(stage: StageName | None, sides: list[dict[str, float]], shared: list[str]) -> StageMoved:
    before, after = ([side.get(name, 0.0) for name in shared] for side in sides)
    return StageMoved(stage=stage, before=_mean(before), after=_mean(after), difference=_difference(before, after))


def _mean(values: list[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def _difference(before: list[float], after: list[float]) -> Figure:
    differences = [new - old for old, new in zip(before, after, strict=True)]
    if not differences:
        return Figure(None, why="no question is shared")
    mean, interval = fsum(differences) / len(differences), mean_interval(differences, (-1, 1))
    if interval is None:
        return Figure(mean, why="one question" if len(differences) == 1 else "all questions moved alike")
    return Figure(mean, *interval)
