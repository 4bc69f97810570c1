"""One metric over runs: its mean with its interval by run and pipeline, from the first run to the last."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from ringtrue.report.plain import coverage, interval_text, number, one_line
from ringtrue.report.report import Cell, cell
from ringtrue.report.terminal import new_table, print_table, say
from ringtrue.types import RunInfo, Score

__all__ = ["TrendPoint", "print_trend", "trend_json", "trend_points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """One run and pipeline. `unlike` says what differs from the last run, so that the means cannot be compared."""

    run: str
    started: str
    status: str
    tags: tuple[str, ...]
    pipeline: str
    metric: str
    signature: str
    fingerprint: str
    cell: Cell
    unlike: tuple[str, ...] = ()


def trend_points(runs: Sequence[tuple[RunInfo, Iterable[Score]]]) -> list[TrendPoint]:
    """The points of runs from the first to the last, each with the Scores of the one metric that it is given with."""
    if not runs:
        return []
    latest = runs[-1][0]
    points = []
    for run, scores in runs:
        (used,) = run.metrics
        by_pipeline: dict[str, dict[tuple[str, int], Score]] = {name: {} for name in run.pipelines}
        for score in scores:
            by_pipeline[score.pipeline][score.sample_id, score.repeat] = score
        unlike = [
            name
            for name, one, other in (
                ("dataset", run.dataset_fingerprint, latest.dataset_fingerprint),
                ("signature", used.signature, latest.metrics[0].signature),
            )
            if one != other
        ]
        points += [
            TrendPoint(
                run=run.id,
                started=run.started,
                status=run.status,
                tags=run.tags,
                pipeline=name,
                metric=used.label,
                signature=used.signature,
                fingerprint=run.dataset_fingerprint,
                cell=cell(found.values(), used.range),
                unlike=tuple(unlike),
            )
            for name, found in by_pipeline.items()
        ]
    return points


def trend_json(points: Iterable[TrendPoint]) -> list[dict[str, Any]]:
    """Plain values, in the order of time."""
    return [
        {
            **{name: value for name, value in asdict(one).items() if name != "cell"},
            "tags": list(one.tags),
            "unlike": list(one.unlike),
            "mean": one.cell.mean,
            "ci": None if one.cell.low is None else [one.cell.low, one.cell.high],
            "scored": one.cell.scored,
            "skipped": one.cell.skipped,
            "failed": one.cell.failed,
        }
        for one in points
    ]


def print_trend(points: Sequence[TrendPoint], console: Console) -> None:
    """A row a run and pipeline; those that cannot be compared with the last run are marked."""
    table = new_table(console)
    for name in ("run", "tags", "pipeline", points[0].metric if points else "mean", ""):
        table.add_column(Text(name), no_wrap=name == "run")
    for one in points:
        table.add_row(one.run, Text(", ".join(one.tags)), Text(one_line(one.pipeline, 30)), _mean(one.cell), _mark(one))
    print_table(console, table)
    if any(one.unlike for one in points):
        say(console, "Other dataset, other signature: not to be compared with the last run as it is.", "dim")


def _mean(cell: Cell) -> Text:
    if cell.mean is None:
        return Text("–  " + coverage(cell))
    interval = interval_text(cell.low, cell.high) if cell.low is not None and cell.high is not None else ""
    return Text("  ".join(part for part in (number(cell.mean), interval, coverage(cell)) if part))


def _mark(one: TrendPoint) -> str:
    parts = [f"other {name}" for name in one.unlike]
    return ", ".join(parts if one.status == "finished" else [*parts, one.status])
