"""Answers as lists. The sets are small enough to be counted by hand."""

import pytest

from ringtrue.data.facts import parse_facts
from ringtrue.errors import Skip
from ringtrue.metrics.items import items_f1, items_iou, items_precision, items_recall
from ringtrue.types import Response, Sample


def row(facts: str, answer: str) -> tuple[Sample, Response]:
    return Sample(id="1", facts=parse_facts(facts)), Response(answer=answer)


@pytest.mark.parametrize(
    ("facts", "answer", "precision", "recall", "f1", "iou"),
    [
        # 2 shared, 3 golden, 3 given, 4 distinct
        ("ash<AND>elm<AND>oak", "elm, oak, pine", 2 / 3, 2 / 3, 2 / 3, 0.5),
        ("ash<AND>elm<AND>oak", "Oak, ash and elm; also ash.", 1, 1, 1, 1),
        ("ash<AND>elm<AND>oak", "ash", 1, 1 / 3, 0.5, 1 / 3),
        ("ash<AND>elm", "pine, fir, yew", 0, 0, 0, 0),
        ("ash<AND>elm", "ash, pine, pine, Pine", 0.5, 0.5, 0.5, 1 / 3),
        ("ash<OR>Fraxinus<AND>elm<OR>Ulmus", "Fraxinus, Ulmus, pine", 2 / 3, 1, 0.8, 2 / 3),
        ("ash<AND>ash<AND>elm", "ash, pine", 0.5, 0.5, 0.5, 1 / 3),
    ],
)
def test_items_are_compared_as_sets(
    facts: str, answer: str, precision: float, recall: float, f1: float, iou: float
) -> None:
    sample, response = row(facts, answer)
    assert items_precision(sample, response) == pytest.approx(precision)
    assert items_recall(sample, response) == pytest.approx(recall)
    assert items_f1(sample, response) == pytest.approx(f1)
    assert items_iou(sample, response) == pytest.approx(iou)


@pytest.mark.parametrize(
    ("answer", "extra"),
    [
        ("ash, fir, yew", ("fir", "yew")),
        ("ash; fir and yew", ("fir", "yew")),
        ("ash\nfir\nyew", ("fir", "yew")),
        ("- ash\n- fir\n- yew", ("fir", "yew")),
        ("1. ash\n2) fir\n(3) yew", ("fir", "yew")),
        ("* **ash**\n* **fir**, a conifer", ("fir**, a conifer",)),
        ("The trees are: ash, fir and yew.", ("fir", "yew")),
        ("Sure, here they are:\n\n- ash\n- fir\n\nHope this helps, friend!", ("fir",)),
        ('["ash", "fir"]', ("fir",)),
        ("ash, fir & yew", ("fir", "yew")),
        ("ash、fir、yew", ("fir", "yew")),
        ("ash, Fir, FIR", ("FIR",)),
    ],
)
def test_an_answer_is_cut_into_items(answer: str, extra: tuple[str, ...]) -> None:
    explanation = items_f1.bind().explain(*row("ash<AND>elm", answer))
    assert explanation is not None
    assert (explanation.matched, explanation.missing) == (("ash",), ("elm",))
    assert explanation.extra == extra


@pytest.mark.parametrize(
    ("facts", "answer", "precision"),
    [
        ("1,000<AND>500", "1,000 and 500", 1),
        ("1,000<AND>500", "1,000, 500, 20", 2 / 3),
        ("1<AND>2", "1,2,4", 2 / 3),
        ("June 30, 2023", "June 30, 2023", 1),
        ("Bosnia and Herzegovina<AND>Serbia", "Serbia, Bosnia and Herzegovina", 1),
        ("Washington, D.C.<AND>Paris", "Paris and Washington, DC", 1),
        ("Serbia", "Bosnia and Herzegovina, Serbia", 1 / 3),  # nothing tells that the other is one
        ("elm: a tree<AND>ash", "elm: a tree, ash", 1),
    ],
)
def test_no_item_is_cut_inside_a_number_a_date_or_a_golden_item(facts: str, answer: str, precision: float) -> None:
    assert items_precision(*row(facts, answer)) == pytest.approx(precision)


def test_a_golden_item_outside_the_list_does_not_count() -> None:
    assert items_recall(*row("ash<AND>elm", "Of ash and elm I name:\n- elm\n- yew")) == 0.5


def test_an_answer_without_items_has_no_precision() -> None:
    sample, response = row("ash<AND>elm", "…")
    with pytest.raises(Skip, match="no item"):
        items_precision(sample, response)
    assert (items_recall(sample, response), items_f1(sample, response), items_iou(sample, response)) == (0, 0, 0)


def test_a_long_answer_is_compared_whole() -> None:
    sample, response = row("ash<AND>elm", "fir, " * 20_000 + "elm")
    assert items_precision(sample, response) == 0.5
    assert items_recall(sample, response) == 0.5
