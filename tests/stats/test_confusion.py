"""Figures of a confusion table against scikit-learn's, and what they say where they are undefined."""

from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

from ringtrue.errors import UnknownNameError
from ringtrue.stats import confusion
from ringtrue.stats.confusion import FOR_TWO, KAPPA, NO_ROWS, figure, kappa, known_labels, one_against_rest, table

LABELS = (0, 1, 2)
ROWS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=60)
BINARY = st.lists(st.tuples(st.sampled_from((0, 1)), st.sampled_from((0, 1))), min_size=1, max_size=60)


@settings(max_examples=40)  # scikit-learn takes its time
@given(BINARY)
def test_figures_of_two_labels_equal_scikit_learns(rows: list[tuple[int, int]]) -> None:
    people, judge = zip(*rows, strict=True)
    expected = {
        "agreement": accuracy_score(people, judge),
        "kappa": cohen_kappa_score(people, judge, labels=(0, 1)) if len({*people, *judge}) == 2 else None,
        "precision": precision_score(people, judge, zero_division=0) if any(judge) else None,
        "recall": recall_score(people, judge) if any(people) else None,
        "f1": f1_score(people, judge) if any(people) or any(judge) else None,
        "tpr": recall_score(people, judge) if any(people) else None,
        "tnr": recall_score(people, judge, pos_label=0) if not all(people) else None,
        "balanced_accuracy": balanced_accuracy_score(people, judge) if len(set(people)) == 2 else None,
        "mcc": matthews_corrcoef(people, judge) if len(set(people)) == len(set(judge)) == 2 else None,
    }
    counts = table(people, judge, (0, 1))
    assert counts.tolist() == confusion_matrix(people, judge, labels=(0, 1)).tolist()
    found = {name: figure(counts, statistic) for name, statistic in FOR_TWO.items()}
    assert {name: one.value for name, one in found.items()} == pytest.approx(expected, abs=1e-12)
    assert all((one.why is None) == (one.value is not None) for one in found.values())


@settings(max_examples=30)
@given(ROWS)
def test_figures_of_three_labels_equal_scikit_learns(rows: list[tuple[int, int]]) -> None:
    people, judge = zip(*rows, strict=True)
    counts = table(people, judge, LABELS)
    if len({*people, *judge}) > 1:
        for weights in (None, "linear", "quadratic"):
            expected = cohen_kappa_score(people, judge, labels=LABELS, weights=weights)
            assert kappa(counts, weights) == pytest.approx(expected, abs=1e-12)
    if len(set(people)) > 1 and len(set(judge)) > 1:
        assert confusion.mcc(counts) == pytest.approx(matthews_corrcoef(people, judge), abs=1e-12)
    for place in LABELS:
        one = [label == place for label in people], [label == place for label in judge]
        assert one_against_rest(counts, place).tolist() == confusion_matrix(*one, labels=(False, True)).tolist()


@given(st.lists(BINARY, min_size=1, max_size=5))
def test_an_array_of_tables_gives_what_each_gives_alone(many: list[list[tuple[int, int]]]) -> None:
    tables = np.array([table(*zip(*rows, strict=True), (0, 1)) for rows in many])
    for statistic in FOR_TWO.values():
        together = statistic.of(tables[:, None])
        assert together.shape == (len(many), 1)
        np.testing.assert_array_equal(together[:, 0], [statistic.of(one) for one in tables])


def test_kappa_is_undefined_where_everybody_says_yes() -> None:
    found = figure(table(["yes"] * 8, ["yes"] * 8, ("no", "yes")), KAPPA)  # the field has NaN, 0.0 and 1.0 for this
    assert (found.value, found.why) == (None, "one category only")


def test_kappa_is_exactly_zero_at_the_prevalence_paradox() -> None:
    counts = table(["yes"] * 8, ["yes"] * 7 + ["no"], ("no", "yes"))
    assert figure(counts, KAPPA).value == 0.0
    assert figure(counts, confusion.AGREEMENT).value == 0.875


@pytest.mark.parametrize(
    ("people", "judge", "name", "why"),
    [
        ([0, 0], [0, 0], "precision", "the judge calls nothing positive"),
        ([0, 0], [1, 0], "tpr", "people call nothing positive"),
        ([1, 1], [1, 0], "tnr", "people call nothing negative"),
        ([0, 0], [0, 0], "f1", "nobody calls anything positive"),
        ([1, 1], [1, 0], "balanced_accuracy", "people do not use every label"),
        ([1, 0], [1, 1], "mcc", "people or the judge use one label only"),
        ([None, 1], [1, None], "agreement", NO_ROWS),
        ([None, 1], [1, None], "kappa", NO_ROWS),
        ([], [], "f1", NO_ROWS),
    ],
)
def test_an_undefined_figure_says_why(people: list[int | None], judge: list[int | None], name: str, why: str) -> None:
    found = figure(table(people, judge, (0, 1)), FOR_TWO[name])
    assert (found.value, found.why) == (None, why)


def test_missing_labels_are_no_category_and_their_rows_are_left_out() -> None:
    assert table(["a", None, "b", nan], ["a", "b", None, "b"], ("a", "b")).tolist() == [[1, 0], [0, 0]]


def test_labels_are_listed_in_a_stable_order() -> None:
    assert known_labels([2, None, 1], [nan, 3]) == (1, 2, 3)
    assert known_labels([1, 1.0, True]) == (1,)
    assert known_labels(["b", 2], [(1,)]) == known_labels([(1,), 2, "b"])


def test_a_label_that_is_not_known_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown label 'maybe'"):
        table(["yes", "maybe"], ["yes", "no"], ("no", "yes"))


def test_rows_must_be_the_same() -> None:
    with pytest.raises(ValueError, match="3 labels of people and 2 of the judge"):
        table([1, 1, 0], [1, 0], (0, 1))
