"""ringtrue tells whether the answers of a generative-AI application ring true.

Importing it imports nothing heavy: the public names are bound when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ringtrue.catalogue import Explanation, Metric, metric
    from ringtrue.errors import RingtrueError
    from ringtrue.types import Dataset, Passage, Response, Sample, Score, Verdict

__version__ = "0.1.0"

_HOME = {
    "Dataset": "ringtrue.types",
    "Explanation": "ringtrue.catalogue",
    "Metric": "ringtrue.catalogue",
    "Passage": "ringtrue.types",
    "Response": "ringtrue.types",
    "RingtrueError": "ringtrue.errors",
    "Sample": "ringtrue.types",
    "Score": "ringtrue.types",
    "Verdict": "ringtrue.types",
    "metric": "ringtrue.catalogue",
}

__all__ = [
    "Dataset",
    "Explanation",
    "Metric",
    "Passage",
    "Response",
    "RingtrueError",
    "Sample",
    "Score",
    "Verdict",
    "metric",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ringtrue' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
