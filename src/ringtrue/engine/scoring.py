"""One row through its metrics: what a metric gives becomes a Score; what is missing, a skip; what breaks, a failure."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ringtrue.catalogue import missing_field
from ringtrue.engine.plan import Call
from ringtrue.errors import RingtrueError, Skip
from ringtrue.types import Answered, Sample, Score, Status, Verdict

__all__ = ["broken", "judged", "refused"]

_NO_MORE = Verdict()


def refused(sample: Sample, answered: Answered, call: Call) -> Score | None:
    """The Score of a row at which the metric is not asked: the application failed, or a needed field is missing."""
    response = answered.response
    if response.error is not None:
        return _made(answered, call, "failed", f"no answer: {response.error}")
    missing = missing_field(call.needs, sample, response)
    return _made(answered, call, "skipped", f"no {missing}") if missing else None


def broken(answered: Answered, call: Call, error: Exception) -> Score:
    """The Score of a row at which the metric raised: a Skip skips, anything else fails."""
    if isinstance(error, Skip):
        score = _made(answered, call, "skipped", str(error))
    elif isinstance(error, RingtrueError):
        score = _made(answered, call, "failed", error.message)
    else:
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        score = _made(answered, call, "failed", told)
    # A judge that came to no verdict has asked and spent all the same.
    usage, exchanges = getattr(error, "usage", None), getattr(error, "exchanges", None)
    return replace(score, usage=usage, exchanges=exchanges) if isinstance(usage, Mapping) else score


def judged(answered: Answered, call: Call, outcome: Any) -> Score:
    """Turn what the metric gave into a Score. A value that is no number in the metric's range is a failure."""
    if type(outcome) is float and call.low <= outcome <= call.high:  # nearly always
        return _made(answered, call, "scored", value=outcome)
    match outcome:
        case None:
            return _made(answered, call, "skipped", "does not apply to this row")
        case str():
            return _made(answered, call, "scored", label=outcome)
        case Verdict(value=None, label=None):
            return _made(answered, call, "failed", "the metric gave neither a value nor a label")
        case Verdict():
            value = outcome.value
        case bool() | int() | float():
            value = float(outcome)
        case _:
            return _made(answered, call, "failed", f"the metric gave a {type(outcome).__name__}, which is no score")
    if value is not None and not call.low <= value <= call.high:
        beyond = f"outside {call.low:g}–{call.high:g}" if math.isfinite(value) else "which is no number"
        return _made(answered, call, "failed", f"the metric gave {value}, {beyond}")
    return _made(answered, call, "scored", value=value, more=outcome if isinstance(outcome, Verdict) else _NO_MORE)


def _made(
    answered: Answered,
    call: Call,
    status: Status,
    error: str | None = None,
    *,
    value: float | None = None,
    label: str | None = None,
    more: Verdict = _NO_MORE,
) -> Score:
    """A Score; `more` is what a Verdict says besides its value."""
    return Score(
        sample_id=answered.sample_id,
        pipeline=answered.pipeline,
        repeat=answered.repeat,
        metric=call.label,
        status=status,
        signature=call.signature,
        value=value,
        label=more.label if label is None else label,
        probability=more.probability,
        rationale=more.rationale,
        parts=more.parts,
        usage=more.usage,
        exchanges=more.exchanges,
        error=error,
        source=call.source,
    )
