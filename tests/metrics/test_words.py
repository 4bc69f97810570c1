"""Recall, precision and F1 over words, in three modes, with the words that matched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.catalogue import Explanation
from ringtrue.metrics.words import f1_over_words, precision_over_words, recall_over_words
from ringtrue.text.normal import Mode
from ringtrue.text.words import LONG
from ringtrue.types import Response, Sample

# The published examples of FMEval's question-answering scores (about Amazon's 10-Q of the second quarter of 2023).
SHARES = "There were 10,317,750,796 shares of Amazon's common stock outstanding as of July 21, 2023."
WALKTHROUGH = (
    "Based on the documents provided, Amazon had 10,317,750,796 shares of common stock outstanding as of July 21, 2023."
)
CLOSE = "As of July 21, 2023, there were 10,317,750,796 shares of common stock outstanding."
WORDY = (
    f"{WALKTHROUGH}\n"
    "Specifically, in the first excerpt from the quarterly report for the quarter ending June 30, 2023, it states:\n"
    '"10,317,750,796 shares of common stock, par value $0.01 per share, outstanding as of July 21, 2023"\n'
    "Therefore, the number of shares of Amazon common stock outstanding as of July 21, 2023 was 10,317,750,796 "
    "according to this statement."
)
SALES = "Amazon's total net sales for the second quarter of 2023 were ${} billion."
OFFICE = "Amazon's principal office is located at 410 Terry Avenue North, Seattle, Washington 98109-5210."


def row(answer: str, *references: str) -> tuple[Sample, Response]:
    return Sample(id="1", reference=references), Response(answer=answer)


def measures(answer: str, *references: str, mode: Mode = "fmeval") -> tuple[float, float, float]:
    sample, response = row(answer, *references)
    metrics = (recall_over_words, precision_over_words, f1_over_words)
    recall, precision, f1 = (metric(sample, response, mode=mode) for metric in metrics)
    return recall, precision, f1


@pytest.mark.parametrize(
    ("answer", "reference", "shares"),
    [
        # Counts of words checked by running fmeval 1.2.3.
        (WALKTHROUGH, SHARES, (10 / 13, 10 / 16)),
        (CLOSE, SHARES, (12 / 13, 1.0)),  # published as .923 and 1.0
        (WORDY, SHARES, (10 / 13, 10 / 42)),  # published precision .238
        (SALES.format("170.0"), SALES.format("134.4"), (11 / 12, 11 / 12)),  # published as .92
        ("Document ID: 10317750796", SHARES, (1 / 13, 1 / 3)),
        ("Amazon's principal office is located in Seattle, Washington.", OFFICE, (7 / 13, 7 / 8)),  # published as .54
    ],
)
def test_published_examples_come_out(answer: str, reference: str, shares: tuple[float, float]) -> None:
    assert measures(answer, reference)[:2] == shares


@pytest.mark.parametrize(
    ("answer", "f1"),
    [
        (CLOSE, 0.9600000000000002),
        (WORDY, 0.36363636363636365),
        (WALKTHROUGH, 0.6896551724137931),
    ],  # to the bit, fmeval 1.2.3
)
def test_f1_rounds_as_fmeval_does(answer: str, f1: float) -> None:
    assert measures(answer, SHARES)[2] == f1


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("walkthrough", (11 / 14, 11 / 18, 22 / 32)),  # published as .786, .611, .688
        ("squad", (11 / 14, 11 / 17, 22 / 31)),  # SQuAD's script: the 18th word is "the"
    ],
)
def test_modes_that_count_repetitions(mode: Mode, expected: tuple[float, float, float]) -> None:
    assert measures(WALKTHROUGH, SHARES, mode=mode) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("tin lead", ("tin",), (1.0, 0.5, 2 / 3)),
        ("tin tin", ("tin",), (1.0, 1.0, 1.0)),  # a set
        ("oak", ("tin",), (0.0, 0.0, 0.0)),
        ("the", ("a",), (0.0, 0.0, 0.0)),  # FMEval: nothing is left of either
        ("b the\nc", ("b c",), (1.0, 2 / 3, 0.8)),  # after a line break, "the" is no article
        ("b c d e x", ("b c d e f g h", "x"), (1.0, 0.8, 2 / 3)),  # each measure from its own best reference
    ],
)
def test_fmeval_mode(answer: str, references: tuple[str, ...], expected: tuple[float, float, float]) -> None:
    assert measures(answer, *references) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("A", "A", (1.0, 1.0, 1.0)),
        ("B", "A", (0.0, 0.0, 0.0)),
        ("an", "An", (1.0, 1.0, 1.0)),
        ("Option A", "A", (1.0, 0.5, 2 / 3)),
        ("Class D", "Class C", (0.5, 0.5, 0.5)),
        ("Plan B", "Plan A", (1.0, 0.5, 2 / 3)),
        ("tin tin", "tin", (1.0, 0.5, 2 / 3)),
        ("货款 已到", "货款未到", (0.75, 0.75, 0.75)),
        ("Amazon’s sales", "Amazon's sales", (1.0, 1.0, 1.0)),
        ("+", "-", (0.0, 0.0, 0.0)),
        ("👍", "👍", (1.0, 1.0, 1.0)),
    ],
)
def test_squad_mode_empties_no_text_and_reads_any_script(
    answer: str, reference: str, expected: tuple[float, float, float]
) -> None:
    assert measures(answer, reference, mode="squad") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("fmeval", Explanation(("tin", "of"), ("good",), ("mine", "lead"))),
        ("squad", Explanation(("tin", "of"), ("good", "tin", "tin"), ("mine", "lead"))),
        ("walkthrough", Explanation(("the", "tin", "of"), ("good", "tin", "the", "tin"), ("mine", "a", "lead"))),
    ],
)
def test_explanation_names_matched_extra_and_missing_words_in_order(mode: Mode, expected: Explanation) -> None:
    sample, response = row("The good tin of tin, the tin", "Tin of the mine, a lead")
    assert f1_over_words.bind(mode=mode).explain(sample, response) == expected


def test_explanation_is_against_the_best_reference_of_its_metric() -> None:
    sample, response = row("b c d e x", "b c d e f g h", "x")
    recall, precision = (
        metric.bind().explain(sample, response) for metric in (recall_over_words, precision_over_words)
    )
    assert recall == Explanation(("x",), ("b", "c", "d", "e"), ())
    assert precision == Explanation(("b", "c", "d", "e"), ("x",), ("f", "g", "h"))


def test_a_long_answer_is_measured_like_a_short_one() -> None:
    assert measures("tin " * LONG + "lead", "tin oak") == (0.5, 0.5, 0.5)


WORDS = st.lists(st.sampled_from(["tin", "lead", "The", "a", "of", "退", "é", "5.5", "?"]), max_size=8).map(" ".join)


@given(WORDS, WORDS, st.sampled_from(["fmeval", "squad", "walkthrough"]))
def test_measures_are_shares_that_the_explanation_accounts_for(answer: str, reference: str, mode: Mode) -> None:
    recall, precision, f1 = measures(answer, reference, mode=mode)
    told = f1_over_words.bind(mode=mode).explain(*row(answer, reference))
    assert told is not None
    hits, misses, extras = len(told.matched), len(told.missing), len(told.extra)
    assert recall == (hits / (hits + misses) if hits else 0.0)
    assert precision == (hits / (hits + extras) if hits else 0.0)
    assert f1 == pytest.approx(2 * hits / (2 * hits + misses + extras) if hits else 0.0)
    assert 0.0 <= f1 <= 1.0


@given(WORDS, WORDS, st.sampled_from(["squad", "walkthrough"]))
def test_recall_one_way_is_precision_the_other_way(one: str, other: str, mode: Mode) -> None:
    if {"a", "the"} & {*one.lower().split(), *other.lower().split()} and mode == "squad":
        return  # articles alone in the reference are a rule of their own
    assert measures(one, other, mode=mode)[0] == measures(other, one, mode=mode)[1]
