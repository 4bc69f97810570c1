"""Brier score and calibration, against scikit-learn and by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from ringtrue.errors import DataError
from ringtrue.stats.intervals import wilson_interval
from ringtrue.stats.probability import brier, calibration, calibration_error

ROWS = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60)


@given(ROWS)
def test_the_brier_score_equals_scikit_learns(rows: list[tuple[bool, float]]) -> None:
    truth, values = zip(*rows, strict=True)
    expected = brier_score_loss(truth, values, pos_label=True, labels=[False, True])
    assert brier(truth, values).value == pytest.approx(expected, abs=1e-12)


def test_a_brier_score_without_rows_says_why() -> None:
    assert brier([None, True], [0.5, None]).why == "no rows with a label and a probability"


def test_bins_of_equal_width_equal_scikit_learns() -> None:
    random = np.random.default_rng(4)
    values = random.random(500)
    truth = random.random(500) < values
    share, mean = calibration_curve(truth, values, n_bins=10)
    found = calibration(truth.tolist(), values.tolist(), by="width")
    assert [one.share.value for one in found] == pytest.approx(share)
    assert [one.mean for one in found] == pytest.approx(mean)
    assert [(one.low, one.high) for one in found][:2] == [(0.0, 0.1), (0.1, 0.2)]


@given(ROWS, st.integers(1, 12), st.sampled_from(["count", "width"]))
def test_bins_hold_every_row_once_and_in_order(rows: list[tuple[bool, float]], bins: int, by: str) -> None:
    truth, values = zip(*rows, strict=True)
    found = calibration(truth, values, bins=bins, by=by)
    assert sum(one.n for one in found) == len(rows)
    assert len(found) <= bins
    assert sum(one.n * (one.share.value or 0) for one in found) == pytest.approx(sum(truth))
    assert all(one.low - 1e-12 <= one.mean <= one.high + 1e-12 for one in found)
    assert all(first.high <= second.low for first, second in pairwise(found))


def test_bins_of_equal_count_never_part_equal_probabilities() -> None:
    values = [0.1] * 7 + [0.5, 0.6, 0.9]
    found = calibration([True] * 10, values, bins=5)
    assert sum(one.n for one in found) == 10
    assert next(one.n for one in found if one.low == 0.1) == 7
    assert [one.n for one in calibration([True] * 8, [x / 10 for x in range(8)], bins=4)] == [1, 2, 2, 3]


def test_a_bin_has_wilsons_interval() -> None:
    (one,) = calibration([True] * 8 + [False] * 2, [0.7] * 10, by="width", bins=1)
    assert (one.share.value, one.share.low, one.share.high) == (0.8, *wilson_interval(8, 10))


def test_the_calibration_error_is_the_mean_gap_by_rows() -> None:
    found = calibration([True, True, False, False], [0.9, 0.9, 0.9, 0.2], by="width", bins=2)
    assert calibration_error(found).value == pytest.approx((3 * (0.9 - 2 / 3) + 1 * 0.2) / 4)
    assert calibration_error(()).why == "no rows with a label and a probability"


def test_what_is_no_probability_is_named() -> None:
    with pytest.raises(DataError, match=r"row 2 has 1\.5 as a probability"):
        brier([True, True], [0.5, 1.5])
