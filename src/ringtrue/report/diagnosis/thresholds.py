"""Every threshold of the diagnosis, with what it is about. Each can be set in a configuration (``diagnosis:``)."""

from dataclasses import dataclass, field, fields

__all__ = ["Thresholds", "abouts"]


def _cut(default: float, about: str) -> float:
    value: float = field(default=default, metadata={"about": about})
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The cuts; shares are between 0 and 1."""

    correctness: float = _cut(1, "an answer failed whose answer_correctness or facts metric is below")
    faithfulness: float = _cut(1, "an answer failed, and is unfaithful, whose faithfulness is below")
    answer_relevance: float = _cut(0.5, "an answer failed, and is off the question, whose answer_relevance is below")
    recall_over_words: float = _cut(
        0.5, "where nothing better was scored, an answer failed whose recall over words is below"
    )
    context_recall: float = _cut(0.8, "the context is not enough where context_recall is below")
    relevant_passages: float = _cut(
        1, "the context is not enough where fewer passages are relevant (context_relevance times passages)"
    )
    context_relevance: float = _cut(
        0.5, "where nothing better is known, the context is not enough where context_relevance is below"
    )
    words_held: float = _cut(
        0.8, "the context seems enough where it has this share of the golden answer's words, question's words apart"
    )
    words_lacking: float = _cut(0.5, "the context seems not enough where it has less of them")
    question_words: float = _cut(0.3, "passages seem off where question_words_in_contexts is below")
    answer_words: float = _cut(0.5, "an answer seems unfaithful where answer_words_in_contexts is below")
    context_precision: float = _cut(0.5, "right passages are ranked low where context_precision is below")
    rank: float = _cut(3, "right passages are ranked low where the first of them stands below this rank")
    cut_passages: float = _cut(0.2, "cutting inside sentences is at fault from this share of a pipeline's passages on")
    cut_fetched: float = _cut(0.5, "and this share of the passages that a question fetched, or the nearest of them")
    copies: float = _cut(0.5, "copies are at fault from this share of a question's passages on")
    near_copy: float = _cut(0.9, "passages are copies from this share of common runs of five words on")
    boilerplate: float = _cut(0.3, "a line is boilerplate that stands on this share of the passages, four at least")
    long: float = _cut(4, "a passage is long at so many times the median length")
    short: float = _cut(0.25, "a passage is short at this share of the median length")
    collapse: float = _cut(
        0.5, "retrieval has collapsed where two questions share this part of their passages on average"
    )
    stage_share: float = _cut(
        0.2, "the first stage to mend is the leftmost with this share of the failures whose stage is known"
    )


def abouts() -> dict[str, tuple[float, str]]:
    """Name, default and meaning of each threshold, for pages and configurations."""
    plain = Thresholds()
    return {one.name: (getattr(plain, one.name), str(one.metadata["about"])) for one in fields(plain)}
