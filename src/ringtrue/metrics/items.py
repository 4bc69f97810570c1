"""The answer taken as a list, against the golden list: precision, recall, F1 and overlap of their items.

Golden items are the facts that are all needed ("tin<AND>lead<AND>silver"), each a string or alternatives. Order and
repetition do not count. An answer item counts for the golden items that it states (`ringtrue.text.phrases`).

Where two lines or more have list marks ("-", "1."), these lines are the answer's items. Otherwise it is cut at line
breaks, commas, semicolons and "and", but never inside a golden item, a number or a date, and what leads in before a
colon is left out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import inf
from typing import TypeAlias, cast

import regex

from ringtrue.catalogue import Explanation, metric
from ringtrue.data.facts import evaluate, leaves, show_fact, terms
from ringtrue.errors import Skip
from ringtrue.text.phrases import find
from ringtrue.text.reading import Reading, read
from ringtrue.text.words import LONG, words
from ringtrue.types import Fact, Facts, Response, Sample

__all__ = ["items_f1", "items_iou", "items_precision", "items_recall"]

Span: TypeAlias = tuple[int, int]

_SOURCE = "set precision, recall, F1 and Jaccard index (Jaccard 1901) of list items"
_MARKED = regex.compile(r"(?m)^[ \t>]*+(?:[-*+•◦▪‣●○·–]|\(?(?:\d{1,3}|[A-Za-z])[.)])[ \t]++(\S.*)$")
_LINE = regex.compile(r"[^\r\n]+")
_SEPARATOR = regex.compile(r"[,;，；、،|\t]|(?<=\s)&(?=\s)|(?i:\b(?:and|und|et)\b)")
_EDGES = " \t\"'“”‘’[](){}*_`.!?"
_LEAD = regex.compile(r":(?=\s|$)")


def _explain(sample: Sample, response: Response) -> Explanation:
    """Golden items that the answer has, answer items that are no golden ones, and golden items that it lacks."""
    facts, answer = cast(Facts, sample.facts), cast(str, response.answer)  # `needs` holds them
    return (_kept if len(answer) <= LONG else _compare)(facts.tree, answer)


def _sizes(sample: Sample, response: Response) -> tuple[int, int, int]:
    """How many items are in both lists, in the golden one, and in the answer's."""
    found = _explain(sample, response)
    both = len(found.matched)
    return both, both + len(found.missing), both + len(found.extra)


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_SOURCE, explain=_explain)
def items_precision(sample: Sample, response: Response) -> float:
    """Share of the answer's items that are golden; an answer without any item is skipped."""
    both, _, given = _sizes(sample, response)
    if not given:
        raise Skip("the answer holds no item")
    return both / given


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_SOURCE, explain=_explain)
def items_recall(sample: Sample, response: Response) -> float:
    """Share of the golden items that the answer's list has."""
    both, golden, _ = _sizes(sample, response)
    return both / golden


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_SOURCE, explain=_explain)
def items_f1(sample: Sample, response: Response) -> float:
    """Harmonic mean of items_precision and items_recall: twice the shared items by the items of both lists."""
    both, golden, given = _sizes(sample, response)
    return 2 * both / (golden + given)


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_SOURCE, explain=_explain)
def items_iou(sample: Sample, response: Response) -> float:
    """Shared items by all distinct items of both lists (intersection over union, Jaccard index)."""
    both, golden, given = _sizes(sample, response)
    return both / (golden + given - both)


def _compare(tree: Fact, answer: str) -> Explanation:
    reading = read(answer)
    spots = {leaf: list(find(reading, read(leaf))) for leaf in leaves(tree)}
    items = _items(reading, spots)
    stating = {
        leaf: {index for spot in found if (index := _item_around(items, spot)) >= 0} for leaf, found in spots.items()
    }
    golden: dict[str, Fact] = {}
    for term in terms(tree):
        golden.setdefault(show_fact(term).casefold(), term)
    matched = [term for term in golden.values() if evaluate(term, lambda leaf: bool(stating[leaf]))]
    used = {index for term in matched for leaf in leaves(term) for index in stating[leaf]}
    others = (reading.text[slice(*item)].strip(_EDGES) for index, item in enumerate(items) if index not in used)
    extra = {" ".join(words(text)): text for text in others if words(text)}
    missing = [term for term in golden.values() if term not in matched]
    return Explanation(tuple(map(show_fact, matched)), tuple(extra.values()), tuple(map(show_fact, missing)))


_kept = lru_cache(maxsize=256)(_compare)


def _items(reading: Reading, spots: Mapping[str, list[Span]]) -> list[Span]:
    """Where the answer's items stand, in order."""
    text = reading.text
    if len(marked := [line.span(1) for line in _MARKED.finditer(text)]) > 1:
        return [(start, end) for start, end in marked if text[end - 1] != ":"]
    golden = _merged(spot for found in spots.values() for spot in found)
    stated = [
        (item.start, item.end) for ways in reading.items.values() for _, item in ways if not isinstance(item, str)
    ]
    whole = _merged([*golden, *stated])
    return [item for line in _LINE.finditer(text) for item in _cut(text, *line.span(), golden, whole)]


def _cut(text: str, start: int, end: int, golden: list[Span], whole: list[Span]) -> Iterator[Span]:
    """The items of one line; `whole` are the places that are not cut."""
    lead = _LEAD.search(text, start, end)
    if lead and _last_before(golden, lead.start())[1] <= start:
        start = lead.end()
    for mark in _SEPARATOR.finditer(text, start, end):
        if _last_before(whole, mark.start())[1] <= mark.start():
            yield start, mark.start()
            start = mark.end()
    yield start, end


def _item_around(items: list[Span], spot: Span) -> int:
    """The index of the item that holds this place, or -1."""
    index = bisect_right(items, (spot[0], inf)) - 1
    return index if index >= 0 and spot[1] <= items[index][1] else -1


def _last_before(spans: list[Span], place: int) -> Span:
    """The last span that begins at `place` or before it; spans do not overlap."""
    index = bisect_right(spans, (place, inf)) - 1
    return spans[index] if index >= 0 else (-1, -1)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
