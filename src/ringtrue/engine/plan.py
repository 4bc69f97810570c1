"""What a run is to do: every Sample × Pipeline × repeat asked once, every answer scored by every metric once."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutinefunction
from typing import Any

from ringtrue.catalogue import MetricUse
from ringtrue.errors import UsageError
from ringtrue.types import Dataset, Pipeline, Sample, UsedMetric

__all__ = ["Call", "Plan", "label_metrics"]

_ENDS = (-sys.float_info.max, sys.float_info.max)


@dataclass(frozen=True, slots=True)
class Call:
    """A metric made ready for many rows: what `MetricUse` would otherwise work out again for each of them."""

    label: str
    signature: str
    needs: tuple[str, ...]
    low: float
    high: float
    function: Callable[..., Any]
    is_async: bool
    source: str

    @classmethod
    def of(cls, label: str, use: MetricUse) -> "Call":
        function = use.metric.function
        # Where there is no bound, the greatest number is one: infinity is no score.
        low, high = (bound if bound is not None else end for bound, end in zip(use.metric.range, _ENDS, strict=True))
        ready = partial(function, **dict(use.given)) if use.given else function
        is_async = iscoroutinefunction(function)
        return cls(label, use.signature, use.metric.needs, low, high, ready, is_async, use.metric.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A Dataset, the Pipelines to ask, the metrics by label, and how often each question is asked."""

    dataset: Dataset
    pipelines: Sequence[Pipeline]
    metrics: Mapping[str, MetricUse]
    repeats: int = 1

    def __post_init__(self) -> None:
        if not self.pipelines:
            raise UsageError(
                "no pipeline to score",
                mend="name one with --pipeline NAME=answers.jsonl, or give a dataset that holds answers too",
            )
        twice = [name for name, count in Counter(one.name for one in self.pipelines).items() if count > 1]
        if twice:
            raise UsageError(f"two pipelines are named {twice[0]!r}", mend="give each a name of its own")
        if self.repeats < 1:
            raise UsageError(f"repeats cannot be {self.repeats}", mend="ask each question at least once")
        if any(one.live for one in self.pipelines):
            _require_questions(self.dataset)

    @property
    def used(self) -> tuple[UsedMetric, ...]:
        return tuple(
            UsedMetric(
                label=label,
                written=str(use),
                signature=use.signature,
                range=use.metric.range,
                better=use.metric.better,
                summary=use.metric.summary,
            )
            for label, use in self.metrics.items()
        )

    def calls(self) -> tuple[Call, ...]:
        return tuple(Call.of(label, use) for label, use in self.metrics.items())

    def places(self, pipeline: str, asked: Iterable[tuple[str, str, int]]) -> Iterator[tuple[Sample, int]]:
        """What is still to be asked of a pipeline, given the (pipeline, sample id, repeat) places already answered."""
        done = set(asked)
        for repeat in range(self.repeats):
            for sample in self.dataset:
                if (pipeline, sample.id, repeat) not in done:
                    yield sample, repeat

    def __len__(self) -> int:
        """Number of responses the run will hold."""
        return len(self.dataset) * len(self.pipelines) * self.repeats


def label_metrics(uses: Iterable[MetricUse]) -> dict[str, MetricUse]:
    """Name each metric for tables: by its bare name, or with its parameters where one name comes up with several."""
    distinct = list(dict.fromkeys(uses))
    names = Counter(use.metric.name for use in distinct)
    return {use.metric.name if names[use.metric.name] == 1 else str(use): use for use in distinct}


def _require_questions(dataset: Dataset) -> None:
    for sample in dataset:
        if sample.question is None:
            raise UsageError(
                f"sample {sample.id!r} of {dataset.name} has no question, and a live pipeline needs one to answer",
                mend="give every row a question, or leave the row out with --filter 'question'",
            )
