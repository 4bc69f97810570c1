"""The rows on which a judge and people differ, as the page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.report.agreement.found import Judged, Miss
from ringtrue.report.plain import middle_out, number, one_line
from ringtrue.types import Passage

__all__ = ["MissView", "MissesView", "misses_views"]

_TEXT = 6_000  # characters of a question, an answer or a rationale
_PASSAGE = 2_000
_PASSAGES = 10
_REFERENCES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MissView:
    """One row: its texts in the order they are read, and the passages, of which `passages_left` more are not shown."""

    id: str
    asked: str
    answered: str
    people: str
    judge: str
    score: str
    texts: Sequence[tuple[str, str]]
    passages: Sequence[str]
    passages_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissesView:
    """The misses of one judge, the surest first: those shown, of `total` in its first run."""

    name: str
    baseline: bool
    shown: Sequence[MissView]
    told: str


def misses_views(judges: Sequence[Judged]) -> list[MissesView]:
    """Every judge's worst misses, in the order given."""
    return [
        MissesView(
            name=one_line(one.candidate.name, 60),
            baseline=one.candidate.baseline,
            shown=[_miss(miss) for miss in one.misses],
            told=_told(one),
        )
        for one in judges
    ]


def _told(one: Judged) -> str:
    if not one.figures.verdicts:
        return "no verdicts"
    wrong = one.figures.verdicts - sum(row[place] for place, row in enumerate(one.figures.table))
    if not wrong:
        return "none"
    runs = len(one.candidate.runs)
    over = f" over {runs} runs, shown are those of the first" if runs > 1 else ""
    return f"{len(one.misses):,} of {wrong:,}{over}"


def _miss(miss: Miss) -> MissView:
    sample, response = miss.person.sample, miss.person.response
    golden = sample.reference[:_REFERENCES]
    texts = [
        ("Question", sample.question),
        *(("Golden answer" if len(golden) < 2 else f"Golden answer {n}", text) for n, text in enumerate(golden, 1)),
        ("Answer", response.answer),
        ("Raters", _raters(miss)),
        ("Rationale of the judge", miss.rationale),
    ]
    passages = response.contexts or sample.reference_contexts or ()
    return MissView(
        id=one_line(miss.person.id, 60),
        asked=one_line(sample.question or "(no question)", 200),
        answered=one_line(response.answer or "(no answer)", 200),
        people=one_line(miss.person.label or "", 40),
        judge=one_line(miss.verdict, 40),
        score="" if miss.score is None else number(miss.score),
        texts=[(name, middle_out(text, _TEXT)) for name, text in texts if text],
        passages=[_passage(one) for one in passages[:_PASSAGES]],
        passages_left=max(len(passages) - _PASSAGES, 0),
    )


def _raters(miss: Miss) -> str:
    given = {name: label for name, label in miss.person.raters.items() if label is not None}
    return ", ".join(f"{one_line(name, 30)}: {one_line(label, 30)}" for name, label in given.items())


def _passage(one: Passage) -> str:
    return middle_out(one.text, _PASSAGE) if one.text else f"(no text; id {one_line(one.id or 'unknown', 60)})"
