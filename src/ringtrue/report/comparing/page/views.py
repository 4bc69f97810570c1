"""The charts and tables of the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringtrue.report.charts.chart import Chart, Table
from ringtrue.report.charts.differences import Difference, difference_chart
from ringtrue.report.comparing.found import Compared, Comparison
from ringtrue.report.comparing.words import (
    NAME,
    beside_columns,
    detectable_text,
    difference_text,
    p_text,
    pair_title,
    repeated_cells,
    slice_title,
    tally_text,
)
from ringtrue.report.plain import count, number, one_line

__all__ = ["PairView", "beside_table", "difference_charts", "pair_views", "repeats_table", "slice_tables"]

_SHORT = 24  # most characters of a name that heads a column


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """Two sides: a row a metric, and what is told of each metric in words."""

    title: str
    about: str
    table: Table
    said: Sequence[tuple[str, str]]


def difference_charts(found: Comparison, ids: Iterator[str]) -> list[Chart]:
    """A chart a metric with a row a pair. Of two sides alone, the metrics from 0 to 1 share one chart."""
    known = [one for one in found.pairs if one.difference.value is not None]
    if len({(one.a, one.b) for one in known}) > 1:
        metrics = ((info.label, [one for one in known if one.metric == info.label]) for info in found.metrics)
        return [_of_metric(next(ids), label, pairs) for label, pairs in metrics if pairs]
    unit = {info.label for info in found.metrics if tuple(info.range) == (0, 1)}
    shared = [one for one in known if one.metric in unit]
    rest = [one for one in known if one.metric not in unit]
    charts = [_of_pair(next(ids), shared)] if shared else []
    return [*charts, *(_of_metric(next(ids), one.metric, [one]) for one in rest)]


def _of_metric(id: str, label: str, pairs: Sequence[Compared]) -> Chart:
    rows = [_difference(f"{one_line(one.a, _SHORT)} − {one_line(one.b, _SHORT)}", one) for one in pairs]
    note = {
        "higher": "Higher is better: to the right of 0 the first is ahead.",
        "lower": "Lower is better: to the left of 0 the first is ahead.",
        None: "Neither way is better: to the right of 0 the first is higher.",
    }[pairs[0].better]
    return difference_chart(id, label, rows, what="pipelines", note=note)


def _of_pair(id: str, pairs: Sequence[Compared]) -> Chart:
    title = f"{one_line(pairs[0].a, _SHORT)} − {one_line(pairs[0].b, _SHORT)}"
    note = "To the right of 0 the first is higher."
    if lower := [one.metric for one in pairs if one.better == "lower"]:
        note += f" Lower is better: {', '.join(lower)}."
    return difference_chart(id, title, [_difference(one.metric, one) for one in pairs], what="metric", note=note)


def _difference(name: str, one: Compared) -> Difference:
    figure = one.difference
    return Difference(
        name=name,
        value=figure.value or 0.0,
        low=figure.low,
        high=figure.high,
        shown=one.outcome in ("a", "b"),
    )


def pair_views(found: Comparison) -> list[PairView]:
    """Every pair in the order of the comparison."""
    grouped: dict[tuple[str, str], list[Compared]] = {}
    for one in found.pairs:
        grouped.setdefault((one.a, one.b), []).append(one)
    return [
        PairView(
            title=pair_title(a, b),
            about=_about(compared),
            table=_pair_table(a, b, compared),
            said=[(one.metric, one.verdict) for one in compared],
        )
        for (a, b), compared in grouped.items()
    ]


def _about(compared: Sequence[Compared]) -> str:
    shown = sum(one.outcome in ("a", "b") for one in compared)
    return f"{shown:,} of {count(len(compared), 'difference')} shown" if shown else "no difference shown"


def _pair_table(a: str, b: str, compared: Sequence[Compared]) -> Table:
    head = (
        "Metric",
        "Rows",
        one_line(a, _SHORT),
        one_line(b, _SHORT),
        "Difference",
        "p",
        "Corrected",
        "Effect",
        "Can show",
        "W/T/L",
    )
    return Table(head=head, rows=[_pair_row(one) for one in compared])


def _pair_row(one: Compared) -> tuple[str, ...]:
    means = ["–" if mean is None else number(mean) for mean in (one.mean_a, one.mean_b)]
    effect = "–" if one.effect.value is None else f"{number(one.effect.value)} ({one.effect_name.split()[-1]})"
    corrected = p_text(one.p_adjusted, bare=True)
    return (
        one.metric,
        f"{one.n:,}",
        *means,
        difference_text(one.difference).replace(", ", ",\u00a0"),
        p_text(one.p, bare=True),
        f"{corrected} *" if one.outcome in ("a", "b") else corrected,
        effect.replace("-", "−"),
        detectable_text(one),
        tally_text(one),
    )


def slice_tables(found: Comparison) -> list[tuple[str, Table]]:
    """A table for each field that was asked for."""
    tables = []
    for name in found.settings.slices:
        rows = [
            (
                one.metric,
                pair_title(one.a, one.b),
                slice_title(each),
                f"{each.n:,}",
                difference_text(each.difference).replace(", ", ",\u00a0"),
                "–" if each.tally is None else f"{each.tally.wins:,}/{each.tally.ties:,}/{each.tally.losses:,}",
            )
            for one in found.pairs
            for each in one.slices
            if each.field == name
        ]
        if rows:
            head = ("Metric", "Pipelines", one_line(name, 30), "Rows", "Difference", "W/T/L")
            tables.append((one_line(name, 60), Table(head=head, rows=rows)))
    return tables


def beside_table(found: Comparison) -> Table | None:
    """What the answers of each side took; ``None`` where nothing is known of any."""
    columns = beside_columns(found)
    if not columns:
        return None
    names = [one_line(one.side, NAME) for one in found.beside]
    return Table(head=("Pipeline", *columns), rows=list(zip(names, *columns.values(), strict=True)))


def repeats_table(found: Comparison) -> Table | None:
    """What repeats say; ``None`` where there are none."""
    if not found.repeated:
        return None
    head = ("Metric", "Pipeline", "Repeats", "One answer passes", "One of them", "All of them", "Alike", "Spread")
    rows = [(one.metric, one_line(one.side, NAME), str(one.most), *repeated_cells(one)) for one in found.repeated]
    return Table(head=head, rows=rows)
