"""`ringtrue run`: score pipelines against a golden dataset."""

from typing import Any

import typer

from ringtrue.app.commands import options
from ringtrue.app.jobs import Overrides, job_of
from ringtrue.app.terminal.estimate import plan_session
from ringtrue.app.terminal.session import run_session

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
    tag: options.Tags = None,
    max_concurrency: options.MaxConcurrency = None,
    max_failed: options.MaxFailed = None,
    map: options.Columns = None,
    strict: options.Strict = False,
    skip_bad_rows: options.SkipBadRows = False,
    encoding: options.Encoding = None,
    judge_model: options.JudgeModel = None,
    judge_base_url: options.JudgeBaseUrl = None,
    judge_concurrency: options.JudgeConcurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    no_cache: options.NoCache = False,
    output: options.Outputs = None,
    store: options.StoreAt = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
    plan: options.PlanOnly = False,
) -> None:
    """Score pipelines against a golden dataset.

    Without --pipeline, a dataset that holds answers too is scored as pipeline "answers". Without --metric, all metrics
    that the data allow.

    Exit codes: 0 passed, 1 error, 2 usage, 100 a threshold failed, 3 incomplete, 130 interrupted.
    """
    reading: dict[str, Any] = {"limit": limit, "filter": filter, "encoding": encoding}
    reading |= {"strict": strict or None, "skip_bad_rows": skip_bad_rows or None}
    over = Overrides(
        dataset=dataset,
        pipelines=pipeline or [],
        metrics=metric or [],
        thresholds=threshold or [],
        columns=map or [],
        outputs=output or [],
        dataset_options=reading,
        run_options={
            "repeats": repeats,
            "max_concurrency": max_concurrency,
            "max_failed": max_failed,
            "max_calls": max_calls,
            "max_cost": max_cost,
            "cache": False if no_cache else None,
            "tags": tag or None,
        },
        judge={"model": judge_model, "base_url": judge_base_url, "concurrency": judge_concurrency},
        store=store,
    )
    job = job_of(config, over)
    raise typer.Exit(plan_session(job, as_json=json) if plan else run_session(job, as_json=json, quiet=quiet))
