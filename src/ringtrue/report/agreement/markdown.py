"""An agreement as Markdown: the table of judges, for pages and pull requests."""

from ringtrue.report.agreement.found import Agreement, Judged
from ringtrue.report.agreement.plain import ceiling_text, figure_text
from ringtrue.report.markdown import escape
from ringtrue.report.plain import count, number

__all__ = ["agreement_markdown", "judges_table", "people_line"]

_HEAD = ("judge", "n", "agreement", "kappa", "TPR", "TNR", "AUC", "cut", "failed")


def agreement_markdown(agreement: Agreement) -> str:
    """People, the table of judges, and how the figures were made."""
    settings = agreement.settings
    lines = [
        f"# Judges against people: {escape(agreement.name)}",
        "",
        people_line(agreement),
        "",
        *([f"Incomplete: {agreement.incomplete}.", ""] if agreement.incomplete else []),
        *(f"Beware: {one}." for one in agreement.warnings),
        *([""] if agreement.warnings else []),
        *judges_table(agreement),
        "",
        f"95 % intervals: bootstrap (BCa) over questions, {settings.draws:,} draws, seed {settings.seed}.",
        "",
    ]
    return "\n".join(lines)


def people_line(agreement: Agreement) -> str:
    """The rows and what people are worth, in one paragraph."""
    human = agreement.human
    dev = f", {count(agreement.dev, 'more row')} to fit cuts on" if agreement.dev else ""
    rows = f"{count(agreement.n, 'labelled row')} of {count(agreement.clusters, 'question')}{dev}"
    told = [f"{rows}; commonest label {figure_text(human.skew)}"]
    if len(human.names) > 1:
        told += [
            f"Krippendorff's alpha ({human.level}) {figure_text(human.alpha.alpha)}",
            f"one rater against the majority of the others: {ceiling_text(human.ceiling)}",
        ]
    return f"{'; '.join(told)}."


def judges_table(agreement: Agreement) -> list[str]:
    """The lines of the table of judges."""
    return [
        f"| {' | '.join(_HEAD)} |",
        f"|{'---|' * len(_HEAD)}",
        *(f"| {' | '.join(_row(one))} |" for one in agreement.judges),
    ]


def _row(one: Judged) -> list[str]:
    figures = one.figures.figures
    bare = [figures.get(name) for name in ("tpr", "tnr", "auc")]
    return [
        escape(one.candidate.name) + (" (baseline)" if one.candidate.baseline else ""),
        f"{one.figures.n:,}",
        figure_text(figures["agreement"]),
        figure_text(figures["kappa"]),
        *("–" if figure is None or figure.value is None else number(figure.value) for figure in bare),
        "" if one.cut is None else f"{number(one.cut)} ({one.cut_from})",
        f"{one.failed:,}",
    ]
