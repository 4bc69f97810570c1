"""The measures of a ranking against ir-measures (which calls trec_eval), and at the edges."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, Success, nDCG

from ringtrue.stats.retrieval import ranked


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 4), st.integers(1, 12))
def test_equal_to_trec_eval(right: list[bool], missed: int, k: int) -> None:
    relevant = sum(right) + missed
    if not relevant:
        return
    qrels = [ir_measures.Qrel("q", f"d{place}", 1) for place, one in enumerate(right) if one]
    qrels += [ir_measures.Qrel("q", f"missed{n}", 1) for n in range(missed)]
    run = [ir_measures.ScoredDoc("q", f"d{place}", float(-place)) for place in range(len(right))]
    peer = ir_measures.calc_aggregate([P @ k, RR, AP, AP @ k, nDCG, nDCG @ k, Success @ k], qrels, run)
    assert ranked.precision(right, k) == pytest.approx(peer[P @ k])
    assert ranked.reciprocal_rank(right) == pytest.approx(peer[RR])
    assert ranked.average_precision(right, relevant) == pytest.approx(peer[AP])
    assert ranked.average_precision(right, relevant, k) == pytest.approx(peer[AP @ k])
    assert ranked.ndcg(right, relevant) == pytest.approx(peer[nDCG])
    assert ranked.ndcg(right, relevant, k) == pytest.approx(peer[nDCG @ k])
    assert ranked.hit_rate(right, k) == peer[Success @ k]


def test_an_empty_ranking_has_nothing_right_and_no_share() -> None:
    assert ranked.precision([]) is None
    assert ranked.precision([], 5) == 0.0
    assert (ranked.reciprocal_rank([]), ranked.hit_rate([]), ranked.ndcg([], 2), ranked.average_precision([], 2)) == (
        0.0,
        0.0,
        0.0,
        0.0,
    )
