"""The command line. Commands are imported when they are called, so that `ringtrue --help` answers at once."""

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import typer
import typer.core

from ringtrue import __version__
from ringtrue.errors import RingtrueError, UsageError, did_you_mean

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "run": "Score pipelines against a golden dataset.",
    "resume": "Go on with a run that was stopped, or whose answers or scores failed.",
    "report": "Show a stored run again, or write it to files.",
    "compare": "Hold pipelines against each other: which is better, and how sure that is.",
    "diagnose": "Find the stage of the application to mend first.",
    "runs": "List the stored runs, or a metric over them.",
    "tag": "Name a run, such as baseline.",
    "metrics": "List the metrics, or explain one.",
    "judge": "List judges, show one, or try one on a question and an answer.",
    "labels": "Import people's labels of answers, or show which are stored.",
    "agree": "Hold judges against people: agreement, kappa, intervals, baselines.",
    "models": "List the local networks, or fetch their weights.",
    "cache": "Count or forget the kept replies of models.",
    "init": "Write a starter project.",
    "validate": "Check a configuration and its files without running it.",
    "dataset": "Import, show or fingerprint a golden dataset.",
    "schema": "Print the JSON Schema of the configuration.",
}
# Commands that stand in a folder of their own.
_FOLDERS = {
    "agree": "people",
    "labels": "people",
    "judge": "judges",
    "models": "judges",
    "cache": "judges",
    "compare": "deciding",
    "diagnose": "deciding",
    "tag": "deciding",
}


class _Commands(typer.core.TyperGroup):
    """A group that knows its commands' names and summaries, and imports only the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            raise UsageError(f"no command {cmd_name!r}", mend=did_you_mean(cmd_name, COMMANDS))
        module = ".".join(["ringtrue.app.commands", *([_FOLDERS[cmd_name]] if cmd_name in _FOLDERS else []), cmd_name])
        command = typer.main.get_command(import_module(module).app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_app = typer.Typer(
    cls=_Commands, add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ringtrue {__version__}")
        raise typer.Exit


@_app.callback()
def _ringtrue(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Tells whether the answers of a generative-AI application ring true.

    Begin with: ringtrue run --dataset golden.csv --pipeline base=answers.jsonl
    """


def main() -> None:
    """The program. Exit codes: 0 passed, 1 error, 2 usage, 100 a threshold failed, 3 incomplete, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):  # what is printed is in whatever script the data use
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        _app(prog_name="ringtrue")
    except RingtrueError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
