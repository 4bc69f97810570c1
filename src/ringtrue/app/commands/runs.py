"""`ringtrue runs`: list the stored runs, or follow a metric over them."""

from dataclasses import asdict
from typing import Annotated, TypeAlias

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.app.commands.options import AsJson, StoreAt
from ringtrue.app.comparing.trend import trend_of
from ringtrue.data.store import Store
from ringtrue.errors import UnknownNameError
from ringtrue.report.comparing.trend import print_trend, trend_json
from ringtrue.report.json_report import dumps
from ringtrue.types import RunInfo

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Tagged: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="NAME", help="Only runs with this tag. Repeatable: with any of them."),
]
Trend: TypeAlias = Annotated[
    str | None, typer.Option(metavar="METRIC", help="The metric's mean by run and pipeline, the first run first.")
]


@app.command()
def runs(tag: Tagged = None, trend: Trend = None, store: StoreAt = None, json: AsJson = False) -> None:
    """List the stored runs, the latest first, or follow a metric over them."""
    with Store.open_existing(store) as opened:
        listed = _tagged(opened.runs(), tag or [])
        points = trend_of(opened, listed, trend) if trend else []
    if trend and json:
        typer.echo(dumps({"metric": trend, "points": trend_json(points)}, indent=True).decode())
    elif trend:
        print_trend(points, Console())
    elif json:
        typer.echo(orjson.dumps([asdict(one) for one in listed], option=orjson.OPT_INDENT_2).decode())
    else:
        Console().print(_table(listed) if listed else "no run is stored yet; begin one with: ringtrue run")


def _tagged(listed: list[RunInfo], tags: list[str]) -> list[RunInfo]:
    known = dict.fromkeys(name for one in listed for name in one.tags)
    for name in tags:
        if name not in known:
            raise UnknownNameError("tag", name, known, where="--tag")
    return [one for one in listed if set(tags) & set(one.tags)] if tags else listed


def _table(listed: list[RunInfo]) -> Table:
    tags = any(one.tags for one in listed)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("run", *(("tags",) if tags else ()), "status", "dataset", "pipelines", "metrics"):
        table.add_column(heading, no_wrap=heading == "run")
    for one in listed:
        named = [", ".join(one.tags)] if tags else []
        pipelines = ", ".join(one.pipelines)
        table.add_row(*map(Text, (one.id, *named, one.status, one.dataset_name, pipelines, f"{len(one.metrics)}")))
    return table
