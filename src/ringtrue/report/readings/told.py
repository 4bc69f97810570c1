"""The readings as lines for people and as JSON."""

from collections.abc import Sequence
from typing import Any

from ringtrue.report.plain import count, interval_text, joined, one_line
from ringtrue.report.readings.readings import Reading, Readings
from ringtrue.report.readings.rules import LEGEND, rule_text

__all__ = [
    "legend",
    "names_text",
    "not_looked_lines",
    "outcomes_text",
    "reading_lines",
    "readings_json",
    "remedies",
    "size_text",
]

_NAMED = 5  # questions of a reading that speaks of all pipelines
_NAME = 60
_IDS = 100  # of a reading in JSON; each answer of the full file names its own


def reading_lines(readings: Readings) -> list[str]:
    """Two lines a rule that fits any answer, what and what to do; then what was not looked at and why."""
    by_rule: dict[str, list[Reading]] = {}
    for one in readings.found:
        by_rule.setdefault(one.rule.name, []).append(one)
    lines = [line for found in by_rule.values() for line in _lines(found)]
    if not lines and len(readings.not_looked) < len(readings.readings):
        lines.append("none of the readings fits any answer")
    return [*lines, *not_looked_lines(readings)]


def legend(readings: Readings) -> str:
    """What recall and precision mean, where a run has them."""
    return LEGEND if {"recall", "precision"} & set(readings.labels) else ""


def not_looked_lines(readings: Readings) -> list[str]:
    """The readings that share a reason on one line."""
    by_why: dict[str, list[str]] = {}
    for one in readings.not_looked:
        by_why.setdefault(one.why or "", []).append(one.rule.title)
    return [
        f"not looked at: {'; '.join(dict.fromkeys(titles))}, because {one_line(why, 300)}"
        for why, titles in by_why.items()
    ]


def size_text(reading: Reading) -> str:
    """``3 of 10 answers [0.11, 0.60]``."""
    things = "question" if reading.rule.across else "answer"
    size = _size(reading)
    share = reading.share
    interval = "" if share.low is None or share.high is None else f" {interval_text(share.low, share.high)}"
    return f"{size:,} of {count(reading.looked, things)}{interval}"


def names_text(reading: Reading) -> str:
    """The questions of a reading that speaks of all pipelines."""
    if not reading.rule.across:
        return ""
    names = list(dict.fromkeys(place[0] for place in reading.places))
    more = [f"{len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
    return joined([*(one_line(name, _NAME) for name in names[:_NAMED]), *more])


def outcomes_text(reading: Reading) -> str:
    """``of these: refused 2, open 1``."""
    told = ", ".join(f"{title} {n:,}" for title, n in reading.outcomes.items())
    return f"of these: {told}" if set(reading.outcomes) - {"open"} else ""


def readings_json(readings: Readings) -> list[dict[str, Any]]:
    """The readings as JSON values. One that was not looked at says why, and has no number."""
    return [_json(one, readings) for one in readings.readings]


def _size(reading: Reading) -> int:
    return len({place[0] for place in reading.places}) if reading.rule.across else len(reading.places)


def _lines(found: Sequence[Reading]) -> list[str]:
    """What fits which pipelines, and below it the ways to mend it."""
    rule = found[0].rule
    sizes = []
    for one in found:
        who = "" if one.pipeline is None else f"{one_line(one.pipeline, _NAME)} "
        told = ", ".join(filter(None, (names_text(one), outcomes_text(one))))
        things = "question" if rule.across else "answer"
        sizes.append(f"{who}{_size(one):,} of {count(one.looked, things)}{f' ({told})' if told else ''}")
    mends = dict.fromkeys(remedies(one) for one in found)
    return [f"{rule.title} ({rule_text(rule)}): {'; '.join(sizes)}", *(f"  {mend}" for mend in mends)]


def remedies(reading: Reading) -> str:
    """What to do: by what the answers turned out to be, or by the rule where that is open."""
    settled: Sequence[str] = [one.remedy for one in reading.rule.outcomes if one.title in reading.outcomes]
    return "; ".join([*settled, *([] if settled and "open" not in reading.outcomes else [reading.rule.remedy])])


def _json(reading: Reading, readings: Readings) -> dict[str, Any]:
    rule, share = reading.rule, reading.share
    about = {
        "name": rule.name,
        "pipeline": reading.pipeline,
        "rule": rule_text(rule),
        "metrics": {one.role: readings.labels[one.role] for one in rule.when if one.role in readings.labels},
    }
    if reading.why:
        return about | {"not_looked_at": reading.why}
    return about | {
        "looked": reading.looked,
        "n": _size(reading),
        "share": share.value,
        "ci": None if share.low is None else [share.low, share.high],
        **({"outcomes": dict(reading.outcomes)} if rule.outcomes else {}),
        "ids": list(dict.fromkeys(place[0] for place in reading.places))[:_IDS],
        "meaning": rule.meaning,
        "remedy": remedies(reading),
    }
