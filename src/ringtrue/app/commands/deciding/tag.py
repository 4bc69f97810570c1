"""`ringtrue tag`: name a stored run."""

from typing import Annotated, TypeAlias

import typer

from ringtrue.app.commands.options import StoreAt
from ringtrue.app.terminal.console import say
from ringtrue.data.store import Store

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Run: TypeAlias = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, its beginning, its tag, or latest.")]
Names: TypeAlias = Annotated[list[str], typer.Argument(metavar="NAME...", help="One word each, such as baseline.")]
Remove: TypeAlias = Annotated[bool, typer.Option("--remove", help="Take the tags from the run.")]


@app.command()
def tag(run: Run, names: Names, remove: Remove = False, store: StoreAt = None) -> None:
    """Name a run, so that it can be asked for by that: ringtrue compare baseline latest.

    A tag that several runs have means the latest of them.
    """
    with Store.open_existing(store) as opened:
        info = opened.run(run)
        if remove:
            opened.tags.remove(info.id, names)
        else:
            opened.tags.add(info.id, names)
        told = ", ".join(opened.run(info.id).tags)
    say(f"run {info.id}: {told or 'no tag'}")
