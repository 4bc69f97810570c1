"""What is found when pipelines are held against each other: the nouns that are printed.

Every difference is *a minus b*: where there is a baseline, b is the baseline, so that what grew since is positive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ringtrue.stats.comparing.effect import Tally
from ringtrue.stats.figure import Figure

__all__ = [
    "SMALL_SLICE",
    "Beside",
    "Compared",
    "Comparison",
    "GateResult",
    "Graded",
    "MetricInfo",
    "Outcome",
    "Repeated",
    "RunSide",
    "Settings",
    "Side",
    "Slice",
    "Test",
    "Unpaired",
]

Graded: TypeAlias = Literal["permutation", "wilcoxon"]
Test: TypeAlias = Literal["exact McNemar", "sign-flip permutation", "Wilcoxon signed-rank"]
Outcome: TypeAlias = Literal["a", "b", "none", "undefined"]

SMALL_SLICE = 20  # questions below which a slice is called small


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a comparison is made.

    Intervals are of `draws` resamples from `seed`, p of graded metrics by the test `graded`. `margins` are by metric
    label, in the metric's own unit; ``""`` is the margin of every other metric that goes from 0 to 1. `slices` are
    metadata fields. Rows hang together by the metadata field `cluster_by`, or not at all (``row``); without it by
    ``metadata.qid`` where there is one, else by the question's text.
    """

    draws: int = 2000
    seed: int = 0
    graded: Graded = "permutation"
    margins: Mapping[str, float] = field(default_factory=dict)
    slices: tuple[str, ...] = ()
    cluster_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSide:
    """One run that takes part. `called` is its name here: the tag by which it was asked for, else its id."""

    id: str
    called: str
    started: str
    status: str
    tags: tuple[str, ...]
    dataset: str
    fingerprint: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One pipeline of one run. `name` tells it from all others: ``pipeline``, or ``pipeline@run`` of several runs."""

    name: str
    run: str
    pipeline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """What a metric is: which way is better, its least and greatest value, its unit, its signature by run id."""

    label: str
    better: Literal["higher", "lower"] | None
    range: tuple[float | None, float | None]
    unit: str
    signatures: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaired:
    """Shared rows that are not compared: scored for one side only, or for neither; and why, by side.

    The counts of `failed_a` and so on are of Scores (rows × repeats), also of rows that other repeats have scored.
    """

    only_a: int
    only_b: int
    neither: int
    failed_a: int
    skipped_a: int
    failed_b: int
    skipped_b: int

    @property
    def rows(self) -> int:
        return self.only_a + self.only_b + self.neither


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The rows with one value of a metadata field (``None``: they have none). No p: slices are for looking around.

    `small` says that it has fewer than 20 questions.
    """

    field: str
    value: str | None
    n: int
    questions: int
    difference: Figure
    tally: Tally | None
    small: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One metric of `a` against `b`, over the `n` rows that are scored on both sides, of so many `questions`.

    A row with repeats counts once, by their mean. `difference` is `mean_a` less `mean_b`. `p` is two-sided,
    `p_adjusted` corrected by Holm over every pair and metric of the comparison; both are ``None`` where there is
    nothing to test, and `difference.why` or `effect.why` says the reason. `effect` is Cohen's h for shares (`binary`)
    and d_z for graded values. `detectable` is the smallest difference that so many questions show in four cases of
    five. `tally` counts the questions on which a is better (wins), neither, and b is; ``None`` where no direction is
    better.

    `outcome` is the side that is shown to be better (higher, where no direction is better) at .05 by `p_adjusted`.
    `non_inferior` says whether a is worse than b by less than `margin`; ``None`` without a margin, or where that cannot
    be told. `verdict` says all this in words.
    """

    metric: str
    a: str
    b: str
    better: Literal["higher", "lower"] | None
    binary: bool
    n: int
    questions: int
    mean_a: float | None
    mean_b: float | None
    difference: Figure
    test: Test | None
    p: float | None
    p_adjusted: float | None
    effect: Figure
    effect_name: Literal["Cohen's h", "Cohen's d_z"]
    detectable: Figure
    tally: Tally | None
    unpaired: Unpaired
    outcome: Outcome
    margin: float | None = None
    non_inferior: bool | None = None
    verdict: str = ""
    slices: Sequence[Slice] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What the answers of a side took, over the shared rows: seconds, tokens, US dollars.

    Each figure is of the answers for which it is known (`timed`, `counted`, `priced`), and ``None`` where it is known
    of none. Means are for an answer; `cost` is the total, ``None`` unless it is known of all answers.
    """

    side: str
    answers: int
    errors: int
    timed: int
    p50_s: float | None
    p95_s: float | None
    counted: int
    input_tokens: float | None
    output_tokens: float | None
    priced: int
    mean_cost: float | None
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """What repeats say of one side and metric. `most` is the greatest number of repeats that a question has.

    For metrics of 0 and 1, by k: `pass_at` is the chance that one of k answers passes, `all_of` that all do; `agreeing`
    is the chance that two repeats get the same verdict. `spread` is the standard deviation between repeats.
    """

    side: str
    metric: str
    most: int
    pass_at: Mapping[int, Figure]
    all_of: Mapping[int, Figure]
    agreeing: Figure
    spread: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """One ``--fail-if`` held against one pair: `failed` where `a` has moved so against the baseline `b`.

    A gate that cannot be checked, since no row is scored on both sides, has failed.
    """

    written: str
    metric: str
    a: str
    b: str
    failed: bool
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything that is printed. All figures are over the `rows` that the runs share, of so many `questions`.

    `baseline` names what the others are held against: a side, or a run; ``None`` where every two sides are compared.
    `warnings` are to be read before the figures; `notes` after. `incomplete` says why gates cannot be trusted.
    """

    runs: Sequence[RunSide]
    sides: Sequence[Side]
    metrics: Sequence[MetricInfo]
    baseline: str | None
    rows: int
    questions: int
    pairs: Sequence[Compared]
    beside: Sequence[Beside]
    repeated: Sequence[Repeated]
    gates: Sequence[GateResult]
    settings: Settings
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    incomplete: str | None = None

    @property
    def exit_code(self) -> int:
        """0; 100 where a gate failed; 3 where there are gates and too little is scored for them to be trusted."""
        if not self.gates:
            return 0
        if self.incomplete:
            return 3
        return 100 if any(gate.failed for gate in self.gates) else 0
