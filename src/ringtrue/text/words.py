"""Words and sentences of any script, and text fit for one line of a terminal."""

from functools import lru_cache

import regex

__all__ = ["clip", "count_words", "is_unspaced", "sentences", "words"]

# Scripts written without spaces between words: each character stands as a word of its own, which needs no dictionary.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|(?:(?![{_UNSPACED}])[\p{{L}}\p{{N}}\p{{M}}])+")
_HAS_UNSPACED = regex.compile(rf"[{_UNSPACED}]")
_ASCII_WORD = regex.compile(r"[a-z0-9]+")

# A sentence ends at a final mark followed by space or the end. A Latin full stop after a single letter ("p.m.", "J.") or
# a usual abbreviation does not end one; the full-width marks end one wherever they stand.
_SENTENCE_END = regex.compile(
    r"(?<=[。！？｡؟۔।॥])\s*"
    r"|(?<![\p{L}]\.[\p{L}]\.)(?<!\b\p{L}\.)(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Inc|Ltd|Co|Corp|vs|etc|approx|Fig|Jr|Sr|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.)(?<=[.!?…][\"'”’)\]]*)\s+(?=[\p{Lu}\p{Lo}\p{Lt}\p{N}\"'“‘(\[¿¡])"
    r"|\n\s*"
)
_CACHED_LENGTH = 20_000


def words(text: str) -> tuple[str, ...]:
    """Lower-cased words of `text`, in order; a character each for scripts written without spaces (Unicode UAX #24 scripts).

    Punctuation and symbols are no words. ``words("It's 退款!")`` is ``("it", "s", "退", "款")``.
    """
    return _words(text) if len(text) <= _CACHED_LENGTH else _split(text)


def _split(text: str) -> tuple[str, ...]:
    lowered = text.lower()
    return tuple((_ASCII_WORD if lowered.isascii() else _WORD).findall(lowered))


_words = lru_cache(maxsize=4096)(_split)


def count_words(text: str) -> int:
    """Number of words of `text` (a character each for scripts written without spaces)."""
    return len(words(text))


def is_unspaced(text: str) -> bool:
    """Whether `text` holds a script that is written without spaces between words."""
    return _HAS_UNSPACED.search(text) is not None


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, stripped; a line break ends one. Full stops inside "6 p.m.", "J. Doe" or "3.5" do not."""
    return tuple(piece for piece in (part.strip() for part in _SENTENCE_END.split(text)) if piece)


def clip(text: str, length: int) -> str:
    """`text` on one line, at most `length` characters, with an ellipsis where it was cut."""
    line = " ".join(text[: 4 * length + 64].split())
    return line if len(line) <= length and len(text) <= 4 * length + 64 else line[: max(length - 1, 0)].rstrip() + "…"
