"""`ringtrue schema`: the JSON Schema of the configuration, for editors."""

import json

import typer

from ringtrue.app.config import config_schema

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the configuration.

    Save it, and put this first in ringtrue.yaml, for an editor that completes keys:
    # yaml-language-server: $schema=ringtrue.schema.json
    """
    typer.echo(json.dumps(config_schema(), indent=2, ensure_ascii=False))
