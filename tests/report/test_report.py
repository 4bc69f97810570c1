"""Scores summed up: means over scored rows only, repeats as clusters, intervals within what a metric can give."""

from typing import Any

import pytest

from ringtrue.report.report import Report, cell
from ringtrue.types import Score


def scores(*values: float | None, sample: str | None = None) -> list[Score]:
    return [
        Score(
            sample_id=sample or f"s{n}",
            pipeline="base",
            repeat=n if sample else 0,
            metric="m",
            status="skipped" if value is None else "scored",
            signature="m|version:1",
            value=value,
            error="no reference" if value is None else None,
        )
        for n, value in enumerate(values)
    ]


def test_a_mean_is_over_scored_rows_only() -> None:
    found = cell(scores(1.0, 0.0, None, None))
    assert (found.mean, found.scored, found.skipped, found.failed) == (0.5, 2, 2, 0)
    assert found.reasons == {"no reference": 2}


def test_nothing_scored_gives_no_number() -> None:
    found = cell(scores(None))
    assert (found.mean, found.low, found.high) == (None, None, None)


def test_repeats_of_one_sample_are_one_cluster() -> None:
    apart = cell(scores(0.0, 1.0) + scores(1.0, 1.0, sample="x"), (0, 1))
    flat = cell(scores(0.0, 1.0, 1.0), (0, 1))
    assert apart.mean == pytest.approx(2 / 3)  # of the samples' means 0, 1, 1, however often each was answered
    assert (apart.low, apart.high) == (flat.low, flat.high)  # three clusters: 0, 1, 1
    alone = cell(scores(0.2, 0.4, 0.9, sample="x"))
    assert alone.mean == pytest.approx(0.5)
    assert alone.low is None


def test_an_interval_stays_within_the_range_of_its_metric() -> None:
    wide = cell(scores(2.0, 4.0, 900.0))
    assert wide.low is not None
    assert wide.low < 0 < 900 < (wide.high or 0)
    held = cell(scores(2.0, 4.0, 900.0), (0, None))
    assert (held.low, held.high) == (0, wide.high)
    assert cell(scores(-9.0, 1.0), (None, 2)).high == 2


def test_seconds_below_one_are_no_shares() -> None:
    # Student's t with one degree of freedom: 0.75 ± 12.7062 × 0.25 (scipy 1.17, t.interval); no end at 1, no Wilson.
    found = cell(scores(0.5, 1.0), (0, None))
    assert (found.low, found.high) == (0, pytest.approx(0.75 + 12.70620474 * 0.25))
    assert cell(scores(1.0, 1.0), (0, None)).low is None


def test_labels_are_counted_and_have_no_mean(hostile: Report) -> None:
    tone = hostile.summary["plain"]["tone"]
    assert tone.mean is None
    assert tone.labels == {"civil": 3, "<i>curt</i>": 1}
    assert tone.scored == 4


def test_rows_and_scores_stand_in_the_order_of_the_dataset_and_the_run(hostile: Report) -> None:
    assert [row.sample.id for row in hostile.rows] == ["h1<b>", "h2", "h3", "h4"]
    assert [name for name, _ in hostile.rows[0].responses] == list(hostile.pipelines)
    assert [score.metric for score in hostile.scores()][:4] == list(hostile.metrics)
    assert len(list(hostile.scores())) == 32


def test_the_metrics_that_ask_models_are_known(judged: Report, make_report: Any) -> None:
    assert judged.judges == ("faithfulness", "coherence")
    assert make_report({"a": {"f1_over_words": [1, None], "tone": [("failed", "boom")]}}).judges == ()
    own = {"value": 1.0, "source": "code", "usage": {"calls": 1}}  # a judge that is a Python function
    assert make_report({"a": {"f1_over_words": [None]}, "b": {"f1_over_words": [None, own]}}).judges == (
        "f1_over_words",
    )
