"""BERTScore's matching, by hand and against a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.metrics import matching
from ringtrue.metrics.matching import matched
from ringtrue.models.local.embedding import Encoded


def encoded(ids: list[int], states: list[list[float]]) -> Encoded:
    made = np.array(states, dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return Encoded(made[0], made, tuple(ids))


X, Y, BETWEEN, FRAME = [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, -1.0]


def test_by_hand() -> None:
    answer = encoded([101, 7, 102], [FRAME, X, FRAME])
    golden = encoded([101, 7, 8, 102], [FRAME, X, BETWEEN, FRAME])
    found = matched(answer, golden)
    assert found is not None
    # The answer's one piece is matched wholly; of the golden two, one wholly and one with cos 45°.
    assert found.precision == pytest.approx(1)
    assert found.recall == pytest.approx((1 + math.sqrt(0.5)) / 2)
    assert found.f1 == pytest.approx(2 * found.precision * found.recall / (found.precision + found.recall))


def test_the_frame_has_no_weight_but_may_be_matched_as_in_bert_score() -> None:
    answer = encoded([101, 7, 102], [Y, X, FRAME])
    golden = encoded([101, 8, 102], [X, Y, FRAME])
    # The answer's piece 7 is like the golden [CLS]; without the frame it would get 0.
    assert matched(answer, golden) == pytest.approx((1, 1, 1))


def test_rare_pieces_weigh_more_with_idf(monkeypatch: pytest.MonkeyPatch) -> None:
    rarity = np.zeros(200)
    rarity[[7, 8]] = 3.0, 1.0
    monkeypatch.setattr(matching, "_rarity", lambda: rarity)
    answer = encoded([101, 7, 8, 102], [FRAME, X, Y, FRAME])
    golden = encoded([101, 7, 102], [FRAME, X, FRAME])
    found = matched(answer, golden, idf=True)
    assert found is not None
    assert found.precision == pytest.approx(3 / 4)
    assert found.recall == pytest.approx(1)


def test_a_text_without_pieces_matches_nothing() -> None:
    nothing = encoded([101, 102], [FRAME, FRAME])
    assert matched(nothing, encoded([101, 7, 102], [FRAME, X, FRAME])) is None


@pytest.mark.parametrize("idf", [False, True])
def test_rescaled_unrelated_sentences_get_0_and_equal_ones_1(idf: bool) -> None:
    base = matching._unrelated("idf" if idf else "plain")
    same = encoded([101, 2000, 102], [FRAME, X, FRAME])
    assert matched(same, same, idf=idf, rescale=True) == pytest.approx((1, 1, 1))
    turned = [[cosine, math.sqrt(1 - cosine**2)] for cosine in (base.precision,)]
    found = matched(
        encoded([101, 2000, 102], [[0, -1], X, [0, -1]]),
        encoded([101, 2000, 102], [[0, -1], *turned, [0, -1]]),
        idf=idf,
        rescale=True,
    )
    assert found is not None
    assert found.precision == pytest.approx(0, abs=1e-6)


def test_seldom_pieces_are_rarer() -> None:
    the, austen = 1996, 24177  # "the" and "austen" in BERT's vocabulary
    assert matching._rarity()[the] < 1 < 5 < matching._rarity()[austen]


states = st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.1, 1)), min_size=1, max_size=6)


@given(states, states)
def test_it_is_what_a_plain_loop_gives(left: list[tuple[float, ...]], right: list[tuple[float, ...]]) -> None:
    def framed(rows: list[tuple[float, ...]]) -> Encoded:
        return encoded([101, *range(200, 200 + len(rows)), 102], [[0, 0, -1], *map(list, rows), [0, -1, 0]])

    def mean_of_best(one: Encoded, other: Encoded) -> float:
        best = [max(sum(a * b for a, b in zip(x, y, strict=True)) for y in other.states) for x in one.states[1:-1]]
        return float(sum(best)) / len(best)

    answer, golden = framed(left), framed(right)
    found = matched(answer, golden)
    assert found is not None
    assert found.precision == pytest.approx(mean_of_best(answer, golden), abs=1e-5)
    assert found.recall == pytest.approx(mean_of_best(golden, answer), abs=1e-5)
