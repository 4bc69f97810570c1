"""`ringtrue labels`: people's labels into the store, and what the store has of them."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.app.commands.options import AsJson, RunId, SkipBadRows, StoreAt
from ringtrue.app.labels import ImportedLabels, RaterSummary, import_labels, summary_of
from ringtrue.app.terminal.console import say, say_mappings
from ringtrue.data.store import Store
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.text.words import clip

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

_MOST_LABELS, _LONGEST = 6, 40


@app.callback()
def labels() -> None:
    """Import people's labels, or show which are stored."""


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A table of labels, or an export of Label Studio, Argilla, Phoenix or MLflow.",
        ),
    ],
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="RUN", help="Whose answers were labelled; default the latest."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="What the labels say, where the file does not.")
    ] = None,
    rater: Annotated[
        str | None, typer.Option("--rater", metavar="NAME", help="Who gave the labels, where the file does not say it.")
    ] = None,
    raters: Annotated[
        str | None, typer.Option("--raters", metavar="A,B,…", help="Columns that hold one person's labels each.")
    ] = None,
    map: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="How to read a column. Repeatable. See docs/labels.md"),
    ] = None,
    pipeline: Annotated[
        str | None, typer.Option("--pipeline", metavar="NAME", help="Whose answers, where the file does not say it.")
    ] = None,
    skip_bad_rows: SkipBadRows = False,
    encoding: Annotated[str | None, typer.Option(metavar="NAME", help="Of the file, where it is not UTF-8.")] = None,
    store: StoreAt = None,
    json: AsJson = False,
) -> None:
    """Import people's labels of a run's answers.

    A table has a row a label (columns item, rater, label, and metric, rationale, at, pipeline, repeat where there are
    any), or a row an item and a column a rater. The same file twice changes nothing; who changed their mind has a
    history, and the latest counts.
    """
    with Store.open_existing(store) as opened:
        done = import_labels(
            opened,
            file,
            run_id=run,
            metric=metric,
            rater=rater,
            raters=[one.strip() for one in (raters or "").split(",") if one.strip()],
            mapping=_mapping(map),
            pipeline=pipeline,
            skip_bad_rows=skip_bad_rows,
            encoding=encoding,
        )
    if json:
        told = {"run": done.run.id, "form": done.loaded.form, **done.added._asdict(), "notes": done.notes}
        say(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
    else:
        _say_imported(done, file)


@app.command()
def show(
    run: RunId = None,
    metric: Annotated[str | None, typer.Option("--metric", metavar="NAME", help="This metric only.")] = None,
    store: StoreAt = None,
    json: AsJson = False,
) -> None:
    """Show which labels people gave the answers of a run: by metric and rater, how many of each, and the last date."""
    with Store.open_existing(store) as opened:
        info = opened.run(run)
        found = list(opened.labels(info))
    known = dict.fromkeys(one.metric for one in found)
    if metric is not None and metric not in known:
        raise UnknownNameError("metric among the labels", metric, known, where=f"run {info.id}")
    summary = summary_of(found, metric=metric)
    if json:
        say(orjson.dumps({"run": info.id, "labels": [asdict(one) for one in summary]}).decode())
    elif summary:
        Console().print(_table(summary))
    else:
        say(f"people gave the answers of run {info.id} no labels yet; import some with: ringtrue labels import FILE")


def _say_imported(done: ImportedLabels, file: Path) -> None:
    say_mappings({file.name: done.loaded.mapping}, aside=False)
    for note in done.notes:
        say(f"note: {note}")
    added = done.added
    told = [f"{added.new:,} new", f"{added.changed:,} changed", f"{added.same:,} as before"]
    if added.older:
        told.append(f"{added.older:,} older than what is stored")
    say(f"labels of run {done.run.id}, read as {done.loaded.form}: {', '.join(told)}")


def _mapping(given: list[str] | None) -> dict[str, str]:
    pairs = {}
    for one in given or []:
        column, sign, field = (part.strip() for part in one.rpartition("="))
        if not sign or not column:
            raise UsageError(f"--map {one}: no column and field", mend="write --map COLUMN=FIELD")
        pairs[column] = field
    return pairs


def _table(summary: list[RaterSummary]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("metric", "rater", "answers", "also by others", "labels", "last"):
        table.add_column(heading, justify="right" if heading in ("answers", "also by others") else "left")
    for one in summary:
        listed = [f"{clip(label, _LONGEST)} {count:,}" for label, count in one.labels.items()]
        labels = ", ".join(listed[:_MOST_LABELS]) + (" …" if len(listed) > _MOST_LABELS else "")
        last = (one.last or "")[:10]
        who = (clip(one.metric, _LONGEST), clip(one.rater, _LONGEST))
        table.add_row(*map(Text, (*who, f"{one.items:,}", f"{one.overlap:,}", labels, last)))
    return table
