"""Questions without answers, spoiled text, copies, boilerplate, odd sizes."""

import pytest

from ringtrue.report.diagnosis.passages.checks import check_passages, excerpt_of
from ringtrue.report.diagnosis.passages.copies import boilerplate_lines, copies_of, odd_sizes
from ringtrue.report.diagnosis.passages.faq import answer_without_question, is_faq, question_without_answer
from ringtrue.report.diagnosis.passages.garbled import broken_table, is_empty, mojibake
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.types import Passage

FAQ = ["How long does it take? Three days.", "Q: Is it free?\nA: Yes.", "Can I return it?\nYou can, for 14 days."]


def test_a_list_of_questions_and_answers_is_told_from_prose() -> None:
    assert is_faq(FAQ)
    assert not is_faq(
        ["The museum opens at nine. Who would not come?", "It was founded in 1901.", "Why? Nobody knows."]
    )
    assert not is_faq([])


@pytest.mark.parametrize(
    ("text", "faq", "found"),
    [
        ("How long does it take?", False, "How long does it take?"),
        ("Returns\nHow long does it take?", False, "How long does it take?"),
        ("It is free. How long does it take?", True, "How long does it take?"),
        ("It was late, and who would not go home then?", True, "It was late, and who would not go home then?"),
        ("Q: Is it free?\nA:", False, "\nA:"),
        ("多久退款？", False, "多久退款？"),
        ("كم يستغرق ذلك؟", False, "كم يستغرق ذلك؟"),
    ],
)
def test_a_question_at_the_end_has_no_answer(text: str, faq: bool, found: str) -> None:
    span = question_without_answer(text, faq)
    assert span is not None
    assert text[slice(*span)] == found


def test_a_question_with_its_answer_or_a_rhetorical_one_is_left_alone() -> None:
    assert not any(question_without_answer(text, True) for text in FAQ)
    assert question_without_answer("The tower fell in 1755. Who would build it again?", False) is None
    assert question_without_answer("", True) is None


def test_an_answer_without_its_question() -> None:
    assert answer_without_question("A: You can return it for 14 days from the day it came.")
    assert answer_without_question("Q: Can I? A: You can return it for 14 days.") is None
    assert answer_without_question("A museum is a house of many old and dear things.") is None


@pytest.mark.parametrize("text", ["CafÃ© au lait", "we donâ€™t refund", "fee: Â£5", "a \ufffd b", "ÐŸÑ€Ð¸Ð²ÐµÑ‚"])
def test_wrong_encodings_are_seen(text: str) -> None:
    assert mojibake(text)


@pytest.mark.parametrize(
    "text", ["Café", "SÃO PAULO", "“É”", "Spaß”", "naïve – déjà vu", "Привет", "退款", "CHÂTEAU", "5 £"]
)
def test_right_letters_are_left_alone(text: str) -> None:
    assert mojibake(text) is None


def test_a_table_whose_rows_fell_apart() -> None:
    assert broken_table("| a | b | c |\n|---|---|---|\n| 1 | 2 |\n3 | 4 | 5 | 6 |\n| 7 |") is not None
    assert broken_table("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |") is None
    assert broken_table("yes | no") is None


def test_empty_passages() -> None:
    assert is_empty(" \n – ")
    assert not is_empty("退")


def test_copies_and_near_copies() -> None:
    long = "The parcel is sent on the day after the order came in and was paid for by you in full at our desk in Porto"
    changed = long.replace("Porto", "Braga")
    other = "Gift cards are valid for two years from the day of purchase and can be used in every shop that we run"
    # 24 words, hence 20 runs of five; one word at the end changes one of them: 19 of 21 are common (0.905)
    assert copies_of([long, other, long.upper(), changed], 0.9) == {2: 0, 3: 0}
    assert copies_of([long, other, changed], 0.95) == {}
    assert copies_of(["", "", "Yes.", "No."], 0.9) == {}


def test_lines_on_many_passages() -> None:
    texts = [f"The shop handbook, page {n} of 9\nLamp {n} costs {n * 7} euros." for n in range(1, 7)]
    assert boilerplate_lines(texts, 0.3) == {"the shop handbook, #": 6}  # a list of prices is none
    assert boilerplate_lines(texts[:3], 0.3) == {}


def test_a_passage_that_is_mostly_boilerplate() -> None:
    texts = [f"All rights reserved by the shop in Braga.\nLamp {n}." for n in range(4)]
    long = (
        "All rights reserved by the shop in Braga.\nThe lamp has a dial, a long cord and a shade of paper from Japan."
    )
    checked = check_passages([Passage(text=one, id=one) for one in (*texts, long)], Thresholds())
    assert {text for (_, text), found in checked.flaws.items() if "boilerplate" in found} == set(texts)


def test_odd_sizes_need_a_crowd() -> None:
    assert odd_sizes(["x" * 100] * 9 + ["x" * 400, "x" * 25], 4, 0.25) == ([9], [10], 100.0)
    assert odd_sizes(["x", "x" * 100], 4, 0.25)[:2] == ([], [])
    assert odd_sizes([], 4, 0.25) == ([], [], 0.0)


def test_an_excerpt_marks_its_place() -> None:
    text = "Before it.\n" * 20 + "the place" + "\nafter it." * 20
    start = text.index("the place")
    excerpt = excerpt_of(Passage(text=text, id="p7"), (start, start + 9), rank=2)
    assert excerpt.text[excerpt.start : excerpt.end] == "the place"
    assert excerpt.text.startswith("…")
    assert excerpt.text.endswith("…")
    assert "\n" not in excerpt.text
    assert (excerpt.name, excerpt.rank) == ("p7", 2)


def test_passages_of_ids_alone_are_not_empty_ones() -> None:
    checked = check_passages([Passage(text=None, id="a"), Passage(text=None)], Thresholds())
    assert (checked.bare, checked.total) == (1, 1)
    assert [finding.sign for finding in checked.findings("retrieved")] == ["empty"]
