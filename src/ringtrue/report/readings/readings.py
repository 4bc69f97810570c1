"""The readings of a report: for each rule and pipeline the answers that it fits, or why it was not looked at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import TypeAlias

from ringtrue.report.readings.rules import ROLES, Condition, Outcome, Rule
from ringtrue.report.report import Report
from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import mean_interval
from ringtrue.types import Score

__all__ = ["Place", "Reading", "Readings", "labels_by_role", "read_report", "share_of", "value_of"]

Place: TypeAlias = tuple[str, str, int]  # sample id, pipeline, repeat
_Values: TypeAlias = Mapping[str, float]  # by role
_NOTHING = Figure(None, why="nothing was looked at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One rule over the answers of one pipeline, or over the questions of all (`pipeline` is ``None``).

    `looked` counts those where all that the rule needs was scored, `places` are those that it fits, and `share` is
    their share of the former, with its 95 % interval over questions. `outcomes` counts what they turned out to be.
    `why` says why nothing was looked at.
    """

    rule: Rule
    pipeline: str | None
    looked: int = 0
    places: Sequence[Place] = ()
    share: Figure = _NOTHING
    outcomes: Mapping[str, int] = field(default_factory=dict)
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Readings:
    """All readings, in the order of the rules; `labels` says which metric of the run plays each role."""

    readings: Sequence[Reading]
    labels: Mapping[str, str]
    by_place: Mapping[Place, Sequence[str]]

    @property
    def found(self) -> list[Reading]:
        """Those that fit any answer."""
        return [one for one in self.readings if one.places]

    @property
    def not_looked(self) -> list[Reading]:
        """Those that could not be looked at, each with its reason."""
        return [one for one in self.readings if one.why]


def read_report(report: Report) -> Readings:
    """The readings of a report, by its own rules. Where no metric plays a role, no row is looked at."""
    labels = labels_by_role(report)
    made = [rule for rule in report.reading_rules if all(one.role in labels for one in rule.when)]
    values = _values(report, labels) if made else {}
    readings: list[Reading] = []
    by_place: dict[Place, list[str]] = {}
    for rule in report.reading_rules:
        absent = [one.role for one in rule.when if one.role not in labels]
        if absent:
            readings.append(Reading(rule=rule, pipeline=None, why=_absent(absent)))
        elif rule.across:
            readings.append(_across(rule, report, values))
        else:
            readings += [_of_pipeline(rule, name, values, labels) for name in report.pipelines]
    for reading in readings:
        for place in reading.places:
            by_place.setdefault(place, []).append(reading.rule.name)
    return Readings(readings, labels, by_place)


def labels_by_role(report: Report) -> dict[str, str]:
    """The metric label of the run that plays each role; roles that none can play are left out."""
    names = {role: [label for name in metrics for label in _labels(report, name)] for role, metrics in ROLES.items()}
    return {role: found[0] for role, found in names.items() if found}


def value_of(score: Score | None) -> float | None:
    """A scored value, a yes or no as 1 or 0; ``None`` where there is none."""
    if score is None or score.status != "scored":
        return None
    return {"yes": 1.0, "no": 0.0}.get(score.label or "") if score.value is None else score.value


def share_of(by_sample: Mapping[str, Sequence[bool]]) -> Figure:
    """The share of yes, each question counting once, with its 95 % interval (Wilson where there are no repeats)."""
    means = [fsum(given) / len(given) for given in by_sample.values()]
    if not means:
        return _NOTHING
    share, interval = fsum(means) / len(means), mean_interval(means, (0, 1))
    if interval is None:
        return Figure(share, why="one question has no interval" if len(means) == 1 else "all questions are alike")
    return Figure(share, *interval)


def _labels(report: Report, name: str) -> list[str]:
    return [label for label, use in report.metrics.items() if use.metric.name == name]


def _absent(roles: Sequence[str]) -> str:
    needed = [" or ".join(ROLES[role]) for role in dict.fromkeys(roles)]
    return f"the run has no {' and no '.join(needed)}"


def _values(report: Report, labels: Mapping[str, str]) -> dict[Place, _Values]:
    found: dict[Place, _Values] = {}
    for row in report.rows:
        for (pipeline, repeat), scores in row.scores.items():
            known = ((role, value_of(scores.get(label))) for role, label in labels.items())
            found[row.sample.id, pipeline, repeat] = {role: value for role, value in known if value is not None}
    return found


def _known(when: Sequence[Condition], values: _Values) -> bool:
    return all(one.role in values for one in when)


def _fits(when: Sequence[Condition], values: _Values) -> bool:
    return all(one.holds(values[one.role]) for one in when)


def _of_pipeline(rule: Rule, name: str, values: Mapping[Place, _Values], labels: Mapping[str, str]) -> Reading:
    looked = {place: one for place, one in values.items() if place[1] == name and _known(rule.when, one)}
    if not looked:
        scored = [labels[one.role] for one in rule.when]
        return Reading(rule=rule, pipeline=name, why=f"no answer of {name} was scored by {' and '.join(scored)}")
    fits = [place for place, one in looked.items() if _fits(rule.when, one)]
    by_sample: dict[str, list[bool]] = {}
    for place in looked:
        by_sample.setdefault(place[0], []).append(_fits(rule.when, looked[place]))
    outcomes = Counter(one.title if (one := _outcome(rule, values[place])) else "open" for place in fits)
    return Reading(
        rule=rule,
        pipeline=name,
        looked=len(looked),
        places=fits,
        share=share_of(by_sample),
        outcomes=dict(outcomes.most_common()) if rule.outcomes else {},
    )


def _outcome(rule: Rule, values: _Values) -> Outcome | None:
    return next(
        (one for one in rule.outcomes if one.when.role in values and one.when.holds(values[one.when.role])), None
    )


def _across(rule: Rule, report: Report, values: Mapping[Place, _Values]) -> Reading:
    if len(report.pipelines) < 2:
        why = "one pipeline alone cannot tell a bad question or fact from a wrong answer; two or more can"
        return Reading(rule=rule, pipeline=None, why=why)
    by_sample: dict[str, dict[Place, _Values]] = {}
    for place, one in values.items():
        by_sample.setdefault(place[0], {})[place] = one
    looked = {
        sample: places
        for sample, places in by_sample.items()
        if {place[1] for place, one in places.items() if _known(rule.when, one)} == set(report.pipelines)
    }
    if not looked:
        return Reading(rule=rule, pipeline=None, why="no question was scored for every pipeline")
    known = {name: [one for one in places.values() if _known(rule.when, one)] for name, places in looked.items()}
    fits = [name for name, given in known.items() if all(_fits(rule.when, one) for one in given)]
    return Reading(
        rule=rule,
        pipeline=None,
        looked=len(looked),
        places=[place for name in fits for place in looked[name]],
        share=share_of({name: [name in fits] for name in looked}),
    )
