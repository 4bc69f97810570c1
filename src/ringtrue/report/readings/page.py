"""The readings as a page shows them: a block a rule, and what is told of each row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.report.charts.chart import Table
from ringtrue.report.plain import one_line
from ringtrue.report.readings.readings import Reading, Readings
from ringtrue.report.readings.rules import rule_text
from ringtrue.report.readings.told import outcomes_text, remedies, size_text

__all__ = ["ReadingView", "reading_flags", "reading_views", "readings_by_row"]

_NAME = 60
_NAMED = 12  # questions that are named


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingView:
    """One rule that fits any answer: what it is, how often by pipeline, and what to do."""

    name: str
    title: str
    rule: str
    meaning: str
    table: Table
    remedies: Sequence[str]


def reading_views(readings: Readings) -> list[ReadingView]:
    """The rules that fit any answer, in their own order."""
    by_rule: dict[str, list[Reading]] = {}
    for one in readings.found:
        by_rule.setdefault(one.rule.name, []).append(one)
    return [_view(found) for found in by_rule.values()]


def readings_by_row(readings: Readings) -> dict[str, list[str]]:
    """What is told of each row, by its id: ``verbose: base, new``."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for one in readings.found:
        for sample, pipeline, _ in one.places:
            who = found.setdefault(sample, {}).setdefault(one.rule.title, {})
            who["every pipeline" if one.rule.across else one_line(pipeline, _NAME)] = None
    return {
        sample: [f"{title}: {', '.join(who)}" for title, who in by_title.items()] for sample, by_title in found.items()
    }


def reading_flags(readings: Readings) -> Mapping[str, str]:
    """The words by which the filter of a page finds the rows of a rule, by the row's id."""
    flags: dict[str, dict[str, None]] = {}
    for one in readings.found:
        for sample, _, _ in one.places:
            flags.setdefault(sample, {})[f"reading-{one.rule.name}"] = None
    return {sample: " ".join(words) for sample, words in flags.items()}


def _view(found: Sequence[Reading]) -> ReadingView:
    rule = found[0].rule
    things = "Questions" if rule.across else "Answers"
    heads = ("Pipeline", things, *(["Turned out to be"] if any(map(outcomes_text, found)) else []), "Which")
    rows = []
    for one in found:
        told = [outcomes_text(one).removeprefix("of these: ") or "–"] if len(heads) > 3 else []
        who = "every pipeline" if one.pipeline is None else one_line(one.pipeline, _NAME)
        rows.append((who, size_text(one).replace(", ", ",\u00a0"), *told, _which(one)))
    return ReadingView(
        name=rule.name,
        title=rule.title,
        rule=rule_text(rule),
        meaning=rule.meaning,
        table=Table(head=heads, rows=rows),
        remedies=list(dict.fromkeys(remedies(one) for one in found)),
    )


def _which(one: Reading) -> str:
    names = list(dict.fromkeys(place[0] for place in one.places))
    more = [f"and {len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
    return ", ".join([*(one_line(name, _NAME) for name in names[:_NAMED]), *more])
