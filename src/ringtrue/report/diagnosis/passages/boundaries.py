"""Whether a passage begins or ends inside a sentence.

Only what can be seen is said. A heading, a list item, a table row, code, or a short line without a full stop is a whole
of its own; a passage that begins with a figure or a quote, or in a script without capitals, may be whole. Where the
passages as a whole do without capitals or full stops, nothing is said of those.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from ringtrue.text.words import count_words, sentences

__all__ = ["Style", "begins_inside", "ends_inside", "style_of"]

_SHORT_LINE = 9  # words from which a line without a full stop is no heading or list item
_LEAST_WORDS = 3  # of what is left after the last full stop, so that it counts as a piece of a sentence
_SHORT_UNSPACED = 16  # the same in scripts without spaces, where a letter counts as a word
_SHOWN = 40  # characters marked

_STRUCTURED = regex.compile(
    r"\s*(?:[-*+•◦▪‣●○·–—]\s|\(?(?:\d{1,3}|\p{L})[.)]\s|#{1,6}\s|[>|{\[<]|```|~~~|\$ |//|/\*)", regex.UNICODE
)
_TABLE_ROW = regex.compile(r"\|.*\||\S\t\S.*\t\S|\S {2,}\S+ {2,}\S")
_CODE_LINE = regex.compile(
    r"[;{}]\s*$|=>|</\w+>\s*$|^\s*(?:def|class|import|return|if|for|while|var|let|const|SELECT|function)\b.*[:;(){]\s*$"
    r"|^\s*[\w.\[\]]+\s*:?=\s*\S|^\s*[\w.]+\(.*\)\s*$"
)
_KEY_VALUE = regex.compile(r"\s*[^\s:][^:.!?]{0,40}:\s*\S.{0,60}$")
_CLOSERS = " \t\n\"'”’»›)]」』）】*_`"
_FOOTNOTE = regex.compile(r"(?:\[\d{1,3}\]|[¹²³⁴-⁹])+$")
_FINAL = frozenset(".!?…:;。！？｡；：؟؛۔।॥።፧៕៖။։")
_HANGING = frozenset(",，、،")
_MARKS = regex.compile(r"[.!?…。！？｡؟۔।॥።။](?=\s|$|\p{Han}|\p{Hiragana}|\p{Katakana}|[\"'”’)\]])")
_INNER = regex.compile(r"[.!?]\s+(\p{Lu}|\p{Ll})")
_NO_STOPS = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Tibetan}]$")
_CONTINUES = regex.compile(r"(?:\.\.\.|…)|[,;)\]}，。、；：）」』،؛]|[.!?](?=\s)")
_PLAIN_WORD = regex.compile(r"\p{Ll}[\p{Ll}\p{M}'’-]*[,.;:!?)]*$")
_LINK = regex.compile(r"(?:https?://|www\.)\S+$|\S+@\S+\.\w+$")
_UNMARKED = 60  # words for each full stop, from which the passages do without them


@dataclass(frozen=True, slots=True)
class Style:
    """How the passages as a whole are written: without capitals, without full stops."""

    lower_case: bool = False
    unmarked: bool = False


def style_of(texts: Iterable[str]) -> Style:
    """The style of all passages together."""
    words = marks = lower = upper = 0
    any_upper = False
    for text in texts:
        words += count_words(text)
        marks += len(_MARKS.findall(text))
        begun = _INNER.findall(text)
        lower += sum(one.islower() for one in begun)
        upper += sum(not one.islower() for one in begun)
        any_upper = any_upper or text != text.lower()
    return Style(lower_case=lower > upper if lower + upper else not any_upper, unmarked=words > _UNMARKED * marks)


def begins_inside(text: str, style: Style) -> tuple[int, int] | None:
    """The first words of a passage that begins inside a sentence, else ``None``."""
    start = len(text) - len(text.lstrip())
    body = text[start:]
    first = body.split("\n", 1)[0]
    if not body or _is_structured(first) or _is_code(text):
        return None
    if _CONTINUES.match(body) and count_words(body) >= _LEAST_WORDS:
        return _first_words(text, start)
    token = body.split(None, 1)[0]
    if style.lower_case or not _PLAIN_WORD.match(token) or _is_title(body):
        return None
    return _first_words(text, start)


def ends_inside(text: str, style: Style) -> tuple[int, int] | None:
    """The last words of a passage that ends inside a sentence, else ``None``."""
    body = _FOOTNOTE.sub("", text.rstrip()).rstrip(_CLOSERS)
    if not body or style.unmarked or body[-1] in _FINAL or _NO_STOPS.search(body) or _is_code(text):
        return None
    lines = [line for line in body.split("\n") if line.strip()]
    last = lines[-1].strip()
    if _is_structured(last) or _LINK.search(last):
        return None
    if body[-1] not in _HANGING and not _is_piece(last, lines):
        return None
    start = max(len(body) - _SHOWN, 0)
    start = max(body.find(" ", start) + 1, start)
    return start, len(body)


def _is_piece(last: str, lines: list[str]) -> bool:
    """Whether the last line leaves a sentence unfinished, rather than being a heading or a list item."""
    pieces = sentences(last)
    rest = pieces[-1]
    unspaced = count_words(rest) > 2 * len(rest.split())
    if len(pieces) == 1:
        unfinished = sum(line.rstrip(_CLOSERS)[-1:] not in _FINAL for line in lines)
        listed = len(lines) > 2 and unfinished > len(lines) / 2  # lines without marks: a list
        least = _SHORT_UNSPACED if unspaced else _SHORT_LINE
        return not listed and count_words(rest) >= least and not _KEY_VALUE.fullmatch(last)
    figures = sum(any(one.isdigit() for one in word) for word in rest.split())
    return count_words(rest) >= _LEAST_WORDS and figures <= len(rest.split()) / 2


def _is_structured(line: str) -> bool:
    return _STRUCTURED.match(line) is not None or _TABLE_ROW.search(line) is not None


def _is_code(text: str) -> bool:
    if "```" in text:
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(_CODE_LINE.search(line) is not None for line in lines) * 3 >= len(lines)


def _is_title(body: str) -> bool:
    """A few words without a full stop."""
    return count_words(body) < _SHORT_LINE and not _MARKS.search(body)


def _first_words(text: str, start: int) -> tuple[int, int]:
    end = min(start + _SHOWN, len(text))
    space = text.rfind(" ", start + 1, end)
    return start, (space if end < len(text) and space > start else end)
