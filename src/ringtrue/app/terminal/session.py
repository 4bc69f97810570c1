"""A run at the terminal: read, run with progress, show the report, write the outputs, give the exit code."""

import asyncio
import os
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from rich.console import Console

from ringtrue.app.service import Job, Prepared, prepare, resume, run, write_outputs
from ringtrue.app.terminal.console import progress, say, say_mappings
from ringtrue.data.store import Store
from ringtrue.report.json_report import dumps, summary_json
from ringtrue.report.report import Report
from ringtrue.report.terminal import print_report

__all__ = ["resume_session", "run_session", "say_written", "show"]

INTERRUPTED = 130


def run_session(job: Job, *, as_json: bool, quiet: bool) -> int:
    """Run a job; the exit code. What pipelines print goes to standard error, so that the report stays readable."""
    prepared = prepare(job)
    say_mappings(prepared.mappings, aside=as_json)
    with Store.open(job.config.store) as store, progress(quiet=quiet) as on_progress, redirect_stdout(sys.stderr):
        try:
            report = asyncio.run(run(prepared, store, on_progress))
        except KeyboardInterrupt:
            return _interrupted(prepared.info.id)
    return _done(prepared, report, as_json=as_json)


def resume_session(run_id: str | None, where: str | None, *, outputs: list[Path], as_json: bool, quiet: bool) -> int:
    """Go on with a stored run; the exit code."""
    with Store.open_existing(where) as store, progress(quiet=quiet) as on_progress, redirect_stdout(sys.stderr):
        info = store.run(run_id)
        try:
            prepared, report = asyncio.run(resume(store, info.id, on_progress))
        except KeyboardInterrupt:
            return _interrupted(info.id)
    return _done(prepared, report, as_json=as_json, outputs=outputs)


def show(report: Report, *, as_json: bool) -> None:
    """Print a report: tables, or one JSON object. A reader who has seen enough (``| head``) is no error."""
    try:
        if as_json:
            say(dumps(summary_json(report), indent=True).decode())
        else:
            print_report(report, Console())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_written(paths: Iterable[Path], *, aside: bool) -> None:
    """Print which files were written."""
    for path in paths:
        say(f"wrote {_near(path)}", aside=aside)


def _done(prepared: Prepared, report: Report, *, as_json: bool, outputs: list[Path] | None = None) -> int:
    paths = [prepared.job.folder / one for one in prepared.job.config.report] + (outputs or [])
    write_outputs(report, paths)  # first: whoever reads standard output may stop reading
    show(report, as_json=as_json)
    say_written(paths, aside=as_json)
    return report.exit_code


def _interrupted(run_id: str) -> int:
    say(f"interrupted; what was finished is kept. Go on with: ringtrue resume {run_id}", aside=True)
    return INTERRUPTED


def _near(path: Path) -> Any:
    """The path as a person here would write it."""
    try:
        return path.resolve().relative_to(Path.cwd())
    except ValueError:
        return path
