"""Words that the answer shares with the golden answer: recall, precision and F1.

The answer's words are true positives (TP) where the golden answer has them too, else false positives (FP); golden words
that the answer lacks are false negatives (FN). `mode` says what a word is and whether repetitions count, see
`ringtrue.text.normal`. Of several golden answers the best counts, for each metric by itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, cast

from ringtrue.catalogue import Explanation, metric
from ringtrue.text.normal import Mode, fmeval_words, word_pair
from ringtrue.text.words import LONG
from ringtrue.types import Response, Sample

__all__ = ["f1_over_words", "precision_over_words", "recall_over_words"]

_SOURCE = "fmeval 1.2.3, QA Accuracy (aws/fmeval); SQuAD, arXiv:1606.05250"


class _Measures(NamedTuple):
    """Each between 0 and 1."""

    recall: float
    precision: float
    f1: float


def _explained_by(name: str) -> Callable[..., Explanation]:
    """Matched, extra and missing words against the golden answer that is best by the measure of this name."""

    def explain(sample: Sample, response: Response, *, mode: Mode = "fmeval") -> Explanation:
        answer = cast(str, response.answer)
        best = max(sample.reference, key=lambda reference: getattr(_measures(reference, answer, mode), name))
        golden, given = word_pair(best, answer, mode)
        matched, extra = _taken(given, golden)
        return Explanation(matched=matched, extra=extra, missing=_taken(golden, given)[1])

    return explain


@metric(needs=("answer", "reference"), range=(0, 1), better="higher", source=_SOURCE, explain=_explained_by("recall"))
def recall_over_words(sample: Sample, response: Response, *, mode: Mode = "fmeval") -> float:
    """Share of the golden answer's words that the answer has: closeness to the ground truth.

    TP / (TP + FN). 1 says that no golden word is missing, however much else the answer says.
    """
    return _best(sample, response, mode).recall


@metric(
    needs=("answer", "reference"), range=(0, 1), better="higher", source=_SOURCE, explain=_explained_by("precision")
)
def precision_over_words(sample: Sample, response: Response, *, mode: Mode = "fmeval") -> float:
    """Share of the answer's words that the golden answer has: conciseness.

    TP / (TP + FP). 1 says that the answer holds nothing but golden words, however many of them are missing.
    """
    return _best(sample, response, mode).precision


@metric(needs=("answer", "reference"), range=(0, 1), better="higher", source=_SOURCE, explain=_explained_by("f1"))
def f1_over_words(sample: Sample, response: Response, *, mode: Mode = "fmeval") -> float:
    """Closeness and conciseness in one number: the harmonic mean of recall and precision over words.

    2·TP / (2·TP + FP + FN). It is high only where the answer says what the golden answer says, and little else.
    """
    return _best(sample, response, mode).f1


def _best(sample: Sample, response: Response, mode: Mode) -> _Measures:
    answer = cast(str, response.answer)  # `needs` holds it
    return (_kept if len(answer) <= LONG else _best_of)(sample.reference, answer, mode)


def _best_of(references: tuple[str, ...], answer: str, mode: Mode) -> _Measures:
    """The greatest of each measure, maybe of different golden answers."""
    each = [_measures(reference, answer, mode) for reference in references]
    return each[0] if len(each) == 1 else _Measures(*map(max, zip(*each, strict=True)))


_kept = lru_cache(maxsize=64)(_best_of)


def _measures(reference: str, answer: str, mode: Mode) -> _Measures:
    """A measure whose denominator has no word is 0, as in FMEval."""
    if mode == "fmeval":
        golden_set, given_set = fmeval_words(reference), fmeval_words(answer)
        in_golden, in_given, both = len(golden_set), len(given_set), len(golden_set & given_set)
    else:
        golden, given = word_pair(reference, answer, mode)
        in_golden, in_given, both = len(golden), len(given), (Counter(golden) & Counter(given)).total()
    if not both:
        return _Measures(0.0, 0.0, 0.0)
    recall, precision = both / in_golden, both / in_given
    return _Measures(recall, precision, 1 / (0.5 / precision + 0.5 / recall))  # NLTK's way, which rounds as FMEval does


def _taken(wanted: Iterable[str], stock: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of `wanted`, in order, what `stock` can give, each of its words once, and what it cannot."""
    left = Counter(stock)
    found: list[str] = []
    lacking: list[str] = []
    for word in wanted:
        (found if left[word] > 0 else lacking).append(word)
        left[word] -= 1
    return tuple(found), tuple(lacking)
