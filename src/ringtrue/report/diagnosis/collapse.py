"""Retrieval collapse: whether every question gets the same few passages."""

from collections import Counter
from collections.abc import Iterable
from math import fsum, log2

from ringtrue.report.diagnosis.found import Collapse
from ringtrue.report.diagnosis.passages.checks import excerpt_of
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.types import Passage

__all__ = ["collapse_of"]

_LEAST_QUESTIONS = 5  # from which an overlap says something
_SHOWN = 5


def collapse_of(retrieved: Iterable[tuple[Passage, ...]], cuts: Thresholds, corpus: int | None) -> Collapse | None:
    """How much questions share their passages; `retrieved` holds the passages of one answer to each question.

    ``None`` for fewer than five questions with passages. Where the corpus is no larger than twice what a question
    fetches, sharing is no collapse. Passages are the same by their id, else by their text.
    """
    sets = [{one.id or one.text or "": one for one in passages} for passages in retrieved if passages]
    if len(sets) < _LEAST_QUESTIONS:
        return None
    times = Counter(key for one in sets for key in one)
    known = {key: passage for one in sets for key, passage in one.items()}
    total, n = times.total(), len(sets)
    pairs = fsum(count * (count - 1) for count in times.values()) / (n * (n - 1))
    overlap = pairs / (total / n)
    entropy = -fsum(count / total * log2(count / total) for count in times.values())
    common = times.most_common(max(_SHOWN, round(total / n)))
    small = corpus is not None and corpus <= 2 * total / n
    return Collapse(
        questions=n,
        distinct=len(times),
        overlap=overlap,
        entropy=abs(entropy),
        effective=2**entropy,
        collapsed=overlap >= cuts.collapse and not small,
        commonest=[excerpt_of(known[key], (0, min(len(known[key].text or ""), 80))) for key, _ in common],
    )
