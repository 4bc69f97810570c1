"""Platt's calibration, against scikit-learn, and what it may never do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from ringtrue.errors import DataError
from ringtrue.stats.platt import Platt, fit_platt

ROWS = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=4, max_size=60)


def by_scikit_learn(truth: list[bool], values: list[float]) -> tuple[float, float]:
    """Each row twice, as positive and as negative, weighed by Platt's target."""
    inside = np.clip(values, 1e-6, 1 - 1e-6)
    odds = np.log(inside / (1 - inside)).reshape(-1, 1)
    positives, negatives = sum(truth), len(truth) - sum(truth)
    targets = np.where(truth, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    both = np.repeat([1, 0], len(truth))
    model.fit(np.vstack([odds, odds]), both, sample_weight=np.concatenate([targets, 1 - targets]))
    return float(model.coef_[0, 0]), float(model.intercept_[0])


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_equals_scikit_learns(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.random(200)
    truth = (random.random(200) < values**2).tolist()
    found = fit_platt(truth, values.tolist())
    assert (found.slope, found.intercept) == pytest.approx(by_scikit_learn(truth, values.tolist()), rel=1e-6)


def test_rows_that_a_threshold_parts_without_an_error_give_finite_numbers() -> None:
    found = fit_platt([False] * 5 + [True] * 5, [0.1] * 5 + [0.2] * 5)
    assert 0 < found.slope < 100
    # Platt's targets, which two groups of equal rows meet exactly: 1/7 and 6/7
    assert found.calibrated(0.1) == pytest.approx(1 / 7)
    assert found.calibrated(0.2) == pytest.approx(6 / 7)


def test_a_judge_that_errs_on_the_low_side_is_raised() -> None:
    found = fit_platt([True, True, False, False] * 10, [0.3, 0.2, 0.02, 0.01] * 10)
    assert found.calibrated(0.3) > 0.8
    assert found.calibrated(0.01) < 0.2


def test_slope_one_and_intercept_nought_change_nothing() -> None:
    assert [Platt(1, 0).calibrated(p) for p in (0.01, 0.5, 0.99)] == pytest.approx([0.01, 0.5, 0.99])


@given(ROWS)
def test_the_fit_is_finite_and_keeps_the_mean(rows: list[tuple[bool, float]]) -> None:
    truth, values = (list(column) for column in zip(*rows, strict=True))
    try:
        found = fit_platt(truth, values)
    except DataError:
        assert len(set(truth)) == 1 or max(values) - min(values) < 1e-5
        return
    positives, negatives = sum(truth), len(truth) - sum(truth)
    targets = positives * (positives + 1) / (positives + 2) + negatives / (negatives + 2)
    assert sum(found.calibrated(p) for p in values) == pytest.approx(targets, rel=1e-5)


@pytest.mark.parametrize(
    ("truth", "values"), [([True, True], [0.1, 0.9]), ([True, False], [0.5, 0.5]), ([True, False], [0.5, 1.5])]
)
def test_what_cannot_be_fitted_is_refused(truth: list[bool], values: list[float]) -> None:
    with pytest.raises(DataError):
        fit_platt(truth, values)
