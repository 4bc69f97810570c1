"""What the doors call: a run diagnosed, and held against another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ringtrue.app.config import parse_config
from ringtrue.app.diagnosing.settings import thresholds_of
from ringtrue.app.gates import threshold_of
from ringtrue.data.fields.passages import passages_of
from ringtrue.data.formats.read import read_rows
from ringtrue.errors import DataError, UnknownNameError, UsageError
from ringtrue.report.diagnosis.diagnosis import diagnose
from ringtrue.report.diagnosis.found import Diagnosis, PipelineDiagnosis
from ringtrue.report.diagnosis.moved import moved_between
from ringtrue.report.diagnosis.rows.failing import FailedIf
from ringtrue.report.report import Report
from ringtrue.report.thresholds import find_label, parse_requirement
from ringtrue.types import Passage

__all__ = ["DiagnoseJob", "diagnose_reports", "load_corpus"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnoseJob:
    """How to diagnose.

    `pipelines` are those to look at, all where none is named; without a second run, two of them are held against each
    other, the first as before. `corpus` are all passages there are to fetch. `failed_if` are rules such as
    ``f1_over_words < 0.5`` instead of the configuration's.
    """

    pipelines: Sequence[str] = ()
    corpus: Sequence[Passage] | None = None
    failed_if: Sequence[str] = ()


def diagnose_reports(report: Report, before: Report | None, job: DiagnoseJob) -> Diagnosis:
    """Diagnose a run, and hold it against the one before. Raises UsageError or UnknownNameError."""
    found = _diagnosed(report, job)
    if before is not None:
        return _against(found, _diagnosed(before, job))
    if len(job.pipelines) == 2:
        old, new = found.pipelines
        return replace(found, moved=[moved_between(old, new, names=(old.pipeline, new.pipeline))])
    return found


def load_corpus(path: Path) -> list[Passage]:
    """The passages of a corpus file in their order: rows with a text, and maybe an id. Raises DataError."""
    passages = passages_of([dict(row) for row in read_rows(path).rows]) or ()
    if not any(one.text for one in passages):
        raise DataError(
            "no row has a text", file=path, mend="a row holds a passage: {text: …, id: …}; id may be left out"
        )
    return list(passages)


def _diagnosed(report: Report, job: DiagnoseJob) -> Diagnosis:
    known = report.pipelines
    unknown = [name for name in job.pipelines if name not in known]
    if unknown:
        raise UnknownNameError("pipeline", unknown[0], known, where=f"run {report.run.id}")
    config = parse_config(report.run.config["config"], where=f"run {report.run.id}", in_use=False).diagnosis
    written = job.failed_if or config.failed_if
    return diagnose(
        report,
        pipelines=list(job.pipelines) or None,
        corpus=job.corpus,
        thresholds=thresholds_of(config),
        failed_if=[_rule(one, report) for one in written],
    )


def _rule(written: str, report: Report) -> FailedIf:
    gate = threshold_of(written)
    if "pipeline" in gate:
        raise UsageError(f"{written!r} names a pipeline", mend="write METRIC < NUMBER, and choose with --pipeline")
    label = find_label(report.metrics, gate["metric"])
    return FailedIf(label, f"{label} {gate['require']}", parse_requirement(gate["require"]).holds)


def _against(after: Diagnosis, before: Diagnosis) -> Diagnosis:
    """Pipelines of the same name are held against each other; one against one whatever they are called."""
    by_name = {one.pipeline: one for one in before.pipelines}
    pairs: list[tuple[PipelineDiagnosis, PipelineDiagnosis]] = [
        (by_name[one.pipeline], one) for one in after.pipelines if one.pipeline in by_name
    ]
    if not pairs and len(after.pipelines) == len(before.pipelines) == 1:
        pairs = [(before.pipelines[0], after.pipelines[0])]
    if not pairs:
        old, new = (", ".join(one.pipeline for one in side.pipelines) for side in (before, after))
        raise UsageError(
            f"runs {before.run} ({old}) and {after.run} ({new}) have no pipeline of the same name",
            mend="name the pipelines alike, or diagnose each run by itself",
        )
    notes = []
    if after.fingerprint != before.fingerprint:
        notes.append("the runs are over different datasets: only questions of the same id are held against each other")
    moved = [
        moved_between(old, new, names=(f"{old.pipeline} ({before.run})", f"{new.pipeline} ({after.run})"))
        for old, new in pairs
    ]
    return replace(after, moved=moved, notes=[*after.notes, *notes])
