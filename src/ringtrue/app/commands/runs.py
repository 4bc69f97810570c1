"""`ringtrue runs`: list the stored runs."""

from dataclasses import asdict

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.app.commands.options import AsJson, StoreAt
from ringtrue.data.store import Store

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def runs(store: StoreAt = None, json: AsJson = False) -> None:
    """List the stored runs, the latest first."""
    with Store.open_existing(store) as opened:
        listed = opened.runs()
    if json:
        typer.echo(orjson.dumps([asdict(one) for one in listed], option=orjson.OPT_INDENT_2).decode())
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("run", "status", "dataset", "pipelines", "metrics"):
        table.add_column(heading, no_wrap=heading == "run")
    for one in listed:
        metrics = f"{len(one.metrics)}"
        pipelines = ", ".join(one.pipelines)
        table.add_row(*map(Text, (one.id, one.status, one.dataset_name, pipelines, metrics)))
    Console().print(table if listed else "no run is stored yet; begin one with: ringtrue run")
