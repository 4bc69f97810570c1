"""Charts: the drawing, the words and the table have the same numbers."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.report.charts.chart import thinned
from ringtrue.report.charts.curves import calibration_chart, sweep_chart
from ringtrue.report.charts.intervals import Interval, interval_chart
from ringtrue.stats.figure import Figure
from ringtrue.stats.probability import Bin
from ringtrue.stats.ranking import Cut

ROWS = [
    Interval(name="large", value=0.66, low=0.6, high=0.71),
    Interval(name="words", value=-0.04, low=-0.12, high=0.05, aside=True),
    Interval(name="bare", value=0.5),
]
BINS = [
    Bin(low=0.0, high=0.2, n=10, mean=0.1, share=Figure(0.2, 0.06, 0.51)),
    Bin(low=0.2, high=1.0, n=12, mean=0.8, share=Figure(0.75, 0.47, 0.91)),
]
CURVE = [Cut(at=n / 500, agreement=0.5, kappa=n / 1000, tpr=1 - n / 500, tnr=n / 500) for n in range(1, 501)]


def layers(spec: Any, mark: str) -> Iterator[dict[str, Any]]:
    return (layer for layer in spec["layer"] if layer["mark"]["type"] == mark)


def test_intervals_have_the_same_numbers_in_the_drawing_the_words_and_the_table() -> None:
    rule = Interval(name="one rater", value=0.75, low=0.67, high=0.82)
    chart = interval_chart("c", "Kappa", ROWS, rule=rule)
    (points,) = layers(chart.spec, "point")
    assert [one["value"] for one in points["data"]["values"]] == [0.66, -0.04, 0.5]
    assert chart.table.rows[0] == ("large", "0.660", "[0.60, 0.71]")
    assert chart.table.rows[2:] == [("bare", "0.500", ""), ("one rater", "0.750", "[0.67, 0.82]")]
    assert "large 0.660 [0.60, 0.71]; words -0.040 [-0.12, 0.05]; bare 0.500; the line is one rater: 0.750" in chart.alt
    assert points["encoding"]["x"]["scale"]["domain"] == [-0.2, 1.0]
    assert points["encoding"]["x"]["axis"]["values"] == [-0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert len(list(layers(chart.spec, "rect"))) == 1


def test_without_a_line_to_hold_them_against_there_is_none() -> None:
    chart = interval_chart("c", "Kappa", ROWS)
    assert not list(layers(chart.spec, "rect"))
    assert "the line is" not in chart.alt


def test_calibration_draws_every_bin_against_the_diagonal() -> None:
    chart = calibration_chart("c", BINS, positive="yes")
    diagonal, drawn = (layer["data"]["values"] for layer in layers(chart.spec, "line"))
    assert diagonal == [{"mean": 0, "share": 0}, {"mean": 1, "share": 1}]
    assert [(one["mean"], one["share"], one["n"]) for one in drawn] == [(0.1, 0.2, 10), (0.8, 0.75, 12)]
    assert chart.table.rows[1] == ("0.200 to 1.000", "12", "0.800", "0.750 [0.47, 0.91]")
    assert "where it says 0.100 people say yes in 0.200 [0.06, 0.51] of 10" in chart.alt


def test_a_sweep_of_many_cuts_is_thinned_and_keeps_the_chosen_one() -> None:
    chart = sweep_chart("c", CURVE, rows="40 dev rows", cut=0.444)
    (line,) = layers(chart.spec, "line")
    drawn = [one["at"] for one in line["data"]["values"] if one["figure"] == "kappa"]
    assert len(drawn) == len(chart.table.rows) == 101
    assert 0.444 in drawn and drawn[0] == 0.002 and drawn[-1] == 1.0
    assert "over 40 dev rows. The line marks the chosen cut, 0.444. 101 of 500 cuts are drawn." in chart.note
    assert chart.alt.endswith("Kappa is greatest at 1.000: 0.500. The chosen cut is 0.444.")
    assert [layer["data"]["values"] for layer in layers(chart.spec, "rule")] == [[{"at": 0.444}]]
    assert line["mark"]["interpolate"] == "step-before"


def test_where_less_is_better_a_row_is_positive_up_to_the_cut() -> None:
    chart = sweep_chart("c", list(reversed(CURVE)), rows="all rows", cut=None, falling=True)
    (line,) = layers(chart.spec, "line")
    assert line["mark"]["interpolate"] == "step-after"
    assert chart.table.rows[0][0] == "0.002"
    assert not list(layers(chart.spec, "rule"))


def test_what_is_undefined_at_a_cut_is_left_out_and_not_drawn_as_zero() -> None:
    curve = [Cut(at=0.1, agreement=1.0, kappa=None, tpr=1.0, tnr=None), CURVE[100]]
    chart = sweep_chart("c", curve, rows="all rows", cut=None)
    (line,) = layers(chart.spec, "line")
    assert [one["figure"] for one in line["data"]["values"] if one["at"] == 0.1] == ["TPR"]
    assert chart.table.rows[0] == ("0.100", "–", "1.000", "–", "1.000")


@pytest.mark.parametrize(
    "chart",
    [
        interval_chart("c", "Kappa", ROWS, rule=ROWS[0]),
        calibration_chart("c", BINS, positive="yes"),
        sweep_chart("c", CURVE, rows="rows", cut=0.5),
    ],
    ids=lambda chart: chart.title,
)
def test_a_specification_is_json_without_an_address_and_with_the_pages_own_colours(chart: Any) -> None:
    text = json.dumps(chart.spec, allow_nan=False)
    assert "http" not in text and "url" not in text
    assert "#" not in text and "var(--accent)" in text
    assert chart.spec["width"] == "container"


@given(st.integers(0, 2000), st.integers(2, 50), st.data())
def test_thinning_keeps_the_ends_and_no_more_than_asked(places: int, most: int, data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.integers(0, places - 1), max_size=2)) if places else []
    found = thinned(places, most, keep)
    assert found == sorted(set(found))
    assert len(found) <= max(most, min(places, most + len(keep)))
    assert set(keep) <= set(found)
    if places:
        assert (found[0], found[-1]) == (0, places - 1)
