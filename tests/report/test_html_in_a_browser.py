"""The report of a run in a real browser; and how large it grows."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue.report.html import render_html
from ringtrue.report.report import Report
from ringtrue.types import Passage, Response, Sample
from tests.report.browsing import HOSTILE, needs_browser, stays_text
from tests.report.conftest import METRICS, a_metric


@needs_browser
def test_hostile_texts_stay_texts(make_report: Any, tmp_path: Path) -> None:
    samples = [Sample(id=f"{HOSTILE}{n}", question=HOSTILE, reference=(HOSTILE,)) for n in range(3)]
    given = Response(answer=HOSTILE, contexts=(Passage(id=HOSTILE, text=HOSTILE),), latency_s=0.5)
    names = ("plain", HOSTILE)
    report = make_report(
        {name: {"factual_knowledge": [0, 1, 0], "latency_s": [0.5, 1.5, ("failed", HOSTILE)]} for name in names},
        samples=samples,
        answers={(name, n): given for name in names for n in range(3)},
        max_failed=1,
    )
    stays_text(render_html(report), tmp_path)


@needs_browser
def test_judges_and_what_they_said_stay_texts(judged: Report, tmp_path: Path) -> None:
    stays_text(render_html(judged), tmp_path)


@pytest.mark.slow
def test_two_thousand_rows_of_five_pipelines_and_ten_metrics_are_under_15_mb(make_report: Any) -> None:
    rng = random.Random(1)
    words = [f"word{n}" for n in range(500)]
    rows = 2000

    def text(n: int) -> str:
        return " ".join(rng.choices(words, k=n))

    samples = [Sample(id=f"s{n}", question=text(12), reference=(text(20),)) for n in range(rows)]
    pipelines = [f"pipeline{n}" for n in range(5)]
    fresh = {f"metric_{n}": a_metric(f"metric_{n}").bind() for n in range(10)}
    METRICS.update(fresh)
    report = make_report(
        {name: {label: [rng.random() for _ in range(rows)] for label in fresh} for name in pipelines},
        samples=samples,
        answers={(name, n): Response(answer=text(60), latency_s=0.5) for name in pipelines for n in range(rows)},
    )
    for label in fresh:
        del METRICS[label]
    page = render_html(replace(report))
    assert len(page.encode()) < 15_000_000
