"""The Python door: `ringtrue.run(...)`, plain or awaited, and the Run that comes back."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ringtrue.app.config import parse_config
from ringtrue.app.jobs import pipeline_spec
from ringtrue.app.service import Job, in_own_loop, prepare, write_outputs
from ringtrue.app.service import run as run_prepared
from ringtrue.catalogue import Metric, MetricUse, parse_metric
from ringtrue.data.load import Loaded, dataset_of, select
from ringtrue.data.load import load_dataset as read_dataset
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.html import render_html
from ringtrue.report.json_report import summary_json
from ringtrue.report.report import Cell, Report
from ringtrue.report.tabular import scores_frame, scores_table
from ringtrue.types import Dataset, Pipeline, Response, Sample, Score

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Run", "load_dataset", "run", "run_async"]

DatasetLike: TypeAlias = "str | Path | Dataset | Iterable[Sample | Mapping[str, Any]]"
PipelineLike: TypeAlias = (
    "str | Path | Pipeline | Callable[..., Any] | Sequence[str | Response | None] | Mapping[str, Any]"
)
MetricLike: TypeAlias = "str | Mapping[str, Any] | Metric | MetricUse"


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its report, and ways to look at it."""

    report: Report

    @property
    def id(self) -> str:
        return self.report.run.id

    @property
    def summary(self) -> Mapping[str, Mapping[str, Cell]]:
        """By pipeline, then metric: mean, 95 % interval, and how many rows were scored, skipped and failed."""
        return self.report.summary

    @property
    def scores(self) -> list[Score]:
        """All Scores: by sample, pipeline, repeat, then metric."""
        return list(self.report.scores())

    @property
    def exit_code(self) -> int:
        """0 passed, 100 a threshold failed, 3 too many scores failed."""
        return self.report.exit_code

    @property
    def passed(self) -> bool:
        return self.report.exit_code == 0

    def to_dict(self) -> dict[str, Any]:
        """What `ringtrue run --json` prints."""
        return summary_json(self.report)

    def to_pandas(self) -> "pd.DataFrame":
        """One row a Score. Needs the extra ``pandas``."""
        return scores_frame(self.report)

    def to_arrow(self) -> "pa.Table":
        """One row a Score. Needs the extra ``arrow``."""
        return scores_table(self.report)

    def save(self, *paths: str | Path) -> None:
        """Write reports, each in the format of its ending."""
        write_outputs(self.report, [Path(path) for path in paths])

    def _repr_html_(self) -> str:
        """A notebook shows the report in a frame of its own, so that its style does not leak."""
        page = render_html(self.report).replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width:100%;height:40rem;border:0" title="ringtrue report"></iframe>'


def run(
    dataset: DatasetLike,
    pipelines: Mapping[str, PipelineLike] | None = None,
    metrics: Sequence[MetricLike] = (),
    *,
    thresholds: Mapping[str, Any] | Sequence[str | Mapping[str, Any]] = (),
    filter: str | None = None,
    limit: int | None = None,
    repeats: int = 1,
    max_concurrency: int = 8,
    max_failed: float = 0.05,
    tags: str | Sequence[str] = (),
    store: str | Path | None = None,
) -> Run:
    """Score pipelines against a golden dataset.

    `dataset` is a file, a Dataset, or rows (dicts, Samples, a DataFrame, an Arrow table). `pipelines` maps names to a
    file of answers, a function (plain or async), ``"module:function"``, a URL, answers by sample id or in order, or a
    config such as ``{"type": "http", "url": …}``; without it, the dataset's answers are scored as pipeline ``answers``.
    `metrics` are names or Metric objects; without them, all that the data allow. `tags` name the run. `store` is a
    database file, a URL or ``":memory:"``.

    Works where an event loop runs already (a notebook): the run has a loop of its own in another thread then. Raises
    RingtrueError for what a person can mend.
    """
    prepared = prepare(
        _job(dataset, pipelines or {}, metrics, thresholds, filter, limit, repeats, max_concurrency, max_failed, tags)
    )
    with Store.open(store) as opened:
        return Run(in_own_loop(lambda: run_prepared(prepared, opened)))


async def run_async(
    dataset: DatasetLike,
    pipelines: Mapping[str, PipelineLike] | None = None,
    metrics: Sequence[MetricLike] = (),
    *,
    thresholds: Mapping[str, Any] | Sequence[str | Mapping[str, Any]] = (),
    filter: str | None = None,
    limit: int | None = None,
    repeats: int = 1,
    max_concurrency: int = 8,
    max_failed: float = 0.05,
    tags: str | Sequence[str] = (),
    store: str | Path | None = None,
) -> Run:
    """`run` in the caller's event loop, where async pipelines may use what lives in it (a client, a pool)."""
    prepared = prepare(
        _job(dataset, pipelines or {}, metrics, thresholds, filter, limit, repeats, max_concurrency, max_failed, tags)
    )
    with Store.open(store) as opened:
        return Run(await run_prepared(prepared, opened))


def load_dataset(
    path: str | Path,
    *,
    map: Mapping[str, str] | None = None,
    filter: str | None = None,
    limit: int | None = None,
    strict: bool = False,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
) -> Dataset:
    """Read a golden dataset from a file.

    What a person should know of the reading (a guessed encoding, rows left out) is a Python warning each. Raises
    RingtrueError that names file, line, field and the mend.
    """
    loaded = read_dataset(path, mapping=map, strict=strict, skip_bad_rows=skip_bad_rows, encoding=encoding)
    for note in loaded.notes:
        warnings.warn(f"{path}: {note}", stacklevel=2)
    return select(loaded.dataset, where=filter, limit=limit)


def _job(
    dataset: DatasetLike,
    pipelines: Mapping[str, PipelineLike],
    metrics: Sequence[MetricLike],
    thresholds: Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    filter: str | None,
    limit: int | None,
    repeats: int,
    max_concurrency: int,
    max_failed: float,
    tags: str | Sequence[str],
) -> Job:
    metrics = [metrics] if isinstance(metrics, str) else metrics
    thresholds = [thresholds] if isinstance(thresholds, str) else thresholds
    named, held = {}, {}
    for name, one in pipelines.items():
        spec = pipeline_spec(one)
        if spec is None:
            held[name] = one
        else:
            named[name] = spec
    loaded = None if isinstance(dataset, str | Path) else _loaded(dataset, filter, limit)
    raw: dict[str, Any] = {
        "dataset": {"path": str(dataset), "filter": filter, "limit": limit}
        if loaded is None
        else {"path": loaded.dataset.name},
        "pipelines": named,
        "metrics": [_written(one) for one in metrics],
        "thresholds": thresholds if isinstance(thresholds, Mapping) else list(thresholds),
        "run": {
            "repeats": repeats,
            "max_concurrency": max_concurrency,
            "max_failed": max_failed,
            "tags": [tags] if isinstance(tags, str) else list(tags),
        },
    }
    config = parse_config(raw, where="ringtrue.run", in_use=False)
    return Job(
        config=config,
        raw=raw,
        folder=Path.cwd(),
        dataset=loaded,
        pipelines=held or None,
        metrics=[parse_metric(one) for one in metrics],
    )


def _loaded(dataset: Any, filter: str | None, limit: int | None) -> Loaded:
    if isinstance(dataset, Mapping):
        raise UsageError("a dataset cannot be a dict", mend="give a list of rows, or a file")
    loaded = dataset_of(dataset)
    kept = select(loaded.dataset, where=filter, limit=limit)
    return Loaded(dataset=kept, answers=loaded.answers, mapping=loaded.mapping, notes=loaded.notes)


def _written(given: MetricLike) -> str | dict[str, Any]:
    """A metric as a config would name it, to keep with the run."""
    return given if isinstance(given, str) else dict(given) if isinstance(given, Mapping) else str(parse_metric(given))
