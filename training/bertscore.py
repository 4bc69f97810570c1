"""What `bertscore` needs to know of English: how many texts have a word piece, and what unrelated sentences get.

    python -m training.bertscore --train TRAIN

Writes `piece_counts.npy` and `bertscore.json` beside the metrics. Texts: premises and hypotheses of MultiNLI's and
SNLI's dev sets, SQuAD 2's and WikiSplit's texts, sentence by sentence; counts alone are kept of them.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ringtrue.metrics import matching
from ringtrue.models.local.embedding import embedder
from ringtrue.models.local.tokens import Tokens
from ringtrue.models.local.weights import find
from ringtrue.text.words import sentences

SETS = ("mnli_dev", "snli_dev", "squad2_faith", "wiki_split_pos")
FOLDER = Path(matching.__file__).parent / "files"
SEED = 20261201


def texts(folder: Path) -> Iterator[str]:
    for name in SETS:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                found = json.loads(line)
                yield from sentences(found["premise"])
                yield from sentences(found["hypothesis"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=Path, required=True, help="folder of the public training sets")
    parser.add_argument("--sentences", type=int, default=2000, help="how many are held against one another")
    options = parser.parse_args()
    found = sorted({one for one in texts(options.train) if len(one.split()) > 3})
    counts = np.zeros(30_522, dtype=np.uint32)
    tokens = Tokens(find("embedding"))
    for start in range(0, len(found), 1000):
        for ids in tokens.ids(found[start : start + 1000]):
            counts[sorted(set(ids))] += 1
    FOLDER.mkdir(exist_ok=True)
    np.save(FOLDER / "piece_counts.npy", counts)
    chosen = random.Random(SEED).sample(found, options.sentences)
    (FOLDER / "bertscore.json").write_text(json.dumps({"texts": len(found)}) + "\n", encoding="utf-8")
    described = {"texts": len(found), "unrelated": unrelated(chosen), "sentences": len(chosen)}
    (FOLDER / "bertscore.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


def unrelated(chosen: list[str]) -> dict[str, dict[str, float]]:
    """The mean measures of pairs of different sentences: each with the ten next to it, in an order that is chance."""
    encoded = embedder().encode_now(chosen)
    totals: dict[str, Counter[str]] = {}
    pairs = [(one, other) for place, one in enumerate(encoded) for other in encoded[place + 1 : place + 11]]
    for name in ("plain", "idf"):
        measures = [matching.matched(one, other, idf=name == "idf") for one, other in pairs]
        means = np.array([one for one in measures if one is not None]).mean(axis=0)
        totals[name] = {key: round(float(value), 5) for key, value in zip(matching.Matched._fields, means, strict=True)}
    return totals


if __name__ == "__main__":
    main()
