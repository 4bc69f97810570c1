"""`ringtrue cache`: the kept replies of models."""

import typer

from ringtrue.app.commands.options import StoreAt
from ringtrue.app.terminal.console import say
from ringtrue.data.store import Store

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def cache() -> None:
    """Count or forget the kept replies of models."""


@app.command()
def stats(store: StoreAt = None) -> None:
    """Count the kept replies."""
    with Store.open_existing(store) as opened:
        count, size = opened.replies.stats()
    say(f"{count:,} replies, {size:,} bytes")


@app.command()
def clear(store: StoreAt = None) -> None:
    """Forget the kept replies; what they were asked for is paid for again when it is asked again."""
    with Store.open_existing(store) as opened:
        say(f"forgot {opened.replies.clear():,} replies")
