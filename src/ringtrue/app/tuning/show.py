"""A tuning in a terminal and as JSON."""

from typing import Any

from rich.console import Console
from rich.text import Text

from ringtrue.app.tuning.tuned import AFTER, BEFORE, Tuned
from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.plain import figure_text
from ringtrue.report.plain import count, one_line
from ringtrue.report.terminal import new_table, print_lines, print_table, say

__all__ = ["print_tuned", "tuned_json"]


def print_tuned(tuned: Tuned, console: Console) -> None:
    """What was fitted, the figures before and after with intervals, and whether it was worth it."""
    agreement, fitting = tuned.agreement, tuned.fitting
    say(
        console,
        f"{tuned.before.name} by {tuned.model}: tuned on {count(len(fitting), 'row')} of "
        f"{count(len({row.cluster for row in fitting}), 'question')}, measured on {count(agreement.n, 'row')} of "
        f"{count(agreement.clusters, 'other question')}; {one_line(agreement.name, 60)}",
        "bold",
    )
    for warning in agreement.warnings:
        say(console, f"Beware: {warning}.", "yellow")
    if agreement.incomplete:
        say(console, f"Incomplete: {agreement.incomplete}.", "bold yellow")
    print_lines(console, "Fitted", [Text(f"{step.by}: {step.says}") for step in tuned.steps])
    console.print()
    table = new_table(console)
    for name in ("", "n", "agreement", "kappa"):
        table.add_column(name, no_wrap=True)
    for side in (BEFORE, AFTER):
        found = tuned.figures(side)
        table.add_row(side, f"{found.n:,}", *(figure_text(found.figures[name]) for name in ("agreement", "kappa")))
    difference = tuned.difference
    pair = (difference.agreement.figure, difference.kappa.figure)
    table.add_row("difference", f"{difference.n:,}", *map(figure_text, pair))
    print_table(console, table)
    say(console, "95 % intervals, over questions; the difference is paired by row.", "dim")
    console.print()
    say(console, tuned.verdict, "bold")


def tuned_json(tuned: Tuned) -> dict[str, Any]:
    """The same as one object; ``after`` and ``before`` are as in `ringtrue agree --json`."""
    found = agreement_json(tuned.agreement)
    (difference,) = found["comparisons"]
    fitting = tuned.fitting
    return {
        "judge": tuned.before.name,
        "model": tuned.model,
        "changed": tuned.changed,
        "helped": tuned.helped,
        "verdict": tuned.verdict,
        "steps": [{"by": step.by, "says": step.says} for step in tuned.steps],
        "fitted_on": {"rows": len(fitting), "questions": len({row.cluster for row in fitting})},
        "measured_on": {"rows": tuned.agreement.n, "questions": tuned.agreement.clusters},
        BEFORE: found["judges"][BEFORE],
        AFTER: found["judges"][AFTER],
        "difference": {name: one for name, one in difference.items() if name != "judges"},
        "human": found["human"],
        "data": found["data"],
        "cut": tuned.rubric.cut,
        "calibration": None
        if tuned.rubric.calibration is None
        else {"slope": tuned.rubric.calibration.slope, "intercept": tuned.rubric.calibration.intercept},
        "examples": len(tuned.rubric.examples),
        "incomplete": tuned.agreement.incomplete,
        "warnings": list(tuned.agreement.warnings),
    }
