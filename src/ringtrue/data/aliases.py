"""Field names of ringtrue and of its peers, and which of ours each one means.

Names are compared without case, spaces, underscores, hyphens and dots: ``Ground Truth`` is ``ground_truth``. Ours win
over names that mean one thing only (`SURE`), and these over everyday words (`WEAK`), which are taken where nothing
better is there.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

__all__ = [
    "ANSWER_FIELDS",
    "CONTEXT_WORDS",
    "FIELDS",
    "GOLDEN_FIELDS",
    "PEER_NAMES",
    "SURE",
    "TARGET",
    "WEAK",
    "is_known",
    "plain_name",
    "rank_of",
    "similar_field",
]

GOLDEN_FIELDS = ("id", "question", "reference", "facts", "reference_contexts", "metadata")
ANSWER_FIELDS = (
    "answer",
    "contexts",
    "repeat",
    "latency_s",
    "latency_ms",
    "input_tokens",
    "output_tokens",
    "cost",
    "model",
    "trace_id",
    "error",
)
# Ids of passages that stand in a column beside their texts, or alone.
_ID_FIELDS = ("context_ids", "reference_context_ids")
FIELDS = (*GOLDEN_FIELDS, *ANSWER_FIELDS, *_ID_FIELDS)

# FMEval's one column for golden answers and facts at once; `--map` can say the same of another column.
TARGET = ("reference", "facts")

# What a peer calls it, and nothing else (fmeval, ragas 1 and 2, DeepEval, MLflow, OpenInference, autoevals, Azure,
# RAGChecker, TruLens, promptfoo, Inspect, haystack, LangSmith and common sense).
_SURE = {
    "id": "sample_id query_id qid question_id uuid guid uid item_id case_id test_id example_id row_id record_id",
    "question": "model_input user_input query user_query user_question input.value questions",
    "answer": "model_output actual_output response predicted_answer predicted_answers prediction generated_answer "
    "generated_response model_answer model_response predicted_output output.value output.completion llm_answer "
    "llm_response llm_output system_answer assistant_response",
    "contexts": "retrieved_contexts retrieval_context retrieval_contexts retrieved_context retrieval.documents "
    "retrieved_documents retrieved_docs retrieved_passages retrieved_chunks source_documents",
    "reference": "ground_truth ground_truths expected_output expected_response expected_answer expected_answers "
    "gt_answer gt_answers gold_answer gold_answers golden_answer golden_answers reference_answer reference_answers "
    "references correct_answer correct_answers reference_output reference_outputs reference_response "
    "ground_truth_answer ideal_answer",
    "facts": "fact golden_fact golden_facts gold_fact gold_facts expected_fact expected_facts fact_string",
    "reference_contexts": "reference_context expected_retrieved_context expected_retrieved_contexts golden_context "
    "golden_contexts gold_context gold_contexts ground_truth_context ground_truth_contexts expected_context "
    "expected_contexts expected_chunks gold_passages ground_truth_docs ground_truth_documents relevant_contexts",
    "metadata": "meta additional_metadata",
    "repeat": "repetition repeat_index",
    "latency_s": "latency duration duration_s latency_seconds duration_seconds response_time completion_time elapsed_s",
    "latency_ms": "duration_ms response_time_ms latency_milliseconds elapsed_ms",
    "input_tokens": "prompt_tokens input_token_count prompt_token_count tokens_in",
    "output_tokens": "completion_tokens output_token_count completion_token_count tokens_out",
    "cost": "cost_usd total_cost token_cost",
    "model": "model_name model_id",
    "error": "error_message",
    "context_ids": "retrieved_context_ids retrieved_ids retrieved_doc_ids",
    "reference_context_ids": "golden_context_ids gold_context_ids relevant_ids relevant_doc_ids",
}
_WEAK = {
    "question": "input inputs request prompt messages",
    "answer": "output outputs completion predictions generation",
    "reference": "expected target targets ideal gold golden answers gt",
    "facts": "claims key_facts",
    "repeat": "epoch attempt trial",
}
# Passages, but whose: retrieved ones beside an answer, golden ones in a file that has no answers or names both.
_CONTEXT_WORDS = "context documents docs passages chunks"


def plain_name(name: str) -> str:
    """`name` without case, spaces, underscores, hyphens and dots."""
    return _SIGNS.sub("", name.casefold())


_SIGNS = re.compile(r"[\s_.\-]+")


def _table(names: Mapping[str, str]) -> dict[str, str]:
    return {plain_name(name): field for field, listed in names.items() for name in listed.split()}


_OURS = {plain_name(field): field for field in FIELDS}
PEER_NAMES = {field: tuple(f"{_SURE.get(field, '')} {_WEAK.get(field, '')}".split()) for field in (*_SURE, *_WEAK)}
SURE = {**_OURS, **_table(_SURE)}
WEAK = _table(_WEAK)
CONTEXT_WORDS = frozenset(_CONTEXT_WORDS.split())
_TARGET_NAME = "targetoutput"


@lru_cache(maxsize=4096)
def rank_of(column: str) -> tuple[int, tuple[str, ...]] | None:
    """The field or fields that a column's name means, and how surely: 0 ours, 1 a peer's, 2 an everyday word.

    The words of `CONTEXT_WORDS` are not decided here.
    """
    name = plain_name(column)
    if column in FIELDS:
        return 0, (column,)
    if name == _TARGET_NAME:
        return 1, TARGET
    if name in SURE:
        return 1, (SURE[name],)
    return (2, (WEAK[name],)) if name in WEAK else None


def is_known(column: str) -> bool:
    """Whether a column's name means one of our fields."""
    return rank_of(column) is not None or plain_name(column) in CONTEXT_WORDS


def similar_field(column: str) -> str | None:
    """The field that an unknown name is probably a misspelling of (``referense``)."""
    name = plain_name(column)
    if len(name) < 5:
        return None
    near = get_close_matches(name, SURE, n=1, cutoff=0.85)
    return SURE[near[0]] if near else None
