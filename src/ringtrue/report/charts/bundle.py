"""The scripts that draw charts, to be inlined into a page: about 0.9 MB, and only where there is a chart to draw."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ringtrue.report.charts.chart import Chart
from ringtrue.report.pages.page import island

__all__ = ["BUILDS", "charts_data", "drawing_scripts"]

_HERE = Path(__file__).parent
_VENDOR = _HERE / "vendor"
BUILDS = ("vega", "vega-lite", "vega-embed")  # each needs those before it


@cache
def drawing_scripts() -> tuple[str, ...]:
    """The builds, their licences first, and the few lines that draw what `charts_data` holds; in this order."""
    names = [*(f"LICENSE-{name}.txt" for name in BUILDS), "LICENSES-bundled.txt"]
    licences = "\n".join((_VENDOR / name).read_text("utf-8") for name in names)
    first, *others = ((_VENDOR / f"{name}.min.js").read_text("utf-8") for name in BUILDS)
    return (f"/*\n{licences}*/\n{first}", *others, (_HERE / "draw.js").read_text("utf-8"))


def charts_data(charts: Sequence[Chart]) -> str:
    """The specifications by the ids of their places, as JSON for a script element with the id ``charts-data``."""
    return island({chart.id: chart.spec for chart in charts})
