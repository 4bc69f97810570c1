"""What the doors call to compare: stored runs by id or tag, or reports at hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ringtrue.app.service import report_of
from ringtrue.data.database.tags import LATEST
from ringtrue.data.store import Store
from ringtrue.errors import UsageError
from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Comparison, Settings
from ringtrue.report.comparing.gates import parse_gate
from ringtrue.report.comparing.sides import Source
from ringtrue.report.report import Report
from ringtrue.report.thresholds import find_label

__all__ = ["CompareJob", "compare", "margins_of", "source_of", "stored_source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareJob:
    """What to compare, and how. `fail_if` are gates such as ``answer_correctness drops by > 0.02``."""

    pipelines: Sequence[str] = ()
    baseline: str | None = None
    metrics: Sequence[str] = ()
    fail_if: Sequence[str] = ()
    allow_mismatch: bool = False
    settings: Settings = field(default_factory=Settings)


def compare(sources: Sequence[Source], job: CompareJob) -> Comparison:
    """Compare runs. Raises UsageError or UnknownNameError for what they have not, or cannot be compared."""
    settings = job.settings
    if settings.margins:
        metrics = sources[-1].report.metrics
        named = {name: margin for name, margin in settings.margins.items() if name}
        labels = {find_label(metrics, name): margin for name, margin in named.items()}
        bare = {"": settings.margins[""]} if "" in settings.margins else {}
        settings = replace(settings, margins=labels | bare)
    return build_comparison(
        sources,
        pipelines=job.pipelines,
        baseline=job.baseline,
        metrics=job.metrics,
        gates=[parse_gate(written) for written in job.fail_if],
        allow_mismatch=job.allow_mismatch,
        settings=settings,
    )


def stored_source(store: Store, name: str | None) -> Source:
    """A stored run by its id, the beginning of it, or its tag; the latest where none is named."""
    return source_of(report_of(store, name), name)


def source_of(report: Report, name: str | None = None) -> Source:
    """A report as a side, called by its tag (or ``latest``) where it was asked for by that, else by its id."""
    return Source(report, name if name is not None and name in (*report.run.tags, LATEST) else report.run.id)


def margins_of(written: Sequence[str]) -> Mapping[str, float]:
    """Read ``.05`` and ``latency_s=0.5``. Raises UsageError."""
    found: dict[str, float] = {}
    for one in written:
        name, equals, value = one.rpartition("=")
        try:
            margin = float(value)
        except ValueError as error:
            raise UsageError(f"--margin {one!r}: {value!r} is no number", mend="write 0.05 or METRIC=0.05") from error
        if not 0 < margin < float("inf") or (equals and not name.strip()):
            raise UsageError(f"--margin {one!r} is no margin", mend="write a number above 0, or METRIC=0.05")
        found[name.strip()] = margin
    return found
