"""`ringtrue resume`: go on with a run."""

import typer

from ringtrue.app.commands.options import AsJson, Outputs, Quiet, RunId, StoreAt
from ringtrue.app.terminal.session import resume_session

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def resume(
    run: RunId = None, output: Outputs = None, store: StoreAt = None, json: AsJson = False, quiet: Quiet = False
) -> None:
    """Go on with a run that was stopped, or whose answers or scores failed.

    What was finished is not done again. Exit codes as for run.
    """
    raise typer.Exit(resume_session(run, store, outputs=output or [], as_json=json, quiet=quiet))
