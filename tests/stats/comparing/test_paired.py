"""Judge against judge: exact McNemar against scipy, Holm against statsmodels, and paired differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from ringtrue.stats.bootstrap import on_tables, table_cells
from ringtrue.stats.comparing.paired import holm, mcnemar, mcnemar_counts, paired_difference
from ringtrue.stats.confusion import AGREEMENT, KAPPA


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [(1, 6, 0.125), (3, 0, 0.25), (6, 1, 0.125), (2, 2, 1.0), (0, 0, 1.0)],  # 2 P(X <= 1 | 7, 1/2); 2 / 8
)
def test_mcnemars_exact_p(only_first: int, only_second: int, p: float) -> None:
    assert mcnemar_counts(only_first, only_second, 12).p == p


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemars_p_equals_scipys_binomial_test(only_first: int, only_second: int) -> None:
    found = mcnemar_counts(only_first, only_second, 400).p
    n = only_first + only_second
    assert found == pytest.approx(binomtest(only_first, n).pvalue if n else 1.0, rel=1e-9)


def test_two_identical_runs_differ_in_nothing() -> None:
    found = mcnemar([True, False] * 6, [True, False] * 6)
    assert (found.p, found.says) == (1.0, "no difference: 0 of 12 rows changed")


def test_discordant_rows_are_counted() -> None:
    found = mcnemar([True, True, False, True], [True, False, True, False])
    assert (found.only_first, found.only_second, found.n) == (2, 1, 4)
    assert found.says == "2 of 4 rows right in the first only, 1 in the second only"
    with pytest.raises(ValueError, match="shorter"):
        mcnemar([True, True], [True])


def test_mcnemar_of_many_rows() -> None:
    assert mcnemar_counts(2600, 2400, 20_000).p == pytest.approx(binomtest(2600, 5000).pvalue, rel=1e-9)


@settings(max_examples=10)  # statsmodels takes its time
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_equals_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-12)


def test_holm_keeps_the_order_and_passes_over_what_has_no_p() -> None:
    assert holm([0.04, None, 0.01, 0.03]) == pytest.approx([0.06, None, 0.03, 0.06])
    assert holm([]) == []


def judged(random: np.random.Generator, people: list[int], right: float) -> list[int]:
    return [label if random.random() < right else 1 - label for label in people]


def test_a_difference_of_kappas_is_told_on_the_same_rows() -> None:
    random = np.random.default_rng(2)
    people = random.integers(0, 2, 400).tolist()
    good, bad = judged(random, people, 0.9), judged(random, people, 0.75)
    cells = [table_cells(people, [one], (0, 1)) for one in (good, bad)]
    statistic = on_tables(KAPPA, 2)
    found = paired_difference(*cells, statistic)
    expected = float(statistic.of(cells[0].sum((0, 1))) - statistic.of(cells[1].sum((0, 1))))
    assert found.figure.value == pytest.approx(expected)
    assert found.figure.low is not None
    assert found.figure.low > 0
    assert found.p is not None
    assert found.p < 0.01
    other = paired_difference(cells[1], cells[0], statistic)
    assert (other.figure.value, other.p) == (pytest.approx(-expected), pytest.approx(found.p))


def test_equal_judges_differ_by_nothing() -> None:
    people = [0, 1, 1, 0, 1, 0]
    cells = table_cells(people, [[0, 1, 0, 0, 1, 1]], (0, 1))
    found = paired_difference(cells, cells, on_tables(AGREEMENT, 2))
    assert (found.figure.value, found.figure.low, found.p) == (0.0, None, 1.0)
    assert found.figure.why == "no interval: every resample gives the same"


def test_a_difference_that_is_undefined_says_why() -> None:
    cells = table_cells([1, 1, 1], [[1, 1, 1]], (0, 1))
    found = paired_difference(cells, cells, on_tables(KAPPA, 2))
    assert (found.figure.value, found.figure.why, found.p) == (None, "one category only", None)


def test_one_cluster_alone_has_no_interval_of_a_difference() -> None:
    one = table_cells([1, 0, 1], [[1, 0, 1]], (0, 1), ["q"] * 3)
    other = table_cells([1, 0, 1], [[0, 0, 1]], (0, 1), ["q"] * 3)
    found = paired_difference(one, other, on_tables(AGREEMENT, 2))
    assert found.figure.value == pytest.approx(1 / 3)
    assert (found.figure.low, found.figure.why, found.p) == (None, "no interval: there is one cluster only", None)


def test_cells_of_other_clusters_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="2 clusters against 3"):
        paired_difference(np.ones((1, 2, 4)), np.ones((1, 3, 4)), on_tables(AGREEMENT, 2))
