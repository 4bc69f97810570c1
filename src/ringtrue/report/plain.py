"""Numbers and texts as people read them: what every renderer shares."""

from collections.abc import Mapping, Sequence
from math import ceil, isfinite, log10

from ringtrue.report.report import Cell, Report
from ringtrue.text.words import clip

__all__ = [
    "best_pipelines",
    "compared",
    "count",
    "coverage",
    "finite",
    "headline",
    "interval_text",
    "joined",
    "labels_text",
    "middle_out",
    "number",
    "one_line",
    "outcome",
    "ranked",
    "reasons_text",
    "status_text",
    "unscored",
    "value_text",
    "visible",
]

SHORT = 12  # hex digits of a fingerprint that people read

# Control characters are shown by their pictures (ESC is ␛), so that a terminal obeys none and XML may hold them. The
# marks that turn the direction of writing are shown by their code: unseen, they can make a line say what it does not.
_VISIBLE: dict[int, str] = (
    {code: chr(0x2400 + code) for code in range(0x20) if code not in (9, 10)}
    | {0x7F: "␡", 0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
    | {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
    | {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
)


def visible(text: str) -> str:
    """`text` with its control characters shown; line feeds and tabs stay. Safe in a terminal, in XML and in UTF-8."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def one_line(text: str, length: int) -> str:
    """`text` on one line, at most `length` characters, its control characters shown."""
    return clip(visible(text[: 4 * length + 65].replace("\r", "\n")), length)


def middle_out(text: str, length: int) -> str:
    """`text` with its control characters shown; the middle of a longer one is left out, and counted."""
    if len(text) <= length:
        return visible(text)
    tail = length // 3
    left = len(text) - length
    return f"{visible(text[: length - tail])}\n… ({left:,} characters left out here) …\n{visible(text[-tail:])}"


def finite(value: float | None) -> float | None:
    """`value`, or None where JSON has no word for it (NaN, infinities)."""
    return value if value is not None and isfinite(value) else None


def number(value: float) -> str:
    """A mean: three decimals where it is small, fewer where it is large (``0.500``, ``12.35``, ``1,204``)."""
    size = abs(value)
    if not isfinite(value) or 0 < size < 0.0005:
        return f"{value:.2g}"
    return f"{value:,.{3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0}f}"


def value_text(value: float) -> str:
    """One row's value: whole numbers without decimals."""
    return f"{value:,.0f}" if isfinite(value) and value == int(value) else number(value)


def interval_text(low: float, high: float) -> str:
    """``[0.15, 0.85]``: as many decimals as the width of the interval gives sense to."""
    width = high - low
    decimals = 3 if not isfinite(width) or width <= 0 else min(max(ceil(-log10(width)) + 1, 0), 6)
    return f"[{low:,.{decimals}f}, {high:,.{decimals}f}]"


def count(things: int, name: str) -> str:
    """``1 sample``, ``10 samples``."""
    return f"{things:,} {name}" if things == 1 else f"{things:,} {name}s"


def joined(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def coverage(cell: Cell) -> str:
    """``2 of 4``, or nothing where all were scored."""
    total = cell.scored + cell.skipped + cell.failed
    return f"{cell.scored:,} of {total:,}" if cell.scored != total else ""


def labels_text(labels: Mapping[str, int]) -> str:
    """``correct 7, wrong 3``."""
    return ", ".join(f"{one_line(label, 40)} {times:,}" for label, times in labels.items())


def reasons_text(cell: Cell, most: int = 3) -> str:
    """``skipped 2, failed 1: 2 × no reference, 1 × timed out``; nothing where all were scored."""
    counts = [f"{name} {n:,}" for name, n in (("skipped", cell.skipped), ("failed", cell.failed)) if n]
    if not counts:
        return ""
    reasons = [f"{times:,} × {one_line(why, 160)}" for why, times in list(cell.reasons.items())[:most]]
    if (left := len(cell.reasons) - most) > 0:
        reasons.append(f"{count(left, 'more reason')}")
    return f"{', '.join(counts)}: {'; '.join(reasons)}" if reasons else ", ".join(counts)


def unscored(report: Report) -> list[str]:
    """Why rows were skipped or failed: a line for all metrics and pipelines with the same account."""
    by_pipeline: dict[tuple[str, str], list[str]] = {}
    for name, cells in report.summary.items():
        for label, cell in cells.items():
            if why := reasons_text(cell):
                by_pipeline.setdefault((name, why), []).append(label)
    merged: dict[tuple[str, str], list[str]] = {}
    for (name, why), labels in by_pipeline.items():
        metrics = "every metric" if len(labels) == len(report.metrics) > 1 else ", ".join(labels)
        merged.setdefault((metrics, why), []).append(one_line(name, 60))
    return [f"{', '.join(names)}: {metrics}: {why}" for (metrics, why), names in merged.items()]


def headline(report: Report) -> str:
    """``3 pipelines × 10 samples × 9 metrics; dataset amazon (2f9c…)``: what was done, in one line."""
    parts = [
        count(len(report.pipelines), "pipeline"),
        count(len(report.dataset), "sample"),
        count(len(report.metrics), "metric"),
    ]
    if report.run.repeats > 1:
        parts.append(count(report.run.repeats, "repeat"))
    version = f", version {report.dataset.version}" if report.dataset.version else ""
    name = one_line(f"{report.dataset.name}{version}", 80)
    return f"{' × '.join(parts)}; dataset {name} ({report.dataset.fingerprint[:SHORT]})"


def status_text(report: Report) -> str:
    """A warning where the run did not finish or is incomplete; nothing where all is well."""
    if report.run.status == "stopped":
        return (
            "The run was stopped by its budget: what follows is only what was scored so far. ringtrue resume goes on."
        )
    if report.run.status != "finished":
        return f"The run is {report.run.status}, not finished: what follows is only what was scored so far."
    if report.exit_code != 3:
        return ""
    idle = [name for name in report.metrics if not any(cells[name].scored for cells in report.summary.values())]
    if idle and not any(cell.failed for cells in report.summary.values() for cell in cells.values()):
        return f"The run is incomplete: {joined(idle)} scored no answer at all; why stands below."
    return "The run is incomplete: too many scores failed, or answers are missing, for the means to be trusted."


def best_pipelines(report: Report, label: str) -> tuple[str, ...]:
    """The pipelines with the best mean of a metric, where there is something to choose between; no more than that."""
    means = {name: mean for name in report.pipelines if (mean := report.summary[name][label].mean) is not None}
    better = report.metrics[label].metric.better
    if better is None or len(set(means.values())) < 2:
        return ()
    best = max(means.values()) if better == "higher" else min(means.values())
    return tuple(name for name, mean in means.items() if mean == best)


def outcome(report: Report, label: str) -> str:
    """What one metric says of the pipelines, best first, in a sentence or two for people who decide."""
    told = [f"{one_line(name, 60)} {number(cell.mean or 0.0)}{_bracket(cell)}" for name, cell in ranked(report, label)]
    return f"{label}: {joined(told)}. {compared(report, label)}".rstrip() if told else compared(report, label)


def compared(report: Report, label: str) -> str:
    """Whether the best interval overlaps others, and who was not scored; never that a difference is significant."""
    order = ranked(report, label)
    if not order:
        return f"No mean of {label} can be given."
    lacking = [one_line(name, 60) for name in report.pipelines if report.summary[name][label].mean is None]
    return f"{_apart(order)}{f' Without a mean: {joined(lacking)}.' if lacking else ''}".strip()


def ranked(report: Report, label: str) -> list[tuple[str, Cell]]:
    """The pipelines that have a mean, best first; in the run's order where no direction is better."""
    sign = {"higher": -1, "lower": 1, None: 0}[report.metrics[label].metric.better]
    cells = [(name, cells[label]) for name, cells in report.summary.items() if cells[label].mean is not None]
    return sorted(cells, key=lambda item: sign * (item[1].mean or 0.0))


def _bracket(cell: Cell) -> str:
    return f" {interval_text(cell.low, cell.high)}" if cell.low is not None and cell.high is not None else ""


def _apart(ranked: Sequence[tuple[str, Cell]]) -> str:
    """Whether the first one's interval overlaps another's."""
    known = [(name, cell.low, cell.high) for name, cell in ranked if cell.low is not None and cell.high is not None]
    if len(known) < 2 or len(known) < len(ranked):
        return ""
    (first, low, high), rest = known[0], known[1:]
    near = [one_line(name, 60) for name, other_low, other_high in rest if other_low <= high and other_high >= low]
    if near:
        return f"The 95 % interval of {one_line(first, 60)} overlaps with that of {joined(near)}."
    return f"The 95 % interval of {one_line(first, 60)} overlaps with no other."
