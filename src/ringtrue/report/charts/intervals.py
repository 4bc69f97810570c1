"""Values with their intervals, one below the other, and a line that they are measured against."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from ringtrue.report.charts.chart import ACCENT, BAND, INK, SOFT, Chart, Spec, Table, layered
from ringtrue.report.plain import interval_text, number, one_line

__all__ = ["Interval", "interval_chart"]

_NAME = 60
_ROW = 34  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value with its interval, where it has one. `aside` are drawn lighter: what others are compared with."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    aside: bool = False


def interval_chart(
    id: str, figure: str, rows: Sequence[Interval], *, rule: Interval | None = None, note: str = "", most: float = 1.0
) -> Chart:
    """A chart of one `figure`, in the order of `rows`, up to `most`; `rule` is a line across, with its own interval."""
    axis = _axis([*rows, *([rule] if rule else [])], most)
    table = Table(
        head=("judge", figure, "95 % interval"),
        rows=[(one.name, number(one.value), _bracket(one)) for one in (*rows, *([rule] if rule else []))],
    )
    return Chart(
        id=id,
        title=figure,
        note=note,
        alt=_alt(figure, rows, rule),
        table=table,
        spec=layered(
            height=_ROW * max(len(rows), 2), layer=[*(_rule(rule) if rule else ()), *_rows(rows, figure, axis)]
        ),
    )


def _rows(rows: Sequence[Interval], figure: str, axis: tuple[float, float]) -> list[Spec]:
    data = {
        "values": [
            {
                "name": one_line(one.name, _NAME),
                "value": one.value,
                "low": one.value if one.low is None else one.low,
                "high": one.value if one.high is None else one.high,
                "aside": one.aside,
                "told": f"{number(one.value)} {_bracket(one)}".strip(),
            }
            for one in rows
        ]
    }
    names = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelColor": INK, "labelLimit": 150, "ticks": False, "domain": False},
    }
    across = {
        "type": "quantitative",
        "title": None,
        "scale": {"domain": list(axis), "zero": False, "nice": False},
        "axis": {"values": _ticks(axis), "format": ".1f", "grid": True},
    }
    said = [{"field": "name", "title": "judge"}, {"field": "told", "title": figure}]
    place = {"y": names, "tooltip": said}
    return [
        {
            "data": data,
            "mark": {"type": "rule", "strokeWidth": 10, "strokeCap": "round", "color": BAND},
            "encoding": {**place, "x": {**across, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "data": data,
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
            "encoding": {
                **place,
                "x": {**across, "field": "value"},
                "color": {"condition": {"test": "datum.aside", "value": SOFT}, "value": ACCENT},
            },
        },
    ]


def _rule(rule: Interval) -> list[Spec]:
    data = {"values": [{"value": rule.value, "low": rule.low, "high": rule.high}]}
    line: Spec = {
        "data": data,
        "mark": {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5, "color": INK},
        "encoding": {"x": {"field": "value", "type": "quantitative"}},
    }
    if rule.low is None or rule.high is None:
        return [line]
    band: Spec = {
        "data": data,
        "mark": {"type": "rect", "color": SOFT, "opacity": 0.15},
        "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
    }
    return [band, line]


def _axis(rows: Sequence[Interval], most: float) -> tuple[float, float]:
    """From the tenth below the least to `most`: position is read here, not length, so that zero need not be on it."""
    values = [value for one in rows for value in (one.low, one.value, one.high) if value is not None]
    return floor(10 * min(values) - 0.2) / 10, max(most, ceil(10 * max(values)) / 10)


def _ticks(axis: tuple[float, float]) -> list[float]:
    """Every tenth, or every fifth where there are many."""
    low, high = (round(10 * end) for end in axis)
    step = 1 if high - low <= 6 else 2
    return [place / 10 for place in range(low, high + 1) if place % step == 0]


def _bracket(one: Interval) -> str:
    return "" if one.low is None or one.high is None else interval_text(one.low, one.high)


def _alt(figure: str, rows: Sequence[Interval], rule: Interval | None) -> str:
    told = [f"{one_line(one.name, _NAME)} {number(one.value)} {_bracket(one)}".strip() for one in rows]
    against = f"; the line is {rule.name}: {number(rule.value)} {_bracket(rule)}".rstrip() if rule else ""
    return f"{figure}, with 95 % intervals: {'; '.join(told)}{against}."
