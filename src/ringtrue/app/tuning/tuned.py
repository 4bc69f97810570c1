"""What a tuning found: the rubric, how it came about, and its figures before and after on rows it never saw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ringtrue.judges.rubric import Rubric
from ringtrue.report.agreement.candidates import Person
from ringtrue.report.agreement.found import Agreement
from ringtrue.stats.agreement import Comparison, JudgeFigures
from ringtrue.stats.figure import Figure

__all__ = ["AFTER", "BEFORE", "Step", "Tuned", "Way", "header_of", "provenance_of"]

Way: TypeAlias = Literal["instructions", "examples", "cut"]

AFTER, BEFORE = "after", "before"
_DIGITS = 4  # of the figures that a rubric file tells


@dataclass(frozen=True, slots=True)
class Step:
    """One way that was gone, and what came of it on the fitting side."""

    by: Way
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """The outcome. `agreement` has the judges ``after`` and ``before`` on the test side; `fitting` was seen."""

    rubric: Rubric
    before: Rubric
    model: str
    steps: Sequence[Step]
    fitting: Sequence[Person]
    agreement: Agreement

    @property
    def changed(self) -> bool:
        """Whether the rubric is another one than before."""
        return self.rubric.hash != self.before.hash

    @property
    def difference(self) -> Comparison:
        """After minus before, on the rows that both have judged."""
        (found,) = self.agreement.comparisons
        return found

    @property
    def helped(self) -> bool:
        """Whether kappa rose by more than chance: its interval lies above 0."""
        low = self.difference.kappa.figure.low
        return self.changed and low is not None and low > 0

    @property
    def verdict(self) -> str:
        """One plain sentence on whether it was worth it."""
        kappa = self.difference.kappa.figure
        if not self.changed:
            return "Nothing was found that fits people's labels better: the judge is left as it was."
        if kappa.value is None:
            return f"Whether it helped cannot be said: {kappa.why}."
        if self.helped:
            return "It helped: the interval of the difference in kappa lies above 0."
        if kappa.value <= 0:
            return "It did not help: on rows that the tuning never saw, kappa did not rise."
        why = "the interval of the difference holds 0" if kappa.low is not None else f"{kappa.why}"
        return f"It is not shown to help: kappa rose, but {why}. More labelled rows may tell."

    def figures(self, side: str) -> JudgeFigures:
        """Those of ``after`` or ``before``."""
        return next(one.figures for one in self.agreement.judges if one.candidate.name == side)


def provenance_of(tuned: Tuned, *, seed: int, date: str) -> dict[str, Any]:
    """What the rubric's file tells of its making."""
    fitting, agreement = tuned.fitting, tuned.agreement
    return {
        "tuned_by": [step.by for step in tuned.steps],
        "steps": [f"{step.by}: {step.says}" for step in tuned.steps],
        "from": {"rubric": tuned.before.name, "version": tuned.before.version, "hash": tuned.before.hash},
        "model": tuned.model,
        "data": {"name": agreement.name, "fingerprint": agreement.fingerprint},
        "fitted_on": {"rows": len(fitting), "questions": len({row.cluster for row in fitting})},
        "measured_on": {"rows": agreement.n, "questions": agreement.clusters},
        "seed": seed,
        "date": date,
        BEFORE: _pair(tuned.figures(BEFORE).figures),
        AFTER: _pair(tuned.figures(AFTER).figures),
        "difference": _pair({name: getattr(tuned.difference, name).figure for name in ("agreement", "kappa")}),
        "verdict": tuned.verdict,
    }


def header_of(rubric: Rubric) -> list[str]:
    """The comment over a tuned rubric."""
    told = rubric.provenance or {}
    kappas = [told.get(side, {}).get("kappa", {}).get("value") for side in (BEFORE, AFTER)]
    before, after = ("undefined" if one is None else f"{one:.3f}" for one in kappas)
    made = f"tuned by {' and '.join(told['tuned_by'])} with {told['model']} on {told['data']['name']}, {told['date']}"
    rows = f"on {told['measured_on']['rows']} rows that the tuning never saw"
    return [
        f"{rubric.name}, {made}.",
        f"Kappa with people {before} before, {after} after, {rows}.",
        told["verdict"],
        "It fits this model and such data; with another model, tune again.",
    ]


def _pair(figures: Mapping[str, Figure]) -> dict[str, dict[str, float | None]]:
    """Agreement and kappa with their intervals, rounded; null where undefined."""
    return {
        name: {end: _rounded(getattr(figures[name], end)) for end in ("value", "low", "high")}
        for name in ("agreement", "kappa")
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
