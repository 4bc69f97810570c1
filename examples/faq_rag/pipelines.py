"""The three versions of the application. The generator and its prompt are the same in all of them."""

from generator import generate
from retrieval import search

from ringtrue import Passage, Response


def version_a(question: str) -> Response:
    """Passages cut every so many characters, searched by words."""
    return _answer("A", question)


def version_b(question: str) -> Response:
    """Each question with its answer, searched by words."""
    return _answer("B", question)


def version_c(question: str) -> Response:
    """The passages of B, searched by words and by meaning."""
    return _answer("C", question)


def _answer(version: str, question: str) -> Response:
    found = search(version)(question)
    return Response(
        answer=generate(question, found), contexts=tuple(Passage(id=one.id, text=one.text) for one in found)
    )
