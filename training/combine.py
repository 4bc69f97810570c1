"""Fits the small models that weigh the network's view beside words, numbers, dates and names.

python -m training.combine --model OUT --data DATA --train TRAIN

The network has seen its training rows, so only the dev rows tell how far it can be believed: its weight is fitted
there. What the words say is fitted on training and dev rows together, and weighed against the network by folds.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from ringtrue.judges.local.correctness import correct_inputs, correct_texts
from ringtrue.judges.local.details import differences
from ringtrue.judges.local.support import claim_inputs, support_texts
from ringtrue.models.local.network import Judged, JudgeNetwork
from training.data import SUPPORTED, Row, claims_of, read_rows
from training.made import made_claims
from training.split import unit_of

Array: TypeAlias = NDArray[np.float64]
_More: TypeAlias = tuple[str, dict[str, float], int]  # unit, inputs, label

_MORE = "efficientqa_human"  # answers of systems that people judged, in the public training sets
_WORDS_FIT, _BOTH_FIT, _SUPPORT_FIT = 0.3, 1.0, 0.3  # inverse strength of the penalty
_ROUNDS = 4
_FOLDS = 5
_SEED = 7
_FILE = Path(__file__).parents[1] / "src/ringtrue/judges/local/weighing.json"


def fitted_correct(rows: Sequence[Row], more: Sequence[_More], network: JudgeNetwork) -> Any:
    """Weights of ``correct``: first the words alone, then these beside the network, written as one sum."""
    rows = [row for row in rows if row.task == "correct"]
    inputs = [_likeness(row.question, row.references, row.answer) for row in rows]
    names = list(inputs[0])
    units = np.array([row.unit for row in rows] + [unit for unit, _, _ in more])
    table = np.array([[one[name] for name in names] for one in [*inputs, *(one for _, one, _ in more)]])
    labels = np.array([row.label for row in rows] + [label for _, _, label in more])
    centre, spread = table.mean(0), table.std(0) + 1e-9
    scaled = (table - centre) / spread
    dev = np.array([place for place, row in enumerate(rows) if row.side == "dev"])
    asked = [rows[place] for place in dev]
    odds = np.array(
        [one.correct for one in network.now([correct_texts(row.question, row.references, row.answer) for row in asked])]
    )
    unseen = np.zeros(len(labels))
    for learnt, held in GroupKFold(_FOLDS).split(scaled, labels, units):
        unseen[held] = _logistic(_WORDS_FIT).fit(scaled[learnt], labels[learnt]).decision_function(scaled[held])
    both = _logistic(_BOTH_FIT).fit(np.stack([odds, unseen[dev]], 1), labels[dev])
    words = _logistic(_WORDS_FIT).fit(scaled, labels)
    believed, share = both.coef_[0]
    weights = share * words.coef_[0] / spread
    start = both.intercept_[0] + share * (words.intercept_[0] - float(np.sum(words.coef_[0] * centre / spread)))
    return _written(start, {"network": believed} | dict(zip(names, weights, strict=True)), len(dev))


def _likeness(question: str | None, references: Sequence[str], answer: str) -> dict[str, float]:
    """All that is weighed but for the network's view."""
    found = correct_inputs(question, references, answer, Judged(0.0, 0.0, 0.0, 0.0))
    return {name: value for name, value in found.items() if name != "network"}


def fitted_support(rows: Sequence[Row], network: JudgeNetwork) -> Any:
    """Weights of ``support``. A row is as well supported as its least supported sentence, so that each round fits the
    sentences that the round before held to be the least supported of theirs."""
    dev = [row for row in rows if row.task == "support" and row.side == "dev"]
    dev += _changed(dev)
    claims = [[one.claim for one in claims_of(row)] for row in dev]
    asked = [(row, claim) for row, some in zip(dev, claims, strict=True) for claim in some]
    shown = [support_texts(row.context, claim) for row, claim in asked]
    owner = np.repeat(np.arange(len(dev)), [len(some) for some in claims])
    judged = network.now(shown)
    inputs = [
        claim_inputs(claim, row.context, near, one, differences(claim, row.context, near))
        for (row, claim), (_, near, _), one in zip(asked, shown, judged, strict=True)
    ]
    names = list(inputs[0])
    table = np.array([[one[name] for name in names] for one in inputs])
    labels = np.array([row.label for row in dev])
    belief = table[:, 0]
    for _ in range(_ROUNDS):
        least = np.array([np.flatnonzero(owner == row)[np.argmin(belief[owner == row])] for row in range(len(dev))])
        model = _logistic(_SUPPORT_FIT).fit(table[least], labels, sample_weight=_even([row.file for row in dev]))
        belief = model.decision_function(table)
    return _written(model.intercept_[0], dict(zip(names, model.coef_[0], strict=True)), len(dev))


def _changed(rows: Sequence[Row]) -> list[Row]:
    """Supported sentences of these rows and of their texts, and the same with one detail changed: a set of its own,
    since people's sets are nearly silent about what a wrong number is worth."""
    supported = [one for row in rows for one in claims_of(row) if one.label == SUPPORTED]
    contexts = {one.claim: row.context for row in rows for one in claims_of(row)}
    found = []
    for one in made_claims(supported, _SEED):
        context = contexts.get(one.claim) or one.source
        label = int(one.label == SUPPORTED)
        found.append(Row(one.claim, "changed", one.source, "dev", "support", None, (), context, one.claim, label))
    return found


def _even(files: Sequence[str]) -> Array:
    """Weights by which each set counts alike."""
    return np.array([len(files) / len(set(files)) / files.count(one) for one in files])


def _logistic(strength: float) -> Any:
    return LogisticRegression(C=strength, max_iter=5000)


def _written(start: float, weights: dict[str, float], rows: int) -> dict[str, Any]:
    found = {name: round(float(weight), 4) for name, weight in weights.items()}
    return {"dev_rows": rows, "start": round(float(start), 4), "weights": found}


def more_rows(folder: Path, held: frozenset[str]) -> list[_More]:
    """The further answers; none of a question that is held back."""
    with gzip.open(folder / f"{_MORE}.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [
        (unit, _likeness(one["question"], [one["reference"]], one["answer"]), int(one["label"]))
        for one in found
        if (unit := unit_of(one["question"])) not in held
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "data", "train"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    rows = list(read_rows(options.data))
    held = frozenset(row.unit for row in rows if row.side != "train")
    own = [row for row in rows if row.side != "test"]
    network = JudgeNetwork(options.model)
    found = {
        "network": network.signature,
        "correct": fitted_correct(own, more_rows(options.train, held), network),
        "support": fitted_support(own, network),
    }
    _FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
