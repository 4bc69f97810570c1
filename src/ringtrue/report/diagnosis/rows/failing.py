"""Whether an answer failed, by the metrics that a run has.

The answer's correctness counts first, by the best metric that was scored; then whether it is faithful and to the
question. Only where none of these is known, the context alone decides.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ringtrue.report.diagnosis.rows.case import FACTS, Case
from ringtrue.report.diagnosis.rows.holding import holding
from ringtrue.report.diagnosis.thresholds import Thresholds

__all__ = ["FailedIf", "default_rules", "failed_by"]

_CONTEXT = ("context_sufficiency", "context_recall", "context_relevance")


@dataclass(frozen=True, slots=True)
class FailedIf:
    """A rule of the user's: an answer failed whose metric `name` is so."""

    name: str
    text: str
    holds: Callable[[float], bool]


def failed_by(case: Case, rules: Sequence[FailedIf] = ()) -> list[str] | None:
    """The rules by which the answer failed; empty where it did not, ``None`` where nothing tells."""
    if rules:
        known = [rule for rule in rules if rule.name in case.values]
        return [rule.text for rule in known if rule.holds(case.values[rule.name])] if known else None
    if case.response.answer is None:
        return ["no answer"]
    told = [*_correctness(case), *_quality(case)]
    if not told:
        told = _context(case)
    return [text for text, failed in told if failed] if told else None


def default_rules(names: Iterable[str], cuts: Thresholds) -> list[str]:
    """The rules that are in force for a run with these metrics, in words."""
    has = set(names)
    facts = [name for name in FACTS if name in has][:1]
    first = [f"{name} < {cuts.correctness:g}" for name in ("answer_correctness", *facts) if name in has]
    first += [f"{name} < {cut:g}" for name, cut in _qualities(cuts) if name in has]
    lesser = ["refusal = yes"] if "refusal" in has and "answer_correctness" not in has and not facts else []
    if not {"answer_correctness", "faithfulness", *facts} & has:
        if "contains_reference" in has:
            lesser.append("contains_reference = 0")
        elif "recall_over_words" in has:
            lesser.append(f"recall_over_words < {cuts.recall_over_words:g}")
    found = [*first, *lesser]
    if not found and (context := [one for one in _CONTEXT if one in has]):
        found.append(f"the context is not enough ({', '.join(context)})")
    return found


def _correctness(case: Case) -> list[tuple[str, bool]]:
    cuts, values = case.around.cuts, case.values
    told = []
    if (correct := values.get("answer_correctness")) is not None:
        told.append((f"answer_correctness < {cuts.correctness:g}", correct < cuts.correctness))
    name = next((name for name in FACTS if name in values), None)
    if name is not None:
        told.append((f"{name} < {cuts.correctness:g}", values[name] < cuts.correctness))
    if told:
        return told
    if values.get("refusal") == 1 and case.sample.reference:
        return [("refusal = yes", True)]
    if "faithfulness" in values:  # enough is known without going by words
        return []
    if (held := values.get("contains_reference")) is not None:
        return [("contains_reference = 0", held == 0)]
    if (recall := values.get("recall_over_words")) is not None:
        return [(f"recall_over_words < {cuts.recall_over_words:g}", recall < cuts.recall_over_words)]
    return []


def _quality(case: Case) -> list[tuple[str, bool]]:
    pairs = [(name, cut) for name, cut in _qualities(case.around.cuts) if name in case.values]
    return [(f"{name} < {cut:g}", case.values[name] < cut) for name, cut in pairs]


def _qualities(cuts: Thresholds) -> list[tuple[str, float]]:
    return [("faithfulness", cuts.faithfulness), ("answer_relevance", cuts.answer_relevance)]


def _context(case: Case) -> list[tuple[str, bool]]:
    if not set(_CONTEXT) & set(case.values) and case.contexts != ():
        return []
    held = holding(case)
    return [] if held.verdict == "unknown" else [("the context is not enough", held.verdict == "lacking")]
