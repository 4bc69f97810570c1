"""A chart: what is drawn, what it says in words for those who do not see it, and its numbers as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["ACCENT", "ALERT", "BAND", "INK", "LINE", "SOFT", "Chart", "Spec", "Table", "layered", "thinned"]

Spec: TypeAlias = dict[str, Any]  # a Vega-Lite specification, or a part of one

# Colours are the page's own, so that a chart follows its theme, also in print.
INK, SOFT, LINE = "var(--ink)", "var(--soft)", "var(--line)"
ACCENT, BAND, ALERT = "var(--accent)", "var(--band)", "var(--alert)"
_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Numbers as text: the first cell of a row is its heading."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """`spec` is in Vega-Lite, with its data in it and no address. `id` is unique on its page.

    `note` stands below the title: what to look at. `alt` is read instead of the drawing, `table` has the same numbers.
    """

    id: str
    title: str
    alt: str
    table: Table
    note: str = ""
    spec: Mapping[str, Any] = field(repr=False)


def layered(*, height: int, layer: Sequence[Spec]) -> Spec:
    """Layers over one another, `height` pixels high, and as wide as the place that they are drawn in."""
    return {
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        "padding": 4,
        "layer": list(layer),
        "config": {
            "font": _FONT,
            "view": {"stroke": None},
            "axis": {
                "labelColor": SOFT,
                "titleColor": SOFT,
                "domainColor": SOFT,
                "tickColor": LINE,
                "gridColor": LINE,
                "labelFontSize": 12,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "titlePadding": 8,
            },
            "legend": {"labelColor": INK, "labelFontSize": 12, "title": None, "symbolSize": 300},
        },
    }


def thinned(places: int, most: int, keep: Sequence[int] = ()) -> list[int]:
    """At most `most` of so many places, evenly spread with the first and the last, and those to `keep` besides."""
    if places <= most:
        return list(range(places))
    spread = {round(step * (places - 1) / (most - 1)) for step in range(most)}
    return sorted(spread | set(keep))
