"""What the page shows of an agreement, as text: people, the table of judges, each judge, and judge against judge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.report.agreement.found import WITHIN, Agreement, Human, Judged
from ringtrue.report.agreement.page.words import alpha_words, errors_words, percent, winner
from ringtrue.report.agreement.plain import DASH, figure_text
from ringtrue.report.charts.chart import Chart, Table
from ringtrue.report.charts.curves import calibration_chart, sweep_chart
from ringtrue.report.charts.intervals import Interval, interval_chart
from ringtrue.report.plain import count, number, one_line
from ringtrue.stats.figure import Figure

__all__ = [
    "JudgeView",
    "Matrix",
    "comparisons_table",
    "interval_charts",
    "judge_views",
    "judges_table",
    "pairs_table",
    "people_facts",
    "slices_table",
]

_NAME = 60
_PAIRS = 45  # of ten raters
_CEILING = "one rater against the majority of the others"
_TITLES = {
    "agreement": "Agreement",
    "kappa": "Kappa",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "tpr": "True positive rate (TPR)",
    "tnr": "True negative rate (TNR)",
    "balanced_accuracy": "Balanced accuracy",
    "mcc": "Matthews’ correlation",
    "auc": "Area under the curve (AUC)",
    "brier": "Brier score",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Verdicts by people's label (rows) and the judge's (columns). `level` shades a cell, 0 to 10 tenths of its row."""

    labels: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str, int]], str]]  # label, (count, share, level) each, total


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeView:
    """One judge: `tag` says what it is, `facts` its figures, `gaps` what is not known and why."""

    name: str
    tag: str
    summary: str
    errors: str
    facts: Sequence[tuple[str, str]]
    matrix: Matrix | None
    runs: int
    charts: Sequence[Chart]
    gaps: Sequence[str]
    reasons: Sequence[str]


def people_facts(agreement: Agreement) -> list[tuple[str, str, str]]:
    """Name, figure, and what it means."""
    human = agreement.human
    labels = ", ".join(f"{one_line(label, 30)} {n:,}" for label, n in human.labels.items()) or "none"
    facts = [
        ("Rows with a label", f"{agreement.n:,}", f"of {count(agreement.clusters, 'question')}"),
        ("Labels", labels, "" if human.skew.value is None else f"{percent(human.skew.value)} are the commonest"),
        ("Raters", f"{len(human.names):,}" if human.names else "not told", _majorities(human)),
        (f"Krippendorff’s alpha ({human.level})", figure_text(human.alpha.alpha), alpha_words(human)),
    ]
    for name, figure in (("agreement", human.ceiling.agreement), ("kappa", human.ceiling.kappa)):
        why = f"undefined: {figure.why}" if figure.value is None else "as good as a judge can be expected to be"
        facts.append((f"Human ceiling, {name}", figure_text(figure), f"{_CEILING}; {why}"))
    return facts


def _majorities(human: Human) -> str:
    share = human.majority_share.value
    told = "" if share is None else f"{percent(share)} of the rows have a label that most gave"
    return told + (f"; {human.unlabelled:,} without one are set aside" if human.unlabelled else "")


def pairs_table(human: Human) -> Table | None:
    """Rater against rater, those with the most rows in common first."""
    pairs = sorted(human.pairs, key=lambda one: -one.n)[:_PAIRS]
    if len(human.names) < 3 or not pairs:
        return None
    rows = [
        (
            f"{one_line(human.names[one.first], 30)} – {one_line(human.names[one.second], 30)}",
            f"{one.n:,}",
            _told(one.agreement),
            _told(one.kappa),
        )
        for one in pairs
    ]
    return Table(head=("Raters", "Rows", "Agreement", "Kappa"), rows=rows)


def judges_table(judges: Sequence[Judged]) -> Table:
    """A row a judge; only the columns in which any has something to say."""
    columns = {
        "Rows": [f"{one.figures.n:,}" for one in judges],
        "Agreement": [_figure(one, "agreement") for one in judges],
        "Kappa": [_figure(one, "kappa") for one in judges],
        "TPR": [_figure(one, "tpr") for one in judges],
        "TNR": [_figure(one, "tnr") for one in judges],
        "AUC": [_figure(one, "auc") for one in judges],
        "Cut": [_cut(one) for one in judges],
        "Flips": [DASH if one.flip_rate.value is None else percent(one.flip_rate.value) for one in judges],
        "Failed": [f"{one.failed:,}" if one.failed else DASH for one in judges],
        "Skipped": [f"{one.skipped:,}" if one.skipped else DASH for one in judges],
        f"Labels for ±{WITHIN:g}": [DASH if one.needed is None else f"{one.needed:,}" for one in judges],
    }
    always = ("Agreement", "Kappa")
    kept = {name: cells for name, cells in columns.items() if name in always or set(cells) != {DASH}}
    names = [one_line(one.candidate.name, _NAME) + (" (baseline)" if one.candidate.baseline else "") for one in judges]
    return Table(head=("Judge", *kept), rows=list(zip(names, *kept.values(), strict=True)))


def interval_charts(agreement: Agreement, judges: Sequence[Judged], ids: Iterator[str]) -> list[Chart]:
    """Kappa and agreement of every judge, with the human ceiling across; none where nothing is defined."""
    ceiling = agreement.human.ceiling
    charts = []
    for name, most in (("kappa", ceiling.kappa), ("agreement", ceiling.agreement)):
        rows = [
            _interval(one.candidate.name, figure, aside=one.candidate.baseline)
            for one in judges
            if (figure := one.figures.figures[name]).value is not None
        ]
        rule = None if most.value is None else _interval(_CEILING, most)
        note = "" if rule is None else f"The dashed line is {_CEILING}, {figure_text(most)}."
        if rows:
            charts.append(interval_chart(next(ids), _TITLES[name], rows, rule=rule, note=note))
    return charts


def _interval(name: str, figure: Figure, *, aside: bool = False) -> Interval:
    return Interval(name=name, value=figure.value or 0.0, low=figure.low, high=figure.high, aside=aside)


def judge_views(agreement: Agreement, judges: Sequence[Judged], ids: Iterator[str]) -> list[JudgeView]:
    """Every judge on its own, in the order given."""
    return [_judge(agreement, one, ids) for one in judges]


def _judge(agreement: Agreement, one: Judged, ids: Iterator[str]) -> JudgeView:
    candidate, figures, positive = one.candidate, one.figures.figures, agreement.labels.positive
    named = {title: figures[name] for name, title in _TITLES.items() if name in figures}
    told = named | {"Calibration error": one.calibration_error, "Flip rate": one.flip_rate}
    facts = [(title, figure_text(figure)) for title, figure in told.items() if figure.value is not None]
    if one.cut is not None:
        facts.append(("Cut", _cut(one)))
    gaps = _undefined(named)
    charts = []
    if one.bins and positive is not None:
        charts.append(calibration_chart(next(ids), one.bins, positive=one_line(positive, 30)))
    elif positive is not None:
        gaps.append("No calibration curve: it gives no probabilities.")
    if len(one.curve) > 1:
        falling = candidate.lower_is_better and candidate.rising(1.0) < 0
        charts.append(sweep_chart(next(ids), one.curve, rows=_swept(agreement, one), cut=one.cut, falling=falling))
    elif positive is not None:
        gaps.append("No cuts to sweep: it gives labels, or a single score.")
    kind = {"stored": "verdicts stored in the data", "code": "rule", "judge": "judge"}[candidate.kind]
    return JudgeView(
        name=one_line(candidate.name, _NAME),
        tag=f"{kind}, baseline" if candidate.baseline else kind,
        summary="" if candidate.kind == "stored" else candidate.summary,
        errors=errors_words(one, agreement.labels.names),
        facts=facts,
        matrix=_matrix(one, agreement.labels.names),
        runs=len(candidate.runs),
        charts=charts,
        gaps=gaps,
        reasons=[f"{n:,} × {one_line(why, 300)}" for why, n in one.reasons.items()],
    )


def _undefined(figures: Mapping[str, Figure]) -> list[str]:
    """A line for each reason, with all figures that are undefined for it."""
    by_reason: dict[str, list[str]] = {}
    for title, figure in figures.items():
        if figure.value is None:
            by_reason.setdefault(figure.why or "", []).append(title)
    return [
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} undefined: {why}." for why, names in by_reason.items()
    ]


def _swept(agreement: Agreement, one: Judged) -> str:
    """The rows that `Judged.curve` is over."""
    on_dev = agreement.dev and one.cut_from != "not fitted"
    return f"{agreement.dev:,} dev rows" if on_dev else f"all {agreement.n:,} rows"


def _matrix(one: Judged, names: Sequence[str]) -> Matrix | None:
    if not one.figures.verdicts:
        return None
    labels = [one_line(name, 30) for name in names]
    rows = []
    for label, cells in zip(labels, one.figures.table, strict=True):
        total = sum(cells)
        shares = [n / total if total else 0.0 for n in cells]
        told = [
            (f"{n:,}", percent(share) if total else DASH, round(10 * share))
            for n, share in zip(cells, shares, strict=True)
        ]
        rows.append((label, told, f"{total:,}"))
    return Matrix(labels=labels, rows=rows)


def comparisons_table(agreement: Agreement) -> Table:
    """Judge against judge, those that differ the most surely first."""
    ranked = sorted(agreement.comparisons, key=lambda one: 2.0 if one.holm is None else one.holm)
    rows = []
    for one in ranked:
        ahead = winner(one)
        rows.append(
            (
                f"{one_line(one.first, _NAME)} – {one_line(one.second, _NAME)}",
                f"{one.n:,}",
                _signed(one.kappa.figure),
                _signed(one.agreement.figure),
                f"{one.mcnemar.only_first:,} / {one.mcnemar.only_second:,}",
                number(one.mcnemar.p),
                DASH if one.holm is None else number(one.holm),
                "not told apart" if ahead is None else f"{one_line(ahead, _NAME)} is nearer to people",
            )
        )
    head = (
        "Judges",
        "Rows",
        "Kappa",
        "Agreement",
        "Right alone",
        "McNemar p",
        "p after Holm",
        "Says",
    )
    return Table(head=head, rows=rows)


def slices_table(agreement: Agreement) -> Table | None:
    """Each value of the field that was asked for, and each judge on its rows."""
    if not agreement.slices:
        return None
    rows = [
        (
            one_line(one.value, _NAME),
            one_line(name, _NAME),
            f"{found.n:,}",
            *(_told(found.figures[figure]) for figure in ("agreement", "kappa")),
        )
        for one in agreement.slices
        for name, found in one.figures.items()
    ]
    return Table(head=(one_line(agreement.settings.by or "", 30), "Judge", "Rows", "Agreement", "Kappa"), rows=rows)


def _figure(one: Judged, name: str) -> str:
    figure = one.figures.figures.get(name)
    return DASH if figure is None else _unbroken(figure_text(figure))


def _unbroken(text: str) -> str:
    """An interval that stays on one line of a narrow cell."""
    return text.replace(", ", ",\u00a0")


def _told(figure: Figure) -> str:
    return _unbroken(figure_text(figure)) if figure.value is not None else f"undefined: {figure.why}"


def _cut(one: Judged) -> str:
    return DASH if one.cut is None else f"{number(one.cut)} ({one.cut_from})"


def _signed(figure: Figure) -> str:
    text = _unbroken(figure_text(figure))
    return f"+{text}" if figure.value is not None and figure.value > 0 else text
