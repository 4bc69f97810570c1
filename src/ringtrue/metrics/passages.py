"""Words shared with the retrieved passages: floors that a judge of faithfulness or relevance has to be above."""

from collections.abc import Sequence
from typing import cast

from ringtrue.catalogue import metric
from ringtrue.errors import Skip
from ringtrue.text.normal import squad_words
from ringtrue.types import Passage, Response, Sample

__all__ = ["answer_words_in_contexts", "question_words_in_contexts"]


@metric(
    needs=("answer", "contexts"),
    range=(0, 1),
    better="higher",
    source="knowledge precision, Adlakha et al. 2024, arXiv:2307.16877",
)
def answer_words_in_contexts(_: Sample, response: Response) -> float:
    """Share of the answer's distinct words that the retrieved passages have: a floor for faithfulness.

    Words are compared as SQuAD does it, in any script. An answer that only puts the passages' words together otherwise
    scores 1, so that a judge is worth something only above this.
    """
    return _share(cast(str, response.answer), cast(tuple[Passage, ...], response.contexts))


@metric(needs=("question", "contexts"), range=(0, 1), better="higher", source="ringtrue's own rule")
def question_words_in_contexts(sample: Sample, response: Response) -> float:
    """Share of the question's distinct words that the retrieved passages have: a floor for context relevance.

    Words are compared as SQuAD does it, in any script.
    """
    return _share(cast(str, sample.question), cast(tuple[Passage, ...], response.contexts))


def _share(text: str, passages: Sequence[Passage]) -> float:
    wanted = set(squad_words(text))
    if not wanted:
        raise Skip("no words to look for")
    held = {word for passage in passages for word in squad_words(passage.text or "")}
    return len(wanted & held) / len(wanted)
