"""The report as one HTML file: no request leaves it, all of it can be read without JavaScript, nothing in it is run.

Texts from the data are escaped wherever they stand, and a content security policy lets the page run and style itself by
its own two blocks only.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from ringtrue.report.agreement.corrected import corrected_lines
from ringtrue.report.facts_table import facts_table, pick_rows
from ringtrue.report.html_rows import row_views, worst_first
from ringtrue.report.json_report import dumps, summary_json
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
from ringtrue.report.judging.transcript import Transcript
from ringtrue.report.pages.cards import Card, metric_card
from ringtrue.report.pages.page import environment, island, markup, policy, template_text
from ringtrue.report.plain import (
    compared,
    count,
    headline,
    interval_text,
    labels_text,
    number,
    ranked,
    status_text,
    unscored,
    visible,
)
from ringtrue.report.readings.page import reading_flags, reading_views, readings_by_row
from ringtrue.report.readings.readings import read_report
from ringtrue.report.readings.told import legend, not_looked_lines
from ringtrue.report.report import Report
from ringtrue.report.thresholds import threshold_text

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render_html"]

_OPERATOR = re.compile(r"(?<!\\)&lt;(OR|AND)&gt;")  # as it stands in escaped text


def render_html(report: Report, *, max_rows: int = 1000) -> str:
    """The whole page. Of more than `max_rows` rows the worst are shown, and the page says how many are not."""
    facts = facts_table(report)
    cards = [metric_card(report, label) for label in report.metrics]
    lead = facts.label if facts else next(iter(report.metrics), None)
    cut = len(report.rows) > max_rows
    rows = worst_first(report)[:max_rows] if cut else report.rows
    style = "".join(template_text(name) for name in ("report.css", "figures.css", "readings.css"))
    script = template_text("theme.js") + template_text("report.js")
    shown = pick_rows(facts, max_rows) if facts else ()
    transcript = Transcript(report.run.id)
    views = row_views(report, rows, lead, facts, transcript)
    judged = judging(report)
    readings = read_report(report)
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            report=report,
            policy=policy([style], [script]),
            style=markup(style),
            script=markup(script),
            island=markup(island(summary_json(report))),
            done=headline(report),
            warning=status_text(report),
            lead=_podium(report, next(card for card in cards if card.label == lead)) if lead else None,
            said=compared(report, lead) if lead else "",
            gate=_gate(report),
            thresholds=[(result.passed, threshold_text(result)) for result in report.thresholds],
            cards=cards,
            unscored=unscored(report),
            facts=facts,
            facts_rows=shown,
            facts_left=_left_out(report, len(facts.rows) - len(shown), "those with 0 for every pipeline")
            if facts
            else "",
            readings=reading_views(readings),
            readings_legend=legend(readings),
            not_looked=not_looked_lines(readings),
            read=readings_by_row(readings),
            read_flags=reading_flags(readings),
            rows=views,
            judged=[(label, _took(one)) for label, one in judged.metrics.items()] if judged else [],
            checked=list(corrected_lines(report)),
            judged_total=_took(judged.total) if judged else {},
            told=transcript.told,
            rows_left=_left_out(report, len(report.rows) - len(rows), "those with failures and the lowest scores"),
            run=_run(report),
            # What the user wrote; where it lay on the user's disk is nobody else's business.
            config=dumps(report.run.config.get("config", report.run.config), indent=True).decode(),
        )
    )


@cache
def _environment() -> "Environment":
    found = environment().overlay()
    found.filters = {**found.filters, "operators": _operators}
    return found


def _operators(facts: str) -> Any:
    """Facts with their operators set apart."""
    from markupsafe import escape

    return markup(_OPERATOR.sub(r' <span class="op">&lt;\1&gt;</span> ', str(escape(visible(facts)))))


def _podium(report: Report, card: Card) -> dict[str, Any]:
    """The leading card with its lines best first, each with what it says in words."""
    order = {name: place for place, (name, _) in enumerate(ranked(report, card.label))}
    lines = sorted(card.lines, key=lambda line: order.get(line.pipeline, len(order)))
    told = [(line, _in_words(report, line.pipeline, card.label)) for line in lines]
    return {"label": card.label, "summary": card.summary, "lines": told}


def _in_words(report: Report, name: str, label: str) -> str:
    """``8 of 10 answers, 95 % interval [0.49, 0.94]``; over how many the mean is, where values are not 0 or 1."""
    cell = report.summary[name][label]
    if cell.mean is None:
        return labels_text(cell.labels) or "not scored"
    values = [
        scores[label].value
        for row in report.rows
        for (pipeline, _), scores in row.scores.items()
        if pipeline == name and label in scores and scores[label].value is not None
    ]
    answers = count(len(values), "answer")
    binary = tuple(report.metrics[label].metric.range) == (0, 1) and all(value in (0.0, 1.0) for value in values)
    told = f"{sum(value == 1.0 for value in values):,} of {answers}" if binary else f"over {answers}"
    if left := cell.skipped + cell.failed:
        told += f" ({left:,} not scored)"
    if cell.low is not None and cell.high is not None:
        told += f", 95 % interval {interval_text(cell.low, cell.high)}"
    return told


def _gate(report: Report) -> str:
    missed = sum(not result.passed for result in report.thresholds)
    if not missed:
        return f"All passed: {len(report.thresholds)} of {len(report.thresholds)}."
    return f"{missed:,} of {len(report.thresholds):,} failed."


def _took(judged: Judged) -> dict[str, str]:
    """What judging took, as the cells of a table."""
    known = judged.median_s is not None and judged.p95_s is not None
    return {
        "models": models_text(judged),
        "scores": f"{judged.scores:,}",
        "calls": tokens_text(judged.calls),
        "cached": f"{judged.cached:,}" if judged.cached else "–",
        "tokens_in": tokens_text(judged.input_tokens),
        "tokens_out": tokens_text(judged.output_tokens),
        "cost": cost_text(judged),
        "median": seconds_text(judged.median_s) if known else "–",
        "p95": seconds_text(judged.p95_s) if known else "–",
        "failures": failures_text(judged) or "–",
        "flips": "–" if judged.flip_rate is None else percent_text(judged.flip_rate),
        "spread": "–" if judged.spread is None else number(judged.spread),
    }


def _left_out(report: Report, left: int, first: str) -> str:
    if not left:
        return ""
    return (
        f"{count(left, 'more row')} not shown: of so many, this page shows {first}. "
        f"All of them are in the file that “ringtrue report {report.run.id} -o rows.json” writes (or rows.csv)."
    )


def _run(report: Report) -> list[tuple[str, str]]:
    run, dataset = report.run, report.dataset
    facts = {
        "Run": run.id,
        "Status": run.status,
        "Started": run.started,
        "Finished": run.finished or "–",
        "Dataset": f"{dataset.name}, {count(len(dataset), 'sample')}",
        "Dataset version": dataset.version or "",
        "Dataset fingerprint": dataset.fingerprint,
        "Pipelines": ", ".join(run.pipelines),
        "Repeats": str(run.repeats),
        "Exit code": str(report.exit_code),
        "Interval": "Wilson’s where the values of a metric from 0 to 1 are all 0 or 1, else Student’s t; "
        "repeats of a question count once",
    }
    return [(name, value) for name, value in (facts | dict(run.environment)).items() if value]
