"""What judges said of labelled rows, and what of it is a verdict: the nouns that agreement is computed from."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ringtrue.types import Response, Sample

__all__ = ["Candidate", "Kind", "Labels", "Person", "Said", "verdicts_of"]

Kind: TypeAlias = Literal["stored", "code", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One labelled row: people's `label` (``None`` where they had none in common), and each rater's own."""

    id: str
    cluster: Hashable
    label: str | None
    raters: Mapping[str, str | None]
    sample: Sample
    response: Response
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels in use. Of two sides, `positive` is the second of `names`; of more, there is none."""

    names: tuple[str, ...]
    positive: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a judge said of one row: a label, a score, or both; or why it said nothing (`error`)."""

    label: str | None = None
    score: float | None = None
    rationale: str | None = None
    status: Literal["scored", "skipped", "failed"] = "scored"
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A judge, rule or stored column whose verdicts are held against people's.

    `runs` are what it said by row id, once for each run. `scores` says what its numbers are: the ``probability`` of the
    positive label, any other ``value``, or nothing (``None``). Where it gives numbers alone, a row is positive from
    `cut` on, which is fitted where it may be, unless it is `fixed`; up to the cut where `lower_is_better`. `baseline`
    marks what others are compared with.
    """

    name: str
    kind: Kind
    runs: Sequence[Mapping[str, Said]]
    scores: Literal["probability", "value"] | None = None
    cut: float | None = None
    fixed: bool = False
    lower_is_better: bool = False
    baseline: bool = False
    signature: str = ""
    metric: str = ""
    summary: str = ""
    range: tuple[float | None, float | None] = field(default=(None, None))

    @property
    def labelled(self) -> bool:
        """Whether it gives labels itself, so that no cut is needed."""
        return any(said.label is not None for run in self.runs for said in run.values())

    def rising(self, score: float) -> float:
        """A score such that more of it speaks for the positive label."""
        turned = self.lower_is_better and self.scores == "value" and not self.labelled
        return -score if turned else score

    @property
    def middle(self) -> float:
        """The cut where nobody named or fitted one: the middle of its range, or .5."""
        low, high = self.range
        return 0.5 if low is None or high is None or self.scores == "probability" else (low + high) / 2


def verdicts_of(
    candidate: Candidate, ids: Sequence[str], labels: Labels, cut: float | None
) -> tuple[list[list[str | None]], list[list[float | None]]]:
    """Labels and rising scores by run and row, ``None`` where it said nothing. `cut` is on the candidate's own scale.

    Where the candidate gives labels, they are taken as they are; else the cut makes them of its scores.
    """
    negative = next((name for name in labels.names if name != labels.positive), None)
    limit = None if cut is None else candidate.rising(cut)
    verdicts: list[list[str | None]] = []
    scores: list[list[float | None]] = []
    for run in candidate.runs:
        said = [run.get(id) for id in ids]
        rising = [None if one is None or one.score is None else candidate.rising(one.score) for one in said]
        scores.append(rising)
        if candidate.labelled:
            verdicts.append([one.label if one is not None else None for one in said])
        else:
            verdicts.append(
                [
                    None if score is None or limit is None else labels.positive if score >= limit else negative
                    for score in rising
                ]
            )
    return verdicts, scores
