"""The report as Markdown, for pull requests. What comes from the data is escaped: it shows as text and does nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ringtrue.report.facts_table import FactsTable, facts_table, pick_rows
from ringtrue.report.plain import (
    best_pipelines,
    count,
    coverage,
    headline,
    interval_text,
    labels_text,
    number,
    one_line,
    outcome,
    status_text,
    unscored,
)
from ringtrue.report.report import Cell, Report
from ringtrue.report.thresholds import threshold_text

__all__ = ["markdown"]

FACTS_ROWS = 200
_CLIP = 200  # characters of a cell

# Everything that begins markup, a formula, a mention or a link in GitHub's or GitLab's Markdown.
_ACTIVE = re.compile(r"([\\`*_\[\]|~$])")
# What makes a list or a heading of a line that it opens.
_OPENING = re.compile(r"^(\d+(?=[.)](?:\s|$))|)([-+#=.)])")
_WORD_JOINER = "\u2060"


def markdown(report: Report) -> str:
    """The whole report but the single rows: headline, summary, thresholds, Factual Knowledge table, notes."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from (f"## ringtrue: {_escape(report.dataset.name)}", "", _escape(headline(report)), "")
    if warning := status_text(report):
        yield from (f"**{warning}**", "")
    facts = facts_table(report)
    if report.metrics:
        yield from (_escape(outcome(report, facts.label if facts else next(iter(report.metrics))), 2000), "")
    yield from _thresholds(report)
    yield from _summary(report)
    if facts is not None:
        yield from _facts(facts)
    if report.run.notes:
        yield from ("### Notes", "", *(f"- {_escape(note, 2000)}" for note in report.run.notes), "")
    yield f"<sub>run {_escape(report.run.id)}, dataset fingerprint {_escape(report.dataset.fingerprint)}</sub>"


def _summary(report: Report) -> Iterator[str]:
    yield from ("### Summary", "", "Mean [95 % interval], and how many were scored where not all were.", "")
    yield from _table(
        ["metric", *report.pipelines],
        [
            [_escape(label), *(_cell(report.summary[name][label], name in best) for name in report.pipelines)]
            for label in report.metrics
            for best in [best_pipelines(report, label)]
        ],
        left=1,
    )
    if told := unscored(report):
        yield from ("<details><summary>Not scored, and why</summary>", "")
        yield from (*(f"- {_escape(line, 2000)}" for line in told), "", "</details>", "")


def _cell(cell: Cell, best: bool) -> str:
    mean = "–" if cell.mean is None else number(cell.mean)
    if cell.mean is None and cell.labels:
        mean = _escape(labels_text(cell.labels))
    parts = [f"**{mean}**" if best else mean]
    if cell.low is not None and cell.high is not None:
        parts.append(_escape(interval_text(cell.low, cell.high)))
    if share := coverage(cell):
        parts.append(share)
    return " ".join(parts)


def _thresholds(report: Report) -> Iterator[str]:
    if report.thresholds:
        yield from ("### Thresholds", "")
        for result in report.thresholds:
            yield f"- {'✅ passed' if result.passed else '❌ **failed**'}: {_escape(threshold_text(result), 400)}"
        yield ""


def _facts(table: FactsTable) -> Iterator[str]:
    rows = pick_rows(table, FACTS_ROWS)
    yield from (f"### {_escape(table.title)}", "")
    if table.remark:
        yield from (f"⚠️ {_escape(table.remark)}", "")
    yield from _table(
        ["question", "golden answer", "golden facts", *table.pipelines, ""],
        [
            [
                _escape(row.sample.question or "–"),
                _escape(" / ".join(row.sample.reference) or "–"),
                _escape(row.facts),
                *(mark.text for mark in row.marks.values()),
                "⚠️ likely ill-formed" if row.ill_formed else "",
            ]
            for row in rows
        ],
        left=3,
    )
    if left := len(table.rows) - len(rows):
        yield from (f"… and {count(left, 'more row')}.", "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> Iterator[str]:
    """A pipe table; the first `left` columns are texts, the others figures. `heads` are escaped here, cells are not."""
    yield f"| {' | '.join(_escape(head) for head in heads)} |"
    yield f"|{'---|' * left}{'--:|' * (len(heads) - left)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
    yield ""


def _escape(text: str, length: int = _CLIP) -> str:
    """`text` on one line as Markdown that says just that: no markup, HTML, formula, link or mention comes of it."""
    line = one_line(text, length).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _ACTIVE.sub(r"\\\1", line).replace("@", f"@{_WORD_JOINER}").replace("://", f":{_WORD_JOINER}//")
    return _OPENING.sub(r"\1\\\2", line)
