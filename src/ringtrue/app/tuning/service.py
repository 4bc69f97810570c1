"""What `ringtrue judge tune` does: fit a judge to people's labels, and measure it on rows that it never saw."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from ringtrue.app.agreeing.judged import labels_in_use, two_sided
from ringtrue.app.agreeing.service import config_of, people_of
from ringtrue.app.config import ModelConfig
from ringtrue.app.tuning.bench import Bench, kappa_on
from ringtrue.app.tuning.cut import fit_cut
from ringtrue.app.tuning.examples import LONGEST, example_sets
from ringtrue.app.tuning.instructions import propose
from ringtrue.app.tuning.rows import Parts, parted
from ringtrue.app.tuning.tuned import AFTER, BEFORE, Step, Tuned, Way, provenance_of
from ringtrue.data.labelled import Labelled
from ringtrue.data.store import Store
from ringtrue.engine.runner import OnProgress
from ringtrue.errors import DataError, UnknownNameError, UsageError
from ringtrue.judges.rubric import Rubric
from ringtrue.models.budget import Budget
from ringtrue.report.agreement.agreement import build_agreement
from ringtrue.report.agreement.calibrations import calibrations_of
from ringtrue.report.agreement.candidates import Candidate
from ringtrue.report.agreement.found import Settings

__all__ = ["WAYS", "TuneJob", "tune"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneJob:
    """The `rubric` to tune to the people of `labelled`, judged by `model`, in the ways `by`.

    `metric` is what the labels are about. `examples` is how many a set has, `trials` how many sets or instructions are
    tried. `seed` decides on the split, the draws and the intervals' `draws` resamples.
    """

    labelled: Labelled
    rubric: Rubric
    model: ModelConfig
    by: Sequence[str] = ("cut",)
    metric: str | None = None
    examples: int = 4
    trials: int = 8
    seed: int = 0
    draws: int = 2000
    run_options: Mapping[str, Any] = field(default_factory=dict)


async def tune(job: TuneJob, store: Store, on_progress: OnProgress | None = None) -> Tuned:
    """Tune the rubric on one half of the questions and measure it, as it was and as it is now, on the other.

    Raises UsageError where the judge or the labels cannot be tuned to, TuningStopped where a budget is spent.
    """
    _check(job)
    labelled = two_sided(job.labelled, job.metric)
    labels = labels_in_use(labelled.labels)
    if labels.positive is None:
        raise UsageError(
            f"people's labels are {', '.join(labels.names)}, and a judge is tuned to yes and no",
            mend="write yes and no, or name the judge whose own labels these are",
        )
    examples = job.examples if "examples" in job.by else 0
    name = labelled.dataset.name
    parts = parted(people_of(labelled), labels, examples=examples, seed=job.seed, file=name)
    limits = config_of(name, job.model, job.run_options).run
    bench = Bench(
        labelled=labelled,
        labels=labels,
        model=job.model,
        store=store,
        on_progress=on_progress,
        run_options=job.run_options,
        budget=Budget(max_calls=limits.max_calls, max_cost=limits.max_cost),
    )
    rubric, steps = await _tuned(job, bench, parts)
    return await _measured(job, bench, parts, rubric, steps)


async def _tuned(job: TuneJob, bench: Bench, parts: Parts) -> tuple[Rubric, list[Step]]:
    """The rubric after all ways that were asked for, each of which builds on the one before."""
    bare = replace(job.rubric, cut=None, calibration=None)
    rubric, steps = bare, []
    for way, work in WAYS.items():
        if way in job.by:
            rubric, step = await work(job, bench, parts, rubric)
            steps.append(step)
    if rubric == bare:
        return job.rubric, steps
    return replace(rubric, version=job.rubric.version + 1, one_call=None), steps


async def _measured(job: TuneJob, bench: Bench, parts: Parts, rubric: Rubric, steps: Sequence[Step]) -> Tuned:
    """The rubric with its figures before and after, on the rows that measure."""
    tried = await bench.tried({AFTER: rubric, BEFORE: job.rubric}, parts.test)
    agreement = build_agreement(
        parts.test,
        list(tried.values()),
        bench.labels,
        name=bench.labelled.dataset.name,
        fingerprint=bench.labelled.dataset.fingerprint,
        metric=job.metric or "",
        dev=parts.fitting,
        settings=Settings(draws=job.draws, seed=job.seed),
        notes=bench.labelled.notes,
    )
    for one in calibrations_of(agreement):
        bench.store.calibrations.add(one)
    tuned = Tuned(
        rubric=rubric, before=job.rubric, model=job.model.model, steps=steps, fitting=parts.fitting, agreement=agreement
    )
    provenance = provenance_of(tuned, seed=job.seed, date=datetime.now(UTC).date().isoformat())
    return replace(tuned, rubric=replace(rubric, provenance=provenance))


def _check(job: TuneJob) -> None:
    rubric = job.rubric
    for way in job.by:
        if way not in WAYS:
            raise UnknownNameError("way to tune", way, WAYS, where="--by")
    if rubric.unit != "whole":
        raise UsageError(
            f"{rubric.name} judges item by item: what people say of a whole row cannot teach it verdicts on "
            f"{rubric.unit}",
            mend=f"tune its one-call form: '{rubric.name}(mode=one_call)'"
            if rubric.one_call
            else "tune a judge of the whole row, such as answer_relevance, or a rubric of your own",
        )
    if rubric.positive is None or len(rubric.labels) != 2:
        raise UsageError(
            f"{rubric.name} has {len(rubric.labels)} labels: {', '.join(rubric.labels)}",
            mend="a judge that is tuned has two labels, and says which is the positive one",
        )
    if rubric.cut is not None and "cut" not in job.by:
        raise UsageError(
            f"{rubric.name} has a cut, which would no longer fit other instructions or examples",
            mend="fit it anew as well: --by cut",
        )
    if job.examples < 2 or job.trials < 1:
        raise UsageError("an example of each label is the least", mend="give --examples 2 or more, --trials 1 or more")


async def _by_instructions(job: TuneJob, bench: Bench, parts: Parts, rubric: Rubric) -> tuple[Rubric, Step]:
    found = await propose(bench, rubric, parts.chosen_on, trials=job.trials)
    if found.rubric is None:
        return rubric, Step("instructions", f"none of {found.tried} proposals was better than the rubric's own words")
    told = f"the best of {found.tried} proposals: kappa {found.before:.3f} → {found.after:.3f} on the rows it chose on"
    return found.rubric, Step("instructions", told)


async def _by_examples(job: TuneJob, bench: Bench, parts: Parts, rubric: Rubric) -> tuple[Rubric, Step]:
    zero_shot = (await bench.tried({"without": rubric}, parts.fitting))["without"]
    sets = example_sets(
        rubric, parts.pool, zero_shot, bench.labels, size=job.examples, trials=job.trials, seed=job.seed
    )
    rubrics = {name: replace(rubric, examples=one) for name, one in sets.items()}
    tried = await bench.tried(rubrics, parts.chosen_on)
    before = kappa_on(zero_shot, parts.chosen_on, bench.labels)
    kappas = {name: kappa_on(one, parts.chosen_on, bench.labels) for name, one in tried.items()}
    best = max(kappas, key=lambda name: kappas[name])
    about = f"{len(sets)} sets of {job.examples} examples (rows of up to {LONGEST:,} characters)"
    if kappas[best] <= before:
        return rubric, Step("examples", f"none of {about} was better than none: kappa {before:.3f} without")
    told = f"the best of {about}, {best}: kappa {before:.3f} → {kappas[best]:.3f} on {len(parts.chosen_on)} rows"
    return rubrics[best], Step("examples", told)


async def _by_cut(job: TuneJob, bench: Bench, parts: Parts, rubric: Rubric) -> tuple[Rubric, Step]:
    single = replace(rubric, split="never")  # what is fitted are the probabilities of one call
    candidate = (await bench.tried({"without a cut": single}, parts.chosen_on))["without a cut"]
    if candidate.scores != "probability":
        raise _without_probability(job, candidate)
    fitted = fit_cut(candidate, parts.chosen_on, bench.labels)
    if fitted is None:
        return rubric, Step("cut", "no cut is better than chance: the probabilities do not rise with people's labels")
    (said,) = candidate.runs
    fit_on = [row for row in parts.chosen_on if row.id in said and said[row.id].score is not None]
    before = kappa_on(candidate, fit_on, bench.labels)
    left = len(parts.chosen_on) - fitted.n
    told = (
        f"{rubric.positive} from {fitted.cut:g} on, calibrated by slope {fitted.calibration.slope:.3g} and intercept "
        f"{fitted.calibration.intercept:.3g}; kappa {before:.3f} → {fitted.kappa:.3f} on the {fitted.n} rows of the fit"
    )
    told += f"; {left} rows had no probability" if left else ""
    return replace(single, cut=fitted.cut, calibration=fitted.calibration), Step("cut", told)


def _without_probability(job: TuneJob, candidate: Candidate) -> DataError:
    """Why nothing can be fitted: the judge failed, or it gives labels alone."""
    (said,) = candidate.runs
    failed = [one.error for one in said.values() if one.status == "failed"]
    if said and len(failed) == len(said):
        return DataError(f"every verdict failed, the first by: {(failed[0] or '').partition(chr(10))[0]}")
    return DataError(
        f"{job.model.model} gives no probability of {job.rubric.positive!r}, to which a cut could be fitted",
        mend="take a model that tells token probabilities (logprobs), or tune by examples: --by examples",
    )


_Work: TypeAlias = Callable[[TuneJob, Bench, Parts, Rubric], Awaitable[tuple[Rubric, Step]]]

# In the order in which they are done: examples go with the instructions, and a cut with both.
WAYS: Mapping[Way, _Work] = {"instructions": _by_instructions, "examples": _by_examples, "cut": _by_cut}
