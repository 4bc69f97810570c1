"""Text that parsing has spoiled: wrong characters, tables that fell apart, nothing at all."""

from collections import Counter

import regex

from ringtrue.text.words import words

__all__ = ["broken_table", "is_empty", "mojibake"]

# UTF-8 read as Windows-1252: what comes of é, ’ and a no-break space, of letters with two such pairs in a row, and the
# mark of what could not be read. "É”" and "SÃO" are text.
_CONTINUATION = r"[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•–—˜™š›œžŸ]"
_WRONG = regex.compile(
    rf"\ufffd|â€[\u0080-\u00bf™œ“”˜¢¦\u009d]|ï»¿|Ã(?=[^”’\s]){_CONTINUATION}|Â[\u0080-\u00b6\u00b8-\u00bf]"
    rf"|(?:[\u00c3-\u00df]{_CONTINUATION}){{3,}}"
)
_ROW = regex.compile(r"^\s*\|?[^|\n]*\|.*$", regex.MULTILINE)
_RULE = regex.compile(r"^\s*\|?\s*:?-{3,}")
_LEAST_ROWS = 3
_SAME_WIDTH = 0.7


def mojibake(text: str) -> tuple[int, int] | None:
    """The first characters of another encoding, or that could not be read."""
    found = None if text.isascii() else _WRONG.search(text)
    return found.span() if found else None


def broken_table(text: str) -> tuple[int, int] | None:
    """The first row of a table in bars that is not as wide as most others; at least three rows show it."""
    rows = [one for one in _ROW.finditer(text) if not _RULE.match(one[0])]
    if len(rows) < _LEAST_ROWS:
        return None
    widths = [one[0].strip().strip("|").count("|") for one in rows]
    width, times = Counter(widths).most_common(1)[0]
    if times >= _SAME_WIDTH * len(rows):
        return None
    odd = next(row for row, own in zip(rows, widths, strict=True) if own != width)
    return odd.span()


def is_empty(text: str) -> bool:
    """Whether there is no word in it."""
    return not words(text)
