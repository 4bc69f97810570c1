"""The nouns: Sample, Dataset, Response, Score. Frozen values without behaviour beyond their own keys.

Text fields are text or missing (``None``), never ``""``: what comes in empty is missing.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

__all__ = [
    "AllOf",
    "Answer",
    "Answered",
    "AnyOf",
    "Calibration",
    "Dataset",
    "Fact",
    "Facts",
    "Passage",
    "Pipeline",
    "Response",
    "RunInfo",
    "RunStatus",
    "Sample",
    "Score",
    "Status",
    "UsedMetric",
    "Verdict",
]

Status: TypeAlias = Literal["scored", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these facts is enough (``<OR>``)."""

    items: tuple["Fact", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these facts are needed (``<AND>``)."""

    items: tuple["Fact", ...]


Fact: TypeAlias = str | AnyOf | AllOf


@dataclass(frozen=True, slots=True)
class Facts:
    """The golden facts of a Sample.

    `raw` is the string as written (FMEval's metrics split it themselves); `tree` is what it means in our own grammar;
    `dropped` counts the empty alternatives that were left out of the tree.
    """

    raw: str
    tree: Fact
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One retrieved or golden passage. `text` is ``None`` where only an id was recorded."""

    text: str | None
    id: str | None = None
    score: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One golden record.

    `reference` holds one or several golden answers, each right on its own. ``reference_contexts=()`` says that no
    passage is right; ``None`` says that nobody wrote them down.
    """

    id: str
    question: str | None = None
    reference: tuple[str, ...] = ()
    facts: Facts | None = None
    reference_contexts: tuple[Passage, ...] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Dataset:
    """Ordered Samples with a name, a version and a content fingerprint (of the samples, not of the file's bytes).

    `hashes` stand for the samples' contents one by one, in order.
    """

    name: str
    samples: tuple[Sample, ...]
    hashes: tuple[bytes, ...]
    fingerprint: str
    version: str | None = None

    def __repr__(self) -> str:
        return f"<Dataset {self.name}: {len(self.samples)} samples, {self.fingerprint[:12]}>"

    def __len__(self) -> int:
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.samples)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What one Pipeline gave for one Sample.

    `contexts` are the retrieved passages in rank order; ``()`` says that nothing was retrieved, ``None`` that it is not
    known. `latency_s` is in seconds, `cost` in US dollars. `error` says why there is no answer.
    """

    answer: str | None = None
    contexts: tuple[Passage, ...] | None = None
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    model: str | None = None
    trace_id: str | None = None
    error: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a metric says of one row, where a bare number is not enough.

    `parts` are the claims, passages or guidelines that it was made of. `usage` is what judging took (tokens, cost in US
    dollars, seconds, calls), `exchanges` what was asked of models and what they replied.
    """

    value: float | None = None
    label: str | None = None
    probability: float | None = None
    rationale: str | None = None
    parts: tuple[Mapping[str, Any], ...] | None = None
    usage: Mapping[str, Any] | None = None
    exchanges: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One verdict about one Response.

    `status` is ``scored`` (then `value` or `label` is set), ``skipped`` (an input is missing) or ``failed`` (something
    broke); `error` says why in both of the latter. `source` is ``code``, ``judge`` or ``human:NAME``. `signature` says
    how the verdict was made; `at` is when a person gave it (ISO 8601, UTC), where that is known. The rest is as in a
    Verdict.
    """

    sample_id: str
    pipeline: str
    repeat: int
    metric: str
    status: Status
    signature: str
    value: float | None = None
    label: str | None = None
    probability: float | None = None
    rationale: str | None = None
    parts: tuple[Mapping[str, Any], ...] | None = None
    usage: Mapping[str, Any] | None = None
    exchanges: tuple[Mapping[str, Any], ...] | None = None
    error: str | None = None
    source: str = "code"
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured of a judge against people's labels of two sides.

    Of the `rows` that both have judged, `positives` and `negatives` are so by people, `true_positives` and
    `true_negatives` of these by the judge too. `cut` is the score from which on a row counted as positive, where the
    judge gives no label. `dataset` and `fingerprint` name the labelled rows, `at` the time (ISO 8601, UTC).
    """

    signature: str
    metric: str
    cut: float | None
    dataset: str
    fingerprint: str
    at: str
    rows: int
    true_positives: int
    positives: int
    true_negatives: int
    negatives: int
    agreement: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A Response with its place in a run. `repeat` counts from 0."""

    pipeline: str
    sample_id: str
    repeat: int
    response: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedMetric:
    """A metric as one run used it: `label` is its name in tables, `written` is what `parse_metric` reads.

    `range`, `better` and `summary` are the metric's own, for the day when it is not installed any more.
    """

    label: str
    written: str
    signature: str
    range: tuple[float | None, float | None] = (None, None)
    better: Literal["higher", "lower"] | None = None
    summary: str = ""


RunStatus: TypeAlias = Literal["running", "finished", "interrupted", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What a run is: a Dataset version, Pipelines, metrics. Times are UTC, ISO 8601.

    `config` is the whole configuration with `${ENV}` unexpanded, so that a run can be resumed and no secret is stored;
    `notes` are what a person should know (guessed columns, rows left out), `tags` the names that people gave it.
    """

    id: str
    status: RunStatus
    started: str
    finished: str | None
    dataset_name: str
    dataset_fingerprint: str
    dataset_version: str | None
    pipelines: tuple[str, ...]
    metrics: tuple[UsedMetric, ...]
    repeats: int
    config: Mapping[str, Any]
    environment: Mapping[str, str]
    notes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


Answer: TypeAlias = Callable[[Sample, int], Response | Awaitable[Response]]


class Pipeline(Protocol):
    """The application under test: a name, and a door that opens to a function from (sample, repeat) to a Response.

    `live` says that answers are made now (so that latency is measured and an empty answer is the application's failure)
    rather than read from a record.
    """

    @property
    def name(self) -> str: ...
    @property
    def live(self) -> bool: ...
    def open(self) -> AbstractAsyncContextManager[Answer]: ...
