"""The comparison in a real browser: charts are drawn, hostile texts stay texts, nothing is asked of anybody."""

import random
from pathlib import Path
from typing import Any

from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Settings
from ringtrue.report.comparing.gates import parse_gate
from ringtrue.report.comparing.page.html import render_comparison
from ringtrue.types import Response, Sample
from tests.report.browsing import HOSTILE, needs_browser, stays_text


@needs_browser
def test_every_chart_is_drawn_and_hostile_texts_stay_texts(make_source: Any, tmp_path: Path) -> None:
    rng = random.Random(1)
    samples = [Sample(id=f"{HOSTILE}{n}", question=f"{HOSTILE}{n}", metadata={"lang": HOSTILE}) for n in range(24)]

    def values(lift: float) -> dict[str, list[Any]]:
        right = [float(rng.random() < 0.2 + lift) for _ in range(23)]
        return {"right": [*right, ("failed", HOSTILE)], "seconds": [rng.random() - lift for _ in range(24)]}

    source = make_source(
        {"base": values(0), HOSTILE: values(0.7), "new": values(0.1)},
        samples=samples,
        response=lambda name, n: Response(answer=HOSTILE, latency_s=n / 10, cost=0.001),
    )
    settings = Settings(slices=("lang",), margins={"": 0.1}, draws=100)
    found = build_comparison([source], gates=[parse_gate("new: right drops by > 0.3")], settings=settings)
    page = render_comparison(found)
    assert page.count('class="drawing"') == 2
    stays_text(page, tmp_path)
