"""What an agreement means, in sentences for people who decide."""

from collections.abc import Sequence

from ringtrue.report.agreement.found import Agreement, Human, Judged
from ringtrue.report.agreement.plain import figure_text
from ringtrue.report.plain import count, joined, one_line
from ringtrue.stats.agreement import Comparison

__all__ = ["alpha_words", "best_first", "errors_words", "percent", "verdict", "winner"]

_NAME = 60
_SURE = 0.05
_GOOD_ALPHA, _FAIR_ALPHA = 0.8, 0.667  # Krippendorff 2004, "Content Analysis", section 11.4.2


def percent(share: float) -> str:
    """``83 %``; with a decimal from 99 % on and below 1 %, so that nothing is rounded to all or to nothing."""
    return f"{100 * share:.{1 if 0 < share < 0.01 or 0.99 < share < 1 else 0}f} %"


def best_first(agreement: Agreement) -> list[Judged]:
    """The judges by kappa, those of undefined kappa last."""

    def kappa(one: Judged) -> float:
        value = one.figures.figures["kappa"].value
        return -2.0 if value is None else value

    return sorted(agreement.judges, key=kappa, reverse=True)


def verdict(agreement: Agreement) -> list[str]:
    """How near the best judge comes to people, whether that is as good as a person, and which others may be as good."""
    if not agreement.n:
        return ["No row has a label of people: nothing can be said."]
    if not agreement.judges:
        return ["No judge was held against people."]
    best = best_first(agreement)[0]
    agreed, kappa = (best.figures.figures[name] for name in ("agreement", "kappa"))
    if agreed.value is None:
        return [f"Nothing can be said of any judge: {agreed.why}."]
    name = one_line(best.candidate.name, _NAME)
    says = f"{name} comes nearest to people: it says" if len(agreement.judges) > 1 else f"{name} says"
    said = f"{says} what people say on {percent(agreed.value)} of {count(best.figures.n, 'row')}"
    if kappa.value is None:
        return [f"{said}; kappa, which leaves out chance, is undefined: {kappa.why}."]
    said += f"; kappa is {figure_text(kappa)}, where 0 is chance and 1 is always."
    return [said, *_against_ceiling(agreement.human, best), *_against_others(agreement, best)]


def _against_ceiling(human: Human, best: Judged) -> list[str]:
    kappa, ceiling = best.figures.figures["kappa"], human.ceiling.kappa
    if ceiling.value is None or kappa.low is None or kappa.high is None:
        return ["What one person reaches against the others is not known."] if ceiling.value is None else []
    person = f"one rater against the majority of the others (kappa {figure_text(ceiling)})"
    if kappa.high < ceiling.value:
        return [f"That is less than {person}."]
    if kappa.low > ceiling.value:
        return [f"That is more than {person}."]
    return [f"That cannot be told apart from {person}."]


def _against_others(agreement: Agreement, best: Judged) -> list[str]:
    """Which of the others are surely behind, and which may be as good."""
    behind: list[str] = []
    level: list[str] = []
    for one in agreement.comparisons:
        if best.candidate.name not in (one.first, one.second):
            continue
        other = one.second if one.first == best.candidate.name else one.first
        (behind if winner(one) == best.candidate.name else level).append(one_line(other, _NAME))
    said = []
    if behind:
        said.append(f"It is surely nearer to people than {joined(behind)}.")
    if level:
        said.append(f"It is not told apart from {joined(level)}: the difference may be chance.")
    return said


def winner(one: Comparison) -> str | None:
    """The judge that is surely nearer to people: the interval of the difference in kappa leaves out 0, and so does
    McNemar's test after Holm's correction. ``None`` where they are not told apart.
    """
    low, high = one.kappa.figure.low, one.kappa.figure.high
    if low is None or high is None or low <= 0 <= high or one.holm is None or one.holm >= _SURE:
        return None
    return one.first if low > 0 else one.second


def errors_words(one: Judged, labels: Sequence[str]) -> str:
    """Which way a judge errs, where labels have two sides, the second of them positive."""
    tpr, tnr = (one.figures.figures.get(name) for name in ("tpr", "tnr"))
    if tpr is None or tnr is None or tpr.value is None or tnr.value is None or len(labels) != 2:
        return ""
    negative, positive = (one_line(label, 30) for label in labels)
    return (
        f"It says {positive} to {percent(1 - tnr.value)} of the rows that people call {negative}, and {negative} to "
        f"{percent(1 - tpr.value)} of those that they call {positive}."
    )


def alpha_words(human: Human) -> str:
    """What alpha says of the labels, by Krippendorff's own marks."""
    alpha = human.alpha.alpha
    if alpha.value is None:
        return f"Krippendorff’s alpha is undefined: {alpha.why}."
    if alpha.value >= _GOOD_ALPHA:
        means = "people agree well; the labels can be relied on"
    elif alpha.value >= _FAIR_ALPHA:
        means = "people agree well enough for tentative conclusions (0.8 is asked for firm ones)"
    else:
        means = "people agree too little for firm conclusions (0.667 is asked for tentative ones, 0.8 for firm ones)"
    return f"1 is full agreement, 0 is chance: {means}."
