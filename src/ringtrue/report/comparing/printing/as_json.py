"""A comparison as one JSON object: what `ringtrue compare --json` prints. What is undefined is null."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ringtrue.report.comparing.found import Compared, Comparison, Repeated, Slice
from ringtrue.report.plain import finite
from ringtrue.stats.comparing.effect import Tally
from ringtrue.stats.figure import Figure

__all__ = ["comparison_json"]


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Plain values. ``difference`` is a minus b; where there is a baseline, b is of it."""
    return {
        "runs": [asdict(one) | {"tags": list(one.tags)} for one in found.runs],
        "sides": [asdict(one) for one in found.sides],
        "baseline": found.baseline,
        "rows": found.rows,
        "questions": found.questions,
        "metrics": {
            one.label: {
                "better": one.better,
                "range": [finite(bound) for bound in one.range],
                "unit": one.unit,
                "signatures": dict(one.signatures),
            }
            for one in found.metrics
        },
        "pairs": [_pair(one) for one in found.pairs],
        "beside": [asdict(one) for one in found.beside],
        "repeats": [_repeated(one) for one in found.repeated],
        "gates": [asdict(one) for one in found.gates],
        "warnings": list(found.warnings),
        "notes": list(found.notes),
        "incomplete": found.incomplete,
        "exit_code": found.exit_code,
        "settings": {
            "draws": found.settings.draws,
            "seed": found.settings.seed,
            "graded": found.settings.graded,
            "margins": dict(found.settings.margins),
            "slices": list(found.settings.slices),
            "cluster_by": found.settings.cluster_by,
        },
    }


def _pair(one: Compared) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "a": one.a,
        "b": one.b,
        "better": one.better,
        "n": one.n,
        "questions": one.questions,
        "mean_a": finite(one.mean_a),
        "mean_b": finite(one.mean_b),
        "difference": finite(one.difference.value),
        "ci": _ci(one.difference),
        "p": one.p,
        "p_adjusted": one.p_adjusted,
        "test": one.test,
        "effect_size": finite(one.effect.value),
        "effect": one.effect_name,
        "minimum_detectable": finite(one.detectable.value),
        **_tally(one.tally),
        "unpaired": asdict(one.unpaired),
        "outcome": one.outcome,
        "margin": one.margin,
        "non_inferior": one.non_inferior,
        "verdict": one.verdict,
        "why": _why(difference=one.difference, effect_size=one.effect, minimum_detectable=one.detectable),
        "slices": [_slice(each) for each in one.slices],
    }


def _slice(one: Slice) -> dict[str, Any]:
    return {
        "field": one.field,
        "value": one.value,
        "n": one.n,
        "questions": one.questions,
        "difference": finite(one.difference.value),
        "ci": _ci(one.difference),
        **_tally(one.tally),
        "small": one.small,
        "why": _why(difference=one.difference),
    }


def _repeated(one: Repeated) -> dict[str, Any]:
    return {
        "side": one.side,
        "metric": one.metric,
        "most": one.most,
        "pass_at": {str(k): _figure(figure) for k, figure in one.pass_at.items()},
        "all_of": {str(k): _figure(figure) for k, figure in one.all_of.items()},
        "agreeing": _figure(one.agreeing),
        "spread": _figure(one.spread),
    }


def _tally(one: Tally | None) -> dict[str, int | None]:
    if one is None:
        return {"wins": None, "ties": None, "losses": None}
    return {"wins": one.wins, "ties": one.ties, "losses": one.losses}


def _figure(figure: Figure) -> dict[str, Any]:
    return {"value": finite(figure.value), "ci": _ci(figure), **({"why": figure.why} if figure.why else {})}


def _ci(figure: Figure) -> list[float | None] | None:
    return None if figure.low is None else [finite(figure.low), finite(figure.high)]


def _why(**figures: Figure) -> Mapping[str, str]:
    return {name: figure.why for name, figure in figures.items() if figure.why}
