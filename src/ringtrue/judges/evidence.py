"""Whether quoted words are in the text that they are said to come from."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

import regex

from ringtrue.judges.prompts.fences import MARK
from ringtrue.text.folding import fold
from ringtrue.text.words import LONG

__all__ = ["find_quote", "is_quoted"]

_DROPPED = regex.compile(rf"[\p{{Cf}}*`{MARK}]+")
_DOUBLE = str.maketrans(dict.fromkeys("“”„‟«»″", '"'))
_OMISSION = regex.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*")
_AROUND = " \"'.,;:!?()[]{}"


def find_quote(quote: str, texts: Mapping[str, str]) -> str | None:
    """The id of the first text that holds `quote` word for word; ``None`` where none does.

    Case, white space, quotation marks, Markdown and the marks that `fences` puts in do not count; "…" may stand for
    words left out.
    """
    pieces = [piece for part in _OMISSION.split(_same(quote)) if (piece := part.strip(_AROUND))]
    if not pieces:
        return None
    patterns = [regex.compile(_whole_words(piece)) for piece in pieces]
    return next((id for id, text in texts.items() if _holds(_same(text), patterns)), None)


def is_quoted(quote: str, text: str) -> bool:
    """Whether `text` holds `quote`, by the rule of `find_quote`."""
    return find_quote(quote, {"": text}) is not None


def _holds(text: str, patterns: list[regex.Pattern[str]]) -> bool:
    start = 0
    for pattern in patterns:
        if (found := pattern.search(text, start)) is None:
            return False
        start = found.end()
    return True


def _same(text: str) -> str:
    """`text` as quotes are compared."""
    return _kept(text) if len(text) <= LONG else _compared(text)


def _compared(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _DROPPED.sub("", text).translate(_DOUBLE))
    return " ".join(fold(plain).casefold().split())


_kept = lru_cache(maxsize=256)(_compared)  # the passages of a row are looked through for every claim


def _whole_words(piece: str) -> str:
    """A pattern for `piece` that does not begin or end inside a number or a spaced word ("12" in "2012")."""
    letter = r"[[\p{L}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]"
    before = rf"(?<!{letter})" if regex.match(rf"(?V1){letter}", piece[0]) else ""
    after = rf"(?!{letter})" if regex.match(rf"(?V1){letter}", piece[-1]) else ""
    return rf"(?V1){before}{regex.escape(piece)}{after}"
