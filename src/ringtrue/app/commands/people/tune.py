"""`ringtrue judge tune`: a judge fitted to people's labels."""

import asyncio
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console

from ringtrue.app.agreeing.service import guessed_metric
from ringtrue.app.commands import options
from ringtrue.app.commands.people.shared import ROWS, ClusterBy, judging_options, model_of, pairs
from ringtrue.app.terminal.console import progress, say
from ringtrue.app.terminal.session import INTERRUPTED, say_written
from ringtrue.app.tuning.naming import named_rubric
from ringtrue.app.tuning.service import TuneJob, tune
from ringtrue.app.tuning.show import print_tuned, tuned_json
from ringtrue.app.tuning.tuned import Tuned, header_of
from ringtrue.app.tuning.writing import check_rubric_output, write_rubric
from ringtrue.data.labelled import load_labelled
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.json_report import dumps

__all__ = ["tune_judge"]


Name: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help="A judge of the whole row, NAME(mode=one_call), or a rubric file.")
]
Data: TypeAlias = Annotated[Path, typer.Argument(metavar="DATA", help=ROWS)]
By: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WAY",
        help="cut: calibration and threshold (the default); examples: labelled rows in the prompt; instructions: "
        "other words for task and criteria, by DSPy. Repeatable.",
    ),
]
Examples: TypeAlias = Annotated[int, typer.Option(min=2, metavar="N", help="Examples in a set.")]
Trials: TypeAlias = Annotated[
    int, typer.Option(min=1, metavar="N", help="Sets of examples, or instructions, that are tried.")
]
Draws: TypeAlias = Annotated[int, typer.Option(min=1, metavar="N", help="Resamples for the intervals.")]
Seed: TypeAlias = Annotated[int, typer.Option(metavar="N", help="For the split, the draws of examples, and resamples.")]
Output: TypeAlias = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE.yaml", help="Where the tuned rubric is written.")
]


def tune_judge(
    name: Name,
    data: Data,
    by: By = None,
    examples: Examples = 4,
    trials: Trials = 8,
    cluster_by: ClusterBy = None,
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
    output: Output = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Fit a judge to people's labels, and show what that is worth on questions which the tuning never saw.

    Half of the questions (or what the data call split: test) measure, before and after. The outcome is a rubric file,
    for: ringtrue agree DATA --judge FILE.yaml --split test, and for the judges of a run.

    Exit codes: 0 measured, 1 error, 2 usage, 3 a budget stopped it or most verdicts failed, 130 interrupted.
    """
    if output is not None:
        check_rubric_output(output)
    model = model_of(judge_model, judge_base_url, judge_concurrency)
    if model is None:
        raise UsageError("no model is named", mend="name the one that judges: --judge-model PROVIDER:MODEL")
    rubric, metric = named_rubric(name)
    labelled = load_labelled(
        data,
        mapping=pairs(map, "--map COLUMN=FIELD"),
        cluster_by=cluster_by,
        skip_bad_rows=skip_bad_rows,
        encoding=encoding,
    )
    job = TuneJob(
        labelled=labelled,
        rubric=rubric,
        model=model,
        by=tuple(dict.fromkeys(by or ["cut"])),
        metric=metric or guessed_metric(labelled),
        examples=examples,
        trials=trials,
        seed=seed,
        draws=draws,
        run_options=judging_options(max_calls, max_cost, no_cache),
    )
    tuned = _tuned(job, store, quiet=quiet)
    _show(tuned, output, as_json=json)
    raise typer.Exit(tuned.agreement.exit_code)


def _tuned(job: TuneJob, store: str | None, *, quiet: bool) -> Tuned:
    """The outcome. What models and libraries print goes to standard error."""
    with Store.open(store) as opened, progress(quiet=quiet) as on_progress, redirect_stdout(sys.stderr):
        try:
            return asyncio.run(tune(job, opened, on_progress))
        except KeyboardInterrupt:
            say("interrupted; what was judged is kept, and the same command goes on from there", aside=True)
            raise typer.Exit(INTERRUPTED) from None


def _show(tuned: Tuned, output: Path | None, *, as_json: bool) -> None:
    if output is not None:
        write_rubric(tuned.rubric, output, header_of(tuned.rubric))
    if as_json:
        say(dumps(tuned_json(tuned), indent=True).decode())
    else:
        print_tuned(tuned, Console())
    if output is not None:
        say_written([output], aside=as_json)
    elif tuned.changed and not as_json:
        say("The tuned rubric was not written: -o FILE.yaml does that, and asks the model nothing again.")
