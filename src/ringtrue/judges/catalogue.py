"""Judges as metrics: of any rubric, and the built-in ones, each under its name in this module.

The entry-point group ``ringtrue.metrics`` lists them from here. Without a model a judge skips every row and says so;
`with_models` gives it one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ringtrue.catalogue import FIELDS, Metric, MetricUse, Param
from ringtrue.errors import Skip, UsageError, did_you_mean
from ringtrue.judges.asking import Voter
from ringtrue.judges.judge import Judge
from ringtrue.judges.jury import Combining
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, check_rubric
from ringtrue.judges.prompts.render import prompt_of, words_hash
from ringtrue.judges.rubric import Example, Rubric
from ringtrue.models.types import ChatModel
from ringtrue.types import Response, Sample, Verdict

__all__ = ["NO_MODEL", "judge_metric", "with_models"]

NO_MODEL = "no judge model: name one with --judge-model PROVIDER:MODEL"

_MAX_CHARS = 60_000  # of passages in one question: some 15,000 tokens of English
_ONE_CALL = "one_call"


def judge_metric(
    rubric: Rubric,
    models: Sequence[ChatModel] = (),
    *,
    repeats: int = 1,
    combine: Combining = "majority",
    params: Mapping[str, Any] | None = None,
    examples: Sequence[Example] = (),
    least_label_mass: float = 0.0,
    rationale: bool = True,
    run: int = 0,
) -> Metric:
    """The metric that `rubric` and `models` make; without a model it skips every row.

    Each model is asked `repeats` times, and all votes are combined: to the ``majority`` (more than half of the votes,
    else the Score is failed) or to the ``mean`` of their values. `params` are sent with every request; they, the
    models, the rubric and the jury stand in the signature. `examples` are added to the rubric's own. A verdict whose
    labels have less than `least_label_mass` of the token probability together is failed, where the model tells that.
    Without `rationale` nobody is asked why, which is quicker and cheaper, and shows less of what went wrong.
    `run` counts from 0: another run asks the models anew, to see how far they repeat themselves.

    Its parameters are ``max_chars``, the characters of passages in one question (more are split over several), and, for
    a rubric that has a cheaper form, ``mode``. Raises ConfigError or UsageError where something does not fit.
    """
    if examples:
        rubric = replace(rubric, examples=(*rubric.examples, *examples))
    if not rationale:
        rubric = _without_rationale(rubric)
    check_rubric(rubric, where=f"rubric {rubric.name}")
    _check_jury(rubric, repeats, combine, least_label_mass)
    places = range(run * repeats, (run + 1) * repeats)
    voters = tuple(Voter(model, repeat, dict(params or {})) for model in models for repeat in places)
    made_by = _made_by(rubric, models, repeats, combine, params or {}, least_label_mass)
    if run:
        made_by = (*made_by, ("run", str(run + 1)))
    function = _asking(rubric, voters, combine, least_label_mass) if voters else _without_model
    low, high = rubric.bounds
    return Metric(
        name=rubric.name,
        function=function,
        summary=rubric.summary,
        doc="\n\n".join(filter(None, (rubric.summary, rubric.about.strip()))),
        needs=tuple(name for name in rubric.needs if name in FIELDS),
        range=(low, high),
        better=rubric.better if rubric.values else None,
        source=rubric.source,
        version=rubric.version,
        unit="",
        params=_params(rubric),
        explain=None,
        kind="judge",
        made_by=made_by if voters else (),
        labels=rubric.row_labels,
        positive=rubric.row_positive,
        models=tuple(model.id for model in models),
    )


def with_models(
    use: MetricUse,
    models: Sequence[ChatModel],
    *,
    repeats: int = 1,
    combine: Combining = "majority",
    params: Mapping[str, Any] | None = None,
    examples: Sequence[Example] = (),
    least_label_mass: float = 0.0,
    rationale: bool = True,
    run: int = 0,
) -> MetricUse:
    """A built-in judge with its parameters, given the models to ask. Raises UsageError for any other metric."""
    name = use.metric.name
    if _BUILTIN.get(name) is not use.metric:
        raise UsageError(f"metric {name!r} is no built-in judge", mend=did_you_mean(name, _BUILTIN))
    made = judge_metric(
        builtin_rubric(name),
        models,
        repeats=repeats,
        combine=combine,
        params=params,
        examples=examples,
        least_label_mass=least_label_mass,
        rationale=rationale,
        run=run,
    )
    return made.bind(**dict(use.given))


def _without_model(*_: Any, **__: Any) -> NoReturn:
    raise Skip(NO_MODEL)


def _asking(
    rubric: Rubric, voters: tuple[Voter, ...], combine: Combining, least_label_mass: float
) -> Callable[..., Any]:
    """The function of the metric. What every row shares is made ready here, once."""

    def ready(one: Rubric) -> Judge:
        beside = None
        if one.opposite_of:
            other = builtin_rubric(one.opposite_of)
            if not one.rationale:
                other = _without_rationale(other)
            beside = Judge(rubric=other, prompt=prompt_of(other), voters=voters, combine=combine, step=2)
        return Judge(
            rubric=one,
            prompt=prompt_of(one),
            voters=voters,
            combine=combine,
            least_label_mass=least_label_mass,
            beside=beside,
        )

    judges = {rubric.unit: ready(rubric)} | ({_ONE_CALL: ready(rubric.one_call)} if rubric.one_call else {})

    async def judge(
        sample: Sample, response: Response, *, max_chars: int = _MAX_CHARS, mode: str = rubric.unit
    ) -> Verdict:
        return await judges[mode].verdict(sample, response, max_chars)

    return judge


def _without_rationale(rubric: Rubric) -> Rubric:
    cheaper = replace(rubric.one_call, rationale=False) if rubric.one_call else None
    return replace(rubric, rationale=False, one_call=cheaper)


def _params(rubric: Rubric) -> tuple[Param, ...]:
    params = [Param("max_chars", int, _MAX_CHARS)] if "contexts" in rubric.fields or rubric.opposite_of else []
    if rubric.one_call is not None:
        params.append(Param("mode", str, rubric.unit, (rubric.unit, _ONE_CALL)))
    return tuple(params)


def _made_by(
    rubric: Rubric,
    models: Sequence[ChatModel],
    repeats: int,
    combine: Combining,
    params: Mapping[str, Any],
    least_label_mass: float,
) -> tuple[tuple[str, str], ...]:
    """What else decides about a verdict, for the signature."""
    words = words_hash() + (f"+{builtin_rubric(rubric.opposite_of).hash}" if rubric.opposite_of else "")
    made = [("model", "+".join(map(_signed, models))), ("rubric", rubric.hash), ("words", words)]
    if len(models) * repeats > 1:
        made += [("repeats", str(repeats)), ("combine", combine)]
    if least_label_mass:
        made.append(("least_label_mass", f"{least_label_mass:g}"))
    return (*made, *((name, str(value)) for name, value in sorted(params.items())))


def _signed(model: ChatModel) -> str:
    """A model with its address, where its name alone does not say who answers, and with what it sends by itself."""
    address, own = getattr(model, "address", None), getattr(model, "params", None)
    name = f"{model.id}@{address}" if address else model.id
    told = ",".join(f"{name}={value}" for name, value in sorted(own.items())) if isinstance(own, Mapping) else ""
    return f"{name}({told})" if told else name


def _check_jury(rubric: Rubric, repeats: int, combine: Combining, least_label_mass: float) -> None:
    where = f"judge {rubric.name}"
    if repeats < 1:
        raise UsageError(f"{where}: repeats cannot be {repeats}", mend="ask each model at least once")
    if combine not in ("majority", "mean"):
        raise UsageError(f"{where}: combine cannot be {combine!r}", mend="known: majority, mean")
    if combine == "mean" and not rubric.values:
        raise UsageError(f"{where}: labels without values have no mean", mend="combine by majority")
    if not 0 <= least_label_mass <= 1:
        raise UsageError(f"{where}: least_label_mass cannot be {least_label_mass}", mend="give a share from 0 to 1")


_BUILTIN: Mapping[str, Metric] = {name: judge_metric(rubric) for name, rubric in builtin_rubrics().items()}
globals().update(_BUILTIN)
