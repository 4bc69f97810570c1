"""One answer scored at once, without a run or a store: for notebooks, tests and quick looks."""

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.app.gates import threshold_of
from ringtrue.catalogue import Metric, MetricUse, parse_metric
from ringtrue.data.load import dataset_of
from ringtrue.engine.batch import plain_calls
from ringtrue.engine.runner import score_row
from ringtrue.errors import UnknownNameError
from ringtrue.pipelines.replies import response_from
from ringtrue.report.thresholds import parse_requirement
from ringtrue.types import Answered, Response, Sample, Score

__all__ = ["check_means", "check_scores", "score"]


def score(
    sample: Sample | Mapping[str, Any],
    answer: str | Response | Mapping[str, Any] | None,
    metrics: Sequence[str | Mapping[str, Any] | Metric | MetricUse],
) -> dict[str, Score]:
    """Score one answer: the Score of each metric, by the metric's name as it was given.

    `sample` is a Sample or a dict with a dataset's fields; `answer` is text, a Response, or a dict such as
    ``{"answer": …, "contexts": […]}``.
    """
    (one,) = dataset_of([sample]).dataset
    uses = {each if isinstance(each, str) else str(parse_metric(each)): parse_metric(each) for each in metrics}
    answered = Answered(pipeline="", sample_id=one.id, repeat=0, response=response_from(answer))
    return {score.metric: score for score in score_row(one, answered, plain_calls(uses))}


def check_means(means: Mapping[str, float], required: Sequence[str]) -> list[str]:
    """What does not hold of gates such as ``"facts_matched >= 0.8"`` over means by metric, a line each."""
    problems = []
    for gate in map(threshold_of, required):
        name, wanted = gate["metric"], parse_requirement(gate["require"])
        if name not in means:
            problems.append(f"{name}: no answer was scored, {gate['require']} was asked")
        elif not wanted.holds(means[name]):
            problems.append(f"{name}: mean {means[name]:g} is not {gate['require']}")
    return problems


def check_scores(scores: Mapping[str, Score], required: Mapping[str, str]) -> list[str]:
    """What does not hold of requirements such as ``{"facts_matched": ">= 1"}``, a line each; empty when all hold.

    A Score that was skipped or failed holds nothing.
    """
    problems = []
    for name, requirement in required.items():
        if name not in scores:
            raise UnknownNameError("metric", name, scores)
        found, wanted = scores[name], parse_requirement(requirement)
        if found.value is None:
            problems.append(f"{name}: {found.status} ({found.error or found.label})")
        elif not wanted.holds(found.value):
            problems.append(f"{name}: {found.value:g} is not {requirement}")
    return problems
