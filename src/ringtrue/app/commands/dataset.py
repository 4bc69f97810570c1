"""`ringtrue dataset`: import, show, fingerprint."""

from pathlib import Path
from typing import Annotated

import orjson
import typer

from ringtrue.app.commands.options import AsJson, Columns, Filter
from ringtrue.app.terminal.console import say, say_mappings
from ringtrue.data.importers import PEERS, import_dataset
from ringtrue.data.load import Loaded, load_dataset, select
from ringtrue.data.records import sample_record
from ringtrue.data.write import write_dataset
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.text.words import clip
from ringtrue.types import Sample

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl, .json, .csv, .tsv, .yaml or .parquet file.")]


@app.callback()
def dataset() -> None:
    """Import, show or fingerprint a golden dataset."""


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of the other tool.")],
    source: Annotated[str, typer.Option("--from", metavar="TOOL", help=f"One of: {', '.join(PEERS)}.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to, by ending.")] = Path(
        "golden.jsonl"
    ),
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Convert another tool's file to a golden dataset."""
    if source not in PEERS:
        raise UnknownNameError("source", source, PEERS, where="--from")
    if output.exists() and not force:
        raise UsageError(f"{output} is there already", mend="name another file with -o, or write over it with --force")
    loaded = import_dataset(file, source)
    write_dataset(loaded.dataset, output)
    _say_read(loaded, aside=False)
    say(f"wrote {output}: {len(loaded.dataset)} samples, fingerprint {loaded.dataset.fingerprint}")


@app.command()
def show(
    file: File,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="So many samples.")] = 10,
    filter: Filter = None,
    columns: Columns = None,
    json: AsJson = False,
) -> None:
    """Show the samples as ringtrue reads them."""
    loaded = load_dataset(file, mapping=_mapping(columns))
    kept = select(loaded.dataset, where=filter, limit=limit)
    _say_read(loaded, aside=json)
    if json:
        for sample in kept:
            say(orjson.dumps(sample_record(sample)).decode())
        return
    for sample in kept:
        say(_shown(sample))
    left = len(loaded.dataset) - len(kept)
    say(f"{len(kept)} of {len(loaded.dataset)} samples" + (" (--limit shows more)" if left else ""))


@app.command()
def fingerprint(file: File, columns: Columns = None, json: AsJson = False) -> None:
    """Print the fingerprint of a dataset's content; it does not depend on the file's format."""
    loaded = load_dataset(file, mapping=_mapping(columns))
    one = loaded.dataset
    if json:
        say(orjson.dumps({"name": one.name, "fingerprint": one.fingerprint, "n": len(one)}).decode())
    else:
        say(f"{one.fingerprint}  {one.name}  {len(one)} samples")


def _mapping(columns: list[str] | None) -> dict[str, str]:
    pairs = (one.partition("=") for one in columns or [])
    return {column.strip(): field.strip() for column, _, field in pairs}


def _say_read(loaded: Loaded, *, aside: bool) -> None:
    say_mappings({loaded.dataset.name: loaded.mapping}, aside=aside)
    for note in loaded.notes:
        say(f"note: {note}", aside=aside)


def _shown(sample: Sample) -> str:
    fields = {
        "question": sample.question,
        "reference": " | ".join(sample.reference) or None,
        "facts": sample.facts.raw if sample.facts else None,
    }
    lines = [sample.id, *(f"  {name + ':':<11}{clip(text, 140)}" for name, text in fields.items() if text)]
    return "\n".join(lines)
