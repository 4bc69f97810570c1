"""Who is held against whom: the pipelines of one or several runs, the rows that they share, the metrics in common."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.comparing.found import MetricInfo, RunSide, Side
from ringtrue.report.plain import count, joined, one_line
from ringtrue.report.report import Report
from ringtrue.report.thresholds import find_label

__all__ = ["Chosen", "Source", "choose_metrics", "choose_sides", "run_sides", "shared_rows"]

_SHOWN = 5  # ids in a message


@dataclass(frozen=True, slots=True)
class Source:
    """A run that takes part, and the name that it was asked for by: a tag, or its id."""

    report: Report
    called: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The sides, which two are compared (a, b), and what is the baseline, if anything is."""

    sides: tuple[Side, ...]
    pairs: tuple[tuple[Side, Side], ...]
    baseline: str | None
    notes: tuple[str, ...] = ()


def run_sides(sources: Sequence[Source]) -> tuple[RunSide, ...]:
    """The runs as a comparison names them. Raises UsageError where one comes up twice."""
    ids = [one.report.run.id for one in sources]
    if twice := next((id for id in ids if ids.count(id) > 1), None):
        names = [one.called for one in sources if one.report.run.id == twice]
        raise UsageError(
            f"{joined(names)} are one run, {twice}", mend="name another run; ringtrue runs lists them with their tags"
        )
    return tuple(
        RunSide(
            id=run.id,
            called=one.called,
            started=run.started,
            status=run.status,
            tags=run.tags,
            dataset=one.report.dataset.name,
            fingerprint=one.report.dataset.fingerprint,
            rows=len(one.report.dataset),
        )
        for one in sources
        for run in [one.report.run]
    )


def choose_sides(
    sources: Sequence[Source], pipelines: Sequence[str], baseline: str | None, *, gated: bool = False
) -> Chosen:
    """The sides in order, and the pairs.

    Of one run, every two pipelines, or each against the baseline; where there are gates, the first pipeline is the
    baseline unless another is named. Of several runs, the first is the baseline unless another is named: each pipeline
    of the others is held against that of the same name there, or against all of it where no name is the same.
    """
    sides = _named(sources, _all_sides(sources), pipelines)
    if len(sides) < 2:
        raise UsageError(
            f"there is one pipeline only: {sides[0].name}",
            mend="name a second run to hold it against: ringtrue compare RUN RUN; ringtrue runs lists them",
        )
    notes: tuple[str, ...] = ()
    if baseline is None and len(sources) == 1:
        if not gated:
            return Chosen(sides, tuple(combinations(sides, 2)), None)
        baseline = sides[0].name
        notes = (f"{baseline} is the baseline of the gates, since it is the first; --baseline NAME names another",)
    if baseline is None:
        baseline = sources[0].called
    if (run := _run_called(sources, baseline)) and not any(baseline in (one.name, one.pipeline) for one in sides):
        return _against_run(sides, run.report.run.id, baseline)
    against = _one_side(sides, baseline, where="--baseline")
    return Chosen(sides, tuple((one, against) for one in sides if one is not against), against.name, notes)


def shared_rows(sources: Sequence[Source]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The ids of the rows that all runs have, word for word, by their place; and what is to be said of the others.

    A row whose golden data changed is another row. Raises UsageError where no row is shared.
    """
    if len(sources) == 1:
        return {id: place for place, id in enumerate(_ids(sources[0]))}, ()
    first, *others = (dict(zip(_ids(one), one.report.dataset.hashes, strict=True)) for one in sources)
    shared = [id for id, hash in first.items() if all(other.get(id) == hash for other in others)]
    if len(shared) == len(first) and all(len(other) == len(shared) for other in others):
        return {id: place for place, id in enumerate(shared)}, ()
    kept = set(shared)
    changed = [id for id in first if id not in kept and all(id in other for other in others)]
    sizes = joined([f"{len(one.report.dataset):,} of {one_line(one.called, 40)}" for one in sources])
    if not shared:
        same = f"; {count(len(changed), 'id')} are the same, but not what stands there" if changed else ""
        raise UsageError(
            f"the runs share no row ({sizes}){same}", mend="compare runs over the same golden dataset, or run it again"
        )
    told = [f"The runs are over different datasets: {count(len(shared), 'row')} shared of {sizes}. Only these count."]
    if changed:
        listed = ", ".join(one_line(id, 40) for id in changed[:_SHOWN]) + (" …" if len(changed) > _SHOWN else "")
        told.append(f"{count(len(changed), 'golden row')} changed between the runs and left out: {listed}")
    return {id: place for place, id in enumerate(shared)}, tuple(told)


def choose_metrics(
    sources: Sequence[Source], names: Sequence[str], *, allow_mismatch: bool = False
) -> tuple[tuple[MetricInfo, ...], tuple[str, ...]]:
    """The metrics to compare: those named, else all that every run has. Raises UsageError where signatures differ."""
    runs = [one.report for one in sources]
    notes: list[str] = []
    if names:
        labels = list(dict.fromkeys(_label(one, name) for name in names for one in sources))
    else:
        every = list(dict.fromkeys(label for one in runs for label in one.metrics))
        labels = [label for label in every if all(label in one.metrics for one in runs)]
        if alone := [label for label in every if label not in labels]:
            notes.append(f"not in every run, so not compared: {', '.join(alone)}")
    if not labels:
        raise UsageError("the runs have no metric in common", mend="run them again with the same metrics")
    metrics = tuple(_info(label, runs) for label in labels)
    differing = [one for one in metrics if len(set(one.signatures.values())) > 1]
    if differing and not allow_mismatch:
        shown = "\n".join(f"  {one.label} in {id}: {made}" for one in differing for id, made in one.signatures.items())
        raise UsageError(
            f"{joined([one.label for one in differing])} was not made in the same way in these runs:\n{shown}",
            mend="run again with the same version and parameters, choose others with --metric, or compare all the "
            "same with --allow-signature-mismatch",
        )
    notes += [
        f"{one.label} was not made in the same way in the runs: part of its difference may come of that"
        for one in differing
    ]
    return metrics, tuple(notes)


def _all_sides(sources: Sequence[Source]) -> tuple[Side, ...]:
    return tuple(
        Side(name=pipeline, run=one.report.run.id, pipeline=pipeline)
        for one in sources
        for pipeline in one.report.pipelines
    )


def _named(sources: Sequence[Source], sides: Sequence[Side], pipelines: Sequence[str]) -> tuple[Side, ...]:
    """Names that tell the sides apart; then those chosen, in the order of the choice."""
    called = {one.report.run.id: one.called for one in sources}
    several = {one.pipeline for one in sides if sum(other.pipeline == one.pipeline for other in sides) > 1}
    named = tuple(
        replace(one, name=f"{one.pipeline}@{called[one.run]}") if one.pipeline in several else one for one in sides
    )
    if not pipelines:
        return named
    for name in pipelines:
        if not any(name in (one.name, one.pipeline) for one in named):
            raise UnknownNameError("pipeline", name, [one.name for one in named], where="--pipelines")
    return tuple(dict.fromkeys(one for name in pipelines for one in named if name in (one.name, one.pipeline)))


def _against_run(sides: tuple[Side, ...], run: str, called: str) -> Chosen:
    base = {one.pipeline: one for one in sides if one.run == run}
    others = [one for one in sides if one.run != run]
    if not base or not others:
        raise UsageError(
            f"the baseline {called!r} leaves nothing to compare", mend="choose pipelines of both runs with --pipelines"
        )
    pairs = tuple((one, base[one.pipeline]) for one in others if one.pipeline in base)
    if not pairs:
        return Chosen(sides, tuple((one, other) for one in others for other in base.values()), called)
    paired = {one.name for pair in pairs for one in pair}
    alone = [one.name for one in sides if one.name not in paired]
    notes = (f"in one run only, so not compared: {', '.join(alone)} (--baseline PIPELINE does)",) if alone else ()
    return Chosen(tuple(one for one in sides if one.name in paired), pairs, called, notes)


def _one_side(sides: Iterable[Side], name: str, *, where: str) -> Side:
    found = [one for one in sides if one.name == name] or [one for one in sides if one.pipeline == name]
    if len(found) > 1:
        raise UsageError(
            f"{where} {name}: several runs have it", mend=f"write one of: {', '.join(one.name for one in found)}"
        )
    if not found:
        raise UnknownNameError("pipeline or run", name, [one.name for one in sides], where=where)
    return found[0]


def _run_called(sources: Sequence[Source], name: str) -> Source | None:
    return next((one for one in sources if name in (one.called, one.report.run.id, *one.report.run.tags)), None)


def _label(source: Source, name: str) -> str:
    try:
        return find_label(source.report.metrics, name)
    except UnknownNameError as error:
        run = source.report.run.id
        raise UnknownNameError("metric", name, source.report.metrics, where=f"--metric, run {run}") from error


def _info(label: str, runs: Sequence[Report]) -> MetricInfo:
    metric = runs[-1].metrics[label].metric
    signatures: Mapping[str, str] = {
        one.run.id: next(used.signature for used in one.run.metrics if used.label == label) for one in runs
    }
    return MetricInfo(label=label, better=metric.better, range=metric.range, unit=metric.unit, signatures=signatures)


def _ids(source: Source) -> list[str]:
    return [sample.id for sample in source.report.dataset]
