"""What the doors call: run, resume, report. Command line, Python, pytest and web go through here."""

import asyncio
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from platform import platform, python_version
from typing import Any

from ringtrue import __version__
from ringtrue.app.config import RecordedConfig, RunConfig, ThresholdConfig, parse_config
from ringtrue.app.diagnosing.settings import rules_of
from ringtrue.app.judging import Judging, open_judging
from ringtrue.app.sources import ANSWERS, Source, choose_metrics, open_dataset, open_pipeline, pipeline_of
from ringtrue.catalogue import Metric, MetricUse, catalogue, parse_metric
from ringtrue.data.database.tags import check_tag
from ringtrue.data.load import Loaded
from ringtrue.data.store import Store
from ringtrue.data.where import predicate
from ringtrue.engine.collecting import collection_seldom
from ringtrue.engine.plan import Plan, label_metrics
from ringtrue.engine.runner import OnProgress, execute
from ringtrue.errors import StoreError, UnknownNameError, UsageError
from ringtrue.pipelines import Recorded
from ringtrue.report.report import Report, build_report
from ringtrue.report.thresholds import Threshold, check_thresholds, exit_code, find_label, parse_requirement
from ringtrue.report.write import check_output, write_report
from ringtrue.types import Calibration, Pipeline, RunInfo, RunStatus, UsedMetric

__all__ = ["Job", "Prepared", "in_own_loop", "prepare", "report_of", "resume", "run", "write_outputs"]

_ROWS_A_CALL = 2  # rows in work for each call that may be under way: one is asked about, one is made ready or kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to run: the checked configuration, the raw one to store, and the folder its paths start from.

    `dataset`, `pipelines` and `metrics` hold what was handed over in Python rather than named in the configuration.
    """

    config: RunConfig
    raw: Mapping[str, Any]
    folder: Path
    dataset: Loaded | None = None
    pipelines: Mapping[str, Any] | None = None
    metrics: Sequence[MetricUse] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A job whose inputs are read and checked: nothing was asked yet, and nothing written.

    `mappings` tells, for the dataset and each pipeline by name, which column was read as which field.
    """

    job: Job
    plan: Plan
    info: RunInfo
    judging: Judging
    mappings: Mapping[str, Mapping[str, str]]


def prepare(job: Job, *, judging: Judging | None = None) -> Prepared:
    """Read the dataset and the pipelines of a job, choose the metrics, and check gates and outputs.

    `judging` opens the models, where the caller has opened some of them already, or opens them in another way.
    """
    for output in job.config.report:
        check_output(job.folder / output)
    _keep_inputs(job)
    with collection_seldom():
        loaded = job.dataset or open_dataset(job.config.dataset, job.folder)
        sources, notes = _pipelines(job, loaded)
    pipelines = [source.pipeline for source in sources]
    judging = judging or open_judging(job.config, job.folder)
    uses = judging.bind(choose_metrics(job.metrics or job.config.metrics, loaded.dataset, pipelines))
    plan = Plan(
        dataset=loaded.dataset,
        pipelines=pipelines,
        metrics=label_metrics(uses),
        repeats=_repeats(job.config.run.repeats, pipelines),
    )
    _check_gates(job.config.thresholds, plan)
    mappings = {loaded.dataset.name: loaded.mapping} | {one.pipeline.name: one.mapping for one in sources}
    return Prepared(job=job, plan=plan, info=_info(job, plan, notes), judging=judging, mappings=mappings)


async def run(prepared: Prepared, store: Store, on_progress: OnProgress | None = None) -> Report:
    """Run what was prepared, keep it in the store, and report. Outputs are not written yet."""
    store.add_run(prepared.info, prepared.plan.dataset)
    return await _finish(prepared, store, on_progress)


async def resume(
    store: Store,
    run_id: str | None,
    on_progress: OnProgress | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
) -> tuple[Prepared, Report]:
    """Go on with a stored run: ask what was not answered or failed, score what was not scored or failed."""
    info = store.run(run_id)
    held = store.dataset(info)
    job = _stored_job(info, in_use=True)
    if overrides:
        job = replace(job, config=job.config.model_copy(update=dict(overrides)))
    prepared = prepare(job)
    if prepared.plan.dataset.fingerprint != held.fingerprint:
        raise StoreError(
            f"the dataset of run {info.id} has changed since it began",
            mend="bring back the file as it was, or begin a new run; what was scored before is not scored again",
        )
    _refuse_changed_metrics(info, prepared.plan.used)
    prepared = replace(prepared, info=replace(info, status="running"))
    return prepared, await _finish(prepared, store, on_progress)


def report_of(store: Store, run_id: str | None = None) -> Report:
    """The report of a stored run, its gates checked. A pure function of what the store holds."""
    info = store.run(run_id)
    uses = {one.label: _use(one) for one in info.metrics}
    report = build_report(
        info,
        store.dataset(info),
        uses,
        store.answers(info.id),
        store.scores(info),
        calibrations=_calibrations(store, info),
    )
    return _gated(report, _stored_job(info, in_use=False).config)


def write_outputs(report: Report, outputs: Sequence[Path]) -> None:
    """Write a report to files, each in the format of its ending."""
    for path in outputs:
        write_report(report, path)


def in_own_loop(make: Callable[[], Any]) -> Any:
    """Run the coroutine that `make` gives to its end, also where an event loop runs already (a notebook).

    There it goes to a loop of its own in another thread, and the caller waits; a running loop is never patched.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    under_way: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def main() -> Any:
        task = asyncio.current_task()
        assert task is not None
        under_way.append((asyncio.get_running_loop(), task))
        return await make()

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="ringtrue") as pool:
        future = pool.submit(lambda: asyncio.run(main()))
        try:
            return future.result()
        except KeyboardInterrupt:
            for loop, task in under_way:
                loop.call_soon_threadsafe(task.cancel)
            raise


async def _finish(prepared: Prepared, store: Store, on_progress: OnProgress | None) -> Report:
    run_id, config, judging = prepared.info.id, prepared.job.config, prepared.judging
    status: RunStatus = "interrupted"
    judging.use(store.replies)
    with store.hold(run_id):
        store.set_status(run_id, "running")
        try:
            work = execute(
                prepared.plan,
                store,
                run_id,
                max_concurrency=config.run.max_concurrency,
                judged_at_once=max(config.run.max_concurrency, _ROWS_A_CALL * judging.at_once),
                on_progress=on_progress,
            )
            made = await (judging.scheduler.run(work) if _waits_for_models_alone(prepared) else work)
            status = "stopped" if judging.budget.spent else "finished"
        finally:
            judging.close()
            store.set_status(run_id, status)
    info = store.run(run_id)
    answers, scores = made or (store.answers(info.id), store.scores(info))
    report = build_report(
        info,
        prepared.plan.dataset,
        prepared.plan.metrics,
        answers,
        scores,
        calibrations=_calibrations(store, info),
    )
    return _gated(report, config)


def _waits_for_models_alone(prepared: Prepared) -> bool:
    """Whether a run may go on in its models' own loop, since nothing in it belongs to the caller's.

    There a call has not to be handed from thread to thread, which would cost as much as all the rest of judging.
    """
    plan = prepared.plan
    waiting = [call.source for call in plan.calls() if call.is_async]
    return set(waiting) == {"judge"} and not any(one.live for one in plan.pipelines)


def _calibrations(store: Store, info: RunInfo) -> Mapping[str, Calibration]:
    return store.calibrations.latest([one.signature for one in info.metrics])


def _gated(report: Report, config: RunConfig) -> Report:
    """The report with its gates checked and its rules of reading set."""
    report = replace(report, reading_rules=rules_of(config.readings))
    gates = check_thresholds(report, [Threshold(**one.model_dump()) for one in config.thresholds])
    return replace(
        report,
        thresholds=gates,
        exit_code=exit_code(report, gates, config.run.max_failed, must_score=bool(config.metrics)),
    )


def _pipelines(job: Job, loaded: Loaded) -> tuple[list[Source], list[str]]:
    dataset, notes = loaded.dataset, list(loaded.notes)
    found = []
    for name, config in job.config.pipelines.items():
        source = open_pipeline(name, config, dataset, job.folder, reading=job.config.dataset)
        notes.extend(f"pipeline {name}: {note}" for note in source.notes)
        found.append(source)
    for name, given in (job.pipelines or {}).items():
        found.append(pipeline_of(name, given, dataset, job.folder))
    if loaded.answers is not None and not found:
        found.append(Source(pipeline=Recorded(ANSWERS, loaded.answers)))
    elif loaded.answers is not None:
        notes.append(
            f"{dataset.name} holds answers too; they are not scored, since pipelines are named "
            "(if they are golden answers: --map answer=reference)"
        )
    return found, notes


def _keep_inputs(job: Job) -> None:
    """A report must not take the place of a file that the run reads."""
    config = job.config
    read = [] if job.dataset else [config.dataset.path]
    read += [one.path for one in config.pipelines.values() if isinstance(one, RecordedConfig)]
    inputs = {(job.folder / path).resolve() for path in read}
    for output in config.report:
        if (job.folder / output).resolve() in inputs:
            raise UsageError(f"{output} is read by this run, so no report is written to it", mend="name another file")


def _repeats(asked: int, pipelines: Sequence[Pipeline]) -> int:
    """As often as asked, or as often as the recorded answers were given where they hold more."""
    recorded = [
        1 + max((repeat for _, repeat in one.answers), default=0) for one in pipelines if isinstance(one, Recorded)
    ]
    if any(one.live for one in pipelines):
        return asked
    return max([asked, *recorded])


def _check_gates(gates: Sequence[ThresholdConfig], plan: Plan) -> None:
    """A gate on what is not there must not be found out after hours of running."""
    for gate in gates:
        _label(gate.metric, plan.metrics)
        names = [one.name for one in plan.pipelines]
        if gate.pipeline is not None and gate.pipeline not in names:
            raise UnknownNameError("pipeline", gate.pipeline, names, where=f"thresholds: {gate.metric}")
        parse_requirement(gate.require)
        if gate.where is not None:
            predicate(gate.where)


def _label(name: str, metrics: Mapping[str, MetricUse]) -> None:
    try:
        find_label(metrics, name)
    except UnknownNameError:
        if name in catalogue():
            raise UsageError(
                f"thresholds: {name!r} is not among the metrics of this run",
                mend=f"add it to the metrics, which are: {', '.join(metrics)}",
            ) from None
        raise


def _info(job: Job, plan: Plan, notes: Sequence[str]) -> RunInfo:
    now = datetime.now(UTC)
    raw = dict(job.raw)
    return RunInfo(
        id=f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        status="running",
        started=now.isoformat(timespec="seconds"),
        finished=None,
        dataset_name=plan.dataset.name,
        dataset_fingerprint=plan.dataset.fingerprint,
        dataset_version=plan.dataset.version,
        pipelines=tuple(one.name for one in plan.pipelines),
        metrics=plan.used,
        repeats=plan.repeats,
        config={"config": raw, "folder": str(job.folder), "in_python": job.dataset is not None or bool(job.pipelines)},
        environment={
            "ringtrue": __version__,
            "python": python_version(),
            "platform": platform(terse=True),
            "executable": Path(sys.executable).name,
        },
        notes=tuple(dict.fromkeys(notes)),
        tags=tuple(dict.fromkeys(map(check_tag, job.config.run.tags))),
    )


def _stored_job(info: RunInfo, *, in_use: bool) -> Job:
    """The job of a stored run. Only one that is to be used again needs the environment variables that it names."""
    if in_use and info.config["in_python"]:
        raise UsageError(
            f"run {info.id} was begun in Python with what only that program holds",
            mend="run the program again; what was scored is not scored again",
        )
    raw = info.config["config"]
    config = parse_config(raw, where=f"run {info.id}", in_use=in_use)
    return Job(config=config, raw=raw, folder=Path(info.config["folder"]))


def _refuse_changed_metrics(info: RunInfo, now: Sequence[UsedMetric]) -> None:
    """Raise StoreError where a metric of the run is made otherwise by now: its Scores would be those of two metrics."""
    told = []
    for one in info.metrics:
        others = {other.signature for other in now if other.label == one.label or other.written == one.written}
        if one.signature in {other.signature for other in now}:
            continue
        if not others:
            told.append(f"{one.label} is not among its metrics any more")
            continue
        before, after = _made_of(one.signature), _made_of(others.pop())
        changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
        listed = ", ".join(f"{key} was {before.get(key, 'not set')}, is {after.get(key, 'not set')}" for key in changed)
        told.append(f"{one.label} ({listed})")
    if told:
        raise StoreError(
            f"run {info.id} cannot go on, since its metrics have changed: {'; '.join(told)}",
            mend="bring back what was changed, or begin a new run; what is as it was is not scored again",
        )


def _made_of(signature: str) -> dict[str, str]:
    """The parts of a signature by name."""
    return {name: value for name, _, value in (part.partition(":") for part in signature.split("|")[1:])}


def _use(used: UsedMetric) -> MetricUse:
    """A stored metric; one that is not installed here (any more) keeps what the run knows of it."""
    try:
        return parse_metric(used.written)
    except (UsageError, UnknownNameError):
        return Metric(
            name=used.written.partition("(")[0],
            function=lambda *_: None,
            summary=used.summary,
            doc=used.summary,
            needs=(),
            range=used.range,
            better=used.better,
            source="not installed here",
            version=0,
            unit="",
            params=(),
            explain=None,
        ).bind()
