"""An agreement as one HTML file, for people who decide: no request leaves it, all of it can be read without scripts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count as counting
from typing import Any

from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.found import WITHIN, Agreement, Judged
from ringtrue.report.agreement.page.misses import misses_views
from ringtrue.report.agreement.page.views import (
    comparisons_table,
    interval_charts,
    judge_views,
    judges_table,
    pairs_table,
    people_facts,
    slices_table,
)
from ringtrue.report.agreement.page.words import best_first, percent, verdict
from ringtrue.report.agreement.plain import figure_text
from ringtrue.report.charts.bundle import charts_data, drawing_scripts
from ringtrue.report.pages.page import environment, island, markup, policy, template_text
from ringtrue.report.plain import count, one_line

__all__ = ["render_agreement"]

_LEADING = 4  # judges that stand large at the top
_COMPARED = 10  # pairs of judges that are not folded


def render_agreement(agreement: Agreement) -> str:
    """The whole page. What draws charts is in it only where there is one."""
    judges = best_first(agreement)
    ids = (f"chart-{n}" for n in counting(1))
    across = interval_charts(agreement, judges, ids)
    views = judge_views(agreement, judges, ids)
    charts = [*across, *(chart for view in views for chart in view.charts)]
    compared = comparisons_table(agreement)
    style = "".join(template_text(name) for name in ("report.css", "figures.css", "agreement.css"))
    scripts = [template_text("theme.js") + template_text("page.js"), *(drawing_scripts() if charts else ())]
    return (
        environment()
        .get_template("agreement.html.jinja")
        .render(
            agreement=agreement,
            policy=policy([style], scripts),
            style=markup(style),
            scripts=[markup(script) for script in scripts],
            island=markup(island(agreement_json(agreement))),
            charts_data=markup(charts_data(charts)) if charts else "",
            done=_done(agreement),
            verdict=verdict(agreement),
            leading=[_leading(one) for one in judges[:_LEADING]],
            people=people_facts(agreement),
            pairs=pairs_table(agreement.human),
            judges=judges_table(judges),
            within=f"{WITHIN:g}",
            across=across,
            views=views,
            comparisons=replace(compared, rows=compared.rows[:_COMPARED]),
            more_comparisons=replace(compared, rows=compared.rows[_COMPARED:]),
            pairs_compared=count(len(compared.rows), "pair"),
            slices=slices_table(agreement),
            misses=misses_views(judges),
            made=_made(agreement),
            signatures=[(one_line(one.candidate.name, 60), _signature(one)) for one in judges],
        )
    )


def _done(agreement: Agreement) -> str:
    rows = f"{count(agreement.n, 'labelled row')} of {count(agreement.clusters, 'question')}"
    about = f"{agreement.metric}: " if agreement.metric else ""
    dev = f"; {count(agreement.dev, 'more row')} to fit cuts on" if agreement.dev else ""
    return f"{about}{count(len(agreement.judges), 'judge')} over {rows}{dev}"


def _leading(one: Judged) -> dict[str, Any]:
    agreed, kappa = (one.figures.figures[name] for name in ("agreement", "kappa"))
    return {
        "name": one_line(one.candidate.name, 60),
        "baseline": one.candidate.baseline,
        "big": "–" if agreed.value is None else percent(agreed.value),
        "small": f"kappa {figure_text(kappa)}" if kappa.value is not None else f"kappa is undefined: {kappa.why}",
    }


def _made(agreement: Agreement) -> Sequence[tuple[str, str]]:
    settings = agreement.settings
    runs = max((len(one.candidate.runs) for one in agreement.judges), default=1)
    drawn = "questions (rows that hang together)" + (" and the judges’ runs" if runs > 1 else "")
    facts = {
        "Data": agreement.name,
        "Fingerprint": agreement.fingerprint,
        "What labels are about": agreement.metric,
        "Labels": ", ".join(one_line(label, 30) for label in agreement.labels.names),
        "Counts as positive": agreement.labels.positive or "none: kappa and agreement only",
        "Rows": f"{agreement.n:,} in {count(agreement.clusters, 'question')}"
        + (f", {agreement.dev:,} dev rows besides" if agreement.dev else ""),
        "Intervals": f"95 %, bootstrap (BCa) over {drawn}; {settings.draws:,} draws, seed {settings.seed}"
        if settings.draws
        else "none: no draws were asked for",
        "Slices": "" if settings.by is None else f"by {settings.by}",
    }
    return [(name, value) for name, value in facts.items() if value]


def _signature(one: Judged) -> str:
    return one.candidate.signature or ("verdicts stored in the data" if one.candidate.kind == "stored" else "not told")
