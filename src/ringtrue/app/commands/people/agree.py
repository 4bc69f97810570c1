"""`ringtrue agree`: judges held against people."""

import asyncio
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console

from ringtrue.app.agreeing.service import AgreeJob, agree_on, first_rows, guessed_metric
from ringtrue.app.agreeing.sides import Split
from ringtrue.app.agreeing.stored import labelled_of_run
from ringtrue.app.commands import options
from ringtrue.app.commands.people.shared import ROWS, ClusterBy, judging_options, model_of, pairs
from ringtrue.app.terminal.console import progress, say
from ringtrue.app.terminal.session import INTERRUPTED, say_written
from ringtrue.catalogue import find_metric
from ringtrue.data.labelled import load_labelled
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.found import Agreement, Settings
from ringtrue.report.agreement.terminal import print_agreement
from ringtrue.report.agreement.write import check_agreement_output, write_agreement
from ringtrue.report.json_report import dumps

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Data: TypeAlias = Annotated[
    Path | None,
    typer.Argument(metavar="DATA", help=ROWS),
]
Run: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="Instead of DATA: a stored run that people have labelled, or latest."),
]
About: TypeAlias = Annotated[
    str | None, typer.Option("-m", "--metric", metavar="NAME", help="What the labels are about.")
]
Judges: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]JUDGE[@MODEL]",
        help="A judge that the data store, a metric, a rubric file, or PROVIDER:MODEL. Repeatable.",
    ),
]
Baselines: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="claims, one_call, statements, five_star, five_point, factuality, containment, token_f1 or "
        "fmeval_recall. Repeatable.",
    ),
]
Cuts: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="JUDGE=VALUE", help="The score from which a judge says yes. Repeatable.")
]
Runs: TypeAlias = Annotated[int, typer.Option(min=1, metavar="N", help="How often each judge's model judges.")]
NoRationale: TypeAlias = Annotated[bool, typer.Option("--no-rationale", help="Verdicts alone: fewer tokens.")]
Sides: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="SIDES", help="dev/test: fit cuts on dev rows, measure on test rows. Or: dev, test."),
]
By: TypeAlias = Annotated[str | None, typer.Option(metavar="FIELD", help="A column to show slices by.")]
First: TypeAlias = Annotated[int | None, typer.Option(min=1, metavar="N", help="The first labelled rows only.")]
Draws: TypeAlias = Annotated[int, typer.Option(min=0, metavar="N", help="Resamples for the intervals.")]
Seed: TypeAlias = Annotated[int, typer.Option(metavar="N", help="For resamples and splits.")]
Files: TypeAlias = Annotated[
    list[Path] | None, typer.Option("-o", "--output", metavar="FILE", help="A report: .html .json .md. Repeatable.")
]


@app.command()
def agree(
    data: Data = None,
    run: Run = None,
    metric: About = None,
    judge: Judges = None,
    baseline: Baselines = None,
    cut: Cuts = None,
    runs: Runs = 1,
    no_rationale: NoRationale = False,
    cluster_by: ClusterBy = None,
    split: Sides = None,
    by: By = None,
    limit: First = None,
    draws: Draws = 2000,
    seed: Seed = 0,
    map: options.Columns = None,
    skip_bad_rows: options.SkipBadRows = False,
    encoding: options.Encoding = None,
    judge_model: options.JudgeModel = None,
    judge_base_url: options.JudgeBaseUrl = None,
    judge_concurrency: options.JudgeConcurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    no_cache: options.NoCache = False,
    output: Files = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Hold judges against people: agreement, kappa, alpha, intervals, baselines, and the worst misses.

    Without --judge and --baseline, the judges whose verdicts the data store, and the metric by --judge-model.

    Exit codes: 0 measured, 1 error, 2 usage, 3 a budget stopped it or too many verdicts failed, 130 interrupted.
    """
    if (data is None) == (run is None):
        raise UsageError("name labelled rows, or a run", mend="ringtrue agree FILE, or: ringtrue agree --run RUN")
    reading = {"mapping": pairs(map, "--map COLUMN=FIELD"), "skip_bad_rows": skip_bad_rows, "encoding": encoding}
    with Store.open(store) as opened:
        job = _job(opened, data, run, None if metric is None else find_metric(metric).name, cluster_by, limit, reading)
        job = replace(
            job,
            judges=judge or [],
            baselines=baseline or [],
            cuts=_cuts(cut),
            model=model_of(judge_model, judge_base_url, judge_concurrency),
            runs=runs,
            rationale=not no_rationale,
            split=_split(split),
            settings=Settings(draws=draws, seed=seed, by=by),
            run_options=judging_options(max_calls, max_cost, no_cache),
        )
        raise typer.Exit(_session(job, opened, output or [], as_json=json, quiet=quiet))


def _job(
    store: Store,
    data: Path | None,
    run: str | None,
    metric: str | None,
    cluster_by: str | None,
    limit: int | None,
    reading: dict[str, Any],
) -> AgreeJob:
    """The labelled rows, of a file or of a stored run, and what their labels are about."""
    if data is not None:
        labelled = first_rows(load_labelled(data, cluster_by=cluster_by, **reading), limit)
        return AgreeJob(labelled=labelled, metric=metric or guessed_metric(labelled))
    found = labelled_of_run(store, None if run == "latest" else run, metric=metric, cluster_by=cluster_by)
    return AgreeJob(labelled=first_rows(found.labelled, limit), metric=found.metric, held=found.held)


def _session(job: AgreeJob, store: Store, outputs: list[Path], *, as_json: bool, quiet: bool) -> int:
    """Measure with progress, show and write what was found; the exit code."""
    for path in outputs:
        check_agreement_output(path)
    with progress(quiet=quiet) as on_progress, redirect_stdout(sys.stderr):
        try:
            agreement = asyncio.run(agree_on(job, store, on_progress))
        except KeyboardInterrupt:
            say("interrupted; what was judged is kept, and the same command goes on from there", aside=True)
            return INTERRUPTED
    _show(agreement, outputs, as_json=as_json)
    return agreement.exit_code


def _show(agreement: Agreement, outputs: list[Path], *, as_json: bool) -> None:
    for path in outputs:
        write_agreement(agreement, path)
    if as_json:
        say(dumps(agreement_json(agreement), indent=True).decode())
    else:
        print_agreement(agreement, Console())
    say_written(outputs, aside=as_json)


def _cuts(written: list[str] | None) -> dict[str, float]:
    found = {}
    for name, value in pairs(written, "--cut JUDGE=VALUE").items():
        try:
            found[name] = float(value)
        except ValueError as error:
            raise UsageError(f"--cut {name}={value}: {value!r} is no number", mend="write --cut JUDGE=0.5") from error
    return found


def _split(written: str | None) -> Split | None:
    known: tuple[Split, ...] = ("dev/test", "dev", "test")
    found = next((one for one in known if one == written), None)
    if written is not None and found is None:
        raise UsageError(f"--split {written!r} is unknown", mend=f"known: {', '.join(known)}")
    return found
