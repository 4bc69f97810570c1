"""Retrieval measured by the golden passages: are they fetched, and ranked first?

Which retrieved passage is a golden one, `ringtrue.data.passages.match` tells: by ids where both have one, else by their
words. `by` can ask for one of the two (``id``, ``text``); ``text`` is right where ids come from cutting the documents
in another way. `k` is how many passages are looked at; 0 looks at all.

A row that says that no passage is right (``reference_contexts: []``) is skipped. Where nothing was retrieved, nothing
right was: 0.
"""

from typing import cast

from ringtrue.catalogue import metric
from ringtrue.data.passages.match import By, Found, Incomparable, find_golden
from ringtrue.errors import Skip, UsageError
from ringtrue.stats.retrieval import ranked
from ringtrue.types import Passage, Response, Sample

__all__ = [
    "average_precision",
    "hit_rate_at_k",
    "ndcg_at_k",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
]

_NEEDS = ("contexts", "reference_contexts")
_TREC = "as trec_eval and ir-measures compute it"


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=f"Manning et al. 2008, 8.4; {_TREC}")
def precision_at_k(sample: Sample, response: Response, *, k: int = 5, by: By = "auto") -> float:
    """Share of the first k retrieved passages that are golden ones.

    Where fewer than k were retrieved, the places that are left count as wrong; with k=0 the share of those retrieved.
    """
    value = ranked.precision(_found(sample, response, k, by).right, k)
    if value is None:
        raise Skip("nothing was retrieved, so there is no share of it")
    return value


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=f"Manning et al. 2008, 8.4; {_TREC}")
def recall_at_k(sample: Sample, response: Response, *, k: int = 5, by: By = "auto") -> float:
    """Share of the golden passages that are among the first k retrieved ones."""
    found = _found(sample, response, k, by)
    return sum(map(len, found.golden[:k] if k else found.golden)) / found.total


@metric(needs=_NEEDS, range=(0, 1), better="higher", source="Voorhees 1999, TREC-8; its mean is the MRR")
def reciprocal_rank(sample: Sample, response: Response, *, k: int = 0, by: By = "auto") -> float:
    """One by the rank of the first retrieved passage that is a golden one; 0 where none is.

    Its mean over the rows is the mean reciprocal rank (MRR).
    """
    return ranked.reciprocal_rank(_found(sample, response, k, by).right, k)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=f"Järvelin and Kekäläinen 2002; {_TREC}")
def ndcg_at_k(sample: Sample, response: Response, *, k: int = 5, by: By = "auto") -> float:
    """Whether the golden passages are among the first k and ranked first: normalised discounted cumulative gain.

    Each golden passage gains 1 / log2(rank + 1); the sum is divided by that of the best ranking. Golden passages that
    one retrieved passage holds together count as one.
    """
    found = _found(sample, response, k, by)
    return ranked.ndcg(found.right, found.relevant, k)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=f"Manning et al. 2008, 8.4; {_TREC}; its mean is the MAP")
def average_precision(sample: Sample, response: Response, *, k: int = 0, by: By = "auto") -> float:
    """The mean, over the golden passages, of the precision at the rank of each; one that is not retrieved has 0.

    Its mean over the rows is the mean average precision (MAP). Golden passages that one retrieved passage holds
    together count as one.
    """
    found = _found(sample, response, k, by)
    return ranked.average_precision(found.right, found.relevant, k)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source="hit rate, also called success at k")
def hit_rate_at_k(sample: Sample, response: Response, *, k: int = 5, by: By = "auto") -> float:
    """Whether any of the first k retrieved passages is a golden one: 1 or 0."""
    return ranked.hit_rate(_found(sample, response, k, by).right, k)


def _found(sample: Sample, response: Response, k: int, by: By) -> Found:
    if k < 0:
        raise UsageError(f"k cannot be {k}", mend="give how many passages to look at; 0 looks at all")
    golden = cast(tuple[Passage, ...], sample.reference_contexts)  # `needs` holds both
    if not golden:
        raise Skip("no passage is right for this question (reference_contexts is empty)")
    try:
        return find_golden(cast(tuple[Passage, ...], response.contexts), golden, by)
    except Incomparable as error:
        raise Skip(str(error)) from None
