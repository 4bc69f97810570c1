"""What is found when judges are held against people: the nouns that are printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.report.agreement.candidates import Candidate, Labels, Person
from ringtrue.stats.agreement import Comparison, JudgeFigures
from ringtrue.stats.alpha import Alpha, Level
from ringtrue.stats.figure import Figure
from ringtrue.stats.probability import Bin
from ringtrue.stats.ranking import Cut
from ringtrue.stats.raters import Ceiling, RaterPair

__all__ = ["WITHIN", "Agreement", "Human", "Judged", "Miss", "Settings", "Slice"]

WITHIN = 0.05  # half the width of the interval that is worth more labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How intervals are drawn: `draws` resamples from `seed`. `by` names the metadata field to slice by."""

    draws: int = 2000
    seed: int = 0
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Human:
    """The people's side. `labels` counts the rows by their label; `unlabelled` rows have none and are set aside.

    `ceiling` is how well one rater meets the majority of the others, `level` the scale that alpha is computed on.
    """

    names: tuple[str, ...]
    labels: Mapping[str, int]
    unlabelled: int
    alpha: Alpha
    level: Level
    majority_share: Figure
    skew: Figure
    ceiling: Ceiling
    pairs: Sequence[RaterPair]


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A row on which a judge and people differ, and how sure the judge was (0 to 1, ``None`` where it does not say)."""

    person: Person
    verdict: str
    score: float | None
    sureness: float | None
    rationale: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One judge's side. `cut` is where its scores become the positive label, `cut_from` where that comes from.

    `failed` and `skipped` count rows × runs without a verdict, `reasons` why. `curve` has the agreement at every cut on
    the rows that the cut was chosen on (``dev``), or on all rows where none was chosen.
    """

    candidate: Candidate
    figures: JudgeFigures
    cut: float | None
    cut_from: str | None
    curve: Sequence[Cut]
    bins: Sequence[Bin]
    calibration_error: Figure
    flip_rate: Figure
    failed: int
    skipped: int
    reasons: Mapping[str, int]
    misses: Sequence[Miss]
    needed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The rows with one value of a metadata field, and each judge's figures on them."""

    value: str
    n: int
    figures: Mapping[str, JudgeFigures]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Everything that is printed.

    `n` rows have people's label, in `clusters` questions; `dev` more rows were there to fit cuts on. `incomplete` says
    why the figures are of a part of the rows only.
    """

    name: str
    fingerprint: str
    metric: str
    labels: Labels
    n: int
    clusters: int
    dev: int
    human: Human
    judges: Sequence[Judged]
    comparisons: Sequence[Comparison]
    slices: Sequence[Slice]
    warnings: Sequence[str]
    settings: Settings
    notes: Sequence[str] = ()
    incomplete: str | None = None

    @property
    def exit_code(self) -> int:
        """0, or 3 where the figures are of a part of the rows only."""
        return 3 if self.incomplete else 0
