"""A diagnosis as one HTML file: no request leaves it, and all of it can be read without scripts."""

from collections.abc import Sequence
from dataclasses import fields

from ringtrue.report.diagnosis.found import Diagnosis
from ringtrue.report.diagnosis.page.views import moved_table, pipeline_view
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.plain import headline
from ringtrue.report.pages.page import environment, island, markup, policy, template_text
from ringtrue.report.plain import count, one_line

__all__ = ["render_diagnosis"]


def render_diagnosis(diagnosis: Diagnosis) -> str:
    """The whole page."""
    style = "".join(template_text(name) for name in ("report.css", "figures.css", "diagnosis.css"))
    script = template_text("theme.js") + template_text("page.js")
    return (
        environment()
        .get_template("diagnosis.html.jinja")
        .render(
            diagnosis=diagnosis,
            policy=policy([style], [script]),
            style=markup(style),
            script=markup(script),
            island=markup(island(diagnosis_json(diagnosis))),
            done=headline(diagnosis),
            views=[pipeline_view(one) for one in diagnosis.pipelines],
            moved=[
                (
                    f"{one_line(one.before, 60)} → {one_line(one.after, 60)}",
                    f"Over {count(one.questions, 'question')} that both have judged"
                    + (f"; {one.left_out:,} more were judged on one side only." if one.left_out else "."),
                    moved_table(one) if one.questions else None,
                )
                for one in diagnosis.moved
            ],
            cuts=_cuts(diagnosis.thresholds),
        )
    )


def _cuts(cuts: Thresholds) -> Sequence[tuple[str, str]]:
    return [(one.name.replace("_", " "), str(getattr(cuts, one.name))) for one in fields(cuts)]
