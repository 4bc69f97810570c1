"""What a diagnosis finds: the nouns that are printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.report.diagnosis.stages import StageName
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.stats.figure import Figure

__all__ = [
    "Blind",
    "Collapse",
    "Diagnosis",
    "Evidence",
    "Excerpt",
    "Failure",
    "FirstStage",
    "Moved",
    "PassageFinding",
    "PipelineDiagnosis",
    "StageMoved",
    "StageShare",
]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a passage, in which the place from `start` to `end` is what matters.

    `name` is the passage's id, `rank` its place among those retrieved (from 1), where it has them.
    """

    text: str
    start: int
    end: int
    name: str | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sign (a key of `SIGNS`) in plain words. `weak` says that it goes by words alone, or by what is likely."""

    sign: str
    text: str
    weak: bool = False
    excerpt: Excerpt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An answer that failed: by what, and its first failing stage with the evidence.

    `stage` is ``None`` where not enough is known; `evidence` then says what was seen all the same.
    """

    sample_id: str
    repeat: int
    question: str | None
    failed_by: Sequence[str]
    stage: StageName | None
    evidence: Sequence[Evidence]

    @property
    def weak(self) -> bool:
        """Whether what tells the stage is weaker evidence."""
        return bool(self.evidence) and self.evidence[0].weak


@dataclass(frozen=True, slots=True, kw_only=True)
class StageShare:
    """The failures of one stage, and their share of those whose stage is known, with its 95 % interval.

    `weak` of them go by weaker evidence; `signs` counts what spoke against the stage. `unseen` says why the stage could
    not be looked at at all, where that is so.
    """

    stage: StageName
    n: int
    weak: int
    share: Figure
    signs: Mapping[str, int]
    unseen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageFinding:
    """A sign in the passages as such: on `n` of `of` distinct ones, of the `source` named."""

    sign: str
    source: str
    n: int
    of: int
    examples: Sequence[Excerpt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapse:
    """How much questions share their passages.

    `overlap` is the part of its passages that a question has in common with another, on average; `entropy` (bits) is
    that of the retrieved passages, and 2 to its power the number of passages that retrieval in effect chooses from
    (`effective`). `collapsed` says that the overlap reaches the threshold.
    """

    questions: int
    distinct: int
    overlap: float
    entropy: float
    effective: float
    collapsed: bool
    commonest: Sequence[Excerpt]


@dataclass(frozen=True, slots=True)
class Blind:
    """What could not be looked at, and what would make it possible."""

    what: str
    needs: str


@dataclass(frozen=True, slots=True)
class FirstStage:
    """The first stage to mend, and why it is the one."""

    stage: StageName
    why: str
    remedies: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineDiagnosis:
    """One pipeline. `answers` were looked at, `judged` of them could be said to have failed or not.

    `failed_if` are the rules of failure that were in force, `failures` the answers that they hold for. `retrieval`
    names what was measured of the passages. `first` is ``None`` where nothing failed, or no stage is known.
    """

    pipeline: str
    questions: Sequence[str]
    answers: int
    judged: int
    failed_if: Sequence[str]
    failures: Sequence[Failure]
    stages: Sequence[StageShare]
    first: FirstStage | None
    findings: Sequence[PassageFinding]
    collapse: Collapse | None
    blind: Sequence[Blind]

    @property
    def unknown(self) -> int:
        """Failures of which no stage is known."""
        return sum(one.stage is None for one in self.failures)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageMoved:
    """One stage before and after: the share of the shared questions that failed at it, and the difference."""

    stage: StageName | None
    before: float
    after: float
    difference: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Before and after, over the questions that both have judged; `left_out` were judged on one side only."""

    before: str
    after: str
    questions: int
    left_out: int
    failed: StageMoved
    stages: Sequence[StageMoved]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A run diagnosed, pipeline by pipeline; `moved` where it was held against another."""

    run: str
    dataset: str
    fingerprint: str
    corpus: int | None
    pipelines: Sequence[PipelineDiagnosis]
    thresholds: Thresholds
    notes: Sequence[str] = ()
    moved: Sequence[Moved] = ()
