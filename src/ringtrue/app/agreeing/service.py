"""What `ringtrue agree` does: let judges judge labelled rows, and hold their verdicts against people's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ringtrue.app.agreeing.chosen import CASCADE, Chosen, baselines, choose
from ringtrue.app.agreeing.judged import labels_in_use, of_scores, of_stored, two_sided
from ringtrue.app.agreeing.sides import Split, sides
from ringtrue.app.agreeing.stored import Held
from ringtrue.app.config import ModelConfig, RunConfig, parse_config
from ringtrue.app.judging import Combined, Judging, open_judging
from ringtrue.app.service import Job, prepare, run
from ringtrue.catalogue import MetricUse
from ringtrue.data.labelled import Labelled
from ringtrue.data.load import Loaded
from ringtrue.data.records import make_dataset
from ringtrue.data.store import Store
from ringtrue.engine.runner import OnProgress
from ringtrue.errors import UsageError
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.local.catalogue import LOCAL, has_local
from ringtrue.report.agreement.agreement import build_agreement
from ringtrue.report.agreement.calibrations import calibrations_of
from ringtrue.report.agreement.candidates import Candidate, Labels, Person
from ringtrue.report.agreement.found import Agreement, Settings
from ringtrue.types import Score

__all__ = [
    "OWN",
    "AgreeJob",
    "agree_on",
    "config_of",
    "first_rows",
    "guessed_metric",
    "kept_rows",
    "people_of",
    "scored",
]

_NOBODY = (
    "no judge is named, and the data store no verdicts: people are measured alone. Name one with --judge "
    f"answer_correctness --judge-model PROVIDER:MODEL, --judge f1_over_words, or --baseline {' | '.join(baselines())}"
)
OWN = "judge"  # what the command's own model is called among the config's


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeJob:
    """Who is to be held against the people of `labelled`, and how.

    `metric` is what the labels are about; `judges` and `baselines` are as written; `cuts` are by judge. `model` judges
    where no other is named. `held` are Scores that are there already, by the name of their judge; those of `metric` are
    measured where no judge is named. `runs` is how often each judge judges, `rationale` whether it says why. `split`
    ``dev/test`` fits cuts on the dev side and measures on the test side; ``dev`` and ``test`` measure on that side
    alone.
    """

    labelled: Labelled
    metric: str | None = None
    judges: Sequence[str] = ()
    baselines: Sequence[str] = ()
    cuts: Mapping[str, float] = field(default_factory=dict)
    model: ModelConfig | None = None
    held: Mapping[str, Held] = field(default_factory=dict)
    runs: int = 1
    rationale: bool = True
    split: Split | None = None
    settings: Settings = field(default_factory=Settings)
    run_options: Mapping[str, Any] = field(default_factory=dict)


async def agree_on(job: AgreeJob, store: Store, on_progress: OnProgress | None = None) -> Agreement:
    """Let the judges judge what they have not judged yet, and compute the agreement.

    What was measured of each judge is kept in the store as its calibration.
    """
    job = replace(job, labelled=two_sided(job.labelled, job.metric))
    labels = labels_in_use(job.labelled.labels)
    chosen = _chosen(job)
    dev, measured = sides(people_of(job.labelled), job.split, seed=job.settings.seed, file=job.labelled.dataset.name)
    candidates, stopped = await _candidates(job, chosen, labels, store, on_progress)
    agreement = build_agreement(
        measured,
        candidates,
        labels,
        name=job.labelled.dataset.name,
        fingerprint=job.labelled.dataset.fingerprint,
        metric=job.metric or "",
        dev=dev,
        settings=job.settings,
        notes=job.labelled.notes if chosen else (*job.labelled.notes, _NOBODY),
        stopped=stopped,
    )
    for one in calibrations_of(agreement):
        store.calibrations.add(one)
    return agreement


def people_of(labelled: Labelled) -> list[Person]:
    """The labelled rows with what was judged."""
    return [
        Person(
            id=row.id,
            cluster=row.cluster,
            label=row.label,
            raters=row.raters,
            sample=sample,
            response=labelled.answers[row.id, 0],
            split=row.split,
        )
        for row, sample in zip(labelled.rows, labelled.dataset, strict=True)
    ]


def first_rows(labelled: Labelled, limit: int | None) -> Labelled:
    """The first rows that have a label."""
    if limit is None:
        return labelled
    return kept_rows(labelled, {row.id for row in [one for one in labelled.rows if one.label is not None][:limit]})


def kept_rows(labelled: Labelled, kept: Collection[str]) -> Labelled:
    """The rows of these ids."""
    samples = [sample for sample in labelled.dataset if sample.id in kept]
    return replace(
        labelled,
        dataset=make_dataset(labelled.dataset.name, samples, labelled.dataset.version),
        answers={key: answer for key, answer in labelled.answers.items() if key[0] in kept},
        rows=tuple(row for row in labelled.rows if row.id in kept),
    )


def guessed_metric(labelled: Labelled) -> str | None:
    """What labels are most likely about, by what the rows hold."""
    answered = any(one.answer is not None for one in labelled.answers.values())
    retrieved = any(one.contexts for one in labelled.answers.values())
    if answered:
        golden = any(sample.reference or sample.facts for sample in labelled.dataset)
        return "answer_correctness" if golden else "faithfulness" if retrieved else None
    return "context_sufficiency" if retrieved else None


def _chosen(job: AgreeJob) -> list[Chosen]:
    """The judges that were named; where none was, those that the data store, and the metric by the model."""
    columns = list(dict.fromkeys(name for row in job.labelled.rows for name in row.judges))
    stored = [*columns, *job.held]
    named = list(job.judges)
    if not named and not job.baselines:
        own = [name for name, one in job.held.items() if one.use.metric.name == job.metric]
        named = [*columns, *own]
        if job.model is not None and job.metric and job.metric not in own:
            named.append(job.metric)
    return choose(named, job.baselines, stored=stored, metric=job.metric, cuts=job.cuts)


async def _candidates(
    job: AgreeJob, chosen: Sequence[Chosen], labels: Labels, store: Store, on_progress: OnProgress | None
) -> tuple[list[Candidate], bool]:
    """What the judges said, and whether a budget stopped them."""
    config = config_of(job.labelled.dataset.name, job.model, job.run_options)
    judging = open_judging(config, Path())
    try:
        uses = {one.name: _uses(one, judging, job) for one in chosen if not one.stored}
        scores, stopped = await scored(job.labelled, config, judging, uses, store, on_progress)
    finally:
        judging.close()
    found = []
    for one in chosen:
        if one.stored and one.column in job.held:
            held = job.held[one.column]
            found.append(of_scores(one, held.use, [held.scores], labels))
        elif one.stored:
            found.append(of_stored(one, one.column, job.labelled.rows))
        else:
            own = uses[one.name]
            found.append(of_scores(one, own[0], [scores[use.signature] for use in own], labels))
    return found, stopped


def config_of(dataset: str, model: ModelConfig | None, run_options: Mapping[str, Any]) -> RunConfig:
    """The configuration of the run in which judges judge; `model` is called `OWN` in it."""
    models = {} if model is None else {OWN: model}
    raw = {"dataset": dataset, "run": dict(run_options)}
    return parse_config(raw, where="ringtrue agree").model_copy(update={"models": models})


def _uses(one: Chosen, judging: Judging, job: AgreeJob) -> list[MetricUse]:
    """The metric of a judge, once for each run; what involves no model says the same each time."""
    if one.use is not None and one.use.metric.kind == "code":
        return [one.use]
    model = one.model or (OWN if job.model is not None else None)
    if model is None and one.use is not None and has_local(one.use.metric.name):
        model = LOCAL
    if model is None or (model == CASCADE and job.model is None):
        raise UsageError(
            f"judge {one.name!r} has no model",
            mend="name one: --judge-model PROVIDER:MODEL, or --judge NAME@PROVIDER:MODEL",
        )
    if one.rubric is not None:
        models = [judging.model(model)]
        return [
            judge_metric(one.rubric, models, run=place, rationale=job.rationale).bind() for place in range(job.runs)
        ]
    assert one.use is not None
    if model == LOCAL:  # which says the same each time
        return [judging.judged(one.use, [LOCAL])]
    names = [model]
    combine: Combined = "majority"
    if model == CASCADE:
        names, combine = [LOCAL, OWN], "cascade"
    return [
        judging.judged(one.use, names, combine=combine, run=place, rationale=job.rationale) for place in range(job.runs)
    ]


async def scored(
    labelled: Labelled,
    config: RunConfig,
    judging: Judging,
    uses: Mapping[str, Sequence[MetricUse]],
    store: Store,
    on_progress: OnProgress | None,
) -> tuple[Mapping[str, list[Score]], bool]:
    """The Scores of all metrics by signature (two names of one metric share them), and whether a budget stopped it."""
    named: dict[str, MetricUse] = {}
    for name, listed in uses.items():
        for place, use in enumerate(listed):
            named.setdefault(use.signature, replace(use, label=name if not place else f"{name} #{place + 1}"))
    if not named:
        return {}, False
    loaded = Loaded(dataset=labelled.dataset, answers=labelled.answers, mapping={}, notes=())
    prepared = prepare(
        Job(config=config, raw={}, folder=Path(), dataset=loaded, metrics=list(named.values())), judging=judging
    )
    report = await run(prepared, store, on_progress)
    found: dict[str, list[Score]] = {signature: [] for signature in named}
    for score in report.scores():
        found[score.signature].append(score)
    return found, report.run.status == "stopped"
