"""Golden facts in the answer: FMEval's rule to the bit, and ringtrue's own."""

import string
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.catalogue import Metric
from ringtrue.data.facts import parse_facts
from ringtrue.metrics.facts import facts_found, facts_matched, factual_knowledge, factual_knowledge_quasi
from ringtrue.types import Facts, Response, Sample


def row(facts: str, answer: str) -> tuple[Sample, Response]:
    return Sample(id="1", facts=parse_facts(facts)), Response(answer=answer)


def raw_row(target: str, answer: str) -> tuple[Sample, Response]:
    """A row as FMEval takes it: its facts may be empty."""
    return Sample(id="1", facts=Facts(raw=target, tree=target)), Response(answer=answer)


# FMEval's protocol, worked by hand: (target, answer, operator, exact inclusion, quasi-exact inclusion)
FMEVAL = [
    ("9.1 km<OR>9,100 m", "The tunnel is 9,100 m long.", "OR", 1, 1),
    ("9.1 km<OR>9,100 m", "The tunnel is 8.5 km long.", "OR", 0, 0),
    ("", "", "OR", 1, 1),
    (" \t ", "tunnel", "OR", 0, 1),  # stripped to nothing, which every text holds
    ("an", "an answer", "OR", 1, 1),
    ("Lord of the Isles", "lord of an isles", "OR", 0, 1),  # articles are dropped
    ("rate", "separate", "OR", 1, 1),  # no word boundaries
    ("4,500", "4500", "OR", 0, 1),  # punctuation is deleted
    ("9.1 km", "91 km", "OR", 0, 1),  # ten times as far
    ("-7.2%", "72", "OR", 0, 1),
    ("Wales<or>Cymru", "Cymru", "OR", 0, 0),  # operators are upper case
    ("Wales <OR> Cymru", "Cymru", "OR", 0, 1),  # pieces are not stripped for exact inclusion
    ("Wales <OR> Cymru", "in Cymru", "OR", 1, 1),
    ("<OR>Wales", "Ireland", "OR", 1, 1),  # an empty piece is in every answer
    ("tin<AND>zinc", "zinc and tin", "OR", 0, 0),  # one operator at a time
    ("tin<AND>zinc", "zinc and tin", "AND", 1, 1),
    ("tin<AND>zinc", "only tin", "AND", 0, 0),
    ("tin<AND>", "only tin", "AND", 1, 1),
    ("tin<AND>zinc<OR>lead", "some lead", "OR", 1, 1),
    ("tin<AND>zinc<OR>lead", "some lead and tin", "AND", 0, 0),
    ("dog\nran", "dog ran", "OR", 0, 0),
    ("GASSE", "gaße", "OR", 0, 0),  # lower(), not casefold()
    ("GAẞE", "gaße", "OR", 1, 1),
    ("٤٥", "45", "OR", 0, 0),
]


@pytest.mark.parametrize(("target", "answer", "operator", "exact", "quasi"), FMEVAL)
def test_factual_knowledge_is_that_of_fmeval(target: str, answer: str, operator: str, exact: int, quasi: int) -> None:
    sample, response = raw_row(target, answer)
    values = [metric(sample, response, operator=operator) for metric in (factual_knowledge, factual_knowledge_quasi)]
    assert values == [float(exact), float(quasi)]
    assert all(isinstance(value, float) for value in values)


def normal(text: str) -> str:
    """FMEval's normalisation, step by step."""
    kept = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(word for word in kept.split(" ") if word not in ("", "a", "an", "the"))


PIECES = st.lists(
    st.sampled_from(["<OR>", "<AND>", " ", "the", "1,000", "tin", "TIN", ".", "-", "é", "\n"]), max_size=8
)


@given(PIECES.map("".join), PIECES.map("".join), st.sampled_from(["OR", "AND"]))
def test_factual_knowledge_is_the_protocol_step_by_step(
    target: str, answer: str, operator: Literal["OR", "AND"]
) -> None:
    sample, response = raw_row(target, answer)
    pieces = target.split(f"<{operator}>")
    combined = max if operator == "OR" else min
    exact = combined(float(piece.lower() in answer.lower()) for piece in pieces)
    quasi = combined(float(normal(piece.strip()) in normal(answer.strip())) for piece in pieces)
    assert factual_knowledge(sample, response, operator=operator) == exact
    assert factual_knowledge_quasi(sample, response, operator=operator) == quasi


@pytest.mark.parametrize(
    ("target", "answer", "expected"),
    [
        ("tin<OR>zinc", "zinc", 1),
        ("tin<AND>zinc", "zinc", 0),
        ("tin<AND>zinc", "tin, zinc", 1),
        ("tin", "tin", 1),
        ("tin<OR>lead<AND>zinc", "lead and zinc", 1),  # (tin or lead) and zinc
        ("tin<OR>lead<AND>zinc", "lead and tin", 0),
    ],
)
def test_the_operator_is_the_one_that_the_facts_hold(target: str, answer: str, expected: int) -> None:
    sample, response = raw_row(target, answer)
    assert factual_knowledge(sample, response) == expected
    assert factual_knowledge_quasi(sample, response) == expected


def test_factual_knowledge_explains_itself_by_pieces() -> None:
    explanation = factual_knowledge.bind().explain(*row("tin<OR>stannum<AND>zinc<AND>lead<OR>plumbum", "zinc, Tin"))
    assert explanation is not None
    assert explanation.matched == ("tin", "zinc")
    assert explanation.missing == ("lead<OR>plumbum",)


@pytest.mark.parametrize(
    ("facts", "answer", "matched", "found"),
    [
        ("134.4 billion<OR>134,383 million", "It was $134,383,000,000.", 1, 1),
        ("-41.27%", "It rose 41.27%.", 0, 0),
        ("7,250", "\\boxed{$7{,}250}", 1, 1),
        ("12", "in 2012", 0, 0),
        ("A", "B", 0, 0),
        ("UK<OR>", "France", 0, 0),  # the empty alternative is left out
        ("tin<AND>lead<AND>silver", "Silver, tin and lead; also tin.", 1, 1),
        ("tin<AND>lead<AND>silver", "tin and lead", 0, 2 / 3),
        ("tin<OR>stannum<AND>lead<OR>plumbum", "stannum", 0, 1 / 2),
        ("(tin<AND>lead)<OR>pewter", "pewter", 1, 1),
        ("(tin<AND>lead)<OR>pewter", "tin", 0, 0),
        ("1,000<AND>in stock", "1,000 pieces, all in stock", 1, 1),
        ("1,000<AND>in stock", "1 piece in stock, 000 left", 0, 1 / 2),
        (r"SELECT 1 \<OR> SELECT 2", "SELECT 1 <OR> SELECT 2", 1, 1),
        (r"SELECT 1 \<OR> SELECT 2", "SELECT 1", 0, 0),
    ],
)
def test_facts_are_read_for_what_they_say(facts: str, answer: str, matched: int, found: float) -> None:
    sample, response = row(facts, answer)
    assert facts_matched(sample, response) == float(matched)
    assert facts_found(sample, response) == pytest.approx(found)


@pytest.mark.parametrize("metric", [facts_matched, facts_found])
def test_facts_explain_what_was_found_and_what_is_missing(metric: Metric) -> None:
    sample, response = row("tin<OR>stannum<AND>5 km<AND>lead<OR>plumbum<AND>a (b)", "Tin lies 5,000 m deep.")
    explanation = metric.bind().explain(sample, response)
    assert explanation is not None
    assert explanation.matched == ("tin", "5 km")
    assert explanation.extra == ()
    assert explanation.missing == ("lead<OR>plumbum", "a (b)")


@pytest.mark.parametrize("metric", [factual_knowledge, factual_knowledge_quasi, facts_matched, facts_found])
def test_each_needs_facts_and_an_answer(metric: Metric) -> None:
    assert set(metric.needs) == {"answer", "facts"}
    assert (metric.range, metric.better) == ((0, 1), "higher")


def test_a_long_answer_is_searched_to_its_end() -> None:
    sample, response = row("134.4 billion<AND>fox", "The quick brown fox jumps. " * 20_000 + "It was $134,383 million.")
    assert facts_matched(sample, response) == 1.0
    assert factual_knowledge(sample, response) == 0.0
