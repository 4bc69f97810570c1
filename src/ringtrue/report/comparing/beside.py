"""What stands beside quality: seconds, tokens, money; and what repeats of a question say."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum

import numpy as np

from ringtrue.report.comparing.found import Beside, Repeated, Side
from ringtrue.report.comparing.values import Answers, Scored, Values
from ringtrue.stats.comparing.repeats import agreeing, all_of_k, pass_at_k, spread
from ringtrue.stats.figure import Figure

__all__ = ["beside", "repeated"]

_GRADED = Figure(None, why="only verdicts of 0 and 1 are passed or not")


def beside(side: str, answers: Answers) -> Beside:
    """What the answers of one side took, where it is known."""
    given = answers.responses
    seconds = _known(one.latency_s for one in given)
    costs = _known(one.cost for one in given)
    taken = _known(one.input_tokens for one in given)
    made = _known(one.output_tokens for one in given)
    p50, p95 = np.quantile(seconds, (0.5, 0.95)).tolist() if seconds else (None, None)
    return Beside(
        side=side,
        answers=len(given),
        errors=sum(one.error is not None for one in given),
        timed=len(seconds),
        p50_s=p50,
        p95_s=p95,
        counted=max(len(taken), len(made)),
        input_tokens=_mean(taken),
        output_tokens=_mean(made),
        priced=len(costs),
        mean_cost=_mean(costs),
        cost=fsum(costs) if costs and len(costs) == len(given) else None,
    )


def repeated(sides: Sequence[Side], metrics: Sequence[str], values: Values) -> Iterator[Repeated]:
    """What repeats say of each side and metric; nothing where every row was answered once."""
    for side in sides:
        for label in metrics:
            scored = values.scored[side.name][label]
            if scored.most > 1:
                yield _repeated(side.name, label, scored)


def _repeated(side: str, label: str, scored: Scored) -> Repeated:
    rows = list(scored.repeats.values())
    passes = [(round(sum(one)), len(one)) for one in rows] if scored.binary else []
    ks = range(1, scored.most + 1) if scored.binary else ()
    return Repeated(
        side=side,
        metric=label,
        most=scored.most,
        pass_at={k: pass_at_k(passes, k) for k in ks},
        all_of={k: all_of_k(passes, k) for k in ks},
        agreeing=agreeing(passes) if scored.binary else _GRADED,
        spread=spread(rows),
    )


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
