"""A comparison as one HTML file: no request leaves it, and all of it can be read without scripts."""

from collections.abc import Sequence
from itertools import count as counting

from ringtrue.report.charts.bundle import charts_data, drawing_scripts
from ringtrue.report.comparing.found import Comparison
from ringtrue.report.comparing.page.decision import decision, standings
from ringtrue.report.comparing.page.views import (
    beside_table,
    difference_charts,
    pair_views,
    repeats_table,
    slice_tables,
)
from ringtrue.report.comparing.printing.as_json import comparison_json
from ringtrue.report.comparing.words import headline, legend, margins_text, summary, unpaired_lines
from ringtrue.report.pages.page import environment, island, markup, policy, template_text
from ringtrue.report.plain import count, one_line

__all__ = ["render_comparison"]


def render_comparison(found: Comparison) -> str:
    """The whole page. What draws charts is in it only where there is one."""
    charts = difference_charts(found, (f"chart-{n}" for n in counting(1)))
    style = template_text("report.css") + template_text("figures.css") + template_text("comparison.css")
    scripts = [template_text("theme.js") + template_text("page.js"), *(drawing_scripts() if charts else ())]
    return (
        environment()
        .get_template("comparison.html.jinja")
        .render(
            found=found,
            policy=policy([style], scripts),
            style=markup(style),
            scripts=[markup(script) for script in scripts],
            island=markup(island(comparison_json(found))),
            charts_data=markup(charts_data(charts)) if charts else "",
            names=", ".join(dict.fromkeys(one_line(one.dataset, 60) for one in found.runs)),
            done=headline(found),
            decision=decision(found),
            lead=found.metrics[0].label if found.metrics else "",
            standings=standings(found),
            summary=summary(found),
            margins=margins_text(found),
            charts=charts,
            legend=legend(found),
            pairs=pair_views(found),
            slices=slice_tables(found),
            beside=beside_table(found),
            repeats=repeats_table(found),
            unpaired=unpaired_lines(found),
            made=_made(found),
            signatures=[(one.label, list(dict.fromkeys(one.signatures.values()))) for one in found.metrics],
        )
    )


def _made(found: Comparison) -> Sequence[tuple[str, str]]:
    settings = found.settings
    facts = {
        "Runs": "; ".join(
            f"{one.id}{f' ({one.called})' if one.called != one.id else ''}, started {one.started}, {one.status}"
            for one in found.runs
        ),
        "Dataset": "; ".join(dict.fromkeys(f"{one_line(one.dataset, 60)} ({one.fingerprint})" for one in found.runs)),
        "Shared rows": f"{found.rows:,} of {count(found.questions, 'question')}",
        "Baseline": one_line(found.baseline, 60) if found.baseline else "none: every two pipelines are compared",
        "Intervals": f"95 %, bootstrap over questions; {settings.draws:,} draws, seed {settings.seed}",
        "Tests": "exact McNemar for metrics of 0 and 1, "
        + ("sign-flip permutation" if settings.graded == "permutation" else "Wilcoxon signed-rank")
        + " for graded ones; corrected by Holm over every pair and metric",
        "Effects": "Cohen’s h for metrics of 0 and 1, d_z for graded ones",
        "Questions by": settings.cluster_by or "",
    }
    return [(name, value) for name, value in facts.items() if value]
