"""The retrieval metrics on rows: k, empty lists, what cannot be compared."""

from typing import Any

import pytest

import ringtrue as rt
from ringtrue.types import Score

ALL = [
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
    "ndcg_at_k",
    "average_precision",
    "hit_rate_at_k",
]


def scored(contexts: list[Any], golden: list[Any], *metrics: str) -> dict[str, Score]:
    sample = {"question": "Q?", "reference_contexts": golden}
    return rt.score(sample, {"answer": "A", "contexts": contexts}, list(metrics) or ALL)


def passages(*ids: str) -> list[dict[str, str]]:
    return [{"id": one} for one in ids]


def test_values_of_one_ranking() -> None:
    # golden at ranks 2 and 4 of 4, a third one missed: P@5 2/5, R@5 2/3, RR 1/2, AP (1/2 + 2/4) / 3,
    # nDCG (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3) + 1/log2(4)) = 0.498189
    found = scored(passages("x", "a", "y", "b"), passages("a", "b", "c"))
    values = [found[name].value for name in ALL]
    assert values == pytest.approx([0.4, 2 / 3, 0.5, 0.498189, 1 / 3, 1.0], abs=1e-6)


def test_k_is_how_many_are_looked_at_and_0_is_all() -> None:
    names = ("recall_at_k(k=1)", "precision_at_k(k=0)", "hit_rate_at_k(k=1)", "reciprocal_rank(k=1)")
    found = scored(passages("x", "a"), passages("a"), *names)
    assert [found[name].value for name in names] == [0.0, 0.5, 0.0, 0.0]
    broken = scored(passages("a"), passages("a"), "recall_at_k(k=-1)")["recall_at_k(k=-1)"]
    assert broken.status == "failed"
    assert "k cannot be -1" in (broken.error or "")


def test_nothing_retrieved_is_0_and_no_right_passage_is_skipped() -> None:
    assert [one.value for one in scored([], passages("a")).values()] == [0.0] * len(ALL)
    assert scored([], passages("a"), "precision_at_k(k=0)")["precision_at_k(k=0)"].status == "skipped"
    for one in scored(passages("a"), []).values():
        assert (one.status, one.error) == (
            "skipped",
            "no passage is right for this question (reference_contexts is empty)",
        )


def test_what_cannot_be_compared_is_skipped_with_the_reason() -> None:
    (found,) = scored(["a text"], passages("a"), "recall_at_k").values()
    assert found.status == "skipped"
    assert "do not both have ids or texts" in (found.error or "")
