"""People's labels: from a file into the store, and what the store has of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ringtrue.catalogue import catalogue
from ringtrue.data.database.labels import HUMAN, AddedLabels
from ringtrue.data.labels.label import LoadedLabels
from ringtrue.data.labels.load import load_labels
from ringtrue.data.labels.match import match_labels
from ringtrue.data.store import Store
from ringtrue.errors import UsageError, did_you_mean
from ringtrue.judges.loading import builtin_rubrics, load_rubric
from ringtrue.judges.rubric import Rubric
from ringtrue.types import RunInfo, Score

__all__ = ["ImportedLabels", "RaterSummary", "import_labels", "labels_known", "summary_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLabels:
    """What became of a file's labels. `notes` are what a person should know of the reading and the matching."""

    run: RunInfo
    loaded: LoadedLabels
    added: AddedLabels
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterSummary:
    """What one person said by one metric.

    `labels` counts labels, or numbers where there are no labels. `items` are answers, of which `overlap` are rated by
    others too. `last` is the latest date, where any is known.
    """

    metric: str
    rater: str
    items: int
    overlap: int
    labels: Mapping[str, int]
    last: str | None


def import_labels(
    store: Store,
    path: Path,
    *,
    run_id: str | None = None,
    metric: str | None = None,
    rater: str | None = None,
    raters: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    pipeline: str | None = None,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
) -> ImportedLabels:
    """Read people's labels, find the answers of the run that they are about, and keep them.

    The arguments are those of `load_labels`. Raises DataError, UsageError and UnknownNameError as it and `match_labels`
    do; then nothing was kept.
    """
    run = store.run(run_id)
    loaded = load_labels(
        path,
        metric=metric,
        rater=rater,
        raters=raters,
        mapping=mapping,
        pipeline=pipeline,
        known=labels_known(run),
        skip_bad_rows=skip_bad_rows,
        encoding=encoding,
    )
    if any(one.metric is None for one in loaded.labels):
        raise UsageError(
            f"{path} does not say which metric its labels are about",
            mend=f"say it: --metric NAME; the metrics of run {run.id}: {', '.join(one.label for one in run.metrics)}",
        )
    scores, notes = match_labels(loaded, store.answers(run.id), run_id=run.id)
    added = store.add_labels(run, scores)
    names = dict.fromkeys(one.metric for one in scores)
    return ImportedLabels(
        run=run, loaded=loaded, added=added, notes=(*loaded.notes, *notes, *_unknown_metrics(names, run))
    )


def labels_known(run: RunInfo) -> dict[str, Mapping[str, float | None]]:
    """The labels of judges, built-in and of the run's own rubrics, with what each is worth.

    A judge of items has the two labels of the whole answer, where it has any.
    """
    rubrics = [*builtin_rubrics().values(), *_own_rubrics(run)]
    known = {rubric.name: _labels(rubric) for rubric in rubrics}
    return {name: labels for name, labels in known.items() if labels}


def summary_of(scores: Iterable[Score], *, metric: str | None = None) -> list[RaterSummary]:
    """What people said, by metric and rater."""
    said: dict[str, dict[str, list[Score]]] = {}
    for score in scores:
        if score.status == "scored" and metric in (None, score.metric):
            said.setdefault(score.metric, {}).setdefault(score.source.removeprefix(HUMAN), []).append(score)
    return [
        _rater_summary(name, rater, listed, Counter(map(_place, (one for each in by_rater.values() for one in each))))
        for name, by_rater in sorted(said.items())
        for rater, listed in sorted(by_rater.items())
    ]


def _rater_summary(
    metric: str, rater: str, scores: Sequence[Score], times: Mapping[tuple[str, str, int], int]
) -> RaterSummary:
    labels = Counter(one.label if one.label is not None else f"{one.value:g}" for one in scores)
    return RaterSummary(
        metric=metric,
        rater=rater,
        items=len(scores),
        overlap=sum(times[_place(one)] > 1 for one in scores),
        labels=dict(sorted(labels.items(), key=lambda pair: (-pair[1], pair[0]))),
        last=max((one.at for one in scores if one.at is not None), default=None),
    )


def _place(score: Score) -> tuple[str, str, int]:
    return score.pipeline, score.sample_id, score.repeat


def _labels(rubric: Rubric) -> Mapping[str, float | None]:
    if rubric.unit == "whole":
        return rubric.labels
    return dict(zip(rubric.overall, (1.0, 0.0), strict=True)) if rubric.overall else {}


def _own_rubrics(run: RunInfo) -> list[Rubric]:
    """The rubrics of the run's own judges, those whose files are still there."""
    config = run.config.get("config")
    listed = config.get("judges") if isinstance(config, Mapping) else None
    named = [one.get("rubric") for one in listed or () if isinstance(one, Mapping)]
    paths = [Path(str(run.config.get("folder", "."))) / one for one in named if isinstance(one, str)]
    return [load_rubric(path) for path in paths if path.is_file()]


def _unknown_metrics(names: Iterable[str], run: RunInfo) -> list[str]:
    """A slip of the pen would make a metric of its own; labels of a metric that nobody computes yet are no error."""
    known = {*(one.label for one in run.metrics), *catalogue()}
    notes = []
    for name in (name for name in names if name not in known):
        near, guessed, _ = did_you_mean(name, known).partition("? known:")
        notes.append(
            f"no metric is called {name!r}" + (f" ({near}?)" if guessed else ": its labels stand alone until one is")
        )
    return notes
