"""Words shared with the retrieved passages."""

import pytest

from ringtrue.errors import Skip
from ringtrue.metrics.passages import answer_words_in_contexts, question_words_in_contexts
from ringtrue.types import Passage, Response, Sample


def row(question: str, answer: str, *passages: str | None) -> tuple[Sample, Response]:
    contexts = tuple(Passage(text=one) for one in passages)
    return Sample(id="1", question=question), Response(answer=answer, contexts=contexts)


def test_the_share_of_the_answers_words_in_any_passage() -> None:
    # lima, is, capital, of, peru: four of the five stand in one passage or the other; "the" does not count
    data = row("Q?", "Lima is the capital of Peru.", "The capital is old.", "Peru, Lima")
    assert answer_words_in_contexts(*data) == pytest.approx(4 / 5)


def test_the_share_of_the_questions_words() -> None:
    assert question_words_in_contexts(*row("Who wrote Emma?", "", "Austen wrote Emma")) == pytest.approx(2 / 3)


def test_no_passage_holds_no_word() -> None:
    assert answer_words_in_contexts(*row("Q?", "Lima")) == 0.0


def test_a_passage_of_which_only_the_id_is_known_holds_none() -> None:
    assert answer_words_in_contexts(*row("Q?", "Lima", None)) == 0.0


def test_nothing_to_look_for_is_skipped() -> None:
    with pytest.raises(Skip, match="no words"):
        answer_words_in_contexts(*row("Q?", " ", "Lima"))
