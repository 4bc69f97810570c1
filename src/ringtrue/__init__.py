"""ringtrue tells whether the answers of a generative-AI application ring true.

Importing it imports nothing heavy: the public names are bound when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ringtrue.app.api import Run, load_dataset, run, run_async
    from ringtrue.app.comparing.api import RunComparison, compare
    from ringtrue.app.diagnosing.api import RunDiagnosis, diagnose
    from ringtrue.app.single import check_means, check_scores, score
    from ringtrue.catalogue import Explanation, Metric, metric
    from ringtrue.errors import RingtrueError, Skip
    from ringtrue.types import Dataset, Passage, Response, Sample, Score, Verdict

__version__ = "0.1.0"

_HOME = {
    "Dataset": "ringtrue.types",
    "Explanation": "ringtrue.catalogue",
    "Metric": "ringtrue.catalogue",
    "Passage": "ringtrue.types",
    "Response": "ringtrue.types",
    "RingtrueError": "ringtrue.errors",
    "Run": "ringtrue.app.api",
    "RunComparison": "ringtrue.app.comparing.api",
    "RunDiagnosis": "ringtrue.app.diagnosing.api",
    "Sample": "ringtrue.types",
    "Score": "ringtrue.types",
    "Skip": "ringtrue.errors",
    "Verdict": "ringtrue.types",
    "check_means": "ringtrue.app.single",
    "check_scores": "ringtrue.app.single",
    "compare": "ringtrue.app.comparing.api",
    "diagnose": "ringtrue.app.diagnosing.api",
    "load_dataset": "ringtrue.app.api",
    "metric": "ringtrue.catalogue",
    "run": "ringtrue.app.api",
    "run_async": "ringtrue.app.api",
    "score": "ringtrue.app.single",
}

__all__ = [
    "Dataset",
    "Explanation",
    "Metric",
    "Passage",
    "Response",
    "RingtrueError",
    "Run",
    "RunComparison",
    "RunDiagnosis",
    "Sample",
    "Score",
    "Skip",
    "Verdict",
    "check_means",
    "check_scores",
    "compare",
    "diagnose",
    "load_dataset",
    "metric",
    "run",
    "run_async",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ringtrue' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
