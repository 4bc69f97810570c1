"""Fits the relevance of passages and of answers: a few coefficients over two encoders' numbers.

    python -m training.relevance --data DATA --train TRAIN --work WORK
    python -m training.relevance --data DATA --train TRAIN --work WORK --test --why "what this look is for"

Passages: CLAPNQ (does the passage answer the question?) and, for a quarter of its weight, QNLI's dev set (does the
sentence?). Answers: right answers against right answers of other questions, by chance and of the five likest questions.
The first command fits on the train side, shows the dev side, then fits on both and writes the coefficients. The second
looks at the test side, fits nothing, and is noted in `looks.json`.
"""

import argparse
import asyncio
import gzip
import json
import pickle
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ringtrue.models.local.embedding import embedder
from ringtrue.models.local.relevance import COEFFICIENTS, Features, features
from ringtrue.stats.agreement import Verdicts, measure
from ringtrue.stats.figure import Figure
from training.data import Row, read_rows
from training.looks import note_look
from training.split import Side, side_of, unit_of

SEED = 20261201
QNLI_ROWS = 1500
QNLI_WEIGHT = 0.25  # beside CLAPNQ; of 0, .25, .5 and 1 the least Brier score on CLAPNQ dev
ANSWERS_A_SET = 90
RIDGE = 1.0
USED = {"passage": ("logit", "cosine"), "answer": ("logit", "cosine", "length")}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a text, and whether the text is relevant. `unit` is what splits it."""

    question: str
    text: str
    label: int
    name: str
    unit: str

    @property
    def side(self) -> Side:
        return side_of(self.unit)


def passages(data: Path, train: Path) -> list[Pair]:
    lines = (data / "relevance_clapnq.jsonl").read_text(encoding="utf-8").splitlines()
    clapnq = [
        Pair(one["question"], one["context"], int(one["label"]), "clapnq", unit_of(one["question"]))
        for one in map(json.loads, lines)
    ]
    taken = {one.unit for one in clapnq}
    with gzip.open(train / "relevance_qnli_dev.jsonl.gz", "rt", encoding="utf-8") as rows:
        qnli = [
            Pair(one["hypothesis"], one["premise"], int(one["label"] == "entailment"), "qnli", unit)
            for one in map(json.loads, rows)
            if (unit := unit_of(one["hypothesis"])) not in taken
        ]
    random.Random(SEED).shuffle(qnli)
    return clapnq + qnli[:QNLI_ROWS]


def answers(data: Path) -> list[Pair]:
    """Right answers, each with its own question and as an answer to two others, of the same side."""
    chance = random.Random(SEED)
    found = []
    for side in ("train", "dev", "test"):
        rows = _chosen([row for row in read_rows(data) if row.side == side], chance)
        vectors = np.array([one.vector for one in embedder().encode_now([row.question or "" for row in rows])])
        likeness = vectors @ vectors.T
        for place, row in enumerate(rows):
            said = unit_of(row.answer)
            others = [at for at, one in enumerate(rows) if one.unit != row.unit and unit_of(one.answer) != said]
            near = sorted(others, key=lambda at, row=likeness[place]: -row[at])[:5]
            found.append(Pair(row.question or "", row.answer, 1, row.file, row.unit))
            wrong = (rows[chance.choice(others)], rows[chance.choice(near)])
            found += [Pair(row.question or "", one.answer, 0, row.file, row.unit) for one in wrong]
    return found


def _chosen(rows: Sequence[Row], chance: random.Random) -> list[Row]:
    """One right answer to each of some questions of each set."""
    by_question: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.task == "correct" and row.label == 1 and row.question and row.file not in ("shroom", "squality"):
            by_question[row.file, row.unit].append(row)
    by_set: dict[str, list[list[Row]]] = defaultdict(list)
    for (name, _), listed in sorted(by_question.items()):
        by_set[name].append(listed)
    return [
        chance.choice(listed)
        for sets in by_set.values()
        for listed in chance.sample(sets, min(ANSWERS_A_SET, len(sets)))
    ]


def numbers(pairs: Sequence[Pair], work: Path) -> list[Features]:
    """What the encoders say, kept in `work` so that a second command need not ask again."""
    file = work / "relevance.pickle"
    kept: dict[tuple[str, str], Features] = pickle.loads(file.read_bytes()) if file.exists() else {}
    missing = list(dict.fromkeys((one.question, one.text) for one in pairs if (one.question, one.text) not in kept))
    for start in range(0, len(missing), 200):
        part = missing[start : start + 200]
        kept |= dict(zip(part, asyncio.run(features(part)), strict=True))
        file.write_bytes(pickle.dumps(kept))
    return [kept[one.question, one.text] for one in pairs]


def fitted(
    kind: str, found: Sequence[Features], pairs: Sequence[Pair], weights: NDArray[np.float64]
) -> dict[str, float]:
    """The coefficients of greatest weighted likelihood (Newton), with a small ridge on the standardised numbers."""
    x = np.array([[getattr(one, name) for name in USED[kind]] for one in found])
    mean, spread = x.mean(0), x.std(0)
    z = np.c_[np.ones(len(x)), (x - mean) / spread]
    y = np.array([one.label for one in pairs])
    ridge = np.diag([0.0, *[RIDGE] * x.shape[1]])
    beta = np.zeros(z.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ beta))
        slope = z.T @ (weights * (y - p)) - ridge @ beta
        beta += np.linalg.solve((z * (weights * p * (1 - p))[:, None]).T @ z + ridge, slope)
    scale = beta[1:] / spread
    named = dict(zip(USED[kind], (round(float(one), 4) for one in scale), strict=True))
    return {"intercept": round(float(beta[0] - scale @ mean), 4), **named}


def weights_of(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """QNLI's rows together weigh their share of CLAPNQ's; both labels weigh the same in each set."""
    names = np.array(["qnli" if one.name == "qnli" else "" for one in pairs])
    labels = np.array([one.label for one in pairs])
    weights = np.ones(len(pairs))
    whole = (names == "").sum()
    for name, share in (("", 1.0), ("qnli", QNLI_WEIGHT)):
        for label in (0, 1):
            chosen = (names == name) & (labels == label)
            weights[chosen] = share * whole / 2 / max(chosen.sum(), 1)
    return weights


def show(kind: str, of: dict[str, float], found: Sequence[Features], pairs: Sequence[Pair], side: str) -> None:
    """Figures of each set, with intervals over questions; the cross-encoder alone beside."""
    for name in sorted({one.name for one in pairs}) if kind == "passage" else [""]:
        places = [at for at, one in enumerate(pairs) if one.name == name or not name]
        odds = [of["intercept"] + sum(of[key] * getattr(found[at], key) for key in USED[kind]) for at in places]
        scores = [float(1 / (1 + np.exp(-one))) for one in odds]
        judges = {
            "fitted": Verdicts([[int(one >= 0.5) for one in scores]], [scores], probable=True),
            "cross-encoder": Verdicts([[0] * len(places)], [[found[at].logit for at in places]]),
            "cosine": Verdicts([[0] * len(places)], [[found[at].cosine for at in places]]),
        }
        people = [pairs[at].label for at in places]
        measured = measure(people, judges, (0, 1), clusters=[pairs[at].unit for at in places], draws=1000)
        told = [f"{key} {_shown(measured['fitted'].figures[key])}" for key in ("auc", "agreement", "kappa", "brier")]
        told += [
            f"{judge} alone, auc {_shown(measured[judge].figures['auc'])}" for judge in ("cross-encoder", "cosine")
        ]
        sys.stdout.write("\n  ".join([f"{kind} {name} {side}, {len(places)} rows", *told]) + "\n")


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return f"none: {figure.why}"
    bounds = f" ({figure.low:.3f}–{figure.high:.3f})" if figure.low is not None else ""
    return f"{figure.value:.3f}{bounds}"


def main() -> None:
    options = _options()
    if options.test:
        if not options.why:
            raise SystemExit("a look at the test side needs its reason: --why TEXT")
        note_look(f"relevance of passages and answers: {options.why}")
    written: dict[str, object] = {}
    for kind, pairs in (("passage", passages(options.data, options.train)), ("answer", answers(options.data))):
        if options.test:
            held = [one for one in pairs if one.side == "test"]
            of = json.loads(COEFFICIENTS.read_text(encoding="utf-8"))[kind]
            show(kind, of, numbers(held, options.work), held, "test")
            continue
        learnt, tuned = ([one for one in pairs if one.side == side] for side in ("train", "dev"))
        first = fitted(kind, numbers(learnt, options.work), learnt, weights_of(learnt))
        show(kind, first, numbers(tuned, options.work), tuned, "dev")
        both = learnt + tuned
        written[kind] = fitted(kind, numbers(both, options.work), both, weights_of(both))
    if written:
        COEFFICIENTS.parent.mkdir(exist_ok=True)
        COEFFICIENTS.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the rows that people labelled")
    parser.add_argument("--train", type=Path, required=True, help="folder of the public training sets")
    parser.add_argument("--work", type=Path, required=True, help="folder for what the encoders said")
    parser.add_argument("--test", action="store_true", help="look at the test side instead of fitting")
    parser.add_argument("--why", help="why the test side is looked at")
    return parser.parse_args()


if __name__ == "__main__":
    main()
