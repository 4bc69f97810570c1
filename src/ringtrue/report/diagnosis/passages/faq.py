"""Questions without their answers, where the passages are a list of questions and answers."""

from collections.abc import Iterable

import regex

from ringtrue.text.words import count_words, sentences

__all__ = ["answer_without_question", "is_faq", "question_without_answer"]

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSERS = " \t\n\"'”’»›)]」』）】*_`"
_ASKED = regex.compile(r"(?im)^[\s#*>\d.)-]*(?:Q|Question|Frage|Pregunta|问|問|質問|سؤال)\s*\d*\s*[:.)：]")
_ANSWERED = regex.compile(r"(?i)\s*[*_]*(?:A|Answer|Antwort|Respuesta|Réponse|答|回答|جواب)\s*\d*\s*[:：]")
_BARE_ANSWER = regex.compile(r"(?:^|\n|\s)(?:A|Answer|Antwort|答|回答)\s*[:：]\s*$")
_LEAST_PAIRS, _LEAST_SHARE = 2, 0.2
_HEADING = 5  # words


def is_faq(texts: Iterable[str]) -> bool:
    """Whether the passages as a whole are questions with their answers: two at least, and a fifth of all."""
    given = list(texts)
    pairs = sum(_shows_pair(text) for text in given)
    return pairs >= _LEAST_PAIRS and pairs >= _LEAST_SHARE * len(given)


def question_without_answer(text: str, faq: bool) -> tuple[int, int] | None:
    """The question that a passage ends with, and whose answer is not there.

    A passage of nothing but a question lacks it in any case; a question after other text only in a list of questions
    and answers (`faq`), since elsewhere it may be rhetorical.
    """
    body = text.rstrip()
    if found := _BARE_ANSWER.search(body):
        return found.start(), len(body)
    pieces = sentences(body)
    if not pieces or not _asks(pieces[-1]):
        return None
    alone = all(_asks(one) or _is_heading(one) for one in pieces)
    if not (alone or faq):
        return None
    return max(body.rfind(pieces[-1]), 0), len(body)


def answer_without_question(text: str) -> tuple[int, int] | None:
    """The mark of an answer ("A:") that a passage begins with."""
    found = _ANSWERED.match(text)
    return found.span() if found and count_words(text) > _HEADING else None


def _asks(sentence: str) -> bool:
    return sentence.rstrip(_CLOSERS).endswith(_QUESTION_MARKS)


def _is_heading(sentence: str) -> bool:
    return count_words(sentence) <= _HEADING and sentence.rstrip(_CLOSERS)[-1:] not in ".!。！"


def _shows_pair(text: str) -> bool:
    """A question that is marked as one, or that opens the passage or a line and has other text after it."""
    if _ASKED.search(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    for place, line in enumerate(lines):
        pieces = sentences(line)
        if pieces and _asks(pieces[0]):
            rest = pieces[1:] or sentences(lines[place + 1])[:1] if place + 1 < len(lines) else pieces[1:]
            if any(not _asks(one) for one in rest):
                return True
    return False
