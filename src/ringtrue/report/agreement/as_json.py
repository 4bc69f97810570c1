"""An agreement as one JSON object: what `ringtrue agree --json` prints, and what a page has beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.report.agreement.found import Agreement, Human, Judged, Miss
from ringtrue.stats.agreement import Comparison, JudgeFigures
from ringtrue.stats.figure import Figure

__all__ = ["agreement_json"]

_SIDES = ("precision", "recall", "f1", "tpr", "tnr", "balanced_accuracy", "mcc", "auc", "brier")


def agreement_json(agreement: Agreement) -> dict[str, Any]:
    """Plain values. What is undefined is null, and ``why`` of its owner says the reason."""
    return {
        "n": agreement.n,
        "clusters": agreement.clusters,
        "dev": agreement.dev,
        "data": {"name": agreement.name, "fingerprint": agreement.fingerprint},
        "metric": agreement.metric or None,
        "labels": list(agreement.labels.names),
        "positive": agreement.labels.positive,
        "human": _human(agreement.human),
        "judges": {one.candidate.name: _judged(one) for one in agreement.judges},
        "comparisons": [_comparison(one) for one in agreement.comparisons],
        "slices": [
            {"value": one.value, "n": one.n, "judges": {name: _figures(found) for name, found in one.figures.items()}}
            for one in agreement.slices
        ],
        "warnings": list(agreement.warnings),
        "notes": list(agreement.notes),
        "incomplete": agreement.incomplete,
        "settings": {"draws": agreement.settings.draws, "seed": agreement.settings.seed, "by": agreement.settings.by},
    }


def _human(human: Human) -> dict[str, Any]:
    figures = {
        "alpha": human.alpha.alpha,
        "majority_share": human.majority_share,
        "skew": human.skew,
        "ceiling": human.ceiling.agreement,
        "ceiling_kappa": human.ceiling.kappa,
    }
    return _plain(figures) | {
        "level": human.level,
        "raters": list(human.names),
        "labels": dict(human.labels),
        "unlabelled": human.unlabelled,
        "pairs": [
            {"raters": [human.names[one.first], human.names[one.second]], "n": one.n}
            | _plain({"agreement": one.agreement, "kappa": one.kappa})
            for one in human.pairs
        ],
    }


def _judged(one: Judged) -> dict[str, Any]:
    candidate = one.candidate
    return {
        "kind": candidate.kind,
        "baseline": candidate.baseline,
        "metric": candidate.metric or None,
        "signature": candidate.signature or None,
        **_figures(one.figures, {"flip_rate": one.flip_rate, "calibration_error": one.calibration_error}),
        "runs": len(candidate.runs),
        "failed": one.failed,
        "skipped": one.skipped,
        "reasons": dict(one.reasons),
        "cut": one.cut,
        "cut_from": one.cut_from,
        "labels_needed": one.needed,
        "table": [list(row) for row in one.figures.table],
        "calibration": [
            {"low": each.low, "high": each.high, "n": each.n, "mean": each.mean, "share": each.share.value}
            for each in one.bins
        ],
        "misses": [_miss(miss) for miss in one.misses],
    }


def _figures(figures: JudgeFigures, more: Mapping[str, Figure] | None = None) -> dict[str, Any]:
    """Agreement and kappa always; the others where labels have two sides, else null."""
    named: Mapping[str, Figure] = {name: figures.figures[name] for name in _SIDES if name in figures.figures}
    absent = {name: None for name in _SIDES if name not in named}
    pair = {"agreement": figures.figures["agreement"], "kappa": figures.figures["kappa"]}
    return {"n": figures.n, **_plain({**pair, **named, **(more or {})}), **absent}


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "judges": [one.first, one.second],
        "n": one.n,
        **_plain({"agreement": one.agreement.figure, "kappa": one.kappa.figure}),
        "kappa_p": one.kappa.p,
        "mcnemar": {"only_first": one.mcnemar.only_first, "only_second": one.mcnemar.only_second, "p": one.mcnemar.p},
        "p_adjusted": one.holm,
    }


def _miss(miss: Miss) -> dict[str, Any]:
    person = miss.person
    return {
        "id": person.id,
        "question": person.sample.question,
        "reference": list(person.sample.reference),
        "answer": person.response.answer,
        "people": person.label,
        "judge": miss.verdict,
        "score": miss.score,
        "rationale": miss.rationale,
    }


def _plain(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Each figure as NAME, NAME_ci and, where it is undefined or has no interval, why."""
    found: dict[str, Any] = {}
    why: dict[str, str] = {}
    for name, figure in figures.items():
        found[name] = figure.value
        if figure.low is not None and figure.high is not None:
            found[f"{name}_ci"] = _pair(figure)
        elif figure.why:
            why[name] = figure.why
    return found | ({"why": why} if why else {})


def _pair(figure: Figure) -> Sequence[float | None]:
    return [figure.low, figure.high]
