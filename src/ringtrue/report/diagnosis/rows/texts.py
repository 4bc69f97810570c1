"""What golden answer and passages share, by words and facts alone: weaker evidence than a judge's."""

from collections.abc import Iterable, Sequence

from ringtrue.data.facts import evaluate
from ringtrue.text.normal import squad_words
from ringtrue.text.phrases import contains
from ringtrue.text.words import is_unspaced
from ringtrue.types import Passage, Sample

__all__ = ["golden_words", "question_words", "share_held", "states_facts", "telling"]

_SHORT = 3  # letters of a word that tells little, where longer ones are there


def telling(text: str) -> frozenset[str]:
    """The words that tell something: figures, and words of more than three letters where there are any.

    In scripts without spaces each letter is a word, and all count.
    """
    found = frozenset(squad_words(text))
    if is_unspaced(text):
        return found
    long = frozenset(word for word in found if len(word) > _SHORT or any(one.isdigit() for one in word))
    return long or found


def question_words(sample: Sample) -> frozenset[str]:
    """The telling words of the question."""
    return telling(sample.question or "")


def golden_words(sample: Sample) -> list[frozenset[str]]:
    """The telling words of each golden answer that the question has not already; all, where it has them all."""
    asked = frozenset(squad_words(sample.question or ""))
    return [new or words for one in sample.reference if (words := telling(one)) for new in [words - asked]]


def share_held(wanted: Sequence[frozenset[str]], texts: Iterable[str]) -> float | None:
    """The share of the words of the best covered golden answer that the texts have together."""
    if not wanted:
        return None
    held = {word for text in texts for word in squad_words(text)}
    return max(len(words & held) / len(words) for words in wanted)


def states_facts(sample: Sample, passages: Iterable[Passage | str]) -> bool | None:
    """Whether the passages state the golden facts (numbers, units and dates read); ``None`` where there are none."""
    if sample.facts is None:
        return None
    texts = [text for one in passages if (text := one if isinstance(one, str) else one.text)]
    return evaluate(sample.facts.tree, lambda fact: any(contains(text, fact) for text in texts))
