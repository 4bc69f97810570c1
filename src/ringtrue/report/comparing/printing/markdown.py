"""A comparison as Markdown, for pull requests. What comes from the data is escaped."""

from collections.abc import Iterable, Iterator, Sequence

from ringtrue.report.comparing.found import Compared, Comparison
from ringtrue.report.comparing.words import (
    beside_columns,
    detectable_text,
    difference_text,
    headline,
    legend,
    margins_text,
    p_text,
    pair_title,
    repeated_cells,
    slice_title,
    summary,
    tally_text,
    unpaired_lines,
)
from ringtrue.report.markdown import escape
from ringtrue.report.plain import number

__all__ = ["comparison_markdown"]

_LONG = 2000


def comparison_markdown(found: Comparison) -> str:
    """The whole comparison: what is shown, every pair and metric, slices, cost, repeats, what is not compared."""
    return "\n".join(_lines(found)).rstrip() + "\n"


def _lines(found: Comparison) -> Iterator[str]:
    yield from ("## ringtrue: comparison", "", escape(headline(found), _LONG), "")
    for warning in found.warnings:
        yield from (f"⚠️ **{escape(warning, _LONG)}**", "")
    if found.incomplete:
        yield from (f"⚠️ **The gates cannot be trusted: {escape(found.incomplete, _LONG)}.**", "")
    gates = [f"{'❌ **failed**' if one.failed else '✅ passed'}: {escape(one.says, _LONG)}" for one in found.gates]
    yield from _listed("Gates", gates)
    yield from _listed("What is shown", [escape(line, _LONG) for line in summary(found)])
    yield from _listed("Good enough?", [escape(line, _LONG) for line in margins_text(found)])
    yield from ("### Differences", "")
    heads = ["first", "second", "metric", "n", "first", "second", "difference", "p", "corrected", "w/t/l", "can show"]
    yield from _table(heads, map(_row, found.pairs), 3)
    yield from (escape(legend(found), _LONG), "")
    yield from _slices(found)
    if columns := beside_columns(found):
        yield from ("### Beside quality", "")
        names = [escape(one.side) for one in found.beside]
        cells = zip(names, *([escape(cell) for cell in cells] for cells in columns.values()), strict=True)
        yield from _table(["pipeline", *columns], cells, 1)
    if found.repeated:
        yield from ("### Repeats", "")
        heads = ["pipeline", "metric", "k", "one answer", "one of k", "all of k", "alike", "spread"]
        rows = ([escape(one.side), one.metric, str(one.most), *repeated_cells(one)] for one in found.repeated)
        yield from _table(heads, rows, 2)
    yield from _listed("Not compared", [escape(line, _LONG) for line in unpaired_lines(found)])
    yield from _listed("Notes", [escape(note, _LONG) for note in found.notes])
    runs = ", ".join(f"{escape(one.id)} (dataset fingerprint {escape(one.fingerprint)})" for one in found.runs)
    yield f"<sub>runs {runs}</sub>"


def _row(one: Compared) -> list[str]:
    p = p_text(one.p_adjusted, bare=True)
    means = ["–" if mean is None else number(mean) for mean in (one.mean_a, one.mean_b)]
    return [
        escape(one.a),
        escape(one.b),
        escape(one.metric),
        f"{one.n:,}",
        *means,
        escape(difference_text(one.difference)),
        escape(p_text(one.p, bare=True)),
        f"**{escape(p)}**" if one.outcome in ("a", "b") else escape(p),
        tally_text(one),
        detectable_text(one),
    ]


def _slices(found: Comparison) -> Iterator[str]:
    for name in found.settings.slices:
        yield from (f"### By {escape(name)}", "")
        rows = [
            [
                escape(pair_title(one.a, one.b)),
                escape(one.metric),
                escape(slice_title(each)),
                f"{each.n:,}",
                escape(difference_text(each.difference)),
                "–" if each.tally is None else f"{each.tally.wins}/{each.tally.ties}/{each.tally.losses}",
            ]
            for one in found.pairs
            for each in one.slices
            if each.field == name
        ]
        yield from _table(["pair", "metric", name, "n", "difference", "w/t/l"], rows, 3)


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from (f"### {title}", "", *(f"- {line}" for line in lines), "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> Iterator[str]:
    """A pipe table; the first `left` columns are texts. `heads` are escaped here, cells are not."""
    yield f"| {' | '.join(escape(head) for head in heads)} |"
    yield f"|{'---|' * left}{'--:|' * (len(heads) - left)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)
    yield ""
