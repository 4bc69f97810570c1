"""What the commands print around a run: the columns as they were read, and progress."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import typer

from ringtrue.engine.runner import OnProgress, Progress

__all__ = ["progress", "say", "say_mappings"]

_EVERY_S = 5.0  # between two plain lines of progress


def say(text: str, *, aside: bool = False) -> None:
    """Print a line; `aside` sends it to standard error."""
    typer.echo(text, err=aside)


def say_mappings(mappings: Mapping[str, Mapping[str, str]], *, aside: bool) -> None:
    """Print which columns were read as which fields, where their names differ."""
    for name, mapping in mappings.items():
        if mapping:
            pairs = ", ".join(f"{column} → {field}" for column, field in mapping.items())
            say(f"columns of {name}: {pairs}", aside=aside)
    if any(mappings.values()):
        say("  (to read one otherwise: --map column=field)", aside=aside)


@contextmanager
def progress(*, quiet: bool) -> Iterator[OnProgress | None]:
    """A bar on a terminal, a plain line now and then elsewhere, nothing when quiet. Always on standard error."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar() as on_progress:
            yield on_progress
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("answers", total=None)

        def on_progress(now: Progress) -> None:
            told = f"answers ({now.failed} failed)" if now.failed else "answers"
            bar.update(task, completed=now.done, total=now.total, description=told)

        yield on_progress


def _lines() -> OnProgress:
    last = time.monotonic()

    def on_progress(now: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_S:
            last = time.monotonic()
            failed = f", {now.failed} failed" if now.failed else ""
            say(f"{now.done} of {now.total} answers{failed}", aside=True)

    return on_progress
