"""Areas and threshold sweeps against scikit-learn and against counting by hand."""

from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from ringtrue.stats.ranking import Cut, _areas_without, _sides, auc, auc_interval, best_cut, sweep

SCORED = st.lists(st.tuples(st.booleans(), st.sampled_from((0.0, 0.2, 0.25, 0.5, 1.0))), min_size=1, max_size=40)


@settings(max_examples=40)
@given(SCORED)
def test_the_area_equals_scikit_learns_with_ties(rows: list[tuple[bool, float]]) -> None:
    truth, scores = zip(*rows, strict=True)
    found = auc(truth, scores)
    if len(set(truth)) == 1:
        assert (found.value, found.why) == (None, "people use one label only on the scored rows")
    else:
        assert found.value == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)


def test_rows_without_a_score_or_a_truth_are_left_out() -> None:
    assert auc([True, False, None, True, False], [0.9, 0.1, 0.0, nan, None]).value == 1.0
    assert auc([], []).value is None


def test_an_area_over_runs_is_their_mean() -> None:
    truth = [True, False, True, False]
    runs = [[0.9, 0.1, 0.8, 0.2], [0.1, 0.9, 0.8, 0.2]]
    expected = np.mean([roc_auc_score(truth, run) for run in runs])
    assert auc_interval(truth, runs, draws=0).value == pytest.approx(expected)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from((0.0, 0.2, 0.5)), st.integers(0, 4)), min_size=8, max_size=40))
def test_an_area_is_resampled_as_if_its_rows_were_copied(rows: list[tuple[bool, float, int]]) -> None:
    """The interval from weights equals one from rows written out as often as their cluster is drawn."""
    truth, scores, clusters = (list(column) for column in zip(*rows, strict=True))
    found = auc_interval(truth, [scores], clusters=clusters, draws=40, seed=3, method="percentile")
    numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    if found.low is None or found.high is None:
        return
    drawn = np.random.Generator(np.random.PCG64([3, 0])).integers(0, len(numbers), size=(40, len(numbers)))
    areas = []
    for one in drawn:
        copies = [row for row in rows for _ in range(int((one == numbers[row[2]]).sum()))]
        labels = [row[0] for row in copies]
        if len(set(labels)) == 2:
            areas.append(auc(labels, [row[1] for row in copies]).value)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(areas, [0.025, 0.975])), abs=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from((0.0, 0.2, 0.5)), st.integers(0, 4)), min_size=8, max_size=40))
def test_the_area_without_a_cluster_is_that_of_the_other_rows(rows: list[tuple[bool, float, int]]) -> None:
    truth, scores, clusters = (list(column) for column in zip(*rows, strict=True))
    areas = _areas_without(_sides(truth, scores, np.array(clusters)), 5)
    for cluster, area in enumerate(areas):
        left = [(label, score) for label, score, number in rows if number != cluster]
        expected = auc([label for label, _ in left], [score for _, score in left]).value
        assert area == pytest.approx(nan if expected is None else expected, nan_ok=True, abs=1e-12)


@settings(max_examples=40)
@given(SCORED)
def test_every_cut_equals_counting_at_that_threshold(rows: list[tuple[bool, float]]) -> None:
    truth, scores = zip(*rows, strict=True)
    cuts = sweep(truth, scores)
    assert [cut.at for cut in cuts] == sorted(set(scores))
    for cut in cuts:
        said = [score >= cut.at for score in scores]
        assert cut.agreement == pytest.approx(np.mean([a == b for a, b in zip(truth, said, strict=True)]))
        one = len({*truth, *said}) == 1
        expected = None if one else pytest.approx(cohen_kappa_score(truth, said, labels=(False, True)), abs=1e-12)
        assert cut.kappa == expected
        hits = [b for a, b in zip(truth, said, strict=True) if a]
        passes = [not b for a, b in zip(truth, said, strict=True) if not a]
        assert cut.tpr == (pytest.approx(np.mean(hits)) if hits else None)
        assert cut.tnr == (pytest.approx(np.mean(passes)) if passes else None)


def test_a_sweep_without_rows_is_empty() -> None:
    assert sweep([None], [0.5]) == ()
    assert best_cut(()) is None


def test_the_best_cut_has_the_greatest_kappa() -> None:
    truth, scores = [False, False, False, True, True, True], [0.1, 0.2, 0.6, 0.5, 0.8, 0.9]
    best = best_cut(sweep(truth, scores))
    assert best is not None
    assert best.at == 0.8  # 0.5 has the same kappa and agreement: the higher one is taken
    assert best.kappa == pytest.approx(2 / 3)


def test_ties_of_kappa_go_by_agreement_and_then_to_the_higher_cut() -> None:
    def cut(at: float, kappa: float | None, agreement: float) -> Cut:
        return Cut(at=at, agreement=agreement, kappa=kappa, tpr=None, tnr=None)

    assert best_cut([cut(0.1, 0.5, 0.7), cut(0.2, 0.5, 0.8), cut(0.3, 0.4, 0.9)]) == cut(0.2, 0.5, 0.8)
    assert best_cut([cut(0.3, 0.5, 0.8), cut(0.2, 0.5, 0.8)]) == cut(0.3, 0.5, 0.8)
    assert best_cut([cut(0.3, None, 0.8)]) is None


def test_rows_must_be_the_same() -> None:
    with pytest.raises(ValueError, match="2 truths and 1 scores"):
        auc([True, False], [0.5])
