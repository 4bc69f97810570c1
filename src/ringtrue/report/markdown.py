"""The report as Markdown, for pull requests. What comes from the data is escaped: it shows as text and does nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ringtrue.report.agreement.corrected import corrected_lines
from ringtrue.report.facts_table import FactsTable, facts_table, pick_rows
from ringtrue.report.judging.summary import (
    Judged,
    cost_text,
    failures_text,
    judging,
    models_text,
    percent_text,
    seconds_text,
    tokens_text,
)
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
from ringtrue.report.readings.readings import read_report
from ringtrue.report.readings.rules import rule_text
from ringtrue.report.readings.told import legend, names_text, not_looked_lines, outcomes_text, remedies, size_text
from ringtrue.report.report import Cell, Report
from ringtrue.report.thresholds import threshold_text

__all__ = ["escape", "markdown"]

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
    yield from (f"## ringtrue: {escape(report.dataset.name)}", "", escape(headline(report)), "")
    if warning := status_text(report):
        yield from (f"**{warning}**", "")
    facts = facts_table(report)
    if report.metrics:
        yield from (escape(outcome(report, facts.label if facts else next(iter(report.metrics))), 2000), "")
    yield from _thresholds(report)
    yield from _summary(report)
    yield from _judging(report)
    if checked := list(corrected_lines(report)):
        yield from ("### Checked against people", "", *(f"- {escape(line, 2000)}" for line in checked), "")
    if facts is not None:
        yield from _facts(facts)
    yield from _readings(report)
    if report.run.notes:
        yield from ("### Notes", "", *(f"- {escape(note, 2000)}" for note in report.run.notes), "")
    yield f"<sub>run {escape(report.run.id)}, dataset fingerprint {escape(report.dataset.fingerprint)}</sub>"


def _summary(report: Report) -> Iterator[str]:
    yield from ("### Summary", "", "Mean [95 % interval], and how many were scored where not all were.", "")
    yield from _table(
        ["metric", *report.pipelines],
        [
            [escape(label), *(_cell(report.summary[name][label], name in best) for name in report.pipelines)]
            for label in report.metrics
            for best in [best_pipelines(report, label)]
        ],
        left=1,
    )
    if told := unscored(report):
        yield from ("<details><summary>Not scored, and why</summary>", "")
        yield from (*(f"- {escape(line, 2000)}" for line in told), "", "</details>", "")


def _cell(cell: Cell, best: bool) -> str:
    mean = "–" if cell.mean is None else number(cell.mean)
    if cell.mean is None and cell.labels:
        mean = escape(labels_text(cell.labels))
    parts = [f"**{mean}**" if best else mean]
    if cell.low is not None and cell.high is not None:
        parts.append(escape(interval_text(cell.low, cell.high)))
    if share := coverage(cell):
        parts.append(share)
    return " ".join(parts)


def _thresholds(report: Report) -> Iterator[str]:
    if report.thresholds:
        yield from ("### Thresholds", "")
        for result in report.thresholds:
            yield f"- {'✅ passed' if result.passed else '❌ **failed**'}: {escape(threshold_text(result), 400)}"
        yield ""


def _judging(report: Report) -> Iterator[str]:
    if (found := judging(report)) is None:
        return
    rows = [(escape(label), one) for label, one in found.metrics.items()]
    if len(rows) > 1:
        rows.append(("all judges", found.total))
    heads = ["metric", "models", "failed", "scores", "calls", "kept replies", "tokens in", "tokens out", "cost"]
    yield from ("### What the judges cost", "")
    yield from _table([*heads, "median s", "flip rate", "spread"], [[name, *_took(one)] for name, one in rows], left=3)


def _took(one: Judged) -> Iterator[str]:
    yield from (escape(models_text(one)), escape(failures_text(one) or "–"))
    yield from (f"{one.scores:,}", tokens_text(one.calls), f"{one.cached:,}" if one.cached else "–")
    yield from (tokens_text(one.input_tokens), tokens_text(one.output_tokens), escape(cost_text(one)))
    yield "–" if one.median_s is None else seconds_text(one.median_s).removesuffix(" s")
    yield "–" if one.flip_rate is None else percent_text(one.flip_rate)
    yield "–" if one.spread is None else number(one.spread)


def _facts(table: FactsTable) -> Iterator[str]:
    rows = pick_rows(table, FACTS_ROWS)
    yield from (f"### {escape(table.title)}", "")
    if table.remark:
        yield from (f"⚠️ {escape(table.remark)}", "")
    yield from _table(
        ["question", "golden answer", "golden facts", *table.pipelines, ""],
        [
            [
                escape(row.sample.question or "–"),
                escape(" / ".join(row.sample.reference) or "–"),
                escape(row.facts),
                *(mark.text for mark in row.marks.values()),
                "⚠️ likely ill-formed" if row.ill_formed else "",
            ]
            for row in rows
        ],
        left=3,
    )
    if left := len(table.rows) - len(rows):
        yield from (f"… and {count(left, 'more row')}.", "")


def _readings(report: Report) -> Iterator[str]:
    readings = read_report(report)
    lacking = not_looked_lines(readings)
    if not readings.found and not lacking:
        return
    yield from ("### Readings", "")
    if readings.found:
        rows = [
            [
                escape(one.rule.title),
                escape(one.pipeline or "all pipelines"),
                escape("; ".join(filter(None, (size_text(one), names_text(one), outcomes_text(one)))), 400),
                escape(rule_text(one.rule)),
                escape(remedies(one), 400),
            ]
            for one in readings.found
        ]
        yield from _table(["reading", "pipeline", "how many", "rule", "what to do"], rows, left=5)
        yield from ([legend(readings), ""] if legend(readings) else [])
    yield from (*(f"- {escape(line, 2000)}" for line in lacking), *([""] if lacking else []))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> Iterator[str]:
    """A pipe table; the first `left` columns are texts, the others figures. `heads` are escaped here, cells are not."""
    yield f"| {' | '.join(escape(head) for head in heads)} |"
    yield f"|{'---|' * left}{'--:|' * (len(heads) - left)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
    yield ""


def escape(text: str, length: int = _CLIP) -> str:
    """`text` on one line as Markdown that says just that: no markup, HTML, formula, link or mention comes of it."""
    line = one_line(text, length).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _ACTIVE.sub(r"\\\1", line).replace("@", f"@{_WORD_JOINER}").replace("://", f":{_WORD_JOINER}//")
    return _OPENING.sub(r"\1\\\2", line)
