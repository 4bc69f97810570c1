"""Curves of a judge that gives scores: how far its probabilities are true, and what it is worth at each cut."""

from collections.abc import Mapping, Sequence

from ringtrue.report.charts.chart import ACCENT, ALERT, BAND, INK, SOFT, Chart, Spec, Table, layered, thinned
from ringtrue.report.plain import interval_text, number
from ringtrue.stats.probability import Bin
from ringtrue.stats.ranking import Cut

__all__ = ["calibration_chart", "sweep_chart"]

_MOST_CUTS = 100
_SERIES = {"kappa": (INK, (1, 0)), "TPR": (ACCENT, (7, 3)), "TNR": (ALERT, (2, 3))}  # colour, dashes


def calibration_chart(id: str, bins: Sequence[Bin], *, positive: str) -> Chart:
    """The share of rows that people call `positive` against the probability that the judge gave, by `bins`."""
    rows = [(f"{number(one.low)} to {number(one.high)}", f"{one.n:,}", number(one.mean), _share(one)) for one in bins]
    told = [f"where it says {number(one.mean)} people say {positive} in {_share(one)} of {one.n:,}" for one in bins]
    return Chart(
        id=id,
        title="Calibration",
        note=f"Where the judge says 0.7, people should say {positive} in 7 of 10 rows: dots on the dashed line. Below "
        "it, the judge is too sure.",
        alt=f"Calibration: {'; '.join(told)}.",
        table=Table(head=("probability", "rows", "mean probability", f"share of {positive}"), rows=rows),
        spec=layered(height=260, layer=_calibration(bins, positive)),
    )


def _calibration(bins: Sequence[Bin], positive: str) -> list[Spec]:
    values = [
        {
            "mean": one.mean,
            "share": one.share.value,
            "low": one.share.low,
            "high": one.share.high,
            "n": one.n,
            "told": _share(one),
            "said": number(one.mean),
        }
        for one in bins
    ]
    said = [
        {"field": "said", "title": "mean probability"},
        {"field": "told", "title": "share"},
        {"field": "n", "title": "rows"},
    ]
    data = {"values": values}
    x = {**_unit("Probability that the judge gives"), "field": "mean"}
    y = _unit(f"Share that people call {positive}")
    return [
        {
            "data": {"values": [{"mean": 0, "share": 0}, {"mean": 1, "share": 1}]},
            "mark": {"type": "line", "color": SOFT, "strokeDash": [5, 4], "strokeWidth": 1.5},
            "encoding": {"x": x, "y": {**y, "field": "share"}},
        },
        {
            "data": data,
            "mark": {"type": "rule", "color": BAND, "strokeWidth": 6, "strokeCap": "round"},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "tooltip": said},
        },
        {
            "data": data,
            "mark": {"type": "line", "color": ACCENT, "strokeWidth": 1.5},
            "encoding": {"x": x, "y": {**y, "field": "share"}},
        },
        {
            "data": data,
            "mark": {"type": "point", "filled": True, "color": ACCENT, "size": 70, "opacity": 1},
            "encoding": {"x": x, "y": {**y, "field": "share"}, "tooltip": said},
        },
    ]


def sweep_chart(id: str, curve: Sequence[Cut], *, rows: str, cut: float | None, falling: bool = False) -> Chart:
    """Kappa, TPR and TNR at each cut over `rows` (``dev rows``), the chosen `cut` marked.

    From a cut on, a row is positive; up to it where lower scores speak for the positive label (`falling`).
    """
    ordered = sorted(curve, key=lambda one: one.at)
    chosen = [place for place, one in enumerate(ordered) if one.at == cut]
    shown = [ordered[place] for place in thinned(len(ordered), _MOST_CUTS, chosen)]
    series = {
        "kappa": [(one.at, one.kappa) for one in shown],
        "TPR": [(one.at, one.tpr) for one in shown],
        "TNR": [(one.at, one.tnr) for one in shown],
    }
    some = f" {len(shown):,} of {len(ordered):,} cuts are drawn." if len(shown) < len(ordered) else ""
    marked = "" if cut is None else f" The line marks the chosen cut, {number(cut)}."
    return Chart(
        id=id,
        title="Every cut",
        note=f"What the judge would be worth with another cut, over {rows}.{marked}{some}",
        alt=_sweep_alt(ordered, rows, cut),
        table=Table(
            head=("cut", *series, "agreement"),
            rows=[tuple(map(_known, (one.at, one.kappa, one.tpr, one.tnr, one.agreement))) for one in shown],
        ),
        spec=layered(height=260, layer=_sweep(series, cut, "step-after" if falling else "step-before")),
    )


def _sweep(
    series: Mapping[str, Sequence[tuple[float, float | None]]], cut: float | None, interpolate: str
) -> list[Spec]:
    values = [
        {"at": at, "value": value, "figure": name, "told": _known(value), "cut": number(at)}
        for name, points in series.items()
        for at, value in points
        if value is not None
    ]
    least = min([0.0, *(one["value"] for one in values if isinstance(one["value"], float))])
    x = {
        "field": "at",
        "type": "quantitative",
        "title": "Cut",
        "scale": {"zero": False, "nice": False},
        "axis": {"grid": False, "tickCount": 6},
    }
    names = list(series)
    lines: Spec = {
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": interpolate, "strokeWidth": 2},
        "encoding": {
            "x": x,
            "y": {**_unit(None), "field": "value", "scale": {"domain": [least, 1], "nice": True}},
            "color": {
                "field": "figure",
                "type": "nominal",
                "scale": {"domain": names, "range": [_SERIES[name][0] for name in names]},
                "legend": {"orient": "top"},
            },
            "strokeDash": {
                "field": "figure",
                "type": "nominal",
                "scale": {"domain": names, "range": [list(_SERIES[name][1]) for name in names]},
            },
        },
    }
    hover: Spec = {
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0},
        "encoding": {
            "x": x,
            "y": {"field": "value", "type": "quantitative"},
            "tooltip": [{"field": "cut"}, {"field": "told", "title": "value"}, {"field": "figure"}],
        },
    }
    if cut is None:
        return [lines, hover]
    mark: Spec = {
        "data": {"values": [{"at": cut}]},
        "mark": {"type": "rule", "color": SOFT, "strokeDash": [5, 4], "strokeWidth": 1.5},
        "encoding": {"x": x},
    }
    return [mark, lines, hover]


def _sweep_alt(ordered: Sequence[Cut], rows: str, cut: float | None) -> str:
    told = f"Kappa, TPR and TNR over {rows} at {len(ordered):,} cuts from {number(ordered[0].at)} "
    told += f"to {number(ordered[-1].at)}."
    able = [one for one in ordered if one.kappa is not None]
    if able:
        best = max(able, key=lambda one: one.kappa or 0.0)
        told += f" Kappa is greatest at {number(best.at)}: {_known(best.kappa)}."
    return told + ("" if cut is None else f" The chosen cut is {number(cut)}.")


def _unit(title: str | None) -> Spec:
    return {
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {"tickCount": 5, "grid": True},
    }


def _share(one: Bin) -> str:
    share = one.share
    if share.value is None:
        return "–"
    bracket = "" if share.low is None or share.high is None else f" {interval_text(share.low, share.high)}"
    return f"{number(share.value)}{bracket}"


def _known(value: float | None) -> str:
    return "–" if value is None else number(value)
