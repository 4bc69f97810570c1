"""A cascade: the local judge decides the clear cases, and a model is asked about the others only."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from ringtrue.catalogue import MetricUse
from ringtrue.errors import Skip, UsageError
from ringtrue.judges.catalogue import with_models
from ringtrue.judges.local.catalogue import LOCAL, with_local
from ringtrue.judges.local.outcome import is_unsure
from ringtrue.models.types import ChatModel
from ringtrue.types import Response, Sample, Verdict

__all__ = ["BAND", "with_cascade"]

BAND = 0.2


def with_cascade(use: MetricUse, models: Sequence[ChatModel], *, band: float = BAND, **jury: Any) -> MetricUse:
    """A built-in judge whose rows are passed on to the models where the local judge is within `band` of even odds, or
    does not judge the row at all. `jury` is as in `with_models`.

    Raises UsageError where the judge has no local form, or none that tells how sure it is.
    """
    local, asked = with_local(replace(use, given=())), with_models(use, models, **jury)
    if all(param.name != "unsure" for param in local.metric.params):
        raise UsageError(
            f"the local form of {use.metric.name} does not tell how sure it is",
            mend="leave the cascade out: name the model alone, or local alone",
        )
    is_unsure(0.5, band)  # a band that is none is refused before the first row
    decide, ask = (cast("Callable[..., Awaitable[Verdict]]", one.metric.function) for one in (local, asked))

    async def judge(sample: Sample, response: Response, **params: Any) -> Verdict:
        own: Verdict | None = None
        with suppress(Skip):
            own = await decide(sample, response)
        if own is not None and own.probability is not None and not is_unsure(own.probability, band):
            return replace(own, parts=(*(own.parts or ()), {"kind": "cascade", "by": LOCAL}))
        found = await ask(sample, response, **params)
        return replace(found, parts=(*(found.parts or ()), _passed_on(own)))

    made_by = (*asked.metric.made_by, ("cascade", dict(local.metric.made_by)["weights"]), ("band", f"{band:g}"))
    metric = replace(asked.metric, function=judge, made_by=made_by, models=(LOCAL, *asked.metric.models))
    return replace(asked, metric=metric)


def _passed_on(own: Verdict | None) -> Mapping[str, Any]:
    """The part that says that the model was asked, and what the local judge had thought."""
    part = {"kind": "cascade", "by": "model"}
    return part if own is None else part | {"local": own.label, "local_probability": own.probability}
