"""Overlap with the golden answer by n-grams: ROUGE, BLEU, chrF. Libraries do the counting; each scorer is made once.

Where neither text holds a word ("👍"), ROUGE takes each sign for one.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import regex

from ringtrue.catalogue import metric
from ringtrue.text.words import LONG, is_unspaced, sentences, words
from ringtrue.types import Response, Sample

if TYPE_CHECKING:
    from rouge_score_rs import RougeScorer
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

__all__ = ["bleu", "chrf", "rouge1", "rouge2", "rougel", "rougelsum"]

Measure: TypeAlias = Literal["f1", "recall", "precision"]
Tokenize: TypeAlias = Literal["auto", "13a", "intl", "char"]

_NEEDS = ("answer", "reference")
_ROUGE = "Lin 2004, aclanthology.org/W04-1013; equal to rouge-score 0.1.2 for ASCII text"
_FIELD = {"f1": "fmeasure", "recall": "recall", "precision": "precision"}

# What makes rouge-score's own words ([a-z0-9]+) unfit: a letter, digit or mark beyond ASCII, or a joiner of letters.
_BEYOND_ASCII = regex.compile(r"[[\p{L}\p{N}\p{M}\u200c\u200d]--[\x00-\x7f]]", regex.V1)
# sacrebleu keeps the last 65,536 tokenised texts, of any length; ringtrue lets it keep this many.
_TOKENISED = 512


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=_ROUGE)
def rouge1(sample: Sample, response: Response, *, measure: Measure = "f1", stem: bool = False) -> float:
    """Words that answer and golden answer share, counted with repetitions (ROUGE-1).

    Recall is their share of the golden answer's words, precision of the answer's, F1 the harmonic mean. In a script
    written without spaces each letter is a word. `stem` compares English words by their Porter stem.
    """
    return _rouge(sample, response, "rouge1", measure, stem)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=_ROUGE)
def rouge2(sample: Sample, response: Response, *, measure: Measure = "f1", stem: bool = False) -> float:
    """Pairs of neighbouring words that answer and golden answer share (ROUGE-2).

    Recall is their share of the golden answer's pairs, precision of the answer's, F1 the harmonic mean. Where a text is
    one word there is no pair, and the value is 0.
    """
    return _rouge(sample, response, "rouge2", measure, stem)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=_ROUGE)
def rougel(sample: Sample, response: Response, *, measure: Measure = "f1", stem: bool = False) -> float:
    """Longest sequence of words that answer and golden answer share in the same order, gaps allowed (ROUGE-L).

    Recall is its share of the golden answer's words, precision of the answer's, F1 the harmonic mean.
    """
    return _rouge(sample, response, "rougeL", measure, stem)


@metric(needs=_NEEDS, range=(0, 1), better="higher", source=_ROUGE)
def rougelsum(sample: Sample, response: Response, *, measure: Measure = "f1", stem: bool = False) -> float:
    """ROUGE-L sentence by sentence, so that the order of sentences does not count (ROUGE-Lsum).

    Texts are cut into sentences first, in any script; rouge-score itself cuts at line breaks only.
    """
    return _rouge(sample, response, "rougeLsum", measure, stem)


@metric(
    needs=_NEEDS,
    range=(0, 100),
    better="higher",
    source="Papineni et al. 2002, aclanthology.org/P02-1040; sacrebleu, aclanthology.org/W18-6319",
)
def bleu(sample: Sample, response: Response, *, tokenize: Tokenize = "auto") -> float:
    """Share of the answer's runs of 1 to 4 words that golden answers have, less for brevity (sentence BLEU, 0–100).

    All golden answers count together. Smoothed exponentially, and only up to the answer's length (effective order).
    `tokenize` names sacrebleu's tokenizer; ``auto`` is ``13a``, but ``char`` where a text holds an unspaced script.
    """
    texts = (cast(str, response.answer), *sample.reference)
    if tokenize == "auto":
        tokenize = "char" if any(map(is_unspaced, texts)) else "13a"
    score = _bleu(tokenize).sentence_score(texts[0], texts[1:]).score
    _forget_tokenised(at_once=any(len(text) > LONG for text in texts))
    return min(score, 100.0)  # a whole match rounds to a little more


@metric(
    needs=_NEEDS,
    range=(0, 100),
    better="higher",
    source="Popović 2015, aclanthology.org/W15-3049; sacrebleu, aclanthology.org/W18-6319",
)
def chrf(sample: Sample, response: Response, *, word_order: Literal[0, 1, 2] = 0) -> float:
    """Runs of 1 to 6 characters that answer and golden answer share, in any script (chrF, 0–100).

    An F score that weighs recall twice as much as precision, against the best golden answer. White space does not
    count. `word_order` 1 takes single words in as well (chrF+), 2 pairs of words too (chrF++).
    """
    score = _chrf(word_order).sentence_score(cast(str, response.answer), sample.reference).score
    return min(float(score), 100.0)


def _rouge(sample: Sample, response: Response, kind: str, measure: Measure, stem: bool) -> float:
    answer = cast(str, response.answer)
    scores = (_kept_rouges if len(answer) <= LONG else _rouges)(sample.reference, answer, stem, kind == "rougeLsum")
    values: list[float] = [getattr(score[kind], _FIELD[measure]) for score in scores]
    return max(values)


def _rouges(references: tuple[str, ...], answer: str, stem: bool, by_sentence: bool) -> list[Mapping[str, Any]]:
    """Scores by kind for each reference: of ROUGE-Lsum, or of all the others, which share the work of finding words."""
    if by_sentence:
        references, answer = tuple(map(_one_sentence_a_line, references)), _one_sentence_a_line(answer)
    plain = all(map(_has_plain_words, (answer, *references)))
    scorer = _rouge_scorer(stem, by_sentence, plain)
    if not words(answer):
        signs = _rouge_scorer(False, by_sentence, False, signs=True)
        return [(scorer if words(reference) else signs).score(reference, answer) for reference in references]
    return [scorer.score(reference, answer) for reference in references]


_kept_rouges = lru_cache(maxsize=64)(_rouges)


def _has_plain_words(text: str) -> bool:
    return text.isascii() or _BEYOND_ASCII.search(text) is None


def _one_sentence_a_line(text: str) -> str:
    return "\n".join(sentences(text))


class _Words:
    """The words of any script for rouge-score-rs, with English ones stemmed as it stems them."""

    def __init__(self, stem: bool) -> None:
        from rouge_score_rs.tokenizers import DefaultTokenizer

        self._stem: Callable[[str], list[str]] | None = DefaultTokenizer(use_stemmer=True).tokenize if stem else None

    def tokenize(self, text: str) -> Sequence[str]:
        if self._stem is None:
            return words(text)
        return [part for word in words(text) for part in (self._stem(word) if word.isascii() else (word,))]


class _Signs:
    """The characters of texts that hold no word ("👍"), white space aside."""

    def tokenize(self, text: str) -> Sequence[str]:
        return [sign for sign in text if not sign.isspace()]


@cache
def _rouge_scorer(stem: bool, by_sentence: bool, plain: bool, *, signs: bool = False) -> "RougeScorer":
    from rouge_score_rs import RougeScorer

    kinds = ["rougeLsum"] if by_sentence else ["rouge1", "rouge2", "rougeL"]
    return RougeScorer(kinds, use_stemmer=stem, tokenizer=_Signs() if signs else None if plain else _Words(stem))


@cache
def _bleu(tokenize: str) -> "BLEU":
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=tokenize, effective_order=True)


@cache
def _chrf(word_order: int) -> "CHRF":
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=word_order)


@cache
def _tokenisers() -> tuple[Any, ...]:
    """sacrebleu's cached functions of tokenisation."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    return tuple(one.__call__ for one in (Tokenizer13a, TokenizerRegexp, TokenizerChar, TokenizerV14International))


def _forget_tokenised(*, at_once: bool) -> None:
    for tokenised in _tokenisers():
        if at_once or tokenised.cache_info().currsize > _TOKENISED:
            tokenised.cache_clear()
