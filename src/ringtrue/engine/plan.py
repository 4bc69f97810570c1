"""What a run is to do: every Sample × Pipeline × repeat asked once, every answer scored by every metric once."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, Protocol

from ringtrue.catalogue import MetricUse
from ringtrue.data.store import Kept
from ringtrue.errors import UsageError
from ringtrue.types import Answered, Dataset, Pipeline, Sample, Score, UsedMetric

__all__ = ["Call", "Keeping", "Plan", "label_metrics"]

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


class Keeping(Protocol):
    """What a run needs of a store."""

    def answers(self, run_id: str, /) -> list[Answered]: ...
    def signatures(self, wanted: Iterable[str], /) -> set[str]: ...
    def known(
        self, items: Iterable[bytes], signatures: Iterable[str], /
    ) -> dict[tuple[bytes, str], tuple[str, int]]: ...
    def add(
        self,
        run_id: str,
        answers: Sequence[Kept],
        scores: Sequence[tuple[bytes, int, Score]],
        /,
        *,
        again: bool = False,
    ) -> None: ...


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
    """Name each metric for tables: as the user says, else by its bare name.

    Where that is not enough to tell two apart, the parameters are added (``f1_over_words(mode=squad)``), then a judge's
    models (``faithfulness[openai:gpt-4o-mini]``), then whatever else they differ in. What has the same signature is the
    same metric and comes up once. Raises UsageError where it has two names, or a name is given twice.
    """
    distinct = _distinct(uses)
    labels = [use.label or use.metric.name for use in distinct]
    for longer in (_with_params, _with_models, _with_differences):
        alike: dict[str, list[MetricUse]] = {}
        for label, use in zip(labels, distinct, strict=True):
            alike.setdefault(label, []).append(use)
        labels = [
            label if use.label or len(alike[label]) == 1 else longer(use, alike[label])
            for label, use in zip(labels, distinct, strict=True)
        ]
    if twice := [label for label, count in Counter(labels).items() if count > 1]:
        raise UsageError(f"two metrics of this run are named {twice[0]!r}", mend="give each judge a name of its own")
    return dict(zip(labels, distinct, strict=True))


def _distinct(uses: Iterable[MetricUse]) -> list[MetricUse]:
    found: dict[str, MetricUse] = {}
    for use in uses:
        first = found.setdefault(use.signature, use)
        if first.label != use.label:
            raise UsageError(
                f"{first.label or str(first)!r} and {use.label or str(use)!r} are one metric: the same model is asked "
                "the same in the same way",
                mend="leave one of them out, or let them differ in more than the name",
            )
    return list(found.values())


def _with_params(use: MetricUse, _: Sequence[MetricUse]) -> str:
    return str(use)


def _with_models(use: MetricUse, _: Sequence[MetricUse]) -> str:
    return f"{use}[{'+'.join(use.metric.models)}]" if use.metric.models else str(use)


def _with_differences(use: MetricUse, alike: Sequence[MetricUse]) -> str:
    """With the models, as they are signed where that differs, and all else that `alike` are not made alike by."""
    others = [dict(one.metric.made_by) for one in alike]
    differing = {name: value for name, value in use.metric.made_by if any(other.get(name) != value for other in others)}
    models = differing.pop("model", "+".join(use.metric.models))
    told = ", ".join([models, *(f"{name}:{value}" for name, value in differing.items())])
    return f"{use}[{told}]" if told else str(use)


def _require_questions(dataset: Dataset) -> None:
    for sample in dataset:
        if sample.question is None:
            raise UsageError(
                f"sample {sample.id!r} of {dataset.name} has no question, and a live pipeline needs one to answer",
                mend="give every row a question, or leave the row out with --filter 'question'",
            )
