"""The corpus, as far as it is given: does it say what the golden answer says, whole or split over neighbours?"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ringtrue.report.diagnosis.passages.checks import Checked, check_passages
from ringtrue.report.diagnosis.rows.texts import golden_words, question_words, share_held, states_facts, telling
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.text.normal import squad_words
from ringtrue.types import Passage, Sample

__all__ = ["Corpus", "Located", "holds_answer", "open_corpus", "split_over"]

_NEAREST = 8  # passages read closely for each question
_SEAM = 40  # characters on either side of a cut
_WINDOW = 5  # neighbours over which an answer can be split


@dataclass(frozen=True, slots=True)
class Located:
    """Where the corpus has the answer: in one passage, or split over neighbours.

    `absent` says that it has next to nothing of it; where all three say no, that is not known.
    """

    whole: Passage | None = None
    split: tuple[Passage, ...] | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """All passages in their order, what is wrong with them, and an index of their words."""

    passages: tuple[Passage, ...]
    checked: Checked
    ids: frozenset[str]
    index: dict[str, list[int]]
    cuts: Thresholds

    def locate(self, sample: Sample) -> Located | None:
        """Where the answer is; ``None`` where the sample has neither facts nor a golden answer to look for."""
        if sample.facts is None and not sample.reference:
            return None
        near = self._nearest(sample)
        whole = next(
            (self.passages[one] for one in near if holds_answer(sample, [self.passages[one]], self.cuts)), None
        )
        if whole is not None:
            return Located(whole)
        for size in (2, _WINDOW):
            starts = dict.fromkeys(start for one in near for start in range(max(one - size + 1, 0), one + 1))
            groups = [self.passages[start : start + size] for start in starts]
            if split := split_over(sample, groups, self.cuts):
                return Located(split=split)
        near_texts = [self.passages[one].text or "" for one in near]
        share = share_held(golden_words(sample), near_texts)
        return Located(absent=share is None or share < self.cuts.words_lacking)

    def _nearest(self, sample: Sample) -> list[int]:
        """The passages that share most words with golden answer, facts and question, rare words counting more."""
        wanted = set(question_words(sample)).union(*golden_words(sample))
        if sample.facts is not None:
            wanted |= set(squad_words(sample.facts.raw))
        weights: Counter[int] = Counter()
        for word in wanted:
            for place in self.index.get(word, ()):
                weights[place] += 1 + len(self.passages) // len(self.index[word])
        return [place for place, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_NEAREST]]


def open_corpus(passages: Iterable[Passage], cuts: Thresholds) -> Corpus:
    """Check and index a corpus."""
    given = tuple(passages)
    index: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(given):
        for word in set(squad_words(one.text or "")):
            index[word].append(place)
    return Corpus(given, check_passages(given, cuts), frozenset(one.id for one in given if one.id), dict(index), cuts)


def holds_answer(sample: Sample, passages: Sequence[Passage], cuts: Thresholds) -> bool:
    """Whether passages state the facts, or, without facts, hold enough of the golden answer's words."""
    stated = states_facts(sample, passages)
    if stated is not None:
        return stated
    share = share_held(golden_words(sample), [one.text or "" for one in passages])
    return share is not None and share >= cuts.words_held


def split_over(sample: Sample, groups: Iterable[Sequence[Passage]], cuts: Thresholds) -> tuple[Passage, ...] | None:
    """The first group of neighbours that holds the answer together, none of them alone.

    They are joined with and without a space, since a word may have been cut too.
    """
    wanted = _wanted(sample)
    for group in groups:
        texts = [one.text or "" for one in group]
        if not wanted or 2 * len(wanted & _words_of(texts)) < len(wanted):  # what follows reads closely, and is slow
            continue
        joined = [Passage(text=glue.join(texts)) for glue in ("", " ")]
        alone = any(holds_answer(sample, [one], cuts) for one in group)
        if not alone and any(holds_answer(sample, [one], cuts) for one in joined):
            return tuple(group)
    return None


def _wanted(sample: Sample) -> frozenset[str]:
    """The telling words of facts and golden answers."""
    facts = [telling(sample.facts.raw.replace("<OR>", " ").replace("<AND>", " "))] if sample.facts else []
    return frozenset().union(*facts, *golden_words(sample))


def _words_of(texts: Sequence[str]) -> set[str]:
    """The words of neighbours, with those that the cut between them goes through."""
    found = {word for text in texts for word in squad_words(text)}
    seams = (left[-_SEAM:] + right[:_SEAM] for left, right in pairwise(texts))
    return found.union(*map(squad_words, seams))
