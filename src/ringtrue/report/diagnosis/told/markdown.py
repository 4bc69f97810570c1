"""A diagnosis as Markdown, for pull requests and pages."""

from collections.abc import Iterator

from ringtrue.report.diagnosis.found import Diagnosis, Moved, PipelineDiagnosis
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
from ringtrue.report.markdown import escape

__all__ = ["diagnosis_markdown"]

_LONG = 2_000


def diagnosis_markdown(diagnosis: Diagnosis) -> str:
    """Stage table, first stage to mend, evidence and remedies of each pipeline, then what moved."""
    lines = [f"# {escape(headline(diagnosis), _LONG)}", ""]
    for one in diagnosis.pipelines:
        lines += _pipeline(one)
    for moved in diagnosis.moved:
        lines += _moved(moved)
    lines += [f"- {escape(note, _LONG)}" for note in diagnosis.notes]
    return "\n".join(lines).rstrip() + "\n"


def _pipeline(one: PipelineDiagnosis) -> Iterator[str]:
    yield from (f"## {escape(failed_line(one), _LONG)}", "", f"**{escape(first_line(one), _LONG)}**", "")
    if one.failures:
        yield from ("| stage | failed | share | seen as |", "|---|--:|---|---|")
        for share in one.stages:
            cells = (
                STAGES[share.stage].title,
                f"{share.n:,}" if share.n else "–",
                share_text(share),
                signs_text(share),
            )
            yield f"| {' | '.join(escape(cell, _LONG) for cell in cells)} |"
        if one.unknown:
            yield f"| {UNKNOWN} | {one.unknown:,} |  | not enough is known |"
        yield ""
    if shown := telling_failures(one):
        yield from ("### Evidence", "")
        for failure in shown:
            yield f"- {escape(failure.question or failure.sample_id, _LONG)}"
            yield from (f"  - {escape(line, _LONG)}" for line in evidence_lines(failure))
        yield ""
    if one.first:
        yield from ("### What usually helps", "", *(f"- {remedy}" for remedy in one.first.remedies), "")
    seen = [finding_line(finding) for finding in one.findings]
    if told := collapse_line(one):
        seen.append(told)
    if seen:
        yield from ("### Seen in the passages", "", *(f"- {escape(line, _LONG)}" for line in seen), "")
    if one.blind:
        yield from ("### Could not be looked at", "", *(f"- {escape(line, _LONG)}" for line in blind_lines(one)), "")


def _moved(moved: Moved) -> Iterator[str]:
    yield from (f"## Before and after: {escape(moved.before)} → {escape(moved.after)}", "")
    yield from (*(f"- {escape(line, _LONG)}" for line in moved_lines(moved)), "")
