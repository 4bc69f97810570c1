"""A scripted model: it gives prepared replies and records what it was asked."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import orjson

from ringtrue.catalogue import Metric, MetricUse
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.rubric import Rubric
from ringtrue.models.types import Completion, ModelFailure, Request, Usage
from ringtrue.types import Passage, Response, Sample, Verdict

Reply: TypeAlias = "str | Mapping[str, Any] | ModelFailure | Callable[[Request], Any]"


class Scripted:
    """Gives its replies in turn, the last one for ever: text, an object, a failure, or made from the request."""

    def __init__(self, *replies: Reply, id: str = "python:scripted", probabilities: Mapping[str, float] | None = None):
        self.id, self.replies, self.probabilities = id, list(replies), probabilities
        self.requests: list[Request] = []
        self.label_mass: float | None = None

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if callable(reply):
            reply = reply(request)
        if isinstance(reply, ModelFailure):
            raise reply
        return Completion(
            text=reply if isinstance(reply, str) else orjson.dumps(reply).decode(),
            parsed=None,
            finish_reason="stop",
            usage=Usage(input_tokens=100, output_tokens=10, calls=1, cost=0.01, latency_s=0.5),
            model="scripted-1",
            label_probabilities=self.probabilities,
            label_mass=self.label_mass,
        )

    @property
    def prompts(self) -> list[str]:
        """The last message of every request."""
        return [request.messages[-1].content for request in self.requests]


def asked(metric: Metric | MetricUse, sample: Sample, response: Response, **params: Any) -> Verdict:
    """The verdict of a judge on one row."""
    return asyncio.run(metric(sample, response, **params))


def judged(
    rubric: str | Rubric, model: Scripted | list[Scripted], sample: Sample, response: Response, /, **options: Any
) -> Verdict:
    """The verdict of a rubric and a model on one row; `options` are those of judge_metric, then the metric's own."""
    made = {
        key: options.pop(key)
        for key in ("repeats", "combine", "params", "examples", "least_label_mass", "rationale")
        if key in options
    }
    found = builtin_rubric(rubric) if isinstance(rubric, str) else rubric
    models = model if isinstance(model, list) else [model]
    return asked(judge_metric(found, models, **made), sample, response, **options)


def verdicts(**labels: str | Mapping[str, str]) -> dict[str, Any]:
    """A reply about items: ``verdicts(c1="supported")``, or with more than the label."""
    return {
        "verdicts": {
            id: {"reason": "Because.", "quote": "", "verdict": said}
            if isinstance(said, str)
            else {"reason": "", "quote": "", **said}
            for id, said in labels.items()
        }
    }


def whole(label: str, why: str = "Because.") -> dict[str, str]:
    """A reply about the whole."""
    return {"rationale": why, "verdict": label}


def row(
    answer: str | None = "Lima is the capital of Peru.",
    contexts: list[str] | None = None,
    question: str | None = "What is the capital of Peru?",
    **fields: Any,
) -> tuple[Sample, Response]:
    """A Sample with its Response."""
    sample = Sample(id="a", question=question, **fields)
    passages = None if contexts is None else tuple(Passage(text=text) for text in contexts)
    return sample, Response(answer=answer, contexts=passages)
