"""What a comparison says in plain words: verdicts, and figures as people read them."""

import re
from collections.abc import Callable, Mapping

from ringtrue.report.comparing.found import Compared, Comparison, Repeated, Slice
from ringtrue.report.plain import count, interval_text, number, one_line
from ringtrue.stats.comparing.power import ALPHA
from ringtrue.stats.figure import Figure

__all__ = [
    "NAME",
    "beside_columns",
    "detectable_text",
    "difference_text",
    "headline",
    "legend",
    "margins_text",
    "money_text",
    "p_text",
    "pair_title",
    "repeated_cells",
    "slice_title",
    "summary",
    "tally_text",
    "unpaired_lines",
    "verdict",
]

NAME = 48  # most characters of a side's name
_LISTED = 6  # differences that are not shown, up to which each is told
_MINUS_ZERO = re.compile(r"-(0(?:\.0+)?)(?![\d.])")


def verdict(one: Compared, tests: int = 1) -> str:
    """What one pair and metric say; `tests` is over how many its p was corrected."""
    if one.outcome == "undefined":
        why = one.difference.why if one.difference.value is None else "one question cannot be tested"
        return f"not defined, because {why}"
    told = _told(one, tests)
    return f"{told}; {_margin(one)}" if one.margin is not None else told


def _told(one: Compared, tests: int) -> str:
    return _shown(one, tests) if one.outcome in ("a", "b") else _nothing_shown(one, tests)


def _shown(one: Compared, tests: int) -> str:
    winner, loser = (one.a, one.b) if one.outcome == "a" else (one.b, one.a)
    by = difference_text(_size(one.difference), signed=False)
    word = "better" if one.better else "higher"
    unit = " (lower is better)" if one.better == "lower" else ""
    names = f"{one_line(winner, NAME)} is {word} than {one_line(loser, NAME)}"
    return f"{names} by {by}{unit}, {p_text(one.p_adjusted)}{_after(tests)}"


def _nothing_shown(one: Compared, tests: int) -> str:
    if one.tally and not one.tally.wins and not one.tally.losses:
        return f"no difference: both have the same value on {count(one.questions, 'question')}{_could(one)}"
    why = p_text(one.p)
    if one.p is not None and one.p < ALPHA:
        why += f" alone, {p_text(one.p_adjusted, bare=True)}{_after(tests)}"
    elif (one.difference.low or 0) > 0 or (one.difference.high or 0) < 0:
        why += ", although the interval leaves 0 out"
    return f"no difference shown ({why}){_could(one)}"


def _size(figure: Figure) -> Figure:
    """A difference without its sign."""
    if figure.value is None or figure.value >= 0:
        return figure
    low, high = (None, None) if figure.low is None or figure.high is None else (-figure.high, -figure.low)
    return Figure(-figure.value, low, high, figure.why)


def _could(one: Compared) -> str:
    if one.detectable.value is None:
        return f"; {one.detectable.why}"
    return f"; {one.questions:,} questions can only show a difference of {number(one.detectable.value)} or more"


def _margin(one: Compared) -> str:
    margin = f"{one.margin:g}"
    a, b = one_line(one.a, NAME), one_line(one.b, NAME)
    if one.non_inferior is None:
        return f"whether {a} is non-inferior to {b} within {margin} cannot be told without an interval"
    return f"{a} is {'' if one.non_inferior else 'not shown to be '}non-inferior to {b} within {margin}"


def _after(tests: int) -> str:
    return f" after correction for {tests:,} tests" if tests > 1 else ""


def difference_text(figure: Figure, *, signed: bool = True) -> str:
    """``+0.400 [0.10, 0.80]``, or a dash where it is undefined."""
    if figure.value is None:
        return "–"
    text = ("+" if signed and figure.value > 0 else "") + number(figure.value)
    if figure.low is not None and figure.high is not None:
        text += f" {interval_text(figure.low, figure.high)}"
    return _MINUS_ZERO.sub(r"\1", text).replace("-", "−")


def p_text(p: float | None, *, bare: bool = False) -> str:
    """``p 0.031``, ``p < 0.001``; a dash where there is none."""
    if p is None:
        return "–"
    text = "< 0.001" if p < 0.001 else f"{p:.3f}"
    return text if bare else f"p {text}"


def tally_text(one: Compared) -> str:
    """``4/6/0``: questions that a wins, ties and loses."""
    return "–" if one.tally is None else f"{one.tally.wins:,}/{one.tally.ties:,}/{one.tally.losses:,}"


def detectable_text(one: Compared) -> str:
    return "–" if one.detectable.value is None else number(one.detectable.value)


def _unpaired(one: Compared) -> str:
    """``facts_matched: 2 rows scored for base only, 1 for neither (base: skipped 1)``; nothing where all are paired."""
    rows, a, b = one.unpaired, one_line(one.a, NAME), one_line(one.b, NAME)
    if not rows.rows:
        return ""
    parts = [
        f"{count(n, 'row')} scored for {who}"
        for n, who in ((rows.only_a, f"{a} only"), (rows.only_b, f"{b} only"), (rows.neither, "neither"))
        if n
    ]
    reasons = [
        f"{side}: {', '.join(told)}"
        for side, failed, skipped in ((a, rows.failed_a, rows.skipped_a), (b, rows.failed_b, rows.skipped_b))
        if (told := [f"{name} {n:,}" for name, n in (("failed", failed), ("skipped", skipped)) if n])
    ]
    return ", ".join(parts) + (f" ({'; '.join(reasons)})" if reasons else "")


def pair_title(a: str, b: str) -> str:
    return f"{one_line(a, NAME)} against {one_line(b, NAME)}"


def headline(found: Comparison) -> str:
    """``3 pipelines over 10 questions of amazon-10q, run 2026…; baseline: base``: what was held against what."""
    rows = count(found.questions, "question")
    if found.rows != found.questions:
        rows = f"{count(found.rows, 'row')} of {rows}"
    names = ", ".join(dict.fromkeys(one_line(one.dataset, 60) for one in found.runs))
    runs = f"run {one_line(found.runs[0].called, NAME)}" if len(found.runs) == 1 else count(len(found.runs), "run")
    against = f"; baseline: {one_line(found.baseline, NAME)}" if found.baseline else ""
    return f"{count(len(found.sides), 'pipeline')} over {rows} of {names}, {runs}{against}"


def summary(found: Comparison) -> list[str]:
    """The differences that are shown, those of the first metric in any case, how many are not, and what is undefined.

    The first metric is the one that a person named first.
    """
    rest = [one for one in found.pairs if one.outcome == "none"]
    tests = _tests(found)
    lines = [f"{one.metric}: {_told(one, tests)}" for one in found.pairs if one.outcome in ("a", "b")]
    told = rest if len(rest) <= _LISTED else [one for one in rest if one.metric == found.metrics[0].label][:_LISTED]
    lines += [f"{one.metric}, {pair_title(one.a, one.b)}: {_told(one, tests)}" for one in told]
    if left := len(rest) - len(told):
        lines.append(f"{count(left, 'other difference' if lines else 'difference')} looked at, none shown")
    undefined: dict[str, list[str]] = {}
    for one in (each for each in found.pairs if each.outcome == "undefined"):
        undefined.setdefault(one.verdict, []).append(f"{one.metric} ({pair_title(one.a, one.b)})")
    for why, names in undefined.items():
        lines.append(f"{', '.join(names[:_LISTED])}{' …' if len(names) > _LISTED else ''}: {why}")
    return lines


def margins_text(found: Comparison) -> list[str]:
    """Whether each first side is good enough, where a margin is named: a line for a pair, a margin and an answer."""
    answers: Mapping[bool | None, str] = {True: "yes", False: "not shown", None: "cannot be told without an interval"}
    merged: dict[tuple[str, str, float, str], list[str]] = {}
    for one in found.pairs:
        if one.margin is not None and one.n:
            merged.setdefault((one.a, one.b, one.margin, answers[one.non_inferior]), []).append(one.metric)
    return [
        f"{one_line(a, NAME)} worse than {one_line(b, NAME)} by less than {margin:g}: {answer} for {', '.join(labels)}"
        for (a, b, margin, answer), labels in merged.items()
    ]


def legend(found: Comparison) -> str:
    """What the columns mean."""
    tests = _tests(found)
    corrected = f"corrected: for {tests:,} tests (Holm); " if tests > 1 else ""
    return (
        f"Difference: the first less the second [95 % interval over questions]. p: that chance alone does as much; "
        f"{corrected}* where that is below {ALPHA:g}. w/t/l: questions that the first wins, ties, loses. Can show: the "
        "smallest difference that so many questions show in 4 cases of 5."
    )


def slice_title(one: Slice) -> str:
    """The value of a slice, and that it is small."""
    return (one_line(one.value, 40) if one.value is not None else "(none)") + (" (small)" if one.small else "")


def unpaired_lines(found: Comparison) -> list[str]:
    """Which rows are not compared: a line for all metrics of a pair with the same account."""
    merged: dict[tuple[str, str], list[str]] = {}
    for one in found.pairs:
        if told := _unpaired(one):
            merged.setdefault((pair_title(one.a, one.b), told), []).append(one.metric)
    every = len(found.metrics)
    return [
        f"{title}: {'every metric' if len(labels) == every > 1 else ', '.join(labels)}: {told}"
        for (title, told), labels in merged.items()
    ]


def beside_columns(found: Comparison) -> dict[str, list[str]]:
    """What the answers took, by column, a cell a side; without the columns of which nothing is known.

    A cell says of how many answers it is, where not of all; a dash is what is not known.
    """
    columns: dict[str, list[str]] = {}
    for one in found.beside:
        figures: tuple[tuple[str, float | None, int, Callable[[float], str]], ...] = (
            ("p50 s", one.p50_s, one.timed, number),
            ("p95 s", one.p95_s, one.timed, number),
            ("tokens in", one.input_tokens, one.counted, _whole),
            ("tokens out", one.output_tokens, one.counted, _whole),
            ("cost each", one.mean_cost, one.priced, money_text),
            ("cost in all", one.cost, one.answers, money_text),
        )
        for name, value, known, form in figures:
            part = f" ({known:,} of {one.answers:,})" if known != one.answers else ""
            columns.setdefault(name, []).append("–" if value is None else form(value) + part)
    return {name: cells for name, cells in columns.items() if set(cells) != {"–"}}


def _whole(value: float) -> str:
    return f"{value:,.0f}"


def money_text(value: float) -> str:
    """``$12.50``, ``$0.0021``: US dollars."""
    return f"${value:,.2f}" if value >= 10 else f"${value:.3g}" if value >= 0.001 or not value else f"${value:.1e}"


def repeated_cells(one: Repeated) -> list[str]:
    """One answer passes, one of k, all of k (k the most repeats), repeats alike, spread."""
    single, best, every = one.pass_at.get(1), one.pass_at.get(one.most), one.all_of.get(one.most)
    texts = ["–" if figure is None else _bracketed(figure) for figure in (single, best, every, one.agreeing)]
    return [*texts, "–" if one.spread.value is None else number(one.spread.value)]


def _bracketed(figure: Figure) -> str:
    return "–" if figure.value is None else number(figure.value)


def _tests(found: Comparison) -> int:
    return sum(one.p is not None for one in found.pairs)
