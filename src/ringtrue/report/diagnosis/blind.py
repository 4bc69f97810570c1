"""What could not be looked at, and what would make it possible."""

from collections.abc import Sequence

from ringtrue.report.diagnosis.found import Blind
from ringtrue.report.diagnosis.rows.case import FACTS, Case
from ringtrue.report.diagnosis.stages import StageName
from ringtrue.report.report import Report

__all__ = ["blind_of", "unseen_of"]

_CONTEXT_METRICS = ("context_sufficiency", "context_recall", "context_relevance")


def blind_of(cases: Sequence[Case], report: Report) -> list[Blind]:
    """What nobody can tell of these answers, the most telling first."""
    if not cases:
        return [Blind("anything", "the run holds no answer of this pipeline yet: ringtrue resume")]
    scored = {name for case in cases for name in case.values}
    found = []
    without = sum(case.contexts is None for case in cases)
    if without == len(cases):
        found.append(Blind("everything before the prompt", "record the retrieved passages (contexts) with the answers"))
    elif without:
        found.append(Blind(f"the passages of {without:,} answers", "record the retrieved passages (contexts) of all"))
    bare = sum(bool(case.contexts) and not case.texts for case in cases)
    if bare:
        found.append(Blind(f"the passages of {bare:,} answers, of which only ids are known", "record their texts"))
    if without < len(cases):
        found += _of_retrieval(cases, scored)
    if not {"answer_correctness", *FACTS} & scored:
        found.append(
            Blind("whether answers are right", "golden facts or answers, and answer_correctness or facts_matched")
        )
    elif "answer_correctness" not in scored and len(report.pipelines) < 2:
        found.append(
            Blind("bad golden data against wrong answers", "score answer_correctness, or run a second pipeline")
        )
    return found


def unseen_of(stage: StageName, cases: Sequence[Case]) -> str | None:
    """Why nothing could have been seen of a stage; ``None`` where it was looked at."""
    scored = {name for case in cases for name in case.values}
    texts = any(case.texts for case in cases)
    corpus = any(case.around.corpus for case in cases)
    golden = any(case.golden for case in cases)
    match stage:
        case "parse" | "chunk":
            return None if texts or corpus else "no text of passages"
        case "index":
            return (
                None
                if corpus and any(case.sample.reference_contexts for case in cases)
                else "no corpus, or no golden passages"
            )
        case "retrieve":
            return None if any(case.contexts is not None for case in cases) else "no passages were recorded"
        case "rerank":
            return None if golden or "context_precision" in scored else "no golden passages, no context_precision"
        case "prompt":
            return None if "refusal" in scored else "no refusal"
        case "generate":
            return None if any(case.contexts is not None for case in cases) else "no passages were recorded"
        case "format":
            return None
        case "golden":
            ways = "answer_correctness" in scored or any(case.around.pipelines > 1 for case in cases)
            return (
                None if ways and set(FACTS) & scored else "no facts metric with answer_correctness or a second pipeline"
            )


def _of_retrieval(cases: Sequence[Case], scored: set[str]) -> list[Blind]:
    found = []
    if not scored & set(_CONTEXT_METRICS) and not any(case.golden for case in cases):
        found.append(
            Blind(
                "whether the passages were enough, other than by words",
                "score context_sufficiency or context_recall, or write golden passages (reference_contexts)",
            )
        )
    if not any(case.around.corpus for case in cases):
        found.append(Blind("whether the corpus has what was not retrieved", "give it with --corpus FILE"))
    if not any(case.golden for case in cases) and "context_precision" not in scored:
        found.append(Blind("the order of the passages", "golden passages (reference_contexts), or context_precision"))
    if "faithfulness" not in scored:
        found.append(Blind("whether answers keep to the passages", "score faithfulness"))
    if "refusal" not in scored:
        found.append(Blind("whether it declined", "score refusal"))
    return found
