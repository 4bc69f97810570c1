"""`ringtrue init`: a starter project for a person's own two files, or with two small ones to begin from."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer
import yaml

from ringtrue.app.jobs import CONFIG_NAME
from ringtrue.app.terminal.console import say
from ringtrue.errors import OutputError, UsageError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_GOLDEN = [
    {
        "id": "opening",
        "question": "When does the pool open on Sundays?",
        "reference": "The pool opens at 9:30 on Sundays.",
        "facts": "9:30<OR>half past nine",
    },
    {
        "id": "price",
        "question": "What does a day ticket cost?",
        "reference": "A day ticket costs 12 euros.",
        "facts": "€12",
    },
    {
        "id": "lanes",
        "question": "Which pools have lanes for lap swimming?",
        "reference": "The main pool and the outdoor pool have lanes.",
        "facts": "main pool<AND>outdoor pool",
    },
]
_ANSWERS = [
    {"id": "opening", "answer": "On Sundays the pool opens at 9:30."},
    {"id": "price", "answer": "A day ticket is 12 euros."},
    {"id": "lanes", "answer": "You can swim laps in the main pool."},
]
_CONFIG = """\
# What to score. Check it with: ringtrue validate    run it with: ringtrue run
dataset: {dataset}          # columns of other names: {{path: …, map: {{your_column: question}}}}

pipelines:
{pipelines}
  # app:  {{command: [python, app.py]}}            # JSON on stdin, the answer on stdout
  # api:  {{url: "https://…", body: {{q: "{{{{ question }}}}"}}, answer: "result.text"}}
  # fn:   {{target: "my_app:answer"}}

# All metrics that the data allow; to choose: ringtrue metrics
# metrics: [facts_matched, recall_over_words, {{name: f1_over_words, mode: squad}}]

# Exit code 100 when one is not met.
thresholds:
  facts_matched: ">= 0.5"

report: [report.html]
"""


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to.")] = Path(),
    dataset: Annotated[Path | None, typer.Option(metavar="FILE", help="Your golden dataset.")] = None,
    pipeline: Annotated[list[str] | None, typer.Option(metavar="NAME=FILE", help="Your answers. Repeatable.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
) -> None:
    """Write a starter project: a config for your own files, or one with small example files.

    Name your files: ringtrue init --dataset golden.csv --pipeline base=answers.jsonl
    """
    named = dict(_named(one) for one in pipeline or [])
    if dataset is not None and not dataset.is_file():
        raise UsageError(f"there is no file {dataset}", mend="name your golden dataset, or leave --dataset out")
    files = {}
    if dataset is None:
        files["golden.jsonl"] = _lines(_GOLDEN)
    if not named and dataset is None:
        files["answers.jsonl"] = _lines(_ANSWERS)
        named = {"base": "answers.jsonl"}
    else:
        named = {name: _relative(Path(path), folder) for name, path in named.items()}
    listed = "\n".join(f"  {_yaml(name)}: {_yaml(path)}" for name, path in named.items())
    files[CONFIG_NAME] = _CONFIG.format(
        dataset=_yaml(_relative(dataset, folder) if dataset else "golden.jsonl"),
        pipelines=listed or "  # base: answers.jsonl          # a file of answers by id",
    )
    _write_all(folder, files, force=force)
    here = "" if folder == Path() else f"cd {folder} && "
    say(f"next: {here}ringtrue run")


def _write_all(folder: Path, files: dict[str, str], *, force: bool) -> None:
    there = [name for name in files if (folder / name).exists()]
    if there and not force:
        raise UsageError(
            f"{folder / there[0]} is there already", mend="name another folder, or write over it with --force"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
            say(f"wrote {folder / name}")
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}", mend="name another folder") from error


def _named(written: str) -> tuple[str, str]:
    name, _, path = written.partition("=")
    if not Path(path).is_file():
        raise UsageError(f"there is no file {path!r}", mend="write --pipeline NAME=FILE")
    return name, path


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def _yaml(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10_000).removesuffix("...\n").strip()


def _lines(records: list[dict[str, str]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
