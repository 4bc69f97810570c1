"""What the page shows of each pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.charts.chart import Table
from ringtrue.report.diagnosis.found import Evidence, Excerpt, Failure, Moved, PipelineDiagnosis, StageMoved, StageShare
from ringtrue.report.diagnosis.stages import SIGNS, STAGES
from ringtrue.report.diagnosis.told.plain import (
    UNKNOWN,
    blind_lines,
    collapse_line,
    failed_line,
    finding_line,
    first_line,
    share_text,
    signs_text,
    stage_title,
    telling_failures,
)
from ringtrue.report.plain import count, interval_text, middle_out, number, one_line
from ringtrue.stats.figure import Figure

__all__ = ["FailureView", "Marked", "PipelineView", "StageView", "moved_table", "pipeline_view"]

_NAME = 60
_QUESTION = 1_000  # characters
_EXCERPT = 1_500
_FAILURES = 200
_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """One box of the chain. `level` shades it by its share, 0 to 10; the others place the interval, in percent.

    `state` is ``first`` for the stage to mend first, ``unlooked`` where it could not be looked at,
    ``quiet`` where nothing failed.
    """

    title: str
    does: str
    failed: str
    share: str
    level: int
    state: str
    low: str | None
    width: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of a passage: what comes before the place that matters, the place, and what comes after."""

    where: str
    before: str
    place: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureView:
    """One answer that failed, with its evidence: text, whether it is weaker, the place in the passage."""

    id: str
    question: str
    stage: str
    failed_by: str
    evidence: Sequence[tuple[str, bool, Marked | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineView:
    """One pipeline. `telling` are the failures to read first, `others` the rest, of which `left` more are not shown."""

    name: str
    failed: str
    first: str
    mend: str
    rate: str
    stages: Sequence[StageView]
    table: Table
    remedies: Sequence[str]
    telling: Sequence[FailureView]
    others: Sequence[FailureView]
    left: int
    findings: Sequence[tuple[str, Sequence[Marked]]]
    collapse: str
    commonest: Sequence[Marked]
    blind: Sequence[str]


def pipeline_view(one: PipelineDiagnosis) -> PipelineView:
    """Everything that is shown of one pipeline."""
    telling = telling_failures(one)
    rest = [failure for failure in one.failures if not any(failure is shown for shown in telling)]
    collapsed = one.collapse is not None and one.collapse.collapsed
    return PipelineView(
        name=one_line(one.pipeline, _NAME),
        failed=failed_line(one),
        first=first_line(one),
        mend=STAGES[one.first.stage].title if one.first else "–",
        rate=f"{len(one.failures):,} of {count(one.judged, 'answer')} failed" if one.judged else "not judged",
        stages=[_stage(share, one) for share in one.stages] if one.failures else [],
        table=_table(one),
        remedies=one.first.remedies if one.first else (),
        telling=[_failure(failure) for failure in telling],
        others=[_failure(failure) for failure in rest[:_FAILURES]],
        left=max(len(rest) - _FAILURES, 0),
        findings=[
            (finding_line(found), [_marked(example) for example in found.examples[:_EXAMPLES]])
            for found in one.findings
        ],
        collapse=collapse_line(one),
        commonest=[_marked(each) for each in one.collapse.commonest[:_EXAMPLES]] if collapsed and one.collapse else [],
        blind=blind_lines(one),
    )


def moved_table(moved: Moved) -> Table:
    """Before and after: all failures first, then by stage."""
    rows = [_moved("all failures", moved.failed), *(_moved(stage_title(one.stage), one) for one in moved.stages)]
    head = ("Failed at", one_line(moved.before, _NAME), one_line(moved.after, _NAME), "Difference")
    return Table(head=head, rows=rows)


def _moved(name: str, one: StageMoved) -> tuple[str, ...]:
    sign = "+" if (one.difference.value or 0) > 0 else ""
    return name, f"{one.before:.0%}", f"{one.after:.0%}", sign + _figure(one.difference)


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    interval = "" if figure.low is None or figure.high is None else f" {interval_text(figure.low, figure.high)}"
    return f"{number(figure.value)}{interval}".replace("-", "−")


def _stage(share: StageShare, one: PipelineDiagnosis) -> StageView:
    first = one.first is not None and one.first.stage == share.stage
    figure = share.share
    at = figure.value if share.n else None
    known = at is not None and figure.low is not None and figure.high is not None
    return StageView(
        title=STAGES[share.stage].title,
        does=STAGES[share.stage].does,
        failed="not looked at" if share.unseen else f"{share.n:,}" if share.n else "none",
        share=_unbroken(share_text(share)),
        level=round(10 * (at or 0.0)),
        state="first" if first else "unlooked" if share.unseen else "" if share.n else "quiet",
        low=f"{100 * (figure.low or 0.0):.2f}" if known else None,
        width=f"{100 * ((figure.high or 0.0) - (figure.low or 0.0)):.2f}" if known else None,
        at=None if at is None else f"{100 * at:.2f}",
    )


def _table(one: PipelineDiagnosis) -> Table:
    rows = [
        (
            STAGES[share.stage].title,
            f"{share.n:,}" if share.n else "–",
            _unbroken(share_text(share)) or "–",
            signs_text(share) or "–",
        )
        for share in one.stages
    ]
    if one.unknown:
        rows.append((UNKNOWN, f"{one.unknown:,}", "–", "not enough is known"))
    return Table(head=("Stage", "Failed", "Share", "Seen as"), rows=rows)


def _unbroken(text: str) -> str:
    """An interval that stays on one line."""
    return text.replace(", ", ",\u00a0")


def _failure(failure: Failure) -> FailureView:
    return FailureView(
        id=one_line(failure.sample_id, _NAME) + (f", repeat {failure.repeat}" if failure.repeat else ""),
        question=middle_out(failure.question or "(no question)", _QUESTION),
        stage=stage_title(failure.stage),
        failed_by="; ".join(failure.failed_by),
        evidence=[_evidence(each) for each in failure.evidence],
    )


def _evidence(one: Evidence) -> tuple[str, bool, Marked | None]:
    told = one.text if one.text else SIGNS[one.sign].title
    return one_line(told, 600), one.weak, None if one.excerpt is None else _marked(one.excerpt)


def _marked(one: Excerpt) -> Marked:
    named = [f"rank {one.rank}" if one.rank else "", one_line(one.name, _NAME) if one.name else ""]
    before, place, after = one.text[: one.start], one.text[one.start : one.end], one.text[one.end :]
    cut = (middle_out(text, _EXCERPT) for text in (before, place, after))
    return Marked(", ".join(filter(None, named)), *cut)
