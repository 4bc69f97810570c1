"""One label or one number from what a model wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.labels import plain_label, read_label, read_number, strip_thinking
from ringtrue.models.types import ModelFailure

YES_NO = ("yes", "no")
CORRECT = ("correct", "incorrect")
LETTERS = ("A", "B", "C")
RELEVANT = ("relevant", "not relevant")


@pytest.mark.parametrize(
    ("reply", "labels", "label"),
    [
        ("yes", YES_NO, "yes"),
        (" yes\n", YES_NO, "yes"),
        ("**Yes**", YES_NO, "yes"),
        ('"No."', YES_NO, "no"),
        ("Ｙｅｓ", YES_NO, "yes"),
        ("y\u200bes", YES_NO, "yes"),
        ("Factual.", ("factual", "hallucinated"), "factual"),
        ("INCORRECT", CORRECT, "incorrect"),
        ("(b)", LETTERS, "B"),
        ("Not_relevant", RELEVANT, "not relevant"),
        ("是。", ("是", "否"), "是"),
        ("<think>no, no, no</think>\n\nyes", YES_NO, "yes"),
        ("so it is no.</think>yes", YES_NO, "yes"),  # the template opened the block in the prompt
    ],
)
def test_a_reply_that_is_nothing_but_a_label(reply: str, labels: tuple[str, ...], label: str) -> None:
    assert read_label(reply, labels) == label


@pytest.mark.parametrize(
    ("reply", "labels", "label"),
    [
        # Case J01: a whole word, the last genuine marker, whatever hides in it.
        ("GRADE: A. I see no reason to downgrade: all of it is there.", ("A", "I"), "A"),
        ("At first GRADE: B ... having checked: GRADE:\u200bC", LETTERS, "C"),
        ("grade: c", LETTERS, "C"),
        ("Draft GRADE: A, but a date is wrong.\nGRADE: B", LETTERS, "B"),
        ("**Verdict:** yes", YES_NO, "yes"),
        ("Verdict (yes/no): no", YES_NO, "no"),
        ("Verdict - no", YES_NO, "no"),
        ('{"verdict": "yes"}', YES_NO, "yes"),
        ("Final answer = not relevant.", RELEVANT, "not relevant"),
        ("It covers all of it.\n\nYes", YES_NO, "yes"),
        ("## Verdict\nno", YES_NO, "no"),
        ("Yes, because there is no contradiction.", YES_NO, "yes"),
        ("No. The passage does not say so.", YES_NO, "no"),
        ("The answer is correct.", CORRECT, "correct"),
        ("This is a B.", LETTERS, "B"),
    ],
)
def test_a_label_with_words_around_it(reply: str, labels: tuple[str, ...], label: str) -> None:
    assert read_label(reply, labels) == label


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        # Case J03: prose that turns a label round is no verdict, and a label inside a word is none.
        ("The answer is not correct.", CORRECT),
        ("I would not call it incorrect.", CORRECT),
        ("Actually, it is mistaken.", LETTERS),
        ("A good answer.", LETTERS),
        ("It is hard to call this a b.", LETTERS),
        ("Verdict: not correct", CORRECT),
        ("Verdict: correct\nFinal verdict: not correct", CORRECT),
        ("GRADE: A or B", LETTERS),
        ("Verdict: yes/no", YES_NO),
        ("Yes or no?", YES_NO),
        ("Yes, but the date is wrong.", YES_NO),
        ("Yes, although in the end: no", YES_NO),
        ("There is no doubt about it.", YES_NO),
        ("It is correct that the plan failed, which makes the answer wrong.", CORRECT),
        ("If the date is right, the answer is correct.", CORRECT),
        ("partially correct", CORRECT),
        ("Yesterday", YES_NO),
        ("no-one", YES_NO),
        ("", YES_NO),
        ("   ", YES_NO),
        ("<think>yes", YES_NO),
        ("None", YES_NO),
    ],
)
def test_what_is_not_plainly_a_verdict_is_an_error(reply: str, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelFailure) as raised:
        read_label(reply, labels)
    assert raised.value.kind == "bad_label"
    assert raised.value.raw == reply
    assert raised.value.retryable


@given(st.text(max_size=40), st.sampled_from(CORRECT))
def test_a_label_inside_another_word_never_counts(around: str, label: str) -> None:
    assert plain_label(f"x{label}{around}", CORRECT) is None


@given(
    st.sampled_from(["yes", "no"]), st.sampled_from(["{}", " {}.\n", "**{}**", "Verdict: {}", "GRADE: x\nGRADE: {}"])
)
def test_case_never_matters(label: str, shape: str) -> None:
    for written in (label, label.upper(), label.title()):
        assert read_label(shape.format(written), YES_NO) == label


@pytest.mark.parametrize(
    ("reply", "scale", "value"),
    [
        # Case J05.
        (".7", (0, 1), 0.7),
        ("7e-1", (0, 1), 0.7),
        ("Score: 0,7", (0, 1), 0.7),
        ("3/5", (1, 5), 3),
        ("3 out of 5", (1, 5), 3),
        ("**3** / 5.", (1, 5), 3),
        ("62.5", (0, 100), 62.5),
        ("62 %", (0, 100), 62),
        ("Three of 9 points are weak. Score: 4", (1, 10), 4),
        ("Score: 2 ... no, rather\nScore: 4 because 3 of 5 claims hold", (1, 5), 4),
        ("Score (1-5): 4", (1, 5), 4),
        ("４", (1, 5), 4),
        ("−1", (-1, 1), -1),
        ("<think>5? 3?</think>4", (1, 5), 4),
    ],
)
def test_a_number_on_its_scale(reply: str, scale: tuple[float, float], value: float) -> None:
    assert read_number(reply, *scale) == value


@pytest.mark.parametrize(
    ("reply", "scale"),
    [
        ("Score: 3.5 (fair)/10", (1, 5)),
        ("7/10", (1, 5)),
        ("7", (0, 1)),
        ("70%", (0, 1)),
        ("Not gradable: 2 sources cannot be read", (1, 10)),
        ("3-4", (1, 5)),
        ("Score: 3 or 4", (1, 5)),
        ("Score: 3, 4", (1, 5)),
        ("1,000", (0, 1000)),  # a thousand, or one
        ("1.2.3", (0, 5)),
        ("1e999", (0, 1)),
        ("nan", (0, 1)),
        ("3/0", (1, 5)),
        ("4 stars", (1, 5)),
        ("4th", (1, 5)),
        ("Score: N/A", (1, 5)),
        ("Score: 4\nScore: none", (1, 5)),
        ("four", (1, 5)),
        ("", (0, 1)),
    ],
)
def test_a_number_is_never_rescaled_or_picked_out(reply: str, scale: tuple[float, float]) -> None:
    with pytest.raises(ModelFailure) as raised:
        read_number(reply, *scale)
    assert raised.value.kind == "bad_label"


@given(st.floats(0, 1), st.sampled_from(["{}", "Score: {}", "Rating = {} (fair)", "{}\n"]))
def test_every_way_to_write_a_number_gives_it_back(value: float, shape: str) -> None:
    assert read_number(shape.format(repr(value)), 0, 1) == value


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>a</think>b", "b"),
        ("  <THINKING>a</thinking>\nb", "\nb"),
        ("<think>a", ""),
        ("a</think>b", "b"),
        ("a <b> c", "a <b> c"),
        ("plain", "plain"),
    ],
)
def test_what_a_model_thought_is_not_what_it_said(text: str, rest: str) -> None:
    assert strip_thinking(text) == rest
