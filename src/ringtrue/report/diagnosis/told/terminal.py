"""A diagnosis in a terminal or a pipe: the stages from left to right, the first to mend, evidence, remedies."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.report.diagnosis.found import Diagnosis, PipelineDiagnosis
from ringtrue.report.diagnosis.stages import STAGES
from ringtrue.report.diagnosis.told.plain import (
    UNKNOWN,
    blind_lines,
    collapse_line,
    evidence_lines,
    failed_line,
    finding_line,
    first_line,
    headline,
    moved_lines,
    share_text,
    signs_text,
    telling_failures,
)
from ringtrue.report.plain import one_line
from ringtrue.report.terminal import new_table, print_lines, print_table, say

__all__ = ["print_diagnosis"]


def print_diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    """Print the diagnosis, each pipeline by itself, then what moved."""
    say(console, headline(diagnosis), "bold")
    for one in diagnosis.pipelines:
        console.print()
        _print_pipeline(one, console)
    for moved in diagnosis.moved:
        title = f"Before and after: {one_line(moved.before, 60)} → {one_line(moved.after, 60)}"
        print_lines(console, title, [Text(line) for line in moved_lines(moved)])
    print_lines(console, "Notes", [Text(one_line(note, 2000)) for note in diagnosis.notes])


def _print_pipeline(one: PipelineDiagnosis, console: Console) -> None:
    say(console, failed_line(one), "bold")
    if one.failures:
        console.print()
        print_table(console, _stages(one, console))
        say(console, "Share of the failures with a known stage [95 % interval], over questions.", "dim")
    console.print()
    say(console, first_line(one), "bold yellow" if one.first else "")
    shown = telling_failures(one)
    lines = [
        line
        for failure in shown
        for line in _failure_lines(failure.question or failure.sample_id, evidence_lines(failure))
    ]
    print_lines(console, "Evidence", [Text(line) for line in lines])
    if one.first:
        print_lines(console, "What usually helps", [Text(remedy) for remedy in one.first.remedies])
    seen = [finding_line(finding) for finding in one.findings]
    if told := collapse_line(one):
        seen.append(told)
    print_lines(console, "Seen in the passages", [Text(line) for line in seen])
    print_lines(console, "Could not be looked at", [Text(line) for line in blind_lines(one)])


def _failure_lines(question: str, told: list[str]) -> list[str]:
    return [one_line(question, 120), *(f"  {line}" for line in told)]


def _stages(one: PipelineDiagnosis, console: Console) -> Table:
    table = new_table(console)
    table.add_column("stage", no_wrap=True)
    table.add_column("failed", justify="right", no_wrap=True)
    table.add_column("share", no_wrap=True)
    table.add_column("seen as", overflow="fold")
    for share in one.stages:
        first = one.first is not None and one.first.stage == share.stage
        name = Text(STAGES[share.stage].title, style="bold yellow" if first else "")
        table.add_row(
            name,
            f"{share.n:,}" if share.n else "–",
            share_text(share),
            Text(signs_text(share), style="" if share.n else "dim"),
        )
    if one.unknown:
        table.add_row(UNKNOWN, f"{one.unknown:,}", "", Text("not enough is known", style="dim"))
    return table
