"""The Python door of comparisons: `ringtrue.compare(...)`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringtrue.app.api import Run
from ringtrue.app.comparing.service import CompareJob, source_of, stored_source
from ringtrue.app.comparing.service import compare as compare_sources
from ringtrue.data.store import Store
from ringtrue.report.comparing.found import Compared, Comparison, Graded, Settings
from ringtrue.report.comparing.printing.as_json import comparison_json
from ringtrue.report.comparing.printing.write import write_comparison
from ringtrue.report.comparing.sides import Source

__all__ = ["Compared", "RunComparison", "compare"]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A finished comparison, and ways to look at it."""

    comparison: Comparison

    @property
    def pairs(self) -> Sequence[Compared]:
        """One for each pair of pipelines and metric: the difference with its interval, p, and a verdict in words."""
        return self.comparison.pairs

    @property
    def exit_code(self) -> int:
        """0 passed, 100 a gate failed, 3 too little is scored for a gate."""
        return self.comparison.exit_code

    @property
    def passed(self) -> bool:
        return self.comparison.exit_code == 0

    def to_dict(self) -> dict[str, Any]:
        """What `ringtrue compare --json` prints."""
        return comparison_json(self.comparison)

    def save(self, *paths: str | Path) -> None:
        """Write the comparison, each file in the format of its ending."""
        for path in paths:
            write_comparison(self.comparison, Path(path))


def compare(
    *runs: Run | str,
    pipelines: Sequence[str] = (),
    baseline: str | None = None,
    metrics: Sequence[str] = (),
    slices: Sequence[str] = (),
    margin: float | Mapping[str, float] | None = None,
    fail_if: str | Sequence[str] = (),
    cluster_by: str | None = None,
    test: Graded = "permutation",
    draws: int = 2000,
    seed: int = 0,
    allow_signature_mismatch: bool = False,
    store: str | Path | None = None,
) -> RunComparison:
    """Hold pipelines against each other: of one run, or of several, of which the first is the baseline.

    `runs` are Runs, ids or tags; without any, the latest stored run. `margin` is by metric, or one for every metric
    that goes from 0 to 1. The rest is as in `ringtrue compare`. Raises RingtrueError for what a person can mend.
    """
    margins = {"": margin} if isinstance(margin, int | float) else dict(margin or {})
    job = CompareJob(
        pipelines=list(pipelines),
        baseline=baseline,
        metrics=[metrics] if isinstance(metrics, str) else list(metrics),
        fail_if=[fail_if] if isinstance(fail_if, str) else list(fail_if),
        allow_mismatch=allow_signature_mismatch,
        settings=Settings(
            draws=draws, seed=seed, graded=test, margins=margins, slices=tuple(slices), cluster_by=cluster_by
        ),
    )
    asked: list[Run | str | None] = [*runs] or [None]
    return RunComparison(compare_sources([_source(one, store) for one in asked], job))


def _source(run: Run | str | None, store: str | Path | None) -> Source:
    if isinstance(run, Run):
        return source_of(run.report)
    with Store.open_existing(store) as opened:
        return stored_source(opened, run)
