"""Why the context did not hold the answer: the first stage from the left that shows a fault of its own.

Retrieval is blamed last. What was fetched is judged after what there was to fetch.
"""

from collections.abc import Iterator, Sequence

from ringtrue.report.diagnosis.found import Evidence, Excerpt
from ringtrue.report.diagnosis.passages.checks import excerpt_of
from ringtrue.report.diagnosis.passages.copies import copies_of
from ringtrue.report.diagnosis.rows.case import Case
from ringtrue.report.diagnosis.rows.corpus import Located, split_over
from ringtrue.report.diagnosis.rows.holding import Held
from ringtrue.report.diagnosis.rows.texts import question_words
from ringtrue.report.diagnosis.stages import SIGNS
from ringtrue.text.normal import squad_words
from ringtrue.types import Passage

__all__ = ["in_passages", "upstream"]

_PARSE = ("empty", "mojibake", "broken_table", "boilerplate")
_CUT = ("begins_inside", "ends_inside")
_FAQ = ("question_without_answer", "answer_without_question")
_ABOUT = 0.5  # share of a question's words from which a passage that asks something asks that


def upstream(case: Case, held: Held) -> list[Evidence]:
    """The evidence against the first stage at fault, then the verdict on the context."""
    located = case.around.corpus.locate(case.sample) if case.around.corpus else None
    for look in (_parse, _chunk, _index):
        if found := list(look(case, located)):
            return [*found, held.evidence("lacking")]
    return [*_retrieve(case, located, held)]


def in_passages(case: Case) -> list[Evidence]:
    """What speaks against parsing or cutting where nothing tells whether the context is enough: weaker evidence."""
    found = list(_garbled(case)) or list(_cut(case))
    return [Evidence(one.sign, one.text, True, one.excerpt) for one in found]


def _parse(case: Case, located: Located | None) -> Iterator[Evidence]:
    yield from _garbled(case)
    corpus = case.around.corpus
    if corpus is None or located is None:
        return
    if located.whole is not None:
        flaws = corpus.checked.of(located.whole)
        for sign in (one for one in _PARSE if one in flaws):
            yield Evidence(
                sign, "the passage of the corpus that has the answer", False, _place(located.whole, flaws[sign])
            )
    elif located.absent and _golden_in_corpus(case) is None:
        yield Evidence("not_in_corpus", "no passage of the corpus says what the golden answer says (by words)", True)


def _garbled(case: Case) -> Iterator[Evidence]:
    """Spoiled text in the nearest passage, or in at least half of those retrieved."""
    for sign in _PARSE:
        spoiled = _with(case, (sign,))
        if spoiled and (2 * len(spoiled) >= len(case.contexts or ()) or case.nearest in dict(spoiled)):
            rank, one = spoiled[0]
            told = f"{len(spoiled)} of {len(case.contexts or ())} retrieved passages: {SIGNS[sign].title}"
            yield Evidence(sign, told, False, _place(one, case.around.checked.of(one)[sign], rank))
            return


def _chunk(case: Case, located: Located | None) -> Iterator[Evidence]:
    yield from _cut(case)
    yield from _split(case, located)
    yield from _copies(case)


def _cut(case: Case) -> Iterator[Evidence]:
    yield from _faq(case)
    cuts, fetched = case.around.cuts, case.contexts or ()
    cut = _with(case, _CUT)
    if not cut or case.around.checked.cut_share < cuts.cut_passages:
        return
    if len(cut) < cuts.cut_fetched * len(fetched) and case.nearest not in dict(cut):
        return
    nearest = next(((rank, one) for rank, one in cut if rank == case.nearest), cut[0])
    flaws = case.around.checked.of(nearest[1])
    sign = next(one for one in reversed(_CUT) if one in flaws)
    yield Evidence(
        sign,
        f"{len(cut)} of {len(fetched)} retrieved passages begin or end inside a sentence",
        False,
        _place(nearest[1], flaws[sign], nearest[0]),
    )


def _faq(case: Case) -> Iterator[Evidence]:
    """A passage that asks what was asked, and does not answer it; or an answer whose question was cut off."""
    asked = question_words(case.sample)
    for rank, one in _with(case, _FAQ[:1]):
        start, end = case.around.checked.of(one)[_FAQ[0]]
        there = set(squad_words((one.text or "")[start:end]))
        if asked and len(asked & there) >= _ABOUT * len(asked):
            told = "the question was retrieved without its answer"
            yield Evidence(_FAQ[0], told, False, _place(one, (start, end), rank))
            return
    for rank, one in _with(case, _FAQ[1:]):
        if rank == case.nearest:
            place = _place(one, case.around.checked.of(one)[_FAQ[1]], rank)
            yield Evidence(_FAQ[1], "an answer was retrieved without its question", False, place)
            return


def _split(case: Case, located: Located | None) -> Iterator[Evidence]:
    """The answer stands over two neighbours of the corpus, or of the retrieved passages, and in none alone."""
    pair = located.split if located else None
    if pair is None and located is None:
        pair = split_over(case.sample, _neighbours(case.contexts or ()), case.around.cuts)
    if pair is not None:
        left, right = pair[0], pair[-1]
        text = f"{(left.text or '').rstrip()} ‖ {(right.text or '').lstrip()}"
        at = text.index("‖")
        place = excerpt_of(Passage(text=text, id=_pair_name(left, right)), (at, at + 1))
        yield Evidence("split", f"the answer is split over {len(pair)} neighbouring passages (by words)", True, place)


def _copies(case: Case) -> Iterator[Evidence]:
    fetched = case.contexts or ()
    copies = [
        (rank, fetched[rank]) for rank in copies_of([one.text or "" for one in fetched], case.around.cuts.near_copy)
    ]
    if copies and len(copies) >= case.around.cuts.copies * len(fetched):
        rank, one = copies[0]
        told = f"{len(copies)} of {len(fetched)} retrieved passages are copies of others"
        yield Evidence("copy", told, False, _place(one, (0, min(len(one.text or ""), 80)), rank))


def _index(case: Case, _located: Located | None) -> Iterator[Evidence]:
    if case.around.corpus is not None and case.sample.reference_contexts and _golden_in_corpus(case) is False:
        yield Evidence("not_indexed", "the golden passage is not in the corpus that was given")


def _retrieve(case: Case, located: Located | None, held: Held) -> Iterator[Evidence]:
    if not case.contexts:
        yield Evidence("nothing", held.text)
    elif case.around.collapse and case.around.collapse.collapsed and _is_common(case):
        shared = f"{case.around.collapse.overlap:.0%} of a question's passages are those of another one too"
        yield Evidence("collapse", shared)
        yield held.evidence("lacking")
    else:
        yield held.evidence("lacking")
    if located and located.whole is not None:
        text = located.whole.text or ""
        place = excerpt_of(located.whole, (0, min(len(text), 80)))
        yield Evidence("not_fetched", "the corpus has the answer (by words), and it was not retrieved", True, place)


def _golden_in_corpus(case: Case) -> bool | None:
    """Whether the corpus has the golden passages; ``None`` where ids or texts do not tell."""
    corpus, golden = case.around.corpus, case.sample.reference_contexts
    if corpus is None or not golden:
        return None
    named = [one.id for one in golden if one.id]
    if case.around.by == "auto" and len(named) == len(golden) and corpus.ids:
        return any(name in corpus.ids for name in named)
    return None


def _is_common(case: Case) -> bool:
    """Whether at least half of the passages are among the commonest of the run."""
    assert case.around.collapse is not None
    common = {one.name or one.text for one in case.around.collapse.commonest}
    shared = [one for one in case.contexts or () if (one.id or _flat(one)) in common]
    return 2 * len(shared) >= len(case.contexts or ())


def _flat(passage: Passage) -> str:
    return excerpt_of(passage, (0, min(len(passage.text or ""), 80))).text


def _with(case: Case, signs: Sequence[str]) -> list[tuple[int, Passage]]:
    """The retrieved passages that show one of the signs, with their places (from 0)."""
    checked = case.around.checked
    return [(rank, one) for rank, one in enumerate(case.contexts or ()) if set(signs) & set(checked.of(one))]


def _neighbours(passages: Sequence[Passage]) -> Iterator[tuple[Passage, Passage]]:
    """Retrieved passages whose ids follow one another (``faq-12``, ``faq-13``)."""
    numbered = {key: one for one in passages if one.id and (key := _numbered(one.id))}
    for (stem, number), one in numbered.items():
        if (stem, number + 1) in numbered:
            yield one, numbered[stem, number + 1]


def _numbered(name: str) -> tuple[str, int] | None:
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    return (stem, int(digits)) if digits and digits.isascii() else None


def _pair_name(left: Passage, right: Passage) -> str | None:
    return f"{left.id} ‖ {right.id}" if left.id and right.id else None


def _place(passage: Passage, span: tuple[int, int], rank: int | None = None) -> Excerpt:
    return excerpt_of(passage, span, None if rank is None else rank + 1)
