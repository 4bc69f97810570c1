"""From a configuration to the things that run: the dataset, the pipelines, the metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.app.config import (
    CallableConfig,
    CommandConfig,
    DatasetConfig,
    HttpConfig,
    KnowledgeBaseConfig,
    PipelineConfig,
    RecordedConfig,
)
from ringtrue.catalogue import MetricUse, catalogue, parse_metric
from ringtrue.data.load import Loaded, load_answers, load_dataset, select
from ringtrue.errors import PipelineError, UsageError
from ringtrue.pipelines import CallablePipeline, Command, Http, KnowledgeBase, Recorded
from ringtrue.pipelines.replies import response_from
from ringtrue.types import Dataset, Pipeline, Response

__all__ = ["ANSWERS", "Source", "choose_metrics", "open_dataset", "open_pipeline", "pipeline_of"]

ANSWERS = "answers"  # the pipeline of a dataset file that carries answers too

# What is scored where no metric is named, in this order, as far as the data allow.
_DEFAULT_METRICS = (
    "factual_knowledge",
    "facts_matched",
    "recall_over_words",
    "precision_over_words",
    "f1_over_words",
    "exact_match",
    "quasi_exact_match",
    "answer_words",
)
_LIVE_METRICS = ("latency_s",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A pipeline, how its columns were read, and what a person should know of the reading."""

    pipeline: Pipeline
    mapping: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def open_dataset(config: DatasetConfig, folder: Path) -> Loaded:
    """Read the golden dataset of a config and keep the rows that it asks for."""
    loaded = load_dataset(
        folder / config.path,
        mapping=config.map,
        strict=config.strict,
        skip_bad_rows=config.skip_bad_rows,
        encoding=config.encoding,
        name=config.name,
    )
    if config.filter is None and config.limit is None:
        return loaded
    kept = select(loaded.dataset, where=config.filter, limit=config.limit)
    return Loaded(dataset=kept, answers=loaded.answers, mapping=loaded.mapping, notes=loaded.notes)


def open_pipeline(
    name: str,
    config: PipelineConfig,
    dataset: Dataset,
    folder: Path,
    *,
    reading: DatasetConfig,
) -> Source:
    """Make a pipeline ready.

    Files of answers are read as strictly as the dataset is (`reading`).
    """
    match config:
        case RecordedConfig():
            recorded = load_answers(
                folder / config.path,
                dataset,
                mapping=config.map,
                strict=reading.strict,
                skip_bad_rows=reading.skip_bad_rows,
                encoding=config.encoding,
            )
            pipeline = Recorded(name, recorded.answers)
            return Source(pipeline=pipeline, mapping=recorded.mapping, notes=recorded.notes)
        case CallableConfig():
            return Source(pipeline=CallablePipeline(name, config.target, timeout=config.timeout, folder=str(folder)))
        case CommandConfig():
            return Source(
                pipeline=Command(
                    name,
                    config.command,
                    timeout=config.timeout,
                    cwd=str(folder / config.cwd) if config.cwd else str(folder),
                    env=config.env,
                )
            )
        case HttpConfig():
            given = config.model_dump(exclude={"type"}, exclude_none=True)
            return Source(pipeline=Http(name, **given))
        case KnowledgeBaseConfig():
            return Source(pipeline=KnowledgeBase(name, **config.model_dump(exclude={"type"})))


def pipeline_of(name: str, given: Any, dataset: Dataset, folder: Path) -> Source:
    """Make a pipeline of what a Python user hands over.

    A Pipeline, a function (plain or async), answers by sample id, or answers in the dataset's order.
    """
    if hasattr(given, "open") and hasattr(given, "live"):
        return Source(pipeline=given)
    if callable(given):
        return Source(pipeline=CallablePipeline(name, given, folder=str(folder)))
    if isinstance(given, Mapping):
        known = {sample.id for sample in dataset}
        strangers = [str(key) for key in given if key not in known]
        if strangers:
            raise UsageError(
                f"pipeline {name!r} has answers for samples that the dataset does not hold: {', '.join(strangers[:5])}",
                mend="use the dataset's sample ids as keys",
            )
        return Source(pipeline=Recorded(name, {(str(key), 0): _response(name, one) for key, one in given.items()}))
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != len(dataset):
            raise UsageError(
                f"pipeline {name!r} has {len(given)} answers for {len(dataset)} samples",
                mend="give one answer a sample, in the dataset's order, or a dict by sample id",
            )
        pairs = zip(dataset, given, strict=True)
        return Source(pipeline=Recorded(name, {(sample.id, 0): _response(name, one) for sample, one in pairs}))
    raise UsageError(
        f"pipeline {name!r} cannot be a {type(given).__name__}",
        mend="give a file of answers, a function, a list of answers, or a config such as {'type': 'http', 'url': …}",
    )


def choose_metrics(named: Iterable[Any], dataset: Dataset, pipelines: Iterable[Pipeline]) -> list[MetricUse]:
    """The metrics that were named, or those that the data allow where none was."""
    uses = [parse_metric(one) for one in named]
    if uses:
        return uses
    has = {
        field
        for field in ("question", "reference", "facts", "reference_contexts")
        if any(getattr(sample, field) for sample in dataset)
    } | {"answer"}
    known = catalogue()
    wanted = [name for name in _DEFAULT_METRICS if set(known[name].needs) <= has]
    if any(one.live for one in pipelines):
        wanted += _LIVE_METRICS
    return [known[name].bind() for name in wanted]


def _response(name: str, given: object) -> Response:
    if isinstance(given, Response):
        return given
    try:
        return response_from(given)
    except PipelineError as error:
        raise UsageError(f"pipeline {name!r} holds what is no answer: {error.message}") from error
