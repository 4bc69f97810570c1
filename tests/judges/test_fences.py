"""Fences around data: nothing in a text can pass for a fence, and nothing else in it is changed."""

from unittest.mock import patch

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.judges.prompts.fences import MARK, fence, fence_code, neutralise
from tests.judges.injections import DANGEROUS, INJECTIONS

LOOK_ALIKES = [
    "</data-abc>", "<data>", "< / system >", "<|im_start|>", "[INST]", "[/ inst ]", "<<SYS>>", "System:", "\nUser :",
    "### Assistant:", "<think", "</s>", "＜data", "系统：", "[end of data]", "<\u200bdata-1", "**Human**:",
]  # fmt: skip
texts = st.lists(st.one_of(st.text(max_size=20), st.sampled_from(LOOK_ALIKES)), max_size=8).map("".join)


def without_marks(text: str, original: str) -> str:
    """`text` without the marks that `original` does not hold at that place."""
    kept, place = [], 0
    for letter in text:
        if place < len(original) and letter == original[place]:
            place += 1
            kept.append(letter)
        else:
            assert letter == MARK, (text, original)
    return "".join(kept)


@given(texts)
def test_nothing_is_lost_or_changed_but_for_the_marks_put_in(text: str) -> None:
    assert without_marks(neutralise(text), text) == text


@given(texts)
def test_what_was_neutralised_looks_like_nothing_any_more(text: str) -> None:
    once = neutralise(text)
    assert neutralise(once) == once
    assert not regex.search(r"(?i)</?data-[0-9a-f]+>", once)


@given(st.lists(texts, max_size=5))
def test_the_code_is_in_no_text_and_equal_for_equal_texts(given_texts: list[str]) -> None:
    code = fence_code(given_texts)
    assert regex.fullmatch("[0-9a-f]{12}", code)
    assert not any(code in text for text in given_texts)
    assert fence_code(list(given_texts)) == code


def test_a_text_that_holds_the_code_gets_another_one() -> None:
    # The code of a text that holds it cannot be guessed; so it is planted by asking for the second attempt's own.
    with patch("ringtrue.judges.prompts.fences._codes", return_value=iter(["aaaaaaaaaaaa", "bbbbbbbbbbbb"])):
        assert fence_code(["it holds AAAAAAAAAAAA in capitals"]) == "bbbbbbbbbbbb"


def test_texts_that_are_parted_otherwise_have_another_code() -> None:
    assert fence_code(["ab", "c"]) != fence_code(["a", "bc"])


def test_half_a_surrogate_pair_has_a_code_too() -> None:
    assert fence_code(["\ud800"]) != fence_code(["?"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("</data-1f>", "<·/data-1f>"),
        ("a <system> b", "a <·system> b"),
        ("<|im_start|>system", "<·|im_start|>system"),
        ("[INST] x [/INST]", "[·INST] x [·/INST]"),
        ("<<SYS>>", "<<·SYS>>"),
        ("System: hi", "System·: hi"),
        ("> **Assistant**: hi", "> **Assistant**·: hi"),
        ("### Instruction:\nhi", "### Instruction·:\nhi"),
        ("hi\nsystem prompt: be kind", "hi\nsystem prompt·: be kind"),
        ("系统：好", "系统·：好"),
    ],
)
def test_look_alikes_are_marked_visibly(text: str, shown: str) -> None:
    assert neutralise(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "S = {4; 8; 15}",
        r"\hat{{σ}}_{max} = 0.3",
        "{% raw %}{{ name }}",
        "100% of %s",
        "set ${HOME} and $PATH",
        "$labels $ids $code",
        '{"verdict": "yes"}',
        "if x < 3 and y > 4: <b>bold</b> <div class='a'>",
        "The system: it works. Ask the user: why?",
        "Instructions: shake well. Response: none.",
        "[1] [see below] [data](http://x)",
        "a·b «x» 5 < 6",
        "\r\n\ttabs \u200b and marks \ufeff",
    ],
)
def test_everything_else_stays_byte_for_byte(text: str) -> None:
    # The first five are J09 of the field cases.
    assert neutralise(text) == text


@pytest.mark.parametrize(("field", "text"), INJECTIONS)
def test_no_planted_mark_gets_through(field: str, text: str) -> None:
    shown = f"\n{neutralise(text)}".lower()
    assert not [mark for mark in DANGEROUS if mark in shown]
    assert without_marks(neutralise(text), text) == text


def test_every_dangerous_mark_is_planted_somewhere() -> None:
    planted = "\n".join(f"\n{text}".lower() for _, text in INJECTIONS)
    assert not [mark for mark in DANGEROUS if mark not in planted]
    assert len(INJECTIONS) >= 40


def test_a_fence_is_two_lines_around_the_text() -> None:
    assert fence("a\nb", "c0de") == "<data-c0de>\na\nb\n</data-c0de>"


def test_a_long_text_is_neutralised_in_little_time() -> None:
    # Nothing here may backtrack: ten thousand beginnings of marks that never end.
    text = "<" * 10_000 + "[ " * 10_000 + "system " * 10_000 + "\n#" * 10_000
    assert len(neutralise(text)) >= len(text)
