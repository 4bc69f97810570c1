"""An agreement in a terminal or a pipe: people first, then a table of judges, then who is better, then the misses."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.report.agreement.found import WITHIN, Agreement, Human, Judged, Miss
from ringtrue.report.agreement.plain import DASH, ceiling_text, figure_text
from ringtrue.report.plain import count, number, one_line
from ringtrue.report.terminal import in_chunks, new_table, print_lines, print_table, say
from ringtrue.stats.agreement import JudgeFigures
from ringtrue.stats.figure import Figure

__all__ = ["print_agreement"]

_MISSES = 3  # shown of each judge; the others are in the page and in the JSON
_COMPARED = 10
_NAME, _TEXT = 36, 100


def print_agreement(agreement: Agreement, console: Console) -> None:
    """Print the agreement, the most important first. Plain text where the console is no terminal."""
    say(console, _headline(agreement), "bold")
    if agreement.incomplete:
        say(console, f"Incomplete: {agreement.incomplete}.", "bold yellow")
    for warning in agreement.warnings:
        say(console, f"Beware: {warning}.", "yellow")
    print_lines(console, "People", [Text(line) for line in _people(agreement.human)])
    for table in _judges(agreement, console):
        console.print()
        print_table(console, table)
    say(console, "95 % intervals, over questions" + (" and runs." if _runs(agreement) else "."), "dim")
    for one in agreement.slices:
        console.print()
        say(console, f"{agreement.settings.by} = {one_line(one.value, 60)} ({count(one.n, 'row')})", "bold")
        print_table(console, _slice(one.figures, console))
    print_lines(console, "Judge against judge", [Text(line) for line in _comparisons(agreement)])
    print_lines(console, "No verdict", [Text(line) for line in _unsaid(agreement)])
    for judged in (one for one in agreement.judges if not one.candidate.baseline):
        title = f"Worst misses of {one_line(judged.candidate.name, _NAME)}"
        print_lines(console, title, [Text(_miss(miss)) for miss in judged.misses[:_MISSES]])
    print_lines(console, "Notes", [Text(one_line(note, 2000)) for note in agreement.notes])


def _headline(agreement: Agreement) -> str:
    about = f"{agreement.metric}: " if agreement.metric else ""
    dev = f"; {count(agreement.dev, 'more row')} to fit cuts on" if agreement.dev else ""
    rows = f"{count(agreement.n, 'labelled row')} of {count(agreement.clusters, 'question')}"
    return f"{about}{rows}{dev}; {one_line(agreement.name, 60)} ({agreement.fingerprint[:12]})"


def _people(human: Human) -> list[str]:
    labels = ", ".join(f"{one_line(label, 30)} {n:,}" for label, n in human.labels.items())
    lines = [f"labels: {labels}" + (f"; without a majority {human.unlabelled:,}" if human.unlabelled else "")]
    if len(human.names) > 1:
        lines.append(
            f"{count(len(human.names), 'rater')}: Krippendorff's alpha ({human.level}) "
            f"{figure_text(human.alpha.alpha)} over {human.alpha.units:,} rows rated twice or more"
        )
        lines.append(f"one rater against the majority of the others: {ceiling_text(human.ceiling)}")
    return lines


def _judges(agreement: Agreement, console: Console) -> Iterator[Table]:
    """A row a judge; only the columns in which any has something to say, in several tables where one is too wide."""
    columns: list[tuple[str, Callable[[Judged], str]]] = [
        ("n", lambda one: f"{one.figures.n:,}"),
        ("agreement", lambda one: figure_text(one.figures.figures["agreement"])),
        ("kappa", lambda one: figure_text(one.figures.figures["kappa"])),
        ("TPR", lambda one: _bare(one, "tpr")),
        ("TNR", lambda one: _bare(one, "tnr")),
        ("AUC", lambda one: _bare(one, "auc")),
        ("Brier", lambda one: _bare(one, "brier")),
        ("cut", _cut),
        ("flips", lambda one: "" if one.flip_rate.value is None else number(one.flip_rate.value)),
        ("failed", lambda one: f"{one.failed:,}" if one.failed else ""),
        ("skipped", lambda one: f"{one.skipped:,}" if one.skipped else ""),
        (f"labels for ±{WITHIN:g}", lambda one: DASH if one.needed is None else f"{one.needed:,}"),
    ]
    names = [_named(one) for one in agreement.judges]
    told = {name: [tell(one) for one in agreement.judges] for name, tell in columns}
    kept = {name: cells for name, cells in told.items() if set(cells) - {"", DASH}}
    room = console.width - min(max(map(len, names), default=0), _NAME)
    for chunk in in_chunks({name: max(map(len, (name, *cells))) for name, cells in kept.items()}, room):
        table = new_table(console)
        table.add_column("judge", max_width=_NAME, overflow="fold")
        for name in chunk:
            table.add_column(name, no_wrap=True)
        for place, name in enumerate(names):
            table.add_row(Text(name), *(kept[column][place] for column in chunk))
        yield table


def _named(one: Judged) -> str:
    return one_line(f"{one.candidate.name} (baseline)" if one.candidate.baseline else one.candidate.name, _NAME)


def _slice(figures: Mapping[str, JudgeFigures], console: Console) -> Table:
    table = new_table(console)
    for name in ("judge", "n", "agreement", "kappa"):
        table.add_column(name, no_wrap=name != "judge")
    for name, found in figures.items():
        both = [figure_text(found.figures[figure]) for figure in ("agreement", "kappa")]
        table.add_row(Text(one_line(name, _NAME)), f"{found.n:,}", *both)
    return table


def _bare(one: Judged, name: str) -> str:
    figure = one.figures.figures.get(name)
    return DASH if figure is None or figure.value is None else number(figure.value)


def _cut(one: Judged) -> str:
    return "" if one.cut is None else f"{number(one.cut)} ({one.cut_from})"


def _runs(agreement: Agreement) -> bool:
    return any(len(one.candidate.runs) > 1 for one in agreement.judges)


def _comparisons(agreement: Agreement) -> Sequence[str]:
    """The pairs that differ the most surely, first."""
    ranked = sorted(agreement.comparisons, key=lambda one: 2.0 if one.holm is None else one.holm)
    lines = []
    for one in ranked[:_COMPARED]:
        if one.kappa.figure.value is None:
            continue
        pair = f"{one_line(one.first, _NAME)} – {one_line(one.second, _NAME)}"
        chance = "" if one.holm is None else f", McNemar p {number(one.holm)}"
        lines.append(f"{pair}: kappa {_signed(one.kappa.figure)}{chance}")
    if lines and len(agreement.comparisons) > 1:
        lines.append(f"p is corrected for {count(len(agreement.comparisons), 'pair')} (Holm)")
    return lines


def _signed(figure: Figure) -> str:
    text = figure_text(figure)
    return f"+{text}" if figure.value is not None and figure.value > 0 else text


def _unsaid(agreement: Agreement) -> Sequence[str]:
    lines = []
    for one in agreement.judges:
        name, kappa = one_line(one.candidate.name, _NAME), one.figures.figures["kappa"]
        reasons = [f"{n:,} × {one_line(why, 160)}" for why, n in list(one.reasons.items())[:3]]
        if reasons:
            lines.append(f"{name}: {'; '.join(reasons)}")
        elif kappa.value is None and one.figures.n:
            lines.append(f"{name}: kappa is undefined, {kappa.why}")
    return lines


def _miss(miss: Miss) -> str:
    person = miss.person
    said = f"{miss.verdict}" + ("" if miss.score is None else f" ({number(miss.score)})")
    texts = {
        "question": person.sample.question,
        "golden": " | ".join(person.sample.reference[:3]),
        "answer": person.response.answer,
    }
    told = "; ".join(f"{name}: {one_line(text, _TEXT)}" for name, text in texts.items() if text)
    why = f"; because: {one_line(miss.rationale, _TEXT)}" if miss.rationale else ""
    return f"{person.id}: people {person.label}, judge {said}; {told}{why}"
