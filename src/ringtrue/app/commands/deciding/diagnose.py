"""`ringtrue diagnose`: which stage of the application to mend first."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console

from ringtrue.app.commands import options
from ringtrue.app.diagnosing.service import DiagnoseJob, diagnose_reports, load_corpus
from ringtrue.app.service import report_of
from ringtrue.app.terminal.console import say
from ringtrue.app.terminal.session import say_written
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.terminal import print_diagnosis
from ringtrue.report.diagnosis.told.write import check_diagnosis_output, write_diagnosis
from ringtrue.report.json_report import dumps

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Runs: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RUN]...", help="A run's id or its beginning; two are BEFORE AFTER. Default: the latest."),
]
Names: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--pipeline", metavar="NAME", help="Repeatable; two of one run are before and after. Default all."),
]
Against: TypeAlias = Annotated[str | None, typer.Option(metavar="RUN", help="The run before, to show what moved.")]
CorpusFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="FILE", help="All passages there are to fetch: rows with text and, maybe, id."),
]
FailedIfs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--failed-if", metavar="RULE", help="Such as 'f1_over_words < 0.5'. Repeatable; one is enough."),
]
Files: TypeAlias = Annotated[
    list[Path] | None, typer.Option("-o", "--output", metavar="FILE", help="A report: .html .json .md. Repeatable.")
]


@app.command()
def diagnose(
    runs: Runs = None,
    pipeline: Names = None,
    against: Against = None,
    corpus: CorpusFile = None,
    failed_if: FailedIfs = None,
    output: Files = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
) -> None:
    """Find the stage to mend first: of every answer that failed, the first stage from the left that did.

    Exit codes: 0 diagnosed, 1 error, 2 usage.
    """
    named = list(runs or [])
    if len(named) > 2 or (against and len(named) > 1):
        raise UsageError("more than two runs", mend="ringtrue diagnose RUN --against RUN, or: diagnose BEFORE AFTER")
    before = named[0] if len(named) == 2 else against
    for path in output or []:
        check_diagnosis_output(path)
    job = DiagnoseJob(
        pipelines=pipeline or (), corpus=None if corpus is None else load_corpus(corpus), failed_if=failed_if or ()
    )
    with Store.open_existing(store) as opened:
        report = report_of(opened, named[-1] if named else None)
        earlier = None if before is None else report_of(opened, before)
    found = diagnose_reports(report, earlier, job)
    for path in output or []:
        write_diagnosis(found, path)
    if json:
        say(dumps(diagnosis_json(found), indent=True).decode())
    else:
        print_diagnosis(found, Console())
    say_written(output or [], aside=json)
