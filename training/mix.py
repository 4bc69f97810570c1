"""What is learnt when: the share of each source at the start and at the end, and batches of like length."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ringtrue.models.local.inputs import Inputs, Pair
from training.data import NOT_SUPPORTED, SUPPORTED, Example, Row, claims_of, public_rows, read_rows
from training.made import made_answers, made_claims

__all__ = ["SHARES", "Item", "batches", "gather"]

# Source: share of the examples drawn at the start, and at the end. Short texts that need inference come first.
SHARES: Mapping[str, tuple[float, float]] = {
    "snli_train_sample": (24, 2), "snli_dev": (6, 1), "snli_test": (5, 0.5), "mnli_dev": (16, 8),
    "taxinli_new": (1.5, 1), "counterfactual_nli": (8, 2), "conjnli": (3, 2), "breaking_nli": (2, 1),
    "negation_nli": (2, 1), "equate": (1.5, 1.5), "dnc_megaveridicality": (0.5, 0.2), "help_and_or": (0.5, 0.3),
    "med": (1, 0.5), "fever_dev_covidfact": (6, 9), "fever_symmetric": (1, 1), "feverous_s_dev": (0.5, 2),
    "fm2": (1, 2.5), "squad2_faith": (1.5, 2), "factcg_cg2c": (0, 2), "bump": (0, 0.1), "halueval_qa_faith": (1, 1.5),
    "wiki_split_pos": (1.5, 1), "begin": (0, 1.5), "expertqa": (0, 2), "wice": (0, 2.5), "summedits": (0, 3),
    "made_claims": (3, 6), "qa2d_statements": (10, 3), "squad2_dev_alias": (6, 4), "efficientqa_human": (4, 8),
    "truthfulqa_ref": (2, 2), "saf_english": (0, 0.2), "webquestions_neg": (0.4, 0.3), "halueval_qa_wrong": (1, 1),
    "evouna_nq": (1, 6), "evouna_tq": (1, 4.5), "nq301": (0.5, 3), "sas_nq": (1, 4), "sas_squad": (0.3, 1.2),
    "shroom": (0.5, 1.5), "squality": (0, 0.1), "made_answers": (4, 8),
}  # fmt: skip
TURN = (0.15, 0.6)  # shares move from start to end between these parts of the whole time
BATCH_TOKENS = 1536
MOST_ROWS = 48
POOL = 1536


@dataclass(frozen=True, slots=True)
class Item:
    """An example in the network's own terms."""

    pair: Pair
    task: str
    label: int


def gather(data: Path, train: Path, inputs: Inputs, seed: int) -> dict[str, list[Item]]:
    """All items by source. Nothing of a question or text that is on the dev or test side is among them."""
    rows = list(read_rows(data))
    held = frozenset(row.unit for row in rows if row.side != "train")
    own = [row for row in rows if row.side == "train"]
    examples = [example for row in own if row.file != "summedits" for example in claims_of(row)]
    examples += edited_sentences([row for row in own if row.file == "summedits"])
    examples += public_rows(train, held)
    Random(seed).shuffle(examples)
    examples += list(made_claims(examples, seed)) + list(made_answers(examples, seed))
    pairs = inputs.many([(one.question, one.source, one.claim) for one in examples])
    found: dict[str, list[Item]] = {}
    for one, pair in zip(examples, pairs, strict=True):
        found.setdefault(one.name, []).append(Item(pair, one.task, one.label))
    return found


def edited_sentences(rows: Sequence[Row]) -> list[Example]:
    """SummEdits labels whole summaries, of which one place is edited: a sentence is wrong that stands in a wrong
    summary and in no right one of the same text; where no sentence is found to blame, the row is left out."""
    by_text: dict[str, list[Row]] = {}
    for row in rows:
        by_text.setdefault(row.unit, []).append(row)
    found = {}
    for group in by_text.values():
        claims = [(row.label, claims_of(row)) for row in group]
        right = {one.claim: one for label, examples in claims if label for one in examples}
        often = [one.claim for _, examples in claims for one in examples]
        found.update({(one.source, text): one for text, one in right.items()})
        for label, examples in claims:
            blamed = [one for one in examples if one.claim not in right and often.count(one.claim) == 1]
            if not label and len(blamed) == 1:
                one = blamed[0]
                found[one.source, one.claim] = Example("support", None, one.source, one.claim, NOT_SUPPORTED, one.name)
    return [one for one in found.values() if one.label in (SUPPORTED, NOT_SUPPORTED)]


def batches(items: Mapping[str, Sequence[Item]], seed: int, *, warm: bool = False) -> Iterator[list[Item]]:
    """Batches without end. ``send`` the share of the time that has gone, 0 to 1, to get the next.

    A `warm` network, which has had the easy texts, gets the shares of the end all the time.
    """
    rng = Random(seed)
    queues: dict[str, list[Item]] = {name: [] for name in items}
    done = 0.0
    while True:
        pool = []
        names = sorted(items)
        weights = [_share(name, 1.0 if warm else done) for name in names]
        for name in rng.choices(names, weights, k=POOL):
            if not queues[name]:
                queues[name] = rng.sample(list(items[name]), len(items[name]))
            pool.append(queues[name].pop())
        pool.sort(key=lambda item: (len(item.pair[0]), rng.random()))
        cut = list(_cut(pool))
        rng.shuffle(cut)
        for batch in cut:
            done = (yield batch) or done


def _share(name: str, done: float) -> float:
    start, end = SHARES[name]
    turned = min(max((done - TURN[0]) / (TURN[1] - TURN[0]), 0.0), 1.0)
    return start + (end - start) * turned


def _cut(pool: Sequence[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    for item in pool:
        if batch and (len(item.pair[0]) * (len(batch) + 1) > BATCH_TOKENS or len(batch) == MOST_ROWS):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch
