"""All checks of passages as such, over the distinct ones of a pipeline or of a corpus."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ringtrue.report.diagnosis.found import Excerpt, PassageFinding
from ringtrue.report.diagnosis.passages.boundaries import Style, begins_inside, ends_inside, style_of
from ringtrue.report.diagnosis.passages.copies import boilerplate_lines, copies_of, line_key, odd_sizes
from ringtrue.report.diagnosis.passages.faq import answer_without_question, is_faq, question_without_answer
from ringtrue.report.diagnosis.passages.garbled import broken_table, is_empty, mojibake
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.types import Passage

__all__ = ["Checked", "Key", "check_passages", "excerpt_of", "key_of"]

Key = tuple[str | None, str]
Span = tuple[int, int]

_SHOWN = 3  # examples of a finding
_AROUND = 80  # characters of an excerpt before and after the place
_MOSTLY = 0.5  # share of a passage's text from which it is mostly boilerplate


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is wrong with which passage: `flaws` by passage, then by sign, with the place.

    `total` counts the distinct passages that have a text (or ought to), `bare` those of which only an id is known.
    """

    flaws: Mapping[Key, Mapping[str, Span]]
    passages: Mapping[Key, Passage]
    total: int = 0
    bare: int = 0
    median: float = 0.0

    def of(self, passage: Passage) -> Mapping[str, Span]:
        """The flaws of one passage."""
        return self.flaws.get(key_of(passage), {})

    @property
    def cut_share(self) -> float:
        """Share of the passages that begin or end inside a sentence."""
        cut = sum(bool({"begins_inside", "ends_inside"} & set(found)) for found in self.flaws.values())
        return cut / self.total if self.total else 0.0

    def findings(self, source: str) -> list[PassageFinding]:
        """Each sign with its number and some examples, in the order of the checks."""
        signs = dict.fromkeys(sign for found in self.flaws.values() for sign in found)
        return [
            PassageFinding(
                sign=sign,
                source=source,
                n=len(keys := [key for key, found in self.flaws.items() if sign in found]),
                of=self.total,
                examples=[excerpt_of(self.passages[key], self.flaws[key][sign]) for key in keys[:_SHOWN]],
            )
            for sign in sorted(signs, key=_ORDER.index)
        ]


_ORDER = (
    "empty",
    "mojibake",
    "broken_table",
    "boilerplate",
    "begins_inside",
    "ends_inside",
    "question_without_answer",
    "answer_without_question",
    "copy",
    "long",
    "short",
)


def key_of(passage: Passage) -> Key:
    """What makes a passage one: its id, where it has one, and its text."""
    return passage.id, passage.text or ""


def check_passages(given: Iterable[Passage], cuts: Thresholds) -> Checked:
    """Check the distinct passages among those given."""
    known = {key_of(one): one for one in given}
    kept = {key: one for key, one in known.items() if one.text is not None or one.id is None}
    texts = [text for _, text in kept]
    style, faq = style_of(texts), is_faq(texts)
    flaws: dict[Key, dict[str, Span]] = {key: {} for key in kept}
    for key in kept:
        for sign, look in _LOOKS.items():
            if (span := look(key[1], style, faq)) is not None:
                flaws[key][sign] = span
    keys = list(kept)
    middle = _add_held_against_others(flaws, keys, texts, cuts)
    return Checked(
        flaws={key: found for key, found in flaws.items() if found},
        passages=kept,
        total=len(kept),
        bare=len(known) - len(kept),
        median=middle,
    )


def excerpt_of(passage: Passage, span: Span, rank: int | None = None) -> Excerpt:
    """The place in a passage with some text around it; a line break becomes a space."""
    text = passage.text or ""
    start, end = span
    low = max(start - _AROUND, 0)
    high = min(max(end, start + 1) + _AROUND, len(text))
    before = ("…" if low else "") + text[low:start]
    after = text[end:high] + ("…" if high < len(text) else "")
    flat = [" ".join(piece.split()) for piece in (before, text[start:end], after)]
    spaced = (
        flat[0] + (" " if before[-1:].isspace() and flat[0] else ""),
        flat[1],
        (" " if after[:1].isspace() and flat[2] else "") + flat[2],
    )
    return Excerpt("".join(spaced), len(spaced[0]), len(spaced[0]) + len(spaced[1]), passage.id, rank)


def _add_held_against_others(
    flaws: dict[Key, dict[str, Span]], keys: Sequence[Key], texts: Sequence[str], cuts: Thresholds
) -> float:
    """Copies, boilerplate and odd sizes; the median length."""
    lines = boilerplate_lines(texts, cuts.boilerplate)
    for place in copies_of(texts, cuts.near_copy):
        flaws[keys[place]]["copy"] = (0, min(len(texts[place]), _AROUND))
    if lines:
        for key, text in zip(keys, texts, strict=True):
            if span := _boilerplate(text, lines):
                flaws[key]["boilerplate"] = span
    long, short, middle = odd_sizes(texts, cuts.long, cuts.short)
    for sign, places in (("long", long), ("short", short)):
        for place in places:
            if texts[place].strip():
                flaws[keys[place]][sign] = (0, min(len(texts[place]), _AROUND))
    return middle


def _boilerplate(text: str, lines: Mapping[str, int]) -> Span | None:
    """The first repeated line of a passage that is mostly made of such lines."""
    same = [line for line in text.splitlines() if line_key(line) in lines]
    if sum(map(len, same)) <= _MOSTLY * len(text.strip()):
        return None
    start = text.find(same[0])
    return start, start + len(same[0])


def _empty(text: str, _style: Style, _faq: bool) -> Span | None:
    return (0, len(text)) if is_empty(text) else None


_LOOKS: Mapping[str, Callable[[str, Style, bool], Span | None]] = {
    "empty": _empty,
    "mojibake": lambda text, _style, _faq: mojibake(text),
    "broken_table": lambda text, _style, _faq: broken_table(text),
    "begins_inside": lambda text, style, _faq: begins_inside(text, style),
    "ends_inside": lambda text, style, _faq: ends_inside(text, style),
    "question_without_answer": lambda text, _style, faq: question_without_answer(text, faq),
    "answer_without_question": lambda text, _style, _faq: answer_without_question(text),
}
