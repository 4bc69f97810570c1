"""Words and sentences of any script, and text fit for one line of a terminal."""

import unicodedata
from functools import lru_cache

import regex

__all__ = ["LONG", "clip", "count_words", "is_unspaced", "sentences", "words"]

# A longer text (in characters) is not kept in a cache, so that the caches stay small whatever comes in.
LONG = 20_000

# Scripts written without spaces between words: each letter stands as a word of its own, which needs no dictionary. The
# prolonged sound marks and 〆 belong to no one script.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰ〆"
# Elsewhere a word goes on through marks and joiners (UAX #29), which no word starts with.
_WORD = regex.compile(
    rf"(?=[\p{{L}}\p{{N}}])[{_UNSPACED}]\p{{M}}*"
    rf"|(?![{_UNSPACED}])[\p{{L}}\p{{N}}](?:(?![{_UNSPACED}])[\p{{L}}\p{{N}}\p{{M}}\u200c\u200d])*"
)
_HAS_UNSPACED = regex.compile(rf"[{_UNSPACED}]")
_ASCII_WORDS = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})

# A sentence ends at a final mark before space and a new beginning, at a full-width or Indic mark wherever it is, and at
# a line break. A full stop after a single letter ("p.m.", "J.") or a usual abbreviation ends none. Group 1 is the gap
# between two sentences.
_SHORT = (
    r"\b(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|No|Inc|Ltd|Co|Corp|vs|etc|approx|Fig|Jr|Sr"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\."
)
_CLOSING = r"[\"'”’)\]]"
_BREAK = regex.compile(
    rf"(?|(?:[!?…]|\.(?={_CLOSING})|\.(?<!{_SHORT})){_CLOSING}*+(\s+)(?=[\p{{Lu}}\p{{Lo}}\p{{Lt}}\p{{N}}\"'“‘(\[¿¡])"
    r"|[。！？｡؟۔।॥።។៕။][」』”’）】]*+(\s*)"
    r"|(\n\s*))"
)
# Control characters, and the marks that turn the direction of what follows: a terminal would obey them.
_CONTROL = regex.compile(r"[\p{Cc}\u202a-\u202e\u2066-\u2069]")


def words(text: str) -> tuple[str, ...]:
    """Lower-cased words of `text`, in order; a letter each for scripts (Unicode UAX #24) written without spaces.

    Punctuation and symbols are no words, and canonically equal texts have equal words (NFC). ``words("It's 退款!")``
    is ``("it", "s", "退", "款")``.
    """
    return _words(text) if len(text) <= LONG else _split(text)


def _split(text: str) -> tuple[str, ...]:
    lowered = text.lower()
    if lowered.isascii():
        return tuple(lowered.translate(_ASCII_WORDS).split())
    return tuple(_WORD.findall(unicodedata.normalize("NFC", lowered)))


_words = lru_cache(maxsize=512)(_split)


def count_words(text: str) -> int:
    """Number of words of `text` (a letter each for scripts written without spaces)."""
    return len(words(text))


def is_unspaced(text: str) -> bool:
    """Whether `text` holds a script that is written without spaces between words."""
    return not text.isascii() and _HAS_UNSPACED.search(text) is not None


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, stripped; a line break ends one, a full stop in "6 p.m.", "J. Doe" or "3.5" does not."""
    pieces, start = [], 0
    for found in _BREAK.finditer(text):
        gap, end = found.span(1)
        pieces.append(text[start:gap].strip())
        start = end
    return tuple(piece for piece in (*pieces, text[start:].strip()) if piece)


def clip(text: str, length: int) -> str:
    """`text` on one line of at most `length` (≥ 1) characters, without control characters, "…" where it was cut."""
    start = text[: 4 * length + 64]
    line = _CONTROL.sub("", " ".join(start.split()))
    return line if len(line) <= length and len(start) == len(text) else line[: length - 1].rstrip() + "…"
