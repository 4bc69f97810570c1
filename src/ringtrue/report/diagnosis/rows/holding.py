"""Whether the retrieved passages hold what is needed to answer: the turning point between retrieval and generation.

The first that is known decides: golden passages, then judges, then facts and words, which are weaker evidence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ringtrue.report.diagnosis.found import Evidence
from ringtrue.report.diagnosis.rows.case import Case
from ringtrue.report.diagnosis.rows.texts import golden_words, share_held, states_facts

__all__ = ["Held", "holding"]

Verdict: TypeAlias = Literal["enough", "lacking", "unknown"]


@dataclass(frozen=True, slots=True)
class Held:
    """Whether the context is enough, and what tells it."""

    verdict: Verdict
    text: str
    weak: bool = False

    def evidence(self, sign: str) -> Evidence:
        return Evidence(sign, self.text, self.weak)


def holding(case: Case) -> Held:
    """The verdict on the context of one answer."""
    if case.contexts is None:
        return Held("unknown", "the retrieved passages were not recorded")
    if not case.contexts and case.sample.reference_contexts == ():
        return Held("unknown", "nothing was retrieved, and no passage is right for this question")
    if not case.contexts:
        return Held("lacking", "nothing was retrieved")
    for look in _LADDER:
        if (found := look(case)) is not None:
            return found
    return Held("unknown", "nothing tells whether the passages hold the answer")


def _golden(case: Case) -> Held | None:
    if case.golden is None or not case.golden.total:
        return None
    held, total = case.golden.held, case.golden.total
    if held == total:
        return Held("enough", f"all golden passages were retrieved ({total})")
    if not held and case.around.by != "id" and _holds_piece(case):
        return None  # the passages are smaller than the golden ones; the other signs tell
    return Held("lacking", f"{held} of {total} golden passages were retrieved")


def _holds_piece(case: Case) -> bool:
    """Whether a retrieved passage is a piece of a golden one."""
    golden = [" ".join((one.text or "").split()) for one in case.sample.reference_contexts or ()]
    return any((piece := " ".join(text.split())) and piece in one for text in case.texts for one in golden)


def _sufficiency(case: Case) -> Held | None:
    value = case.values.get("context_sufficiency")
    if value is None:
        return None
    verdict: Verdict = "enough" if value >= 0.5 else "lacking"
    return Held(verdict, f"context_sufficiency says {'yes' if verdict == 'enough' else 'no'}")


def _recall(case: Case) -> Held | None:
    value, cut = case.values.get("context_recall"), case.around.cuts.context_recall
    if value is None:
        return None
    side, sign = ("enough", "≥") if value >= cut else ("lacking", "<")
    return Held("enough" if side == "enough" else "lacking", f"context_recall is {value:.2g} ({sign} {cut:g})")


def _none_relevant(case: Case) -> Held | None:
    relevant, least = case.relevant, case.around.cuts.relevant_passages
    if relevant is None or relevant >= least:
        return None
    return Held("lacking", f"{relevant:.2g} of {len(case.contexts or ())} passages are relevant (context_relevance)")


def _facts(case: Case) -> Held | None:
    if states_facts(case.sample, case.texts):
        return Held("enough", "the passages state the golden facts (by their words)", weak=True)
    return None


def _words(case: Case) -> Held | None:
    share = share_held(golden_words(case.sample), case.texts)
    cuts = case.around.cuts
    if share is None or not case.texts or cuts.words_lacking <= share < cuts.words_held:
        return None
    told = f"the passages have {share:.0%} of the golden answer's words"
    if share < cuts.words_lacking:
        return Held("lacking", told, weak=True)
    return Held("enough", told, weak=True) if case.sample.facts is None else None


def _facts_absent(case: Case) -> Held | None:
    if case.texts and states_facts(case.sample, case.texts) is False:
        return Held("lacking", "the passages do not state the golden facts (by their words)", weak=True)
    return None


def _relevance(case: Case) -> Held | None:
    value, cut = case.values.get("context_relevance"), case.around.cuts.context_relevance
    if value is None:
        return None
    if value < cut:
        return Held("lacking", f"context_relevance is {value:.2g} (< {cut:g})", weak=True)
    return Held("enough", f"context_relevance is {value:.2g} (≥ {cut:g}), which is not yet all that is needed", True)


def _question(case: Case) -> Held | None:
    value, cut = case.values.get("question_words_in_contexts"), case.around.cuts.question_words
    if value is None or value >= cut:
        return None
    return Held("lacking", f"question_words_in_contexts is {value:.2g} (< {cut:g})", weak=True)


_LADDER: Sequence[Callable[[Case], Held | None]] = (
    _golden,
    _sufficiency,
    _recall,
    _none_relevant,
    _facts,
    _words,
    _facts_absent,
    _relevance,
    _question,
)
