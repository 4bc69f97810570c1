"""`ringtrue compare`: which pipeline is better, by how much, and how sure that is."""

import os
import sys
from pathlib import Path
from typing import Annotated, TypeAlias, get_args

import typer
from rich.console import Console

from ringtrue.app.commands import options
from ringtrue.app.comparing.service import CompareJob, margins_of, stored_source
from ringtrue.app.comparing.service import compare as compare_sources
from ringtrue.app.terminal.console import say
from ringtrue.app.terminal.session import say_written
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.comparing.found import Comparison, Graded, Settings
from ringtrue.report.comparing.printing.as_json import comparison_json
from ringtrue.report.comparing.printing.terminal import print_comparison
from ringtrue.report.comparing.printing.write import check_comparison_output, write_comparison
from ringtrue.report.json_report import dumps

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Runs: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN]...", help="Ids, their beginnings, or tags; the first is the baseline. Default: the latest."
    ),
]
Names: TypeAlias = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="The pipelines to compare, NAME or NAME@RUN. Default all.")
]
Baseline: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME", help="The pipeline, or the run, that the others are held against.")
]
Metrics: TypeAlias = Annotated[
    list[str] | None, typer.Option("-m", "--metric", metavar="NAME", help="Repeatable. Default all in common.")
]
Slices: TypeAlias = Annotated[
    list[str] | None, typer.Option("--slice", metavar="metadata.FIELD", help="Differences by a field. Repeatable.")
]
Margins: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--margin",
        metavar="[METRIC=]NUMBER",
        help="By less than this, worse is good enough. A bare number is for metrics from 0 to 1. Repeatable.",
    ),
]
FailIf: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        metavar="GATE",
        help="Such as 'answer_correctness drops by > 0.02', against the baseline (the first pipeline, where no other "
        "is named). Or: rises by, worsens by. Repeatable.",
    ),
]
ClusterBy: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FIELD", help="Rows that hang together; default qid, else question; row: none do.")
]
GradedTest: TypeAlias = Annotated[str, typer.Option("--test", metavar="TEST", help="permutation or wilcoxon.")]
Draws: TypeAlias = Annotated[int, typer.Option(min=100, metavar="N", help="Resamples for the intervals.")]
Seed: TypeAlias = Annotated[int, typer.Option(min=0, metavar="N", help="For resamples.")]
Mismatch: TypeAlias = Annotated[
    bool, typer.Option("--allow-signature-mismatch", help="Compare metrics that were not made in the same way.")
]
Files: TypeAlias = Annotated[
    list[Path] | None, typer.Option("-o", "--output", metavar="FILE", help="A report: .html .json .md. Repeatable.")
]


@app.command()
def compare(
    runs: Runs = None,
    pipelines: Names = None,
    baseline: Baseline = None,
    metric: Metrics = None,
    slice: Slices = None,
    margin: Margins = None,
    fail_if: FailIf = None,
    cluster_by: ClusterBy = None,
    test: GradedTest = "permutation",
    draws: Draws = 2000,
    seed: Seed = 0,
    allow_signature_mismatch: Mismatch = False,
    output: Files = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
) -> None:
    """Hold pipelines against each other: which is better, by how much, and how sure that is.

    Of one run, every two pipelines or each against --baseline. Of several, each pipeline against that of the same name
    in the first run.

    Exit codes: 0 compared, 1 error, 2 usage, 100 a gate failed, 3 too little is scored for a gate.
    """
    for path in output or []:
        check_comparison_output(path)
    job = CompareJob(
        pipelines=[name.strip() for name in (pipelines or "").split(",") if name.strip()],
        baseline=baseline,
        metrics=metric or [],
        fail_if=fail_if or [],
        allow_mismatch=allow_signature_mismatch,
        settings=Settings(
            draws=draws,
            seed=seed,
            graded=_graded(test),
            margins=margins_of(margin or []),
            slices=tuple(slice or ()),
            cluster_by=cluster_by,
        ),
    )
    with Store.open_existing(store) as opened:
        asked: list[str | None] = [*runs] if runs else [None]
        found = compare_sources([stored_source(opened, run) for run in asked], job)
    for path in output or []:
        write_comparison(found, path)
    _show(found, as_json=json)
    say_written(output or [], aside=json)
    raise typer.Exit(found.exit_code)


def _show(found: Comparison, *, as_json: bool) -> None:
    """Print it; a reader who has seen enough (``| head``) is no error."""
    try:
        if as_json:
            say(dumps(comparison_json(found), indent=True).decode())
        else:
            print_comparison(found, Console())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _graded(written: str) -> Graded:
    known: tuple[Graded, ...] = get_args(Graded)
    found = next((one for one in known if one == written), None)
    if found is None:
        raise UsageError(f"--test {written!r} is unknown", mend=f"known: {', '.join(known)}")
    return found
