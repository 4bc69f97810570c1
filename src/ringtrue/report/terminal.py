"""The report in a terminal or a pipe. Rich is imported here and nowhere else in this room."""

from collections.abc import Iterator, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ringtrue.report.agreement.corrected import corrected_lines
from ringtrue.report.facts_table import FactsRow, FactsTable, facts_table, pick_rows
from ringtrue.report.judging.summary import judging_lines
from ringtrue.report.plain import (
    best_pipelines,
    count,
    coverage,
    headline,
    interval_text,
    labels_text,
    number,
    one_line,
    status_text,
    unscored,
)
from ringtrue.report.readings.readings import read_report
from ringtrue.report.readings.told import legend, reading_lines
from ringtrue.report.report import Cell, Report
from ringtrue.report.thresholds import threshold_text

__all__ = ["in_chunks", "new_table", "print_lines", "print_report", "print_table", "say"]

FACTS_ROWS = 20
WIDE = 120  # columns from which the golden answer has a column of its own
_ILL_FORMED = "! ill-formed"
_GAP = 2
_MEANS = 4  # pipelines up to which their means stand under the marks: they take more room than 0 and 1
_NAME, _LABEL, _TEXT = 24, 30, 30  # most columns of a pipeline's name and a metric's label, fewest of a question


def print_report(report: Report, console: Console) -> None:
    """Print the report, the most important first. Plain text where the console is no terminal."""
    say(console, headline(report), "bold")
    if warning := status_text(report):
        say(console, warning, "bold yellow")
    for table in _summary(report, console):
        console.print()
        print_table(console, table)
    say(console, "Mean [95 % interval], and how many were scored where not all were.", "dim")
    for line in judging_lines(report):
        say(console, line, "dim")
    print_lines(console, "Checked against people", [Text(line) for line in corrected_lines(report)])
    if (facts := facts_table(report)) is not None:
        _print_facts(facts, console)
    _print_readings(report, console)
    print_lines(console, "Not scored", [Text(line) for line in unscored(report)])
    print_lines(console, "Thresholds", _thresholds(report))
    print_lines(console, "Notes", [Text(one_line(note, 2000)) for note in report.run.notes])


def say(console: Console, text: str, style: str = "") -> None:
    """Print a line, folded on a terminal only."""
    console.print(Text(text, style=style), soft_wrap=not console.is_terminal)


def print_table(console: Console, table: Table) -> None:
    """Print a table; in a pipe without the blanks that fill its lines."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as caught:
        console.print(table)
    say(console, "\n".join(line.rstrip() for line in caught.get().rstrip("\n").split("\n")))


def print_lines(console: Console, title: str, lines: Sequence[Text]) -> None:
    """Print lines under a title; nothing where there are none."""
    if lines:
        console.print()
        say(console, title, "bold")
        for line in lines:
            if console.is_terminal:
                console.print(Padding(line, (0, 0, 0, 2)))
            else:
                console.print(Text("  ") + line, soft_wrap=True)


def new_table(console: Console) -> Table:
    """Columns apart by spaces; one rule under the head on a terminal, no rule in a pipe."""
    return Table(
        box=SIMPLE_HEAD if console.is_terminal else None,
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - 1 if console.is_terminal else _GAP, 0, 0),
        header_style="bold",
    )


def _summary(report: Report, console: Console) -> Iterator[Table]:
    """One row a metric, one column a pipeline: on one line where that fits, else on several, else in several tables."""
    labels = list(report.metrics)
    label_width = min(max((cell_len(label) for label in labels), default=6), _LABEL)
    best = {label: best_pipelines(report, label) for label in labels}
    room = console.width - label_width
    flat, stacked = (_widths(report, one_line_each) for one_line_each in (True, False))
    fits = sum(width + _GAP for width in flat.values()) <= room
    widths = flat if fits else stacked
    for names in in_chunks(widths, room):
        table = new_table(console)
        table.add_column("metric", max_width=label_width, overflow="fold")
        for name in names:
            table.add_column(Text(one_line(name, _NAME)), no_wrap=True, min_width=widths[name])
        for label in labels:
            cells = [_cell_text(report.summary[name][label], fits, name in best[label]) for name in names]
            table.add_row(Text(label), *cells)
        yield table


def _widths(report: Report, flat: bool) -> dict[str, int]:
    return {
        name: max(
            cell_len(line)
            for text in (one_line(name, _NAME), *(_cell_text(one, flat, False).plain for one in cells.values()))
            for line in text.split("\n")
        )
        for name, cells in report.summary.items()
    }


def in_chunks(widths: Mapping[str, int], room: int) -> Iterator[list[str]]:
    """The columns in order, as many together as fit; one at least."""
    names: list[str] = []
    used = 0
    for name, width in widths.items():
        if names and used + width + _GAP > room:
            yield names
            names, used = [], 0
        names.append(name)
        used += width + _GAP
    if names:
        yield names


def _cell_text(cell: Cell, flat: bool, best: bool) -> Text:
    mean = Text("–" if cell.mean is None else number(cell.mean), style="bold green" if best else "")
    known = cell.low is not None and cell.high is not None
    interval = Text(interval_text(cell.low or 0.0, cell.high or 0.0) if known else "", style="dim")
    share = Text(coverage(cell), style="yellow")
    lines = [[mean, interval, share]] if flat else [[mean, share], [interval]]
    if cell.labels and cell.mean is None:
        told = [labels_text({label: times}) for label, times in cell.labels.items()]
        lines = [[Text(", ".join(told)), share]] if flat else [*([Text(one)] for one in told), [share]]
    joined = [Text("  ").join(part for part in line if part) for line in lines]
    return Text("\n").join(line for line in joined if line)


def _print_facts(table: FactsTable, console: Console) -> None:
    rows = pick_rows(table, FACTS_ROWS)
    console.print()
    say(console, table.title, "bold")
    heads = _heads(table, console.width)
    print_table(console, _facts_grid(table, rows, heads, console))
    if any(head != one_line(name, _NAME) for head, name in zip(heads, table.pipelines, strict=True)):
        named = ", ".join(f"{head} {name}" for head, name in zip(heads, table.pipelines, strict=True))
        say(console, one_line(named, 2000), "dim")
    if left := len(table.rows) - len(rows):
        say(console, f"… and {count(left, 'more row')}; an HTML, CSV or JSON report has them all.", "dim")
    if table.remark:
        say(console, f"! {table.remark}", "yellow")


def _print_readings(report: Report, console: Console) -> None:
    readings = read_report(report)
    print_lines(console, "Readings", [Text(line) for line in reading_lines(readings)])
    if readings.found and (told := legend(readings)):
        say(console, told, "dim")


def _heads(table: FactsTable, width: int) -> list[str]:
    """The pipelines' names, clipped as far as the questions need the room; their numbers where that is not enough."""
    room = width - _TEXT - (len(_ILL_FORMED) + _GAP if table.ill_formed else 0)
    for length in (_NAME, 16, 12, 8):
        names = [one_line(name, length) for name in table.pipelines]
        if sum(cell_len(name) + _GAP for name in names) <= room and len(set(names)) == len(names):
            return names
    return [f"#{place}" for place in range(1, len(table.pipelines) + 1)]


def _facts_grid(table: FactsTable, rows: Sequence[FactsRow], heads: Sequence[str], console: Console) -> Table:
    wide = console.width >= WIDE
    grid = new_table(console)
    grid.expand = True
    for title in ("question", "golden answer", "golden facts") if wide else ("question, golden facts",):
        grid.add_column(title, ratio=1, no_wrap=True, overflow="ellipsis")
    for head in heads:
        grid.add_column(Text(head), no_wrap=True, justify="right", min_width=cell_len(head))
    if table.ill_formed:
        grid.add_column("", no_wrap=True, min_width=len(_ILL_FORMED))
    for row in rows:
        sample = row.sample
        texts = [one_line(text or "–", 400) for text in (sample.question, " / ".join(sample.reference), row.facts)]
        first = [Text(text) for text in texts] if wide else [Text(texts[0]) + Text(f"\n  {texts[2]}", style="dim")]
        marks = [Text(mark.text, style="" if mark.value else "yellow") for mark in row.marks.values()]
        note = [Text(_ILL_FORMED if row.ill_formed else "", style="yellow")] if table.ill_formed else []
        grid.add_row(*first, *marks, *note)
    if len(heads) <= _MEANS:
        grid.add_row("mean", *([""] * 2 if wide else []), *table.means.values())
    return grid


def _thresholds(report: Report) -> list[Text]:
    return [
        Text.assemble(("passed", "green") if result.passed else ("FAILED", "bold red"), "  ", threshold_text(result))
        for result in report.thresholds
    ]
