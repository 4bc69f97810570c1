"""What the comparison page says to somebody who has to decide, and that charts have their numbers beside them."""

import re
from pathlib import Path
from typing import Any

import pytest

from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Comparison, Settings
from ringtrue.report.comparing.page.decision import decision, standings
from ringtrue.report.comparing.page.html import render_comparison
from ringtrue.report.comparing.page.views import difference_charts, pair_views
from ringtrue.report.comparing.printing.write import write_comparison
from ringtrue.types import Response

CUT = Settings(draws=100)


def compared(make_source: Any, scores: dict[str, Any], **more: Any) -> Comparison:
    costs = {"base": 0.002, "new": 0.004}

    def response(name: str, n: int) -> Response:
        return Response(answer="x", latency_s=1.5 if name == "base" else 3.0, cost=costs.get(name))

    return build_comparison([make_source(scores, response=response)], settings=CUT, **more)


def test_the_decision_names_the_better_pipeline_how_sure_it_is_and_what_it_costs(make_source: Any) -> None:
    found = compared(make_source, {"base": {"right": [0.0] * 20}, "new": {"right": [1.0] * 15 + [0.0] * 5}})
    said = decision(found)
    # 15 questions differ, all in favour of new: exact McNemar p = 2 * 0.5 ** 15 = 0.00006
    assert said[0] == "By right, new is better than base (p < 0.001 after correction)."
    assert said[-2:] == [
        "An answer of new costs $0.004, of base $0.002.",
        "It takes 3.000 s (median), base 1.500 s.",
    ]


def test_without_a_shown_difference_nobody_is_better_and_the_page_says_what_so_few_can_show(make_source: Any) -> None:
    found = compared(make_source, {"base": {"right": [0.0, 1.0] * 4}, "new": {"right": [1.0] + [0.0, 1.0] * 3 + [1.0]}})
    said = " ".join(decision(found))
    assert said.startswith("By right, no pipeline is shown to be better. new has the best mean, but chance alone")
    assert "8 questions can only show a difference of" in said


def test_what_other_metrics_show_is_told_beside_the_first(make_source: Any) -> None:
    found = compared(
        make_source,
        {
            "base": {"right": [0.0] * 20, "f1": [0.1 + n / 100 for n in range(20)]},
            "new": {"right": [1.0] + [0.0] * 19, "f1": [0.6 + n / 90 for n in range(20)]},
        },
    )
    assert "By other metrics it is better than base by f1." in decision(found)


def test_lower_is_better_puts_the_lowest_mean_first(make_source: Any) -> None:
    found = compared(make_source, {"base": {"seconds": [3.0, 4, 5]}, "new": {"seconds": [1.0, 2, 3]}})
    assert [(one.name, one.best) for one in standings(found)] == [("new", True), ("base", False)]


def test_pairs_that_have_no_common_order_get_no_winner(make_source: Any) -> None:
    before = make_source({"p": {"right": [0.0] * 9}, "q": {"right": [0.0] * 9}}, id="20261201-120000-aaaa")
    after = make_source({"p": {"right": [1.0] * 9}, "q": {"right": [1.0] * 9}}, id="20261201-130000-bbbb")
    found = build_comparison([before, after], settings=CUT)
    assert len(found.pairs) == 2  # p with p, q with q
    assert decision(found) == []


@pytest.mark.parametrize(
    "pipelines, charts", [(("base", "new"), ["new − base", "seconds"]), ("abc", ["right", "f1", "seconds"])]
)
def test_two_pipelines_share_a_chart_of_metrics_and_more_get_one_a_metric(
    make_source: Any, pipelines: Any, charts: list[str]
) -> None:
    values = {"right": [0.0, 1.0, 1.0], "f1": [0.1, 0.5, 0.4], "seconds": [1.0, 2.0, 4.0]}
    source = make_source(dict.fromkeys(pipelines, values))
    found = build_comparison([source], settings=CUT, baseline="base" if "base" in pipelines else None)
    made = difference_charts(found, iter("1234"))
    assert [one.title for one in made] == charts
    for one in made:
        assert len(one.table.rows) == len(one.spec["layer"][1]["data"]["values"])
        assert all(str(row[0]) in one.alt for row in one.table.rows)


def test_every_pair_has_a_row_a_metric(make_source: Any) -> None:
    found = compared(make_source, {name: {"right": [0.0, 1.0, 1.0], "f1": [0.1, 0.5, 0.4]} for name in "abc"})
    assert [(one.title, [row[0] for row in one.table.rows]) for one in pair_views(found)] == [
        (title, ["right", "f1"]) for title in ("a against b", "a against c", "b against c")
    ]


def test_a_file_that_ends_in_html_is_the_page(make_source: Any, tmp_path: Path) -> None:
    found = compared(make_source, {"base": {"right": [0.0]}, "new": {"right": [1.0]}})
    write_comparison(found, tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text("utf-8")
    assert page == render_comparison(found)
    assert not re.search(r"(?:src|href)=\"(?!#|data:,)", re.sub(r"<script.*?</script>", "", page, flags=re.S))
