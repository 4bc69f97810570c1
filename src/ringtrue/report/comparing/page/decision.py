"""What a comparison means for somebody who has to decide: which pipeline, how sure, at what cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.comparing.found import Beside, Compared, Comparison
from ringtrue.report.comparing.words import NAME, money_text, p_text
from ringtrue.report.plain import count, joined, number, one_line

__all__ = ["Standing", "decision", "standings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One side by the leading metric: its mean, what it took; `best` is the better mean, which alone shows nothing."""

    name: str
    mean: str
    took: str
    baseline: bool
    best: bool


def standings(found: Comparison) -> list[Standing]:
    """The sides by the first metric, the best mean first; in the order given where no direction is better."""
    means = _means(found)
    best = _best(found)
    beside = {one.side: one for one in found.beside}
    order = [side.name for side in found.sides]
    if best is not None:
        sign = 1 if _better(found) == "lower" else -1
        order.sort(key=lambda name: sign * means[name] if name in means else float("inf"))
    return [
        Standing(
            name=one_line(name, NAME),
            mean=number(means[name]) if name in means else "–",
            took=_took(beside.get(name)),
            baseline=name == found.baseline,
            best=best is not None and means.get(name) == means[best],
        )
        for name in order
    ]


def decision(found: Comparison) -> list[str]:
    """Sentences by the first metric: who is better, how sure that is, what it costs more or less than the others."""
    pairs = [one for one in found.pairs if one.metric == found.metrics[0].label] if found.metrics else []
    best = _best(found)
    if best is None:
        return []
    own = [one for one in pairs if best in (one.a, one.b)]
    ahead = [one for one in own if one.outcome == ("a" if one.a == best else "b")]
    level = [one for one in own if one not in ahead]
    return [*_who(best, ahead, level, pairs[0].metric), *_elsewhere(found, best), *_price(found, best)]


def _who(best: str, ahead: Sequence[Compared], level: Sequence[Compared], metric: str) -> list[str]:
    name = one_line(best, NAME)
    if not ahead:
        what = f"By {metric}, no pipeline is shown to be better. {name} has the best mean"
        return [f"{what}, but chance alone may do as much{_unsure(level)}.", *_limit(level)]
    said = [f"By {metric}, {name} is better than {_others(best, ahead)}{_sure(ahead)}."]
    if level:
        said += [f"It is not told apart from {_others(best, level)}{_unsure(level)}.", *_limit(level)]
    return said


def _elsewhere(found: Comparison, best: str) -> list[str]:
    """What the other metrics show of the pipeline with the best mean, for or against it."""
    lead = found.metrics[0].label
    others = [one for one in found.pairs if best in (one.a, one.b) and one.better and one.metric != lead]
    said = []
    for word, wins in (("better", True), ("worse", False)):
        by_metric: dict[str, list[Compared]] = {}
        for one in others:
            if one.outcome in ("a", "b") and ((one.outcome == "a") == (one.a == best)) == wins:
                by_metric.setdefault(one.metric, []).append(one)
        for metric, pairs in by_metric.items():
            said.append(f"{word} than {_others(best, pairs)} by {metric}")
    return [f"By other metrics it is {joined(said)}."] if said else []


def _others(best: str, pairs: Sequence[Compared]) -> str:
    return joined([one_line(one.b if one.a == best else one.a, NAME) for one in pairs])


def _sure(pairs: Sequence[Compared]) -> str:
    """``(p 0.012 after correction, or less)``: that of the least sure."""
    known = [one.p_adjusted for one in pairs if one.p_adjusted is not None]
    return f" ({p_text(max(known))} after correction{'' if len(known) < 2 else ', or less'})" if known else ""


def _unsure(pairs: Sequence[Compared]) -> str:
    """``(p 0.375 after correction, or more)``: that of the surest."""
    known = [one.p_adjusted for one in pairs if one.p_adjusted is not None]
    return f" ({p_text(min(known))} after correction{'' if len(known) < 2 else ', or more'})" if known else ""


def _limit(pairs: Sequence[Compared]) -> list[str]:
    """What so few questions can show."""
    known = [(one.detectable.value, one.questions) for one in pairs if one.detectable.value is not None]
    if not known:
        return []
    most, questions = max(known)
    return [f"{count(questions, 'question')} can only show a difference of {number(most)} or more."]


def _price(found: Comparison, best: str) -> list[str]:
    """What the best mean costs and how long it takes, beside the others."""
    beside = {one.side: one for one in found.beside}
    if (own := beside.get(best)) is None:
        return []
    others = [one for one in found.beside if one.side != best]
    said = []
    if own.mean_cost is not None and (dear := [one for one in others if one.mean_cost is not None]):
        told = joined([f"{one_line(one.side, NAME)} {money_text(one.mean_cost or 0.0)}" for one in dear])
        said.append(f"An answer of {one_line(best, NAME)} costs {money_text(own.mean_cost)}, of {told}.")
    if own.p50_s is not None and (slow := [one for one in others if one.p50_s is not None]):
        told = joined([f"{one_line(one.side, NAME)} {number(one.p50_s or 0.0)} s" for one in slow])
        said.append(f"It takes {number(own.p50_s)} s (median), {told}.")
    return said or ["What the answers cost and how long they took is not known."]


def _took(beside: Beside | None) -> str:
    if beside is None:
        return ""
    cost = "" if beside.mean_cost is None else f"{money_text(beside.mean_cost)} an answer"
    time = "" if beside.p50_s is None else f"{number(beside.p50_s)} s (median)"
    failed = f"{count(beside.errors, 'error')}" if beside.errors else ""
    return ", ".join(filter(None, (cost, time, failed)))


def _better(found: Comparison) -> str | None:
    return found.metrics[0].better if found.metrics else None


def _best(found: Comparison) -> str | None:
    """The side of the best mean; ``None`` where no direction is better, or where not all can be held together."""
    means, better = _means(found), _better(found)
    if better is None or not means or not _together(found):
        return None
    return (max if better == "higher" else min)(means, key=lambda name: means[name])


def _together(found: Comparison) -> bool:
    """Whether every two sides were compared, or all of them with one: else there is no common order."""
    pairs = {frozenset((one.a, one.b)) for one in found.pairs}
    sides = {name for pair in pairs for name in pair}
    every = len(pairs) == len(sides) * (len(sides) - 1) // 2
    return bool(pairs) and (every or bool(frozenset.intersection(*pairs)))


def _means(found: Comparison) -> dict[str, float]:
    """The mean of each side by the first metric, over the most rows on which it was compared."""
    known: dict[str, tuple[int, float]] = {}
    for one in found.pairs:
        if found.metrics and one.metric == found.metrics[0].label:
            for name, mean in ((one.a, one.mean_a), (one.b, one.mean_b)):
                if mean is not None and one.n > known.get(name, (0, 0.0))[0]:
                    known[name] = (one.n, mean)
    return {name: mean for name, (_, mean) in known.items()}
