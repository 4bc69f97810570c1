"""The Python door of the diagnosis: `ringtrue.diagnose(...)`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringtrue.app.api import Run
from ringtrue.app.diagnosing.service import DiagnoseJob, diagnose_reports, load_corpus
from ringtrue.app.service import report_of
from ringtrue.data.fields.passages import passages_of
from ringtrue.data.store import Store
from ringtrue.report.diagnosis.found import Diagnosis, PipelineDiagnosis
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.write import write_diagnosis
from ringtrue.report.report import Report
from ringtrue.types import Passage

__all__ = ["RunDiagnosis", "diagnose"]


@dataclass(frozen=True, slots=True)
class RunDiagnosis:
    """A finished diagnosis, and ways to look at it."""

    diagnosis: Diagnosis

    @property
    def pipelines(self) -> Mapping[str, PipelineDiagnosis]:
        """By pipeline: failures, shares by stage, the first stage to mend, what could not be looked at."""
        return {one.pipeline: one for one in self.diagnosis.pipelines}

    def to_dict(self) -> dict[str, Any]:
        """What `ringtrue diagnose --json` prints."""
        return diagnosis_json(self.diagnosis)

    def save(self, *paths: str | Path) -> None:
        """Write the diagnosis, each file in the format of its ending."""
        for path in paths:
            write_diagnosis(self.diagnosis, Path(path))


def diagnose(
    run: Run | str | None = None,
    *,
    against: Run | str | None = None,
    pipelines: str | Sequence[str] = (),
    corpus: str | Path | Sequence[Passage | Mapping[str, Any] | str] | None = None,
    failed_if: str | Sequence[str] = (),
    store: str | Path | None = None,
) -> RunDiagnosis:
    """Find the first failing stage of every answer that failed, and the stage to mend first.

    `run` is a Run, an id or a tag; without it, the latest stored run. `against` is the run before. `corpus` is a file
    or the passages themselves. The rest is as in `ringtrue diagnose`. Raises RingtrueError for what a person can mend.
    """
    job = DiagnoseJob(
        pipelines=[pipelines] if isinstance(pipelines, str) else list(pipelines),
        corpus=_passages(corpus),
        failed_if=[failed_if] if isinstance(failed_if, str) else list(failed_if),
    )
    before = None if against is None else _report(against, store)
    return RunDiagnosis(diagnose_reports(_report(run, store), before, job))


def _report(run: Run | str | None, store: str | Path | None) -> Report:
    if isinstance(run, Run):
        return run.report
    with Store.open_existing(store) as opened:
        return report_of(opened, run)


def _passages(given: str | Path | Sequence[Passage | Mapping[str, Any] | str] | None) -> list[Passage] | None:
    if given is None:
        return None
    if isinstance(given, str | Path):
        return load_corpus(Path(given))
    read = [(one,) if isinstance(one, Passage) else passages_of([one]) or () for one in given]
    return [passage for found in read for passage in found]
