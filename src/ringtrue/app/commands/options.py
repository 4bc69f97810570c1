"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

__all__ = [
    "AsJson",
    "Columns",
    "Config",
    "DatasetFile",
    "Encoding",
    "Filter",
    "JudgeBaseUrl",
    "JudgeConcurrency",
    "JudgeModel",
    "Limit",
    "MaxCalls",
    "MaxConcurrency",
    "MaxCost",
    "MaxFailed",
    "Metrics",
    "NoCache",
    "Outputs",
    "Pipelines",
    "PlanOnly",
    "Quiet",
    "Repeats",
    "RunId",
    "SkipBadRows",
    "StoreAt",
    "Strict",
    "Tags",
    "Thresholds",
]

Config: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="CONFIG", help="A YAML file; without it ringtrue.yaml, if there is one.", show_default=False
    ),
]
DatasetFile: TypeAlias = Annotated[Path | None, typer.Option("--dataset", metavar="FILE", help="The golden dataset.")]
Pipelines: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--pipeline",
        metavar="NAME=FILE",
        help="Answers in a file, or NAME=module:function, or NAME=https://… Repeatable. Other kinds: in CONFIG.",
    ),
]
Metrics: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="NAME", help="Or NAME(parameter=value). Repeatable. See: ringtrue metrics"),
]
Thresholds: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--threshold", metavar="GATE", help="A gate, such as 'facts_matched >= 0.8'. Repeatable."),
]
Tags: TypeAlias = Annotated[
    list[str] | None, typer.Option("--tag", metavar="NAME", help="A name for the run, such as baseline. Repeatable.")
]
Limit: TypeAlias = Annotated[int | None, typer.Option(min=1, metavar="N", help="The first rows only.")]
Filter: TypeAlias = Annotated[
    str | None,
    typer.Option("--filter", metavar="EXPR", help="JMESPath over a sample, such as \"metadata.lang == 'de'\"."),
]
Repeats: TypeAlias = Annotated[int | None, typer.Option(min=1, metavar="K", help="How often each question is asked.")]
MaxConcurrency: TypeAlias = Annotated[int | None, typer.Option(min=1, metavar="N", help="Questions under way at once.")]
MaxFailed: TypeAlias = Annotated[
    float | None,
    typer.Option(min=0, max=1, metavar="SHARE", help="Greatest share of failed scores before exit code 3."),
]
JudgeModel: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--judge-model", metavar="PROVIDER:MODEL", help="The language model that judges. See: ringtrue judge list"
    ),
]
JudgeBaseUrl: TypeAlias = Annotated[
    str | None, typer.Option("--judge-base-url", metavar="URL", help="Of an OpenAI-compatible server.")
]
JudgeConcurrency: TypeAlias = Annotated[
    int | None, typer.Option("--judge-concurrency", min=1, metavar="N", help="Calls of the judge under way at once.")
]
MaxCalls: TypeAlias = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Calls of judges' models, then the run stops with exit code 3.")
]
MaxCost: TypeAlias = Annotated[
    float | None, typer.Option(min=0, metavar="USD", help="Money for judges' models, then the run stops likewise.")
]
NoCache: TypeAlias = Annotated[bool, typer.Option("--no-cache", help="Neither use nor keep replies of models.")]
PlanOnly: TypeAlias = Annotated[
    bool, typer.Option("--plan", help="Ask nobody; tell what the judges would take: calls, tokens, money.")
]
Columns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="COLUMN=FIELD", help="How to read a column of the dataset. Repeatable."),
]
Strict: TypeAlias = Annotated[bool, typer.Option("--strict", help="Refuse guessed columns.")]
SkipBadRows: TypeAlias = Annotated[
    bool, typer.Option("--skip-bad-rows", help="Leave unreadable rows out, and say how many.")
]
Encoding: TypeAlias = Annotated[str | None, typer.Option(metavar="NAME", help="Of the dataset, where it is not UTF-8.")]

RunId: TypeAlias = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's id, its beginning, or its tag; default the latest.")
]
Outputs: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="A report: .html .json .jsonl .csv .parquet .md .xml. Repeatable."
    ),
]
StoreAt: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="PATH", envvar="RINGTRUE_STORE", help="Database file or URL; default .ringtrue/ringtrue.db"
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="No progress.")]
