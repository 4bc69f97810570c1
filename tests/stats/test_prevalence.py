"""Corrected pass rates: values by hand, what is refused, and how often the interval holds the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.stats.figure import Figure
from ringtrue.stats.intervals import wilson_interval
from ringtrue.stats.prevalence import corrected_rate, design_effect, labels_for_agreement, labels_for_kappa


def test_a_pass_rate_is_corrected_for_the_judges_errors() -> None:
    # 55 % pass; TPR .8 and TNR .7: (.55 + .7 - 1) / .5 = .5
    found = corrected_rate(550, 1000, true_positives=80, positives=100, true_negatives=70, negatives=100)
    assert found.value == pytest.approx(0.5)
    assert found.why is None
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4
    assert found.high > 0.6  # wider than Wilson's ± .031 of the observed rate: the judge's errors are uncertain too


@pytest.mark.parametrize(
    ("rows", "positives", "negatives", "why"),
    [
        (0, 10, 10, "no rows to correct"),
        (10, 0, 10, "no labelled positives, so that the judge's errors are not known"),
        (10, 10, 0, "no labelled negatives, so that the judge's errors are not known"),
    ],
)
def test_without_labels_of_both_kinds_there_is_no_correction(
    rows: int, positives: int, negatives: int, why: str
) -> None:
    found = corrected_rate(
        0, rows, true_positives=positives, positives=positives, true_negatives=negatives, negatives=negatives
    )
    assert (found.value, found.why) == (None, why)


@pytest.mark.parametrize(("tpr", "tnr"), [(50, 50), (55, 55), (30, 40), (0, 0)])
def test_a_judge_near_to_chance_is_refused(tpr: int, tnr: int) -> None:
    found = corrected_rate(50, 100, true_positives=tpr, positives=100, true_negatives=tnr, negatives=100)
    assert found.value is None
    assert found.why is not None
    assert f"TPR {tpr / 100:.2f} + TNR {tnr / 100:.2f} - 1 is not above 0.1" in found.why


def test_a_rate_beyond_0_or_1_is_cut_and_says_so() -> None:
    labels = {"true_positives": 80, "positives": 100, "true_negatives": 70, "negatives": 100}
    low = corrected_rate(200, 1000, **labels)
    assert (low.value, low.low) == (0.0, 0.0)
    assert low.why == "cut at 0: the judge passes less than its errors alone would let through"
    high = corrected_rate(900, 1000, **labels)
    assert (high.value, high.high) == (1.0, 1.0)
    assert high.why == "cut at 1: the judge passes more than its errors allow"


@given(st.integers(1, 300), st.data())
def test_the_interval_holds_the_value_and_stays_within_0_and_1(rows: int, data: st.DataObject) -> None:
    positives, negatives = data.draw(st.integers(1, 50)), data.draw(st.integers(1, 50))
    found = corrected_rate(
        data.draw(st.integers(0, rows)),
        rows,
        true_positives=data.draw(st.integers(0, positives)),
        positives=positives,
        true_negatives=data.draw(st.integers(0, negatives)),
        negatives=negatives,
    )
    if found.value is not None:
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.value <= found.high <= 1


def covered(rate: float, labels: int, rows: int, subset: bool, sims: int = 1000) -> tuple[float, float]:
    """How often the corrected and the naive interval hold `rate`, for a judge of TPR .8 and TNR .7.

    The labelled rows are a random subset of the same data, or half positives from elsewhere.
    """
    random = np.random.default_rng(20261130)
    held = naive = 0
    for _ in range(sims):
        positives = int(random.binomial(labels, rate if subset else 0.5))
        hits, passes = random.binomial(positives, 0.8), random.binomial(labels - positives, 0.7)
        right = int(random.binomial(rows, rate))
        passed = int(random.binomial(right, 0.8) + random.binomial(rows - right, 0.3))
        found = corrected_rate(
            passed,
            rows,
            true_positives=int(hits),
            positives=positives,
            true_negatives=int(passes),
            negatives=labels - positives,
        )
        held += found.low is not None and found.high is not None and found.low <= rate <= found.high
        low, high = wilson_interval(passed, rows)
        naive += low <= rate <= high
    return held / sims, naive / sims


@pytest.mark.parametrize("subset", [True, False])
@pytest.mark.parametrize(("labels", "rows"), [(100, 300), (100, 2000), (400, 300), (400, 2000)])
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8])
def test_the_corrected_interval_holds_the_truth_and_the_naive_one_does_not(
    rate: float, labels: int, rows: int, subset: bool
) -> None:
    held, naive = covered(rate, labels, rows, subset)
    assert held >= 0.93
    assert naive < 0.7  # worst case: at a rate of .6 a judge of these errors would be right by luck


@pytest.mark.parametrize("rate", [0.05, 0.95])
def test_it_holds_near_0_and_1_too(rate: float) -> None:
    assert covered(rate, 400, 1000, subset=True)[0] >= 0.93


@pytest.mark.parametrize("agreement", [0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("within", [0.02, 0.05])
def test_the_labels_needed_give_wilsons_interval_that_width(agreement: float, within: float) -> None:
    n = labels_for_agreement(agreement, within)

    def half(rows: int) -> float:
        low, high = wilson_interval(round(agreement * rows), rows)
        return (high - low) / 2

    assert half(n) == pytest.approx(within, abs=0.002)
    assert half(2 * n) < within


def test_labels_needed_for_an_agreement_of_one_half() -> None:
    assert labels_for_agreement(0.5, 0.05) == 381  # textbook: 1.96² / 4 / .05² = 384.1, less z² by Wilson
    assert labels_for_agreement(0.5, 0.05, design=2) == 761
    assert labels_for_agreement(0.5, 0.6) == 1


def test_a_kappa_needs_more_labels_than_an_agreement() -> None:
    assert labels_for_kappa(0.85, 0.5, 0.1) == labels_for_agreement(0.85, 0.05)
    # The large-sample error of kappa (Fleiss, Cohen and Everitt 1969) at equal margins is sqrt(po (1 - po)) / (1 - pe)
    n = labels_for_kappa(0.85, 0.5, 0.05)
    assert 1.96 * (0.85 * 0.15 / n) ** 0.5 / 0.5 == pytest.approx(0.05, abs=0.001)


def test_clustered_rows_have_a_design_effect() -> None:
    low, high = wilson_interval(80, 100)
    assert design_effect(Figure(0.8, low, high), 100) == pytest.approx(1.0)
    assert design_effect(Figure(0.8, 0.8 - (high - low), 0.8 + (high - low)), 100) == pytest.approx(4.0)
    assert design_effect(Figure(0.8), 100) is None
