"""`ringtrue validate`: check a configuration and everything it names, without asking a pipeline anything."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from ringtrue.app.jobs import Overrides, job_of
from ringtrue.app.service import Prepared, prepare
from ringtrue.app.terminal.console import say, say_mappings

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def validate(
    config: Annotated[Path | None, typer.Argument(metavar="CONFIG", help="Default ringtrue.yaml.")] = None,
) -> None:
    """Check a configuration and its files without running it."""
    prepared = prepare(job_of(config, Overrides()))
    asyncio.run(_open_all(prepared))
    plan = prepared.plan
    say_mappings(prepared.mappings, aside=False)
    for note in prepared.info.notes:
        say(f"note: {note}")
    say(f"dataset: {plan.dataset.name}, {len(plan.dataset)} samples, fingerprint {plan.dataset.fingerprint}")
    say(f"pipelines: {', '.join(one.name for one in plan.pipelines)}")
    say(f"metrics: {', '.join(plan.metrics)}")
    say(f"{len(plan)} responses, {len(plan) * len(plan.metrics)} scores. All is well.")


async def _open_all(prepared: Prepared) -> None:
    for pipeline in prepared.plan.pipelines:
        async with pipeline.open():
            pass
