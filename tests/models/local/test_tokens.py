"""Windows over word pieces, an encoder's inputs, and texts that it cannot read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import Skip
from ringtrue.models.local.tokens import Tokens, matrices, skip_other_scripts, windows
from ringtrue.models.local.weights import find


@given(st.integers(0, 2000), st.integers(1, 400), st.integers(0, 300))
def test_windows_hold_all_in_order_and_are_of_one_length(count: int, most: int, overlap: int) -> None:
    overlap = min(overlap, most - 1)
    ids = tuple(range(count))
    found = windows(ids, most, overlap)
    assert len(found) == 1 or max(map(len, found)) <= most
    assert max(map(len, found)) - min(map(len, found)) <= 1
    assert sorted({one for window in found for one in window}) == list(ids)
    if count <= most:
        assert found == [ids]
    for one, after in pairwise(found):
        assert one[len(one) - overlap :] == after[:overlap]


def test_rows_are_filled_up_to_the_longest() -> None:
    made = matrices([((101, 7, 102), (0, 0, 1)), ((101, 102), (0, 0))])
    assert made["input_ids"].tolist() == [[101, 7, 102], [101, 102, 0]]
    assert made["attention_mask"].tolist() == [[1, 1, 1], [1, 1, 0]]
    assert made["token_type_ids"].tolist() == [[0, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize("text", ["Plain words.", "Müller's naïve café", "42 %", "β decay of ⁶⁰Co", "東京 is Tokyo"])
def test_texts_in_latin_letters_pass(text: str) -> None:
    skipped = None
    try:
        skip_other_scripts(answer=text)
    except Skip as reason:
        skipped = str(reason)
    assert skipped is None


@pytest.mark.parametrize("text", ["Москва", "東京です", "القاهرة in Egypt: القاهرة"])
def test_texts_in_another_script_are_skipped_with_the_reason(text: str) -> None:
    with pytest.raises(Skip, match="this golden answer is in another script"):
        skip_other_scripts(answer="Moscow", golden_answer=text)


def test_special_tokens_in_a_text_are_plain_text() -> None:
    ((plain,), (spelt,)) = ([one] for one in Tokens(find("embedding")).ids(["a cat", "a [SEP] cat"]))
    assert 102 not in spelt
    assert len(spelt) > len(plain) + 1
