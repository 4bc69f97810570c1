"""`ringtrue report`: show a stored run again."""

import typer

from ringtrue.app.commands.options import AsJson, Outputs, RunId, StoreAt
from ringtrue.app.service import report_of, write_outputs
from ringtrue.app.terminal.session import say_written, show
from ringtrue.data.store import Store
from ringtrue.report.write import check_output

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def report(run: RunId = None, output: Outputs = None, store: StoreAt = None, json: AsJson = False) -> None:
    """Show a stored run again, or write it to files. Exit codes as for run."""
    for path in output or []:
        check_output(path)
    with Store.open_existing(store) as opened:
        made = report_of(opened, run)
    write_outputs(made, output or [])
    show(made, as_json=json)
    say_written(output or [], aside=json)
    raise typer.Exit(made.exit_code)
