"""The tests of paired differences: against scipy, against each other, and the false alarms that Holm lets through."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test, wilcoxon

from ringtrue.stats.comparing.paired import holm, mcnemar_counts
from ringtrue.stats.comparing.signflip import sign_flip
from ringtrue.stats.comparing.wilcoxon import signed_rank

DIFFERENCES = st.lists(st.integers(-9, 9).map(lambda n: n / 8), min_size=1, max_size=9)


@given(DIFFERENCES)
def test_the_exact_sign_flip_counts_all_signs(values: list[float]) -> None:
    totals = [abs(sum(sign * value for sign, value in zip(signs, values, strict=True)))
              for signs in product((-1, 1), repeat=len(values))]  # fmt: skip
    expected = sum(total >= abs(sum(values)) - 1e-12 for total in totals) / len(totals)
    assert sign_flip(np.array(values)[:, None]) == [pytest.approx(expected)]


def test_the_drawn_sign_flip_is_scipys() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, 40)
    expected = permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(2)
    ).pvalue
    (found,) = sign_flip(values[:, None], draws=20_000)
    assert found == pytest.approx(expected, abs=0.008)  # two p of 20,000 draws differ by .003


def test_for_verdicts_the_sign_flip_is_mcnemars_exact_test() -> None:
    values = np.array([1.0] * 8 + [-1.0] * 3 + [0.0] * 20)[:, None]
    assert sign_flip(values) == [pytest.approx(binomtest(3, 11).pvalue)]
    assert mcnemar_counts(8, 3, 31).p == pytest.approx(binomtest(3, 11).pvalue)


def test_columns_together_are_what_they_are_alone_and_the_seed_counts() -> None:
    columns = np.random.default_rng(3).normal(0.2, 1, (30, 4))
    together = sign_flip(columns, draws=999)
    assert together == [sign_flip(columns[:, [at]], draws=999)[0] for at in range(4)]
    assert together != sign_flip(columns, draws=999, seed=1)


def test_no_difference_at_all_has_p_one_and_the_least_p_is_not_zero() -> None:
    assert sign_flip(np.zeros((5, 2))) == [1.0, 1.0]
    assert sign_flip(np.ones((40, 1)), draws=999) == [1 / 1000]


@settings(max_examples=60)
@given(st.lists(st.floats(-5, 5).filter(lambda x: abs(x) > 1e-6), min_size=1, max_size=50, unique_by=abs))
def test_the_exact_signed_rank_is_scipys(values: list[float]) -> None:
    found, expected = signed_rank(values), wilcoxon(np.round(values, 12), method="exact")
    if found.exact:  # rounding may make ties
        assert min(found.plus, found.minus) == expected.statistic
        assert found.p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("n", [12, 60, 400])
def test_the_signed_rank_with_ties_and_of_many_is_scipys(n: int) -> None:
    values = np.round(np.random.default_rng(n).normal(0.1, 1, n), 1)
    found = signed_rank(values.tolist())
    expected = wilcoxon(values, method="approx", zero_method="wilcox", correction=False)
    assert (found.exact, found.p) == (False, pytest.approx(expected.pvalue))
    assert min(found.plus, found.minus) == expected.statistic


def test_the_signed_rank_leaves_out_what_does_not_differ() -> None:
    found = signed_rank([0.0, 0.0, 1.0, 2.0, -3.0])
    assert (found.n, found.plus, found.minus, found.rank_biserial) == (3, 3.0, 3.0, 0.0)
    nothing = signed_rank([0.0, 0.0])
    assert (nothing.n, nothing.p, nothing.rank_biserial) == (0, 1.0, None)
    assert signed_rank([1.0, 2.0, 3.0]).rank_biserial == 1.0


def false_alarms(sims: int, questions: int, pipelines: int = 4, metrics: int = 3) -> float:
    """How often any of all pairs × metrics is called different where none is; half of the metrics are verdicts."""
    random, alarms = np.random.default_rng(20261201), 0
    pairs = [(a, b) for a in range(pipelines) for b in range(a)]
    for seed in range(sims):
        ability = random.normal(size=(questions, 1))  # questions are easy or hard for all alike
        values = [ability + random.normal(size=(questions, pipelines)) for _ in range(metrics)]
        ps: list[float | None] = []
        for place, scores in enumerate(values):
            given = (scores > 0).astype(float) if place % 2 else scores
            columns = np.stack([given[:, a] - given[:, b] for a, b in pairs], -1)
            if place % 2:
                ps += [mcnemar_counts(int((one > 0).sum()), int((one < 0).sum()), questions).p for one in columns.T]
            else:
                ps += sign_flip(columns, draws=999, seed=seed)
        alarms += min(p for p in holm(ps) if p is not None) < 0.05
    return alarms / sims


def test_where_nothing_differs_holm_seldom_raises_the_alarm() -> None:
    found = false_alarms(300, questions=30)
    assert 0 < found <= 0.05 + 2 * 0.0126  # 5 %, and two standard errors of 300 simulations


def test_without_holm_the_alarm_is_raised_too_often() -> None:
    """The test above can fail: without a correction it does."""
    random = np.random.default_rng(7)
    alarms = [min(sign_flip(random.normal(size=(30, 12)), draws=199)) < 0.05 for _ in range(100)]
    assert sum(alarms) > 25


@pytest.mark.slow
@pytest.mark.parametrize("questions", [10, 50, 200])
def test_false_alarms_are_five_percent_at_most(questions: int) -> None:
    assert false_alarms(3000, questions=questions, pipelines=5, metrics=4) <= 0.05 + 0.004  # one standard error
