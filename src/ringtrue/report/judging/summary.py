"""What judging took: calls, tokens, money, time, failures and the disagreement of juries, by metric and in total."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, fsum, isfinite, log10
from typing import Any, get_args

from ringtrue.models.types import FailureKind
from ringtrue.report.plain import count, labels_text, number, one_line
from ringtrue.report.report import Report
from ringtrue.types import Score

__all__ = [
    "Judged",
    "Judging",
    "cost_text",
    "failures_text",
    "judging",
    "judging_lines",
    "models_text",
    "money_text",
    "percent_text",
    "seconds_text",
    "tokens_text",
    "usage_figure",
]

_KINDS = (*get_args(FailureKind), "no_majority", "too_long", "no_probability")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the judgements of one metric, or of all, took together. ``None`` is unknown, never 0.

    `scores` were judged by asking a model, `questions` were put for them, of which `cached` had a kept reply; `calls`
    went out, repeated tries included. `latency_s` is the models' time in seconds, `median_s` and `p95_s` that of a
    reply that was not kept. `cost` is in US dollars, `known_cost` what is known of it. `failed` counts Scores by kind
    of failure, `lost_votes` the votes that juries did without. `flip_rate` and `spread` are means over the `juries`
    that came to a verdict, as their Scores tell them.
    """

    models: tuple[str, ...]
    scores: int
    questions: int
    cached: int
    calls: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    known_cost: float
    latency_s: float | None
    median_s: float | None
    p95_s: float | None
    failed: Mapping[str, int]
    lost_votes: Mapping[str, int]
    juries: int
    flip_rate: float | None
    spread: float | None


@dataclass(frozen=True, slots=True)
class Judging:
    """What judging took by metric label, and in total."""

    metrics: Mapping[str, Judged]
    total: Judged


def judging(report: Report) -> Judging | None:
    """What judging took; ``None`` where no model was asked. Where a run has no judge, no Score is looked at."""
    if not report.judges:
        return None
    asked: dict[str, list[Score]] = {label: [] for label in report.judges}
    for score in report.scores():
        if score.metric in asked and score.usage is not None:
            asked[score.metric].append(score)
    metrics = {label: one for label, scores in asked.items() if (one := _judged(scores)).questions or one.calls}
    everything = [score for label in metrics for score in asked[label]]
    return Judging(metrics, _judged(everything)) if metrics else None


def judging_lines(report: Report) -> list[str]:
    """What judging took, in a line or two; nothing where no model was asked."""
    if (found := judging(report)) is None:
        return []
    total = found.total
    took = "an unknown number of calls" if total.calls is None else count(total.calls, "call")
    kept = f" and {total.cached:,} kept {'reply' if total.cached == 1 else 'replies'}" if total.cached else ""
    known = total.input_tokens is not None and total.output_tokens is not None
    tokens = f"{total.input_tokens:,} tokens in and {total.output_tokens:,} out" if known else "tokens unknown"
    cost = f"cost {cost_text(total)}" if total.cost is None else money_text(total.cost)
    lines = [f"Judging took {took}{kept}, {tokens}, {cost}, {seconds_text(total.latency_s)} of models' time."]
    if total.flip_rate is not None:
        spread = f", spread {number(total.spread)}" if total.spread is not None else ""
        lines.append(f"Juries: flip rate {percent_text(total.flip_rate)}{spread}.")
    return lines


def cost_text(judged: Judged) -> str:
    """``$0.0260``, ``unknown``, or ``unknown, at least $0.0260`` where a part of it is known."""
    if judged.cost is not None:
        return money_text(judged.cost)
    return f"unknown, at least {money_text(judged.known_cost)}" if judged.known_cost else "unknown"


def money_text(cost: float) -> str:
    """US dollars: cents from a dollar on, else four decimals, and as many more as two digits of a small sum need."""
    if not cost or cost >= 1:
        return f"${cost:,.2f}" if cost else "$0"
    return f"${cost:.{max(4, 1 - floor(log10(cost)))}f}"


def percent_text(share: float) -> str:
    """``17 %``."""
    return f"{100 * share:.0f} %"


def seconds_text(seconds: float | None) -> str:
    """``0.024 s``, ``1.5 s``, ``130 s``."""
    if seconds is None:
        return "unknown time"
    return f"{seconds:,.{3 if seconds < 0.1 else 2 if seconds < 1 else 1 if seconds < 100 else 0}f} s"


def tokens_text(tokens: int | None) -> str:
    """``2,860``, or ``unknown``."""
    return "unknown" if tokens is None else f"{tokens:,}"


def models_text(judged: Judged, most: int = 6) -> str:
    """The models asked, in the order in which they came up."""
    named = [one_line(name, 100) for name in judged.models[:most]]
    left = len(judged.models) - most
    return ", ".join([*named, *([f"{left} more"] if left > 0 else [])])


def failures_text(judged: Judged) -> str:
    """``timed out 2, no majority 1; votes lost: truncated 1``; nothing where none failed."""
    parts = [labels_text(judged.failed)] if judged.failed else []
    if judged.lost_votes:
        parts.append(f"votes lost: {labels_text(judged.lost_votes)}")
    return "; ".join(parts).replace("_", " ")


def usage_figure(usage: Mapping[str, Any] | None, name: str) -> Any:
    """A number from a Score's or an exchange's usage; ``None`` where it is unknown, or no number."""
    value = (usage or {}).get(name)
    known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return value if known else None


def _judged(scores: Sequence[Score]) -> Judged:
    exchanges = [exchange for score in scores for exchange in score.exchanges or ()]
    replies = [usage for one in exchanges if (usage := one.get("usage")) and not usage.get("cached")]
    seconds = sorted(value for one in replies if (value := usage_figure(one, "latency_s")) is not None)
    juries = [part for score in scores for part in score.parts or () if part.get("kind") == "jury"]
    lost = [voter["failed"] for part in juries for voter in part.get("voters", ()) if "failed" in voter]
    return Judged(
        models=tuple(dict.fromkeys(str(one["model"]) for one in exchanges if "model" in one)),
        scores=len(scores),
        questions=len(exchanges),
        cached=sum(bool((one.get("usage") or {}).get("cached")) for one in exchanges),
        calls=_sum(scores, "calls"),
        input_tokens=_sum(scores, "input_tokens"),
        output_tokens=_sum(scores, "output_tokens"),
        cost=_sum(scores, "cost"),
        known_cost=fsum(map(_known_cost, scores)),
        latency_s=_sum(scores, "latency_s"),
        median_s=_quantile(seconds, 0.5),
        p95_s=_quantile(seconds, 0.95),
        failed=_counted(_kind(score.error or "") for score in scores if score.status == "failed"),
        lost_votes=_counted(str(kind) for kind in lost),
        juries=len(juries),
        flip_rate=_mean(part.get("flip_rate") for part in juries),
        spread=_mean(part.get("spread") for part in juries),
    )


def _kind(error: str) -> str:
    """The kind of failure that a failed judgement's reason begins with."""
    told = error.partition(":")[0].replace(" ", "_")
    return told if told in _KINDS else "other"


def _counted(kinds: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(kinds).items(), key=lambda counted: (-counted[1], counted[0])))


def _sum(scores: Iterable[Score], name: str) -> Any:
    """The sum over all Scores; what one of them does not know, the sum does not know."""
    values = [usage_figure(score.usage, name) for score in scores]
    if None in values:
        return None
    return fsum(values) if any(isinstance(value, float) for value in values) else sum(values)


def _known_cost(score: Score) -> float:
    """What a Score cost as far as it is known: all of it, or that of some of its replies."""
    cost = usage_figure(score.usage, "cost")
    costs = [cost] if cost is not None else [usage_figure(one.get("usage"), "cost") for one in score.exchanges or ()]
    return fsum(filter(None, costs))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """The least value that `share` of all do not exceed (the nearest rank)."""
    return ordered[ceil(share * len(ordered)) - 1] if ordered else None
