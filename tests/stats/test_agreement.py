"""Judges against people: the one call that a report makes."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, cohen_kappa_score, roc_auc_score

from ringtrue.stats.agreement import Verdicts, compare, measure
from ringtrue.stats.bootstrap import on_tables, table_cells
from ringtrue.stats.comparing.paired import holm, paired_difference
from ringtrue.stats.confusion import KAPPA

PEOPLE = [1, 1, 1, 0, 0, 0, 1, 0, None, 1]
GOOD = [1, 1, 1, 0, 0, 1, 1, 0, 1, 1]
POOR = [1, 0, 1, 1, 0, 1, None, 0, 1, 0]
QUESTIONS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_every_judge_has_its_figures_with_intervals() -> None:
    found = measure(PEOPLE, {"good": Verdicts([GOOD]), "poor": Verdicts([POOR])}, (0, 1), clusters=QUESTIONS)
    good, poor = found["good"], found["poor"]
    assert (good.n, good.verdicts, good.missing, good.table) == (9, 9, 0, ((3, 1), (0, 5)))
    assert (poor.n, poor.verdicts, poor.missing, poor.table) == (8, 8, 1, ((2, 2), (2, 2)))
    assert good.figures["agreement"].value == pytest.approx(8 / 9)
    rows = [place for place, label in enumerate(PEOPLE) if label is not None]
    expected = cohen_kappa_score([PEOPLE[row] for row in rows], [GOOD[row] for row in rows])
    assert good.figures["kappa"].value == pytest.approx(expected, abs=1e-12)
    assert good.figures["tpr"].value == 1.0
    low, high = good.figures["agreement"].low, good.figures["agreement"].high
    assert low is not None
    assert high is not None
    assert low < 8 / 9 < high
    assert "auc" not in good.figures


def test_scores_that_are_no_probabilities_have_an_area_only() -> None:
    found = measure(PEOPLE, {"good": Verdicts([GOOD], [[7.0, 3, 5, 1, 0, 2, 3, 1, None, 9]])}, (0, 1))["good"]
    assert found.figures["auc"].value == pytest.approx(1.0)
    assert "brier" not in found.figures


def test_probabilities_add_the_area_and_the_brier_score() -> None:
    values = [0.9, 0.6, 0.8, 0.2, 0.1, 0.7, 0.5, 0.4, 0.5, None]
    found = measure(PEOPLE, {"good": Verdicts([GOOD], [values], probable=True)}, (0, 1))["good"]
    rows = [place for place in range(10) if PEOPLE[place] is not None and values[place] is not None]
    truth, scores = [PEOPLE[row] for row in rows], [values[row] for row in rows]
    assert found.figures["auc"].value == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert found.figures["brier"].value == pytest.approx(brier_score_loss(truth, scores), abs=1e-12)


def test_runs_are_pooled_and_counted_apart() -> None:
    found = measure(PEOPLE, {"judge": Verdicts([GOOD, POOR])}, (0, 1))["judge"]
    assert (found.n, found.verdicts, found.missing) == (9, 17, 1)
    assert np.array(found.table).sum() == 17
    assert found.figures["agreement"].value == pytest.approx((8 + 4) / 17)


def test_three_labels_have_no_positive_one() -> None:
    found = measure(["a", "b", "c", "a"], {"j": Verdicts([["a", "b", "a", "a"]])}, ("a", "b", "c"))["j"]
    assert set(found.figures) == {"agreement", "kappa", "balanced_accuracy", "mcc"}
    assert found.table == ((2, 0, 0), (0, 1, 0), (1, 0, 0))


def test_an_empty_slice_says_so_in_every_figure() -> None:
    found = measure([None, None], {"j": Verdicts([[1, 0]], [[0.5, 0.4]], probable=True)}, (0, 1))["j"]
    assert (found.n, found.verdicts, found.missing) == (0, 0, 0)
    assert all(figure.value is None and figure.why for figure in found.figures.values())
    assert measure([], {"j": Verdicts([[]])}, (0, 1))["j"].figures["kappa"].value is None


def test_every_two_judges_are_compared_on_the_rows_that_both_have_judged() -> None:
    judges = {"good": Verdicts([GOOD]), "poor": Verdicts([POOR]), "same": Verdicts([GOOD])}
    found = {(one.first, one.second): one for one in compare(PEOPLE, judges, (0, 1))}
    assert list(found) == [("good", "poor"), ("good", "same"), ("poor", "same")]
    one = found["good", "poor"]
    assert (one.n, one.mcnemar.only_first, one.mcnemar.only_second, one.mcnemar.p) == (8, 3, 0, 0.25)
    assert one.agreement.figure.value == pytest.approx(3 / 8)  # 7 of 8 against 4 of 8
    same = found["good", "same"]
    assert (same.kappa.figure.value, same.kappa.p, same.mcnemar.p) == (0.0, 1.0, 1.0)
    assert same.mcnemar.says == "no difference: 0 of 9 rows changed"
    assert [pair.holm for pair in found.values()] == holm([pair.mcnemar.p for pair in found.values()])


def test_a_difference_is_that_of_paired_difference() -> None:
    people, random = [0, 1] * 50, np.random.default_rng(6)
    one, other = (np.where(random.random(100) < right, people, 1 - np.array(people)).tolist() for right in (0.9, 0.7))
    found = compare(people, {"a": Verdicts([one]), "b": Verdicts([other])}, (0, 1))[0]
    cells = [table_cells(people, [verdicts], (0, 1)) for verdicts in (one, other)]
    assert found.kappa == paired_difference(*cells, on_tables(KAPPA, 2))


def test_mcnemar_takes_the_majority_of_a_judges_runs() -> None:
    steady, wavering = Verdicts([[1, 1, 1]]), Verdicts([[1, 0, 1], [1, 0, 0], [1, 1, None]])
    found = compare([1, 1, 1], {"steady": steady, "wavering": wavering}, (0, 1))[0]
    # the second row is wrong by two of three runs; the third is tied and cannot be paired
    assert (found.n, found.mcnemar.n, found.mcnemar.only_first) == (3, 2, 1)
