"""Passages held against one another: copies, near copies, lines that stand on many, and odd sizes."""

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

import regex

from ringtrue.text.words import words

__all__ = ["boilerplate_lines", "copies_of", "line_key", "odd_sizes"]

_SHINGLE = 5  # words
_SKETCH = 6  # least hashes by which near copies find one another
_LEAST_WORDS = 8  # of a passage that can be a near copy: shorter ones are alike by chance
_LEAST_LINE = 3  # words of a line that can be boilerplate
_LEAST_TIMES = 4
_LEAST_PASSAGES = 8  # from which a size can be odd
_PAGE = regex.compile(r"(?i)\b(?:page|seite|página|p\.)\s*\d+(?:\s*(?:of|von|de|/)\s*\d+)?")


def copies_of(texts: Sequence[str], alike: float) -> dict[int, int]:
    """For each text that is a copy of an earlier one, the place of that one.

    Texts are copies where their words are the same, or where of their runs of five words a share of `alike` is (the
    Jaccard index).
    """
    found: dict[int, int] = {}
    exact: dict[tuple[str, ...], int] = {}
    shingles: dict[int, frozenset[int]] = {}
    buckets: dict[int, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        own = words(text)
        if not own:
            continue
        if (first := exact.setdefault(own, place)) != place:
            found[place] = first
            continue
        if len(own) < _LEAST_WORDS:
            continue
        shingles[place] = runs = _runs(own)
        sketch = sorted(runs)[:_SKETCH]
        near = {other for key in sketch for other in buckets[key]}
        match = next((other for other in sorted(near) if _jaccard(runs, shingles[other]) >= alike), None)
        if match is not None:
            found[place] = match
            continue
        for key in sketch:
            buckets[key].append(place)
    return found


def boilerplate_lines(texts: Sequence[str], share: float) -> Mapping[str, int]:
    """The lines (page numbers apart) that stand on a share of all passages, four at least, and on how many."""
    times: Counter[str] = Counter()
    for text in texts:
        times.update({line_key(line) for line in text.splitlines()} - {""})
    least = max(share * len(texts), _LEAST_TIMES)
    return {line: n for line, n in times.items() if n >= least}


def line_key(line: str) -> str:
    """A line as it is compared; nothing where it is too short."""
    key = _PAGE.sub("#", " ".join(line.split()).casefold())
    return key if len(words(key)) >= _LEAST_LINE else ""


def odd_sizes(texts: Sequence[str], long: float, short: float) -> tuple[list[int], list[int], float]:
    """The places of texts that are `long` times the median length and more, or `short` of it and less; the median."""
    lengths = [len(text) for text in texts]
    if len(lengths) < _LEAST_PASSAGES:
        return [], [], float(median(lengths)) if lengths else 0.0
    middle = float(median(lengths))
    return (
        [place for place, length in enumerate(lengths) if length >= long * middle],
        [place for place, length in enumerate(lengths) if length <= short * middle],
        middle,
    )


def _runs(own: Sequence[str]) -> frozenset[int]:
    """The runs of five words, as hashes that are the same on every machine."""
    return frozenset(
        zlib.crc32(" ".join(own[start : start + _SHINGLE]).encode("utf-8", "replace"))
        for start in range(max(len(own) - _SHINGLE + 1, 1))
    )


def _jaccard(left: frozenset[int], right: frozenset[int]) -> float:
    both = len(left & right)
    return both / (len(left) + len(right) - both)
