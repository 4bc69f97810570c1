"""The first failing stage of an answer that failed, from the left, by what is known; ``None`` where that is too little.

The context is the turning point. Where it does not hold the answer, the fault is before generation (`upstream`); where
it does, it is after retrieval. Where nothing tells, only what shows by itself is said, as weaker evidence.
"""

from collections.abc import Sequence

from ringtrue.report.diagnosis.found import Evidence
from ringtrue.report.diagnosis.passages.boundaries import Style, ends_inside
from ringtrue.report.diagnosis.rows.case import Case
from ringtrue.report.diagnosis.rows.holding import Held, holding
from ringtrue.report.diagnosis.rows.texts import states_facts
from ringtrue.report.diagnosis.rows.upstream import in_passages, upstream
from ringtrue.report.diagnosis.stages import SIGNS, StageName

__all__ = ["attribute"]

_FORMS = ("json_match", "exact_match", "quasi_exact_match")
_LONG_ANSWER = 200  # characters from which an answer that stops inside a sentence was cut off
_LEAST_FETCHED = 3  # passages from which a rank says something


def attribute(case: Case, failed_by: Sequence[str]) -> tuple[StageName | None, Sequence[Evidence]]:
    """The stage and its evidence, the first of which names the stage."""
    found = _found(case, failed_by)
    stage = SIGNS[found[0].sign].stage if found and found[0].sign in SIGNS else None
    return stage, found


def _found(case: Case, failed_by: Sequence[str]) -> list[Evidence]:
    if case.response.answer is None:
        why = case.response.error or "the reason is not known"
        if case.contexts:
            return [Evidence("no_answer", f"no answer though passages were retrieved: {why}")]
        return [Evidence("unknown", f"no answer: {why}")]
    if found := _right_but_facts(case) or _right_but_form(case, failed_by):
        return found
    held = holding(case)
    if held.verdict == "lacking":
        return upstream(case, held)
    if held.verdict == "enough":
        return _downstream(case, held)
    return in_passages(case) or _ill_formed(case) or _unfaithful(case) or [Evidence("unknown", held.text)]


def _right_but_facts(case: Case) -> list[Evidence]:
    """Everything is right but the facts."""
    correct, cuts = case.values.get("answer_correctness"), case.around.cuts
    if case.facts != 0 or correct is None or correct < cuts.correctness:
        return []
    if case.golden is not None and case.golden.total and not case.golden.held:
        return []  # without its passages an answer is a guess, which a judge may take for right
    faithful, relevant = case.values.get("faithfulness"), case.values.get("answer_relevance")
    if (faithful is not None and faithful < cuts.faithfulness) or (
        relevant is not None and relevant < cuts.answer_relevance
    ):
        return []
    raw = case.sample.facts.raw if case.sample.facts else ""
    return [Evidence("facts_only", f"answer_correctness says yes, and the facts are not there: {raw}")]


def _right_but_form(case: Case, failed_by: Sequence[str]) -> list[Evidence]:
    """It failed by its form alone, and says the right thing."""
    if not failed_by or not all(text.startswith(_FORMS) for text in failed_by):
        return []
    if case.values.get("answer_correctness") == 1 or case.facts == 1 or case.values.get("contains_reference") == 1:
        return [Evidence("form", f"right by its content, failed by its form: {', '.join(failed_by)}")]
    return []


def _downstream(case: Case, held: Held) -> list[Evidence]:
    context = held.evidence("lacking")
    if case.values.get("refusal") == 1:
        return [Evidence("refused", f"it declined, and {held.text}", held.weak)]
    for found in (_ranked_low(case), _stopped(case)):
        if found:
            return [*found, Evidence("context", context.text, context.weak)]
    if not states_facts(case.sample, case.texts) and (found := _ill_formed(case)):
        return found
    return [*_generated(case, held), Evidence("context", context.text, context.weak)]


def _ranked_low(case: Case) -> list[Evidence]:
    cuts, fetched = case.around.cuts, len(case.contexts or ())
    if fetched < _LEAST_FETCHED:
        return []
    if case.golden and (rank := next((place for place, one in enumerate(case.golden.right, 1) if one), None)):
        if rank > cuts.rank:
            return [Evidence("ranked_low", f"the first golden passage stands at rank {rank} of {fetched}")]
        return []
    value = case.values.get("context_precision")
    if value is None or value >= cuts.context_precision:
        return []
    return [Evidence("ranked_low", f"context_precision is {value:.2g} (< {cuts.context_precision:g})")]


def _stopped(case: Case) -> list[Evidence]:
    answer = case.response.answer or ""
    if len(answer) < _LONG_ANSWER or not (place := ends_inside(answer, Style())):
        return []
    return [Evidence("stopped", f"the answer stops inside a sentence: “…{answer[place[0] : place[1]]}”", True)]


def _generated(case: Case, held: Held) -> list[Evidence]:
    """What is wrong with an answer whose context was enough."""
    if found := [one for one in _unfaithful(case) if not one.weak]:
        return found
    values, cuts = case.values, case.around.cuts
    correct = values.get("answer_correctness")
    if (correct is not None and correct < cuts.correctness) or case.facts == 0:
        told = "answer_correctness says no" if correct is not None else "the facts are not in the answer"
        return [Evidence("incorrect", f"{told}, and {held.text}", held.weak)]
    if (relevant := values.get("answer_relevance")) is not None and relevant < cuts.answer_relevance:
        return [Evidence("off", f"answer_relevance is {relevant:.2g} (< {cuts.answer_relevance:g})", held.weak)]
    return _unfaithful(case) or [Evidence("incorrect", held.text, weak=True)]


def _unfaithful(case: Case) -> list[Evidence]:
    values, cuts = case.values, case.around.cuts
    value = values.get("faithfulness")
    if value is not None:
        if value >= cuts.faithfulness:
            return []
        return [Evidence("unfaithful", f"faithfulness is {value:.2g} (< {cuts.faithfulness:g})")]
    words = values.get("answer_words_in_contexts")
    if words is None or words >= cuts.answer_words:
        return []
    return [Evidence("unfaithful", f"answer_words_in_contexts is {words:.2g} (< {cuts.answer_words:g})", weak=True)]


def _ill_formed(case: Case) -> list[Evidence]:
    if case.sample.id not in case.around.ill_formed:  # answer_correctness goes by the same facts, and tells no more
        return []
    return [Evidence("ill_formed", "no pipeline of the run has the fact", weak=True)]
