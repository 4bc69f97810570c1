"""Counts by value: every value in one bin, edges that read well, nothing where the means say as much."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.report.pages.spread import _counts, _edges, spread_of


def test_values_of_0_and_1_alone_have_no_distribution(make_report: Any) -> None:
    report = make_report({"base": {"factual_knowledge": [0, 1, 1]}})
    assert spread_of(report, "factual_knowledge", (0.0, 1.0)) is None


def test_graded_values_are_counted_by_tenths_with_the_median(make_report: Any) -> None:
    report = make_report({"base": {"f1_over_words": [0, 0.1, 0.3, 1]}, "new": {"f1_over_words": [None] * 4}})
    found = spread_of(report, "f1_over_words", (0.0, 1.0))
    assert found is not None
    assert found.bins[3] == ("0.3", "0.3 to 0.4")
    (base, cells, middle), (new, none, unknown) = found.rows
    assert (base, [n for n, _ in cells], middle) == ("base", ["1", "1", "", "1", "", "", "", "", "", "1"], "0.200")
    assert (new, {n for n, _ in none}, unknown) == ("new", {""}, "–")


@pytest.mark.parametrize(
    "low, high, first, last, bins", [(0, 1, 0, 1, 10), (0, 87, 0, 90, 9), (-3, 4, -3, 4, 7), (0, 0.04, 0, 0.04, 8)]
)
def test_edges_are_round(low: float, high: float, first: float, last: float, bins: int) -> None:
    edges = _edges(low, high)
    assert (edges[0], edges[-1], len(edges) - 1) == (first, last, bins)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_every_value_is_in_one_of_at_most_eleven_bins(values: list[float]) -> None:
    edges = _edges(min(values), max(values))
    assert len(edges) - 1 <= 11  # ten, and one where the first begins below the least value
    assert all(low < high for low, high in pairwise(edges))
    assert sum(int(n.replace(",", "") or 0) for n, _ in _counts(values, edges)) == len(values)
