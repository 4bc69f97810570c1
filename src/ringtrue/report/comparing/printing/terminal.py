"""A comparison in a terminal or a pipe: what is shown first, then a table for each pair, then what stands beside."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.report.comparing.found import Compared, Comparison, Repeated
from ringtrue.report.comparing.words import (
    NAME,
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
from ringtrue.report.plain import count, number, one_line
from ringtrue.report.terminal import new_table, print_lines, print_table, say

__all__ = ["print_comparison"]

_WIDE = 100  # columns from which the means of both sides have columns of their own
_METRIC = 24


def print_comparison(found: Comparison, console: Console) -> None:
    """Print the comparison, the most important first. Plain text where the console is no terminal."""
    say(console, headline(found), "bold")
    for warning in found.warnings:
        say(console, warning, "bold yellow")
    if found.incomplete:
        say(console, f"The gates cannot be trusted: {found.incomplete}.", "bold yellow")
    print_lines(console, "Gates", [_gate(one.failed, one.says) for one in found.gates])
    print_lines(console, "What is shown", [Text(line) for line in summary(found)])
    print_lines(console, "Good enough?", [Text(line) for line in margins_text(found)])
    tests = sum(one.p is not None for one in found.pairs)
    for title, compared in _by_pair(found.pairs):
        console.print()
        rows = f" ({count(compared[0].n, 'row')})" if len({one.n for one in compared}) == 1 else ""
        say(console, title + rows, "bold")
        print_table(console, _table(compared, tests, console))
    say(console, legend(found), "dim")
    for title, table in _slices(found, console):
        console.print()
        say(console, title, "bold")
        print_table(console, table)
    if columns := beside_columns(found):
        console.print()
        say(console, "Beside quality", "bold")
        print_table(console, _beside(found, columns, console))
    if found.repeated:
        console.print()
        say(console, "Repeats", "bold")
        print_table(console, _repeats(found.repeated, console))
    print_lines(console, "Not compared", [Text(line) for line in unpaired_lines(found)])
    print_lines(console, "Notes", [Text(one_line(note, 2000)) for note in found.notes])


def _gate(failed: bool, says: str) -> Text:
    return Text.assemble(("FAILED", "bold red") if failed else ("passed", "green"), "  ", says)


def _by_pair(pairs: Sequence[Compared]) -> Iterator[tuple[str, list[Compared]]]:
    grouped: dict[tuple[str, str], list[Compared]] = {}
    for one in pairs:
        grouped.setdefault((one.a, one.b), []).append(one)
    for (a, b), compared in grouped.items():
        yield pair_title(a, b), compared


def _table(compared: Sequence[Compared], tests: int, console: Console) -> Table:
    wide, corrected = console.width >= _WIDE, tests > 1
    same_n = len({one.n for one in compared}) == 1
    table = new_table(console)
    table.add_column("metric", max_width=_METRIC, overflow="fold")
    heads = [*([] if same_n else ["n"]), *(["first", "second"] if wide else []), "difference", "p"]
    for name in (*heads, *(["corrected"] if corrected else []), "w/t/l", "can show"):
        table.add_column(name, no_wrap=True)
    for one in compared:
        shown = one.outcome in ("a", "b")
        star = Text(p_text(one.p_adjusted, bare=True) + (" *" if shown else ""), style="bold" if shown else "")
        cells: list[str | Text] = [] if same_n else [f"{one.n:,}"]
        cells += [_mean(one.mean_a), _mean(one.mean_b)] if wide else []
        cells += [difference_text(one.difference), *([p_text(one.p, bare=True)] if corrected else []), star]
        table.add_row(Text(one.metric), *cells, tally_text(one), detectable_text(one))
    return table


def _mean(value: float | None) -> str:
    return "–" if value is None else number(value)


def _slices(found: Comparison, console: Console) -> Iterator[tuple[str, Table]]:
    """A table for each field and pair: a row a metric and value."""
    for name in found.settings.slices:
        for title, compared in _by_pair(found.pairs):
            table = new_table(console)
            table.add_column("metric", max_width=_METRIC, overflow="fold")
            table.add_column(one_line(name, 30), max_width=30, overflow="fold")
            for head in ("n", "difference", "w/t/l"):
                table.add_column(head, no_wrap=True, justify="right" if head == "n" else "left")
            for one in compared:
                for each in (part for part in one.slices if part.field == name):
                    tally = "–" if each.tally is None else f"{each.tally.wins}/{each.tally.ties}/{each.tally.losses}"
                    figures = (f"{each.n:,}", difference_text(each.difference), tally)
                    table.add_row(Text(one.metric), Text(slice_title(each)), *figures)
            yield f"{title}, by {one_line(name, 60)}", table


def _beside(found: Comparison, columns: Mapping[str, Sequence[str]], console: Console) -> Table:
    table = new_table(console)
    table.add_column("pipeline", max_width=NAME, overflow="fold")
    for name in columns:
        table.add_column(name, no_wrap=True, justify="right")
    for place, one in enumerate(found.beside):
        table.add_row(Text(one_line(one.side, NAME)), *(cells[place] for cells in columns.values()))
    return table


def _repeats(repeated: Iterable[Repeated], console: Console) -> Table:
    table = new_table(console)
    table.add_column("pipeline", max_width=NAME, overflow="fold")
    table.add_column("metric", max_width=_METRIC, overflow="fold")
    for name in ("one answer", "one of k", "all of k", "alike", "spread"):
        table.add_column(name, no_wrap=True)
    for one in repeated:
        side = f"{one_line(one.side, NAME)} ({count(one.most, 'answer')})"
        table.add_row(Text(side), Text(one.metric), *repeated_cells(one))
    return table
