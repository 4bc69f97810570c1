"""The judge that is named to be tuned."""

from dataclasses import replace
from pathlib import Path

from ringtrue.catalogue import catalogue, parse_metric
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, load_rubric
from ringtrue.judges.rubric import Rubric

__all__ = ["named_rubric"]


def named_rubric(written: str) -> tuple[Rubric, str | None]:
    """The rubric, and the metric that its labels are about, where that is a built-in one.

    `written` is a rubric file, a built-in judge, or the one-call form of one, ``NAME(mode=one_call)``, which becomes a
    rubric of its own. Raises UnknownNameError or UsageError.
    """
    if written.endswith((".yaml", ".yml")):
        rubric = load_rubric(Path(written))
        return rubric, rubric.name if rubric.name in catalogue() else None
    use = parse_metric(written)
    name, given = use.metric.name, dict(use.given)
    if name not in builtin_rubrics():
        raise UnknownNameError("judge", name, builtin_rubrics())
    rubric = builtin_rubric(name)
    mode = given.pop("mode", rubric.unit)
    if given:
        raise UsageError(f"{', '.join(given)} of {name} cannot be tuned", mend="leave it out")
    if mode == "one_call" and rubric.one_call is not None:
        return replace(rubric.one_call, name=f"{name}_one_call"), name
    return rubric, name
