"""Exact match, match after normalisation, match as JSON."""

import pytest

from ringtrue.errors import Skip
from ringtrue.metrics.match import contains_reference, exact_match, json_match, quasi_exact_match
from ringtrue.text.normal import Mode
from ringtrue.types import Response, Sample

FENCE = "```"


def row(answer: str, *references: str) -> tuple[Sample, Response]:
    return Sample(id="1", reference=references), Response(answer=answer)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("Jeff", ("Jeff",), 1.0),
        ("  Jeff\n", ("Jeff ",), 1.0),
        ("jeff", ("Jeff",), 0.0),
        ("Jeff.", ("Jeff",), 0.0),
        ("Jeff", ("Andy", "Jeff"), 1.0),
        ("Silver, tin and lead", ("tin, lead and silver",), 0.0),  # order counts
    ],
)
def test_exact_match_is_to_the_letter(answer: str, references: tuple[str, ...], expected: float) -> None:
    assert exact_match(*row(answer, *references)) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "fmeval", "squad", "walkthrough"),
    [
        ("the Sun!", "Sun", 1, 1, 0),
        ("SUN", "sun.", 1, 1, 1),
        ("the\nsun", "sun", 0, 1, 0),  # FMEval cuts at the plain space only
        ("sun\nmoon", "sun moon", 0, 1, 1),
        ("A", "A", 1, 1, 1),
        ("B", "A", 0, 0, 0),
        ("?", "A", 1, 0, 0),  # FMEval leaves nothing of either
        ("Group O", "Group A", 0, 0, 0),
        ("the plan", "a plan", 1, 1, 0),
        ("tin tin", "tin", 0, 0, 0),
        ("Amazon’s", "Amazon's", 0, 1, 0),
        ("134.4", "1344", 1, 1, 1),  # all of them delete the point
        ("退款。", "退款", 0, 1, 0),
    ],
)
def test_quasi_exact_match_by_mode(answer: str, reference: str, fmeval: int, squad: int, walkthrough: int) -> None:
    expected: dict[Mode, int] = {"fmeval": fmeval, "squad": squad, "walkthrough": walkthrough}
    assert {mode: quasi_exact_match(*row(answer, reference), mode=mode) for mode in expected} == expected


def test_quasi_exact_match_takes_any_reference() -> None:
    assert quasi_exact_match(*row("two", "One", "The two.")) == 1.0
    assert quasi_exact_match(*row("two", "One", "The two."), mode="squad") == 1.0


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        (f'{FENCE}json\n{{"open":false,"n":3}}\n{FENCE}', '{"n": 3, "open": false}', 1.0),
        (f"Here it is:\n{FENCE}\n[1, 2]\n{FENCE}\nAnything else?", "[1,2]", 1.0),
        (f"{FENCE}[1, 2]{FENCE}", "[1,2]", 1.0),
        (f'{FENCE}json\n{{"code": "{FENCE}x{FENCE}"}}\n{FENCE}', f'{{"code": "{FENCE}x{FENCE}"}}', 1.0),
        ("[2, 1]", "[1, 2]", 0.0),  # the order of a list counts
        ('{"a": 1}', '{"a": 1, "b": 2}', 0.0),
        ("[1]", "[1, 1]", 0.0),
        ("1", "1.0", 1.0),
        ("true", "1", 0.0),
        ('{"a": true}', '{"a": 1}', 0.0),
        ('"1"', "1", 0.0),
        ("null", "null", 1.0),
        ("0.10", "0.1", 1.0),
        ("0.1", "0.10000000000000000001", 0.0),  # by exact value, not as binary floats
        ("9007199254740993", "9007199254740992.0", 0.0),
        ("no JSON", "[1]", 0.0),
        (f"{FENCE}\n[1]\n{FENCE} or {FENCE}\n[2]\n{FENCE}", "[1]", 0.0),  # two fences say two things
        ("NaN", "null", 0.0),
        ("[" * 100_000, "[]", 0.0),
        ("1e99999999999999999999", "1", 0.0),
    ],
)
def test_json_match_compares_values(answer: str, reference: str, expected: float) -> None:
    assert json_match(*row(answer, reference)) == expected


def test_json_match_takes_any_reference_that_is_json() -> None:
    assert json_match(*row("[1]", "one in a list", "[1]")) == 1.0


@pytest.mark.parametrize("reference", ["a sentence", "NaN", "{'single': 1}"])
def test_json_match_skips_where_no_reference_is_json(reference: str) -> None:
    with pytest.raises(Skip, match="no reference is JSON"):
        json_match(*row("[1]", reference))


@pytest.mark.parametrize(
    ("reference", "answer", "value"),
    [
        ("Lima", "It is Lima.", 1.0),
        ("the Nile", "A river, the “Nile”, runs there", 1.0),
        ("Lima", "limabean", 0.0),  # never inside a word
        ("New York City", "New City of York", 0.0),  # in order
        ("100 °C", "at 100 °C", 1.0),
        ("東京", "東京 です", 1.0),
        ("+", "a", 0.0),
    ],
)
def test_contains_reference(reference: str, answer: str, value: float) -> None:
    assert contains_reference(*row(answer, "elsewhere", reference)) == value
