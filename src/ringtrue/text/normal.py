"""Texts made comparable, as three published protocols do it.

===============  ============================================  =====================  =========
mode             words                                         articles (a, an, the)  repeated
===============  ============================================  =====================  =========
``fmeval``       between white space, ASCII punctuation gone   left out               count once
``walkthrough``  between white space, ASCII punctuation gone   kept                   count each
``squad``        of any script, punctuation inside words gone  left out               count each
===============  ============================================  =====================  =========
"""

import string
import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias

from ringtrue.text.words import LONG, words

__all__ = ["Mode", "fmeval_normal", "fmeval_words", "squad_words", "walkthrough_words", "word_pair"]

Mode: TypeAlias = Literal["fmeval", "squad", "walkthrough"]

# Texts kept in each cache: enough for the rows in work, since each metric of a row asks for the same texts.
_KEPT = 256

_ARTICLES = frozenset(("a", "an", "the"))
_MARKS = string.punctuation.encode()
# ASCII punctuation with its typographic twins: "Amazon’s" is "Amazon's", "1990–1995" is "1990-1995".
_MARKS_AND_TWINS = str.maketrans("", "", string.punctuation + "‘’‚‛“”„‟′″‐‑–−")


def fmeval_normal(text: str) -> str:
    """`text` as FMEval compares it: to the bit its ``normalize_text_quac_protocol`` (fmeval 0.4 to 1.2.3).

    Lower case; the 32 ASCII punctuation marks are deleted, not replaced; cut at the plain space only, so that a tab, a
    line break or a no-break space stays; empty pieces and articles are dropped. FMEval strips the text before.
    """
    return _fmeval_normal(text) if len(text) <= LONG else _make_fmeval_normal(text)


def fmeval_words(text: str) -> frozenset[str]:
    """The set of words that FMEval compares: of the stripped text, normalised, cut at any white space."""
    return frozenset(fmeval_normal(text.strip()).split())


def walkthrough_words(text: str) -> tuple[str, ...]:
    """Lower-cased words in order, ASCII punctuation deleted, articles and repetitions kept."""
    return tuple(_unpunctuated(text).split())


def squad_words(text: str, *, articles: bool = False) -> tuple[str, ...]:
    """Words in order as SQuAD's script counts them (arXiv:1606.05250; equal for ASCII text), but in any script.

    Compatibility characters are unified (NFKC), ASCII punctuation and its typographic twins deleted, articles left out
    unless `articles`. Text that holds nothing else ("A", "+") is not emptied: its articles or marks are its words.
    """
    return _squad_words(text, articles) if len(text) <= LONG else _make_squad_words(text, articles)


def word_pair(reference: str, answer: str, mode: Mode) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of both texts in order, as `mode` compares them.

    A reference of nothing but articles (option "A") makes articles count in the answer too, in the mode ``squad``.
    """
    match mode:
        case "fmeval":
            return _distinct(reference), _distinct(answer)
        case "squad":
            golden = squad_words(reference)
            return golden, squad_words(answer, articles=_ARTICLES.issuperset(golden))
        case "walkthrough":
            return walkthrough_words(reference), walkthrough_words(answer)


def _distinct(text: str) -> tuple[str, ...]:
    """The words of `fmeval_words`, in the order in which they come first."""
    return tuple(dict.fromkeys(fmeval_normal(text.strip()).split()))


def _unpunctuated(text: str) -> str:
    # Bytes drop marks far faster than str.translate does outside ASCII; lone surrogates have to survive the way.
    return text.lower().encode("utf-8", "surrogatepass").translate(None, _MARKS).decode("utf-8", "surrogatepass")


def _make_fmeval_normal(text: str) -> str:
    # Replacing in the whole text is several times as fast as going through its words. A pass over "the the" leaves one.
    spaced = f" {_unpunctuated(text)} "
    for surplus in ("  ", " a ", " an ", " the "):
        while surplus in spaced:
            spaced = spaced.replace(surplus, " ")
    return spaced[1:-1]


def _make_squad_words(text: str, articles: bool) -> tuple[str, ...]:
    unified = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found = words(unified.translate(_MARKS_AND_TWINS))
    if not found:
        return tuple(text.lower().split())
    return found if articles else tuple(word for word in found if word not in _ARTICLES) or found


_fmeval_normal = lru_cache(maxsize=_KEPT)(_make_fmeval_normal)
_squad_words = lru_cache(maxsize=_KEPT)(_make_squad_words)
