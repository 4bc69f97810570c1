"""From Scores, and from what a file stores, to what a judge said in the labels that people use."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ringtrue.app.agreeing.chosen import Chosen
from ringtrue.catalogue import MetricUse, catalogue
from ringtrue.data.labelled import NEGATIVE, POSITIVE, Labelled, LabelledRow, Stored
from ringtrue.data.labels.reading import normal_label
from ringtrue.report.agreement.candidates import Candidate, Labels, Said
from ringtrue.types import Score

Scale: TypeAlias = Literal["probability", "value"] | None

__all__ = ["labels_in_use", "of_scores", "of_stored", "two_sided"]


def two_sided(labelled: Labelled, metric: str | None) -> Labelled:
    """The rows with ``yes`` and ``no`` for the labels of a metric that has two sides (factual, hallucinated)."""
    known = catalogue().get(metric or "")
    if known is None or known.positive is None or set(labelled.labels) <= {NEGATIVE, POSITIVE}:
        return labelled
    sides = {normal_label(label): POSITIVE if label == known.positive else NEGATIVE for label in known.labels}
    if not set(labelled.labels) <= sides.keys():
        return labelled

    def side(label: str | None) -> str | None:
        return sides.get(label, label)

    rows = [
        replace(
            row,
            label=side(row.label),
            raters={name: side(label) for name, label in row.raters.items()},
            judges={name: replace(said, label=side(said.label)) for name, said in row.judges.items()},
        )
        for row in labelled.rows
    ]
    return replace(labelled, rows=tuple(rows), labels=(NEGATIVE, POSITIVE))


def labels_in_use(names: Sequence[str]) -> Labels:
    """The labels of a file: of ``no`` and ``yes`` the second is the positive one, of others none is."""
    two_sided = set(names) <= {"no", "yes"}
    return Labels(names=("no", "yes") if two_sided else tuple(names), positive="yes" if two_sided else None)


def of_stored(one: Chosen, column: str, rows: Sequence[LabelledRow]) -> Candidate:
    """What the file says that a judge said."""
    found = {row.id: row.judges.get(column, Stored()) for row in rows}
    labelled = any(said.label is not None for said in found.values())
    scored = any(said.score is not None for said in found.values())
    return Candidate(
        name=one.name,
        kind="stored",
        runs=[{id: Said(label=said.label, score=said.score) for id, said in found.items()}],
        scores="probability" if scored and labelled else "value" if scored else None,
        cut=one.cut,
        fixed=one.fixed,
        baseline=one.baseline,
        summary=one.summary,
        range=(0.0, 1.0),
    )


def of_scores(one: Chosen, use: MetricUse, runs: Sequence[Sequence[Score]], labels: Labels) -> Candidate:
    """What a metric's Scores say, a run each.

    Its scores are probabilities of the positive label where the judge gives them, else its values, unless these are 0
    and 1 alone: then they are labels.
    """
    given = [score for run in runs for score in run]
    probable = use.metric.positive is not None and any(score.probability is not None for score in given)
    binary = {score.value for score in given} <= {0.0, 1.0, None}
    kind: Scale = "probability" if probable else None if binary else "value"
    return Candidate(
        name=one.name,
        kind="judge" if use.metric.kind == "judge" else "code",
        runs=[{score.sample_id: _said(score, use, labels, kind) for score in run} for run in runs],
        scores=kind,
        cut=one.cut,
        fixed=one.fixed,
        lower_is_better=use.metric.better == "lower",
        baseline=one.baseline,
        signature=use.signature,
        metric=use.metric.name,
        summary=one.summary,
        range=use.metric.range,
    )


def _said(score: Score, use: MetricUse, labels: Labels, kind: Scale) -> Said:
    """One Score in people's labels. A label that is not among them is no verdict, and says so."""
    if score.status != "scored":
        return Said(status=score.status, error=score.error)
    written = score.label if score.label is not None else None if score.value is None else f"{score.value:g}"
    label = _in_use(score, use, labels, kind, written)
    if label is None and labels.positive is None:
        return Said(status="failed", error=f"{written!r} is not among people's labels: {', '.join(labels.names)}")
    number = score.probability if kind == "probability" else score.value if kind == "value" else None
    return Said(label=label, score=number, rationale=score.rationale)


def _in_use(score: Score, use: MetricUse, labels: Labels, kind: Scale, written: str | None) -> str | None:
    """The people's label that a Score stands for; ``None`` where a cut has to decide, or where it is none of them."""
    if labels.positive is None:
        return next((name for name in labels.names if name in (written, normal_label(written))), None)
    if use.metric.positive is not None and score.label is not None:
        return labels.names[score.label == use.metric.positive]
    return labels.names[int(score.value)] if kind is None and score.value is not None else None
