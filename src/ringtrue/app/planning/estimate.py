"""An estimate of what a run would ask of judges: calls, tokens and money, by judge and in total."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ringtrue.app.config import RunOptions
from ringtrue.app.planning.rehearsal import ITEMS, REHEARSED, TEXT_CHARS, Looking, LookingAtReplies, text_of
from ringtrue.app.service import Prepared
from ringtrue.catalogue import MetricUse
from ringtrue.data.store import Store
from ringtrue.engine.plan import Plan
from ringtrue.engine.runner import execute
from ringtrue.judges.catalogue import NO_MODEL
from ringtrue.models.prices import prices_as_of
from ringtrue.pipelines import Recorded
from ringtrue.report.plain import count
from ringtrue.types import Passage, Pipeline, Response, Sample, Score

__all__ = ["Estimate", "Expected", "Fit", "Share", "estimate", "estimate_json"]

# What an answer that nobody has given yet is taken to be.
_ANSWER_CHARS, _PASSAGES, _PASSAGE_CHARS = 400, 5, 800
_AT_ONCE = 1000  # rows rehearsed together: nothing is waited for but the look into the cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the judgements of one metric, or of all, would take.

    `scores` are all that the run wants, of which `stored` are kept already and `unasked` need no model (an input is
    missing, or none is named). `questions` would be put for the rest: `cached` have a kept reply, `repeated` come up in
    the run before, and `calls` go out, further tries aside. Tokens and `cost`, in US dollars, are those of the calls;
    `cost` is ``None`` where `unpriced` models, whose price is not known, would be asked.
    """

    models: tuple[str, ...]
    scores: int
    stored: int
    unasked: int
    questions: int
    cached: int
    repeated: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    unpriced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What judging the answers of these pipelines would take, by metric label and in total."""

    pipelines: tuple[str, ...]
    judges: Mapping[str, Expected]
    total: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The limits of a run, and whether the estimate is within them; ``None`` where that cannot be told."""

    max_calls: int | None
    max_cost: float | None
    fits: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """`recorded` is about answers that are there; `live` about those that are not given yet, hence by assumption.

    `budget` is there where the run has limits; `notes` say what the figures rest on.
    """

    recorded: Share
    live: Share | None
    budget: Fit | None
    notes: tuple[str, ...]


async def estimate(prepared: Prepared, store: Store | None) -> Estimate:
    """What the judges of a run would take, whose models are stand-ins. The store is only looked at.

    Answers of recorded pipelines are judged as they are. Live pipelines are not asked: their answers are taken to be as
    long as the golden ones, and to come with some passages.
    """
    plan, judging = prepared.plan, prepared.judging
    judges = {label: use for label, use in plan.metrics.items() if use.metric.kind == "judge"}
    judging.use(LookingAtReplies(store.replies if store else None))
    recorded = [one for one in plan.pipelines if not one.live]
    live = [one for one in plan.pipelines if one.live]
    asking = replace(plan, metrics=judges)
    known = await _share(asking, recorded, Looking(store))
    assumed = await _share(asking, [_assumed(one, plan) for one in live], Looking(None)) if live else None
    total = _total([known.total, *([assumed.total] if assumed else [])])
    idle = [label for label, use in judges.items() if not use.metric.models]
    return Estimate(
        recorded=known,
        live=assumed,
        budget=_fit(prepared.job.config.run, total),
        notes=tuple(_notes(total, judges, idle, live)),
    )


def estimate_json(found: Estimate) -> dict[str, Any]:
    """The estimate as one object. ``null`` is unknown."""
    return {
        "judging": _share_json(found.recorded),
        "live": _share_json(found.live) if found.live else None,
        "budget": asdict(found.budget) if found.budget else None,
        "notes": list(found.notes),
    }


def _share_json(share: Share) -> dict[str, Any]:
    judges = {label: asdict(one) for label, one in share.judges.items()}
    return {"pipelines": share.pipelines, "total": asdict(share.total), "metrics": judges}


async def _share(plan: Plan, pipelines: Sequence[Pipeline], looking: Looking) -> Share:
    """What the plan's judges would take over these pipelines; the engine goes through it as in a run."""
    if pipelines and plan.metrics:
        await execute(replace(plan, pipelines=pipelines), looking, "", judged_at_once=_AT_ONCE)
    made: dict[str, list[Score]] = defaultdict(list)
    for score in looking.scores:
        made[score.metric].append(score)
    stored: dict[str, int] = defaultdict(int)
    for _, signature in looking.stored:
        stored[signature] += 1
    judges = {
        label: _expected(use.metric.models, made[label], stored[use.signature]) for label, use in plan.metrics.items()
    }
    return Share(tuple(one.name for one in pipelines), judges, _total(judges.values()))


def _expected(models: tuple[str, ...], scores: Sequence[Score], stored: int) -> Expected:
    exchanges = [one for score in scores for one in score.exchanges or ()]
    asked = [one for one in exchanges if not one["usage"]["cached"]]
    repeated = sum(one["usage"]["cached"] and one["replied_by"] == REHEARSED for one in exchanges)
    return Expected(
        models=tuple(dict.fromkeys(models)),
        scores=len(scores) + stored,
        stored=stored,
        unasked=sum(not score.exchanges for score in scores),
        questions=len(exchanges),
        cached=len(exchanges) - len(asked) - repeated,
        repeated=repeated,
        calls=len(asked),
        input_tokens=sum(one["usage"]["input_tokens"] for one in asked),
        output_tokens=sum(one["usage"]["output_tokens"] for one in asked),
        cost=_sum([one["usage"]["cost"] for one in asked]),
        unpriced=tuple(dict.fromkeys(one["model"] for one in asked if one["usage"]["cost"] is None)),
    )


def _total(parts: Iterable[Expected]) -> Expected:
    listed = list(parts)
    counted = ("scores", "stored", "unasked", "questions", "cached", "repeated", "calls")
    sums = {name: sum(getattr(one, name) for one in listed) for name in (*counted, "input_tokens", "output_tokens")}
    return Expected(
        models=tuple(dict.fromkeys(name for one in listed for name in one.models)),
        cost=_sum([one.cost for one in listed]),
        unpriced=tuple(dict.fromkeys(name for one in listed for name in one.unpriced)),
        **sums,
    )


def _sum(costs: Sequence[float | None]) -> float | None:
    """The sum; unknown where one is."""
    known = [one for one in costs if one is not None]
    return sum(known) if len(known) == len(costs) else None


def _fit(limits: RunOptions, total: Expected) -> Fit | None:
    most_calls, most_cost = limits.max_calls, limits.max_cost
    if most_calls is None and most_cost is None:
        return None
    fits: bool | None = most_calls is None or total.calls <= most_calls
    if fits and most_cost is not None:
        fits = None if total.cost is None else total.cost <= most_cost
    return Fit(max_calls=most_calls, max_cost=most_cost, fits=fits)


def _assumed(pipeline: Pipeline, plan: Plan) -> Recorded:
    """The pipeline as if it had answered; each answer has words of its own, so that none is taken for another."""
    places = [(sample, repeat) for sample in plan.dataset for repeat in range(plan.repeats)]
    return Recorded(
        pipeline.name, {(one.id, repeat): _answer(one, f"{pipeline.name} {repeat + 1}. ") for one, repeat in places}
    )


def _answer(sample: Sample, beginning: str) -> Response:
    chars = len(sample.reference[0]) if sample.reference else _ANSWER_CHARS
    passages = [text_of(_PASSAGE_CHARS, f"{place + 1}. ") for place in range(_PASSAGES)]
    return Response(
        answer=text_of(max(chars, len(beginning)), beginning), contexts=tuple(Passage(text=one) for one in passages)
    )


def _notes(
    total: Expected, judges: Mapping[str, MetricUse], idle: Sequence[str], live: Sequence[Pipeline]
) -> Iterator[str]:
    if not judges:
        yield "No judge is among the metrics, so that no model is asked."
        return
    if idle:
        yield f"{', '.join(idle)}: {NO_MODEL}"
    if total.unasked:
        yield f"{count(total.unasked, 'score')} would ask no model: what they need is missing, or no model is named."
    if total.repeated:
        yield f"{count(total.repeated, 'question')} would come up again in the run, and be asked once."
    if live:
        yield (
            f"Answers of {', '.join(one.name for one in live)} are not known before the run. They are taken to be as "
            f"long as the golden ones, else {_ANSWER_CHARS} characters, with {_PASSAGES} passages of {_PASSAGE_CHARS}."
        )
    if not total.calls:
        return
    if total.unpriced:
        yield f"The price of {', '.join(total.unpriced)} is not known; name it under `prices` in the config."
    elif total.cost:
        yield f"Prices are the config's, else those of {prices_as_of()}."
    yield (
        f"Tokens are guessed at four bytes each, replies at {TEXT_CHARS} characters for every text in them and {ITEMS} "
        "claims for a text that is taken apart. Further tries, and what a model thinks before it replies, come on top."
    )
