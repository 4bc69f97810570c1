"""The Factual Knowledge report: question, golden answer, golden facts, and whether each pipeline's answer has them.

A row where every pipeline has 0 speaks against the question or its facts rather than against the pipelines: it is
marked as likely ill-formed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from ringtrue.report.plain import count, number, value_text
from ringtrue.report.report import Report, ReportRow
from ringtrue.types import Sample

__all__ = ["FACTS_METRICS", "FactsRow", "FactsTable", "Mark", "facts_table", "pick_rows"]

_ILL_FORMED = "likely ill-formed"
FACTS_METRICS = ("factual_knowledge", "facts_matched", "factual_knowledge_quasi")


@dataclass(frozen=True, slots=True)
class Mark:
    """One pipeline's 0 or 1 (a share over its repeats); ``None`` where nothing was scored, and why."""

    value: float | None
    reason: str | None = None

    @property
    def text(self) -> str:
        return "–" if self.value is None else value_text(self.value)


@dataclass(frozen=True, slots=True)
class FactsRow:
    """One sample's marks by pipeline. `differs` says that the pipelines do not agree."""

    sample: Sample
    marks: Mapping[str, Mark]

    @property
    def ill_formed(self) -> bool:
        return all(mark.value == 0.0 for mark in self.marks.values())

    @property
    def differs(self) -> bool:
        return len({mark.value for mark in self.marks.values()}) > 1

    @property
    def facts(self) -> str:
        return self.sample.facts.raw if self.sample.facts else "–"


@dataclass(frozen=True, slots=True)
class FactsTable:
    """All rows in the dataset's order; `label` names the metric that the marks are from."""

    label: str
    pipelines: tuple[str, ...]
    rows: tuple[FactsRow, ...]
    means: Mapping[str, str]

    @property
    def title(self) -> str:
        named = "" if self.label == FACTS_METRICS[0] else f" ({self.label})"
        return f"Factual Knowledge report{named}"

    @property
    def ill_formed(self) -> int:
        return sum(row.ill_formed for row in self.rows)

    @property
    def remark(self) -> str:
        """What the marked rows mean; nothing where there is none."""
        if not self.ill_formed:
            return ""
        rows = count(self.ill_formed, "row")
        if len(self.pipelines) == 1:
            return f"{rows} with 0: {_ILL_FORMED}, or simply wrong; one pipeline alone cannot tell which."
        return f"{rows} with 0 for every pipeline: {_ILL_FORMED}. Look at the question and its facts first."


def facts_table(report: Report) -> FactsTable | None:
    """The table of the first facts metric the run has; None where it has none, or no sample has facts."""
    label = next(
        (label for name in FACTS_METRICS for label, use in report.metrics.items() if use.metric.name == name), None
    )
    rows = [row for row in report.rows if row.sample.facts is not None]
    if label is None or not rows:
        return None
    cells = {pipeline: report.summary[pipeline][label] for pipeline in report.pipelines}
    return FactsTable(
        label=label,
        pipelines=report.pipelines,
        rows=tuple(
            FactsRow(row.sample, {pipeline: _mark(row, pipeline, label) for pipeline in report.pipelines})
            for row in rows
        ),
        means={name: "–" if cell.mean is None else number(cell.mean) for name, cell in cells.items()},
    )


def pick_rows(table: FactsTable, most: int) -> Sequence[FactsRow]:
    """At most `most` rows in the dataset's order: those with 0 for every pipeline first, then those that differ."""
    if len(table.rows) <= most:
        return table.rows
    urgent = sorted(
        range(len(table.rows)),
        key=lambda place: (not table.rows[place].ill_formed, not table.rows[place].differs, place),
    )
    return [table.rows[place] for place in sorted(urgent[:most])]


def _mark(row: ReportRow, pipeline: str, label: str) -> Mark:
    found = [scores[label] for (name, _), scores in row.scores.items() if name == pipeline and label in scores]
    values = [score.value for score in found if score.value is not None]
    if values:
        return Mark(fsum(values) / len(values))
    reason = next((score.error for score in found if score.error), "not scored")
    return Mark(None, reason)
