"""What the commands about labelled rows share: options, and how their words are read."""

from typing import Annotated, Any, TypeAlias

import typer

from ringtrue.app.config import ModelConfig
from ringtrue.app.jobs import pair
from ringtrue.errors import UsageError

__all__ = ["ROWS", "ClusterBy", "given", "judging_options", "model_of", "pairs"]

ROWS = "Labelled rows: question, reference, answer, context, label, raters."

ClusterBy: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Rows that hang together; default qid, else question; row: none do."),
]


def given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def pairs(written: list[str] | None, usage: str) -> dict[str, str]:
    """Repeated ``NAME=VALUE`` options; `usage` is how to write one, for the message."""
    return dict(pair(one, usage) for one in written or [])


def model_of(model: str | None, base_url: str | None, concurrency: int | None) -> ModelConfig | None:
    """The command's own model. Raises UsageError for an address without one."""
    if model is None:
        if base_url or concurrency:
            raise UsageError("a judge's address without a model", mend="name it: --judge-model PROVIDER:MODEL")
        return None
    return ModelConfig(model=model, **given(base_url=base_url, concurrency=concurrency))


def judging_options(max_calls: int | None, max_cost: float | None, no_cache: bool) -> dict[str, Any]:
    """The budget and the cache, as the options of a run."""
    return given(max_calls=max_calls, max_cost=max_cost, cache=False if no_cache else None)
