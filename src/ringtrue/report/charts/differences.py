"""Differences with their intervals, one below the other, and the line at 0: no difference."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.charts.chart import ACCENT, BAND, INK, LINE, SOFT, Chart, Spec, Table, layered
from ringtrue.report.plain import interval_text, number, one_line

__all__ = ["Difference", "difference_chart"]

_NAME = 60
_ROW = 30  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference with its interval, where it has one. `shown` says that it is more than chance does."""

    name: str
    value: float
    low: float | None
    high: float | None
    shown: bool


def difference_chart(id: str, title: str, rows: Sequence[Difference], *, what: str, note: str = "") -> Chart:
    """A chart of one figure in the order of `rows`; `what` heads their names."""
    return Chart(
        id=id,
        title=title,
        note=note,
        alt=_alt(title, rows, note),
        table=Table(
            head=(what, "difference", "95 % interval", "more than chance"),
            rows=[
                (
                    one_line(one.name, _NAME),
                    _signed(one.value),
                    _bracket(one) or "–",
                    "yes" if one.shown else "not shown",
                )
                for one in rows
            ],
        ),
        spec=layered(height=_ROW * max(len(rows), 2), layer=_layers(rows, what)),
    )


def _layers(rows: Sequence[Difference], what: str) -> list[Spec]:
    data = {
        "values": [
            {
                "name": one_line(one.name, _NAME),
                "value": one.value,
                "low": one.value if one.low is None else one.low,
                "high": one.value if one.high is None else one.high,
                "shown": one.shown,
                "told": f"{_signed(one.value)} {_bracket(one)}".strip(),
            }
            for one in rows
        ]
    }
    names = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelColor": INK, "labelLimit": 190, "ticks": False, "domain": False},
    }
    across = {
        "type": "quantitative",
        "title": None,
        "scale": {"domain": list(_domain(rows)), "zero": False, "nice": False},
        "axis": {"tickCount": 5, "grid": True},
    }
    place = {
        "y": names,
        "tooltip": [{"field": "name", "title": what}, {"field": "told", "title": "difference"}],
    }
    return [
        {
            "data": {"values": [{"nothing": 0}]},
            "mark": {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5, "color": INK},
            "encoding": {"x": {"field": "nothing", "type": "quantitative"}},
        },
        {
            "data": data,
            "mark": {"type": "rule", "strokeWidth": 9, "strokeCap": "round"},
            "encoding": {
                **place,
                "x": {**across, "field": "low"},
                "x2": {"field": "high"},
                "color": {"condition": {"test": "datum.shown", "value": BAND}, "value": LINE},
            },
        },
        {
            "data": data,
            "mark": {"type": "point", "size": 80, "opacity": 1, "strokeWidth": 2},
            "encoding": {
                **place,
                "x": {**across, "field": "value"},
                "stroke": {"condition": {"test": "datum.shown", "value": ACCENT}, "value": SOFT},
                "fill": {"condition": {"test": "datum.shown", "value": ACCENT}, "value": "var(--card)"},
            },
        },
    ]


def _domain(rows: Sequence[Difference]) -> tuple[float, float]:
    """As far to the left of 0 as to the right, so that sides are seen at a glance, and a little room at the ends."""
    values = [abs(value) for one in rows for value in (one.low, one.value, one.high) if value is not None]
    reach = 1.06 * (max(values, default=0.0) or 1.0)
    return -reach, reach


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}".replace("-", "−")


def _bracket(one: Difference) -> str:
    if one.low is None or one.high is None:
        return ""
    return interval_text(one.low, one.high).replace("-", "−")


def _alt(title: str, rows: Sequence[Difference], note: str) -> str:
    told = [
        f"{one_line(one.name, _NAME)} {_signed(one.value)} {_bracket(one)}".strip()
        + ("" if one.shown else " (not shown to be more than chance)")
        for one in rows
    ]
    return f"{title}, differences with 95 % intervals: {'; '.join(told)}. {note}".strip()
