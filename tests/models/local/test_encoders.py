"""The two encoders with their real weights. Without these the tests fail: `make setup` fetches them."""

import asyncio
from math import log

import numpy as np
import pytest

from ringtrue.errors import Skip
from ringtrue.models.local import relevance
from ringtrue.models.local.crossing import crosser
from ringtrue.models.local.embedding import embedder
from ringtrue.models.local.relevance import answer_relevance, features, passage_relevance

WHO = "Who wrote the novel Emma?"
EMMA = "Emma is a novel by the English author Jane Austen, published in December 1815."
ABOUT = "Many readers of novels of the nineteenth century like their slow pace."
OTHER = "The boiling point of water falls by one degree for every 300 metres of height."


def test_a_text_has_a_vector_and_states_of_length_one() -> None:
    one, two, three = embedder().encode_now([EMMA, "Jane Austen wrote Emma, which came out in late 1815.", OTHER])
    assert one.vector.shape == (384,)
    assert one.states.shape == (len(one.ids), 384)
    assert (one.ids[0], one.ids[-1]) == (101, 102)
    np.testing.assert_allclose(np.linalg.norm(one.states, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(one.vector, one.states[0], rtol=1e-5, atol=1e-6)
    assert one.vector @ two.vector > 0.85
    assert one.vector @ three.vector < 0.6


def test_a_text_is_encoded_alike_in_any_batch() -> None:
    encoder = embedder()
    alone = encoder._work([encoder._rows([EMMA])[0][0]])[0]
    together = encoder._work([row[0] for row in encoder._rows([OTHER * 3, EMMA, "No."])])[1]
    np.testing.assert_allclose(alone, together, atol=2e-6)


def test_a_long_text_is_read_to_its_end() -> None:
    (encoded,) = embedder().encode_now([f"{OTHER} " * 40])
    assert len(encoded.ids) > 600
    assert encoded.states.shape[0] == len(encoded.ids)
    assert np.linalg.norm(encoded.vector) == pytest.approx(1)


def test_a_passage_that_answers_ranks_first_wherever_in_it_the_answer_stands() -> None:
    long = f"{OTHER} " * 40
    passages = [EMMA, f"{long}{EMMA}", long, ABOUT, OTHER]
    answers, last, without, near, far = crosser().relevance_now([(WHO, passage) for passage in passages])
    assert answers > 5
    assert last > without + 3
    assert answers > 0 > near > far


async def _both() -> tuple[list[float], float, float]:
    passages = await passage_relevance(WHO, [EMMA, OTHER])
    return passages, await answer_relevance(WHO, "It was Jane Austen."), await answer_relevance(WHO, OTHER)


def test_relevance_is_a_probability() -> None:
    (helps, helps_not), addresses, addresses_not = asyncio.run(_both())
    assert 0.8 < helps < 1
    assert 0 < helps_not < 0.1
    assert addresses > 0.5 > 0.1 > addresses_not > 0


def test_no_passage_has_no_relevance() -> None:
    assert asyncio.run(passage_relevance(WHO, [])) == []


def test_the_numbers_behind_it_may_be_seen() -> None:
    (found,) = asyncio.run(features([(WHO, EMMA)]))
    assert found.logit == pytest.approx(crosser().relevance_now([(WHO, EMMA)])[0])
    assert found.length == pytest.approx(log(1 + 14))
    question, passage = embedder().encode_now([WHO, EMMA])
    assert found.cosine == pytest.approx(float(question.vector @ passage.vector))


def test_another_script_is_skipped() -> None:
    with pytest.raises(Skip, match="this passage is in another script"):
        asyncio.run(passage_relevance(WHO, ["Москва"]))
    with pytest.raises(Skip, match="this question"):
        asyncio.run(answer_relevance("Кто?", "Jane Austen"))


def test_every_coefficient_has_its_sense() -> None:
    of = relevance._coefficients()
    assert set(of) == {"passage", "answer"}
    for one in of.values():
        assert one["logit"] > 0
        assert one["cosine"] > 0
