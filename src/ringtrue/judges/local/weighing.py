"""A small model whose every input can be seen: a weighted sum of named numbers, read as a probability.

`training/combine.py` fits the weights to people's labels and writes them to ``weighing.json``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import exp
from pathlib import Path

import orjson

__all__ = ["Weighing", "rules_hash", "weighing"]

RULES = 1  # raise it when a rule finds something else in the same texts
_FILE = Path(__file__).with_name("weighing.json")


@dataclass(frozen=True, slots=True)
class Weighing:
    """Log-odds = `start` + the sum of each input times its weight. An input without a weight counts nothing."""

    start: float
    weights: Mapping[str, float]

    def probability(self, inputs: Mapping[str, float]) -> float:
        """How probable the good case is, to four places: what lies below hangs on the machine."""
        odds = self.start + sum(weight * inputs[name] for name, weight in self.weights.items())
        return round(1 / (1 + exp(-max(min(odds, 30.0), -30.0))), 4)

    def shares(self, inputs: Mapping[str, float]) -> dict[str, float]:
        """What each input adds to the log-odds, the weightiest first."""
        found = {name: weight * inputs[name] for name, weight in self.weights.items()}
        return dict(sorted(found.items(), key=lambda one: -abs(one[1])))


@cache
def weighing(name: str) -> Weighing:
    """The fitted weights of one judgement, ``correct`` or ``support``."""
    found = orjson.loads(_FILE.read_bytes())[name]
    return Weighing(found["start"], found["weights"])


@cache
def rules_hash() -> str:
    """Stands for the rules and the fitted weights, in hexadecimal."""
    return f"{RULES}-{blake2b(_FILE.read_bytes(), digest_size=4).hexdigest()}"
