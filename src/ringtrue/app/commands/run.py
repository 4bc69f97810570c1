"""`ringtrue run`: score pipelines against a golden dataset."""

import typer

from ringtrue.app.commands import options
from ringtrue.app.jobs import Overrides, job_of
from ringtrue.app.session import run_session

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def run(
    config: options.Config = None,
    dataset: options.DatasetFile = None,
    pipeline: options.Pipelines = None,
    metric: options.Metrics = None,
    threshold: options.Thresholds = None,
    limit: options.Limit = None,
    filter: options.Filter = None,
    repeats: options.Repeats = None,
    max_concurrency: options.MaxConcurrency = None,
    max_failed: options.MaxFailed = None,
    map: options.Columns = None,
    strict: options.Strict = False,
    skip_bad_rows: options.SkipBadRows = False,
    encoding: options.Encoding = None,
    output: options.Outputs = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Score pipelines against a golden dataset.

    Without --pipeline, a dataset that holds answers too is scored as pipeline "answers". Without --metric, all metrics
    that the data allow.

    Exit codes: 0 passed, 1 error, 2 usage, 100 a threshold failed, 3 incomplete, 130 interrupted.
    """
    reading = {
        "limit": limit,
        "filter": filter,
        "encoding": encoding,
        "strict": strict or None,
        "skip_bad_rows": skip_bad_rows or None,
    }
    over = Overrides(
        dataset=dataset,
        pipelines=pipeline or [],
        metrics=metric or [],
        thresholds=threshold or [],
        columns=map or [],
        outputs=output or [],
        dataset_options=reading,
        run_options={"repeats": repeats, "max_concurrency": max_concurrency, "max_failed": max_failed},
        store=store,
    )
    raise typer.Exit(run_session(job_of(config, over), as_json=json, quiet=quiet))
