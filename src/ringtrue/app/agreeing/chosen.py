"""Which judges are held against people: stored verdicts, metrics, rubric files, models, and baselines."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ringtrue.catalogue import MetricUse, catalogue, parse_metric
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.judges.loading import load_rubric
from ringtrue.judges.local.catalogue import LOCAL
from ringtrue.judges.marked_yaml import read_marked
from ringtrue.judges.rubric import Rubric

__all__ = ["CASCADE", "Chosen", "baselines", "choose"]

CASCADE = "cascade"  # of the local judge and the command's own model

_NAMED = re.compile(r"([\w.-]+)=(?!=)(.+)", re.DOTALL)
_MODEL = re.compile(rf"[\w-]+:.+|{LOCAL}|{CASCADE}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One judge by name: a stored `column` of the data, or a metric (`use`) or `rubric`, judged by `model`.

    `model` is ``None`` where the command's own model judges; `cut` is where its score becomes the positive label, and
    `fixed` says that the user wants it there.
    """

    name: str
    column: str = ""
    use: MetricUse | None = None
    rubric: Rubric | None = None
    model: str | None = None
    cut: float | None = None
    fixed: bool = False
    baseline: bool = False
    summary: str = ""

    @property
    def stored(self) -> bool:
        """Whether nothing has to be judged."""
        return bool(self.column)


def choose(
    judges: Sequence[str],
    baseline_names: Sequence[str],
    *,
    stored: Sequence[str],
    metric: str | None,
    cuts: Mapping[str, float],
) -> list[Chosen]:
    """Read what was written on the command line. `stored` are the columns of verdicts, `metric` what labels are about.

    A judge is written ``[NAME=]WHAT[@PROVIDER:MODEL]``, where WHAT is a stored column, a metric, or a rubric file; or a
    model alone, which then judges `metric`. ``local`` is a model that needs no key, ``cascade`` is that one with the
    command's own for the rows of which it is unsure. Raises UnknownNameError or UsageError.
    """
    found = [_judge(written, stored, metric) for written in judges]
    found += [_baseline(written) for written in baseline_names]
    names = [one.name for one in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two judges are named {twice!r}", mend="name one: --judge NAME=WHAT")
    for name in cuts:
        if name not in names:
            raise UnknownNameError("judge", name, names, where="--cut")
    return [replace(one, cut=cuts.get(one.name, one.cut), fixed=one.name in cuts) for one in found]


@cache
def baselines() -> Mapping[str, Mapping[str, Any]]:
    """The baselines by name: metric, cut, summary."""
    text = files("ringtrue.app.agreeing").joinpath("baselines.yaml").read_text(encoding="utf-8")
    return read_marked(text, "baselines.yaml")[0]


def _judge(written: str, stored: Sequence[str], metric: str | None) -> Chosen:
    named = _NAMED.fullmatch(written) if written not in stored else None
    name, what = (named[1], named[2]) if named else (written, written)
    if what in stored:
        return Chosen(name=name, column=what, summary="verdicts that the data store")
    if what in baselines():
        return replace(_baseline(what), name=name)
    what, model = _with_model(what)
    if not what:
        if metric is None:
            raise UsageError(f"what is {written!r} to judge?", mend="name it: --metric answer_correctness")
        what = metric
    if what.endswith((".yaml", ".yml")):
        rubric = load_rubric(what)
        return Chosen(name=name if named else Path(what).stem, rubric=rubric, model=model, summary=rubric.summary)
    try:
        use = parse_metric(what)
    except UnknownNameError:
        raise UnknownNameError("judge", what, [*stored, *baselines(), *catalogue()]) from None
    return Chosen(name=name, use=use, model=model, summary=use.metric.summary)


def _with_model(what: str) -> tuple[str, str | None]:
    """``faithfulness@openai:gpt-4o`` in its two halves; a model alone has an empty first one."""
    head, at, model = what.rpartition("@")
    if at and head and _MODEL.fullmatch(model):
        return head, model
    is_metric = "(" in what or what.endswith((".yaml", ".yml"))
    return ("", what) if not is_metric and _MODEL.fullmatch(what) else (what, None)


def _baseline(written: str) -> Chosen:
    what, _, model = written.partition("@")
    if what not in baselines():
        raise UnknownNameError("baseline", what, baselines())
    one = baselines()[what]
    return Chosen(
        name=written,
        use=parse_metric(one["metric"]),
        model=model or None,
        cut=one.get("cut"),
        baseline=True,
        summary=one["summary"],
    )
