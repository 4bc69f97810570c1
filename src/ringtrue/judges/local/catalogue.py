"""The judges that have a local form: the same metric, judged on this machine by a network and rules."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, NoReturn, TypeAlias

from ringtrue.catalogue import MetricUse, Param
from ringtrue.errors import MissingExtraError, Skip, UsageError, did_you_mean
from ringtrue.judges.catalogue import NO_MODEL
from ringtrue.judges.local import correctness, grounding, relevance
from ringtrue.judges.local.outcome import UNSURE
from ringtrue.judges.local.weighing import rules_hash
from ringtrue.models.local.network import signature
from ringtrue.models.local.weights import NETWORKS, MissingWeightsError, find
from ringtrue.types import Verdict

__all__ = ["LOCAL", "has_local", "local_missing", "with_local", "without_model"]

LOCAL = "local"  # what stands for the model that is asked

Form: TypeAlias = Callable[..., Awaitable[Verdict]]

# By metric: its local form, what it needs of the row, and the networks that it asks.
_FORMS: Mapping[str, tuple[Form, tuple[str, ...], tuple[str, ...]]] = {
    "answer_correctness": (correctness.answer_correctness, ("answer",), ("judge",)),
    "faithfulness": (grounding.faithfulness, ("answer", "contexts"), ("judge",)),
    "faithfulness_binary": (grounding.faithfulness_binary, ("answer", "contexts"), ("judge",)),
    "context_recall": (grounding.context_recall, ("contexts", "reference"), ("judge",)),
    "context_sufficiency": (grounding.context_sufficiency, ("contexts", "reference"), ("judge",)),
    "refusal": (grounding.refusal, ("answer",), ("judge",)),
    "context_relevance": (relevance.context_relevance, ("question", "contexts"), relevance.NETWORKS),
    "context_relevance_binary": (relevance.context_relevance_binary, ("question", "contexts"), relevance.NETWORKS),
    "context_precision": (relevance.context_precision, ("question", "contexts", "reference"), relevance.NETWORKS),
    "answer_relevance": (relevance.answer_relevance, ("question", "answer"), relevance.NETWORKS),
}


def has_local(name: str) -> bool:
    """Whether the judge of that name has a local form."""
    return name in _FORMS


def local_missing(name: str) -> str | None:
    """What its local form lacks on this machine, with the mend; ``None`` where it can judge."""
    try:
        _require(name)
    except (MissingExtraError, MissingWeightsError) as error:
        return f"{error.message}; {error.mend}" if error.mend else error.message
    return None


def with_local(use: MetricUse) -> MetricUse:
    """A built-in judge with its parameters, judged on this machine.

    Raises UsageError where it has no local form, MissingExtraError or MissingWeightsError where it cannot be had here.
    """
    metric = use.metric
    if metric.name not in _FORMS:
        raise UsageError(
            f"judge {metric.name!r} has no local form",
            mend=f"name a model (--judge-model PROVIDER:MODEL), or {did_you_mean(metric.name, _FORMS)}",
        )
    _require(metric.name)
    form, needs, networks = _FORMS[metric.name]
    params = tuple(
        Param(one.name, type(one.default), one.default)
        for one in inspect.signature(form).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    )
    labels = (*metric.labels, UNSURE) if metric.labels and dict(use.given).get("unsure") else metric.labels
    made = replace(
        metric,
        function=form,
        doc=inspect.cleandoc(form.__doc__ or ""),
        needs=needs,
        params=params,
        made_by=(("model", LOCAL), ("weights", _signed(networks)), ("rules", rules_hash())),
        labels=labels,
        models=(LOCAL,),
    )
    return replace(made.bind(**dict(use.given)), label=use.label)


def without_model(use: MetricUse) -> MetricUse:
    """A judge for which no model is named: by its local form where it has one that can judge here; else it skips."""
    if not has_local(use.metric.name):
        return use
    lacks = local_missing(use.metric.name)
    return with_local(use) if lacks is None else replace(use, metric=replace(use.metric, function=_lacking(lacks)))


def _lacking(reason: str) -> Callable[..., NoReturn]:
    def judge(*_: Any, **__: Any) -> NoReturn:
        raise Skip(f"{NO_MODEL}, or judge on this machine: {reason}")

    return judge


def _require(name: str) -> None:
    for package in ("onnxruntime", "tokenizers"):
        if find_spec(package) is None:
            raise MissingExtraError(f"the local form of {name}", "local")
    for network in _FORMS[name][2]:
        find(network)


def _signed(networks: tuple[str, ...]) -> str:
    """The networks with the beginnings of their weights' sums."""
    return "+".join(signature(find(name)) if name == "judge" else NETWORKS[name].signature for name in networks)
