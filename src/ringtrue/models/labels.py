"""Reading one label or one number from what a model wrote. What is not plainly a verdict is an error, never a guess.

A label is read, in this order, from a reply that is nothing else ("Factual.", "**Yes**"), after the last marker
("GRADE: C"), from a last line of its own, from the start ("Yes, because …"), and from a short last sentence ("The
answer is correct.") of a text without negation. It is always a whole word, and case, Markdown and format characters do
not matter.
"""

import math
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import regex

from ringtrue.models.types import ModelFailure
from ringtrue.text.folding import fold
from ringtrue.text.words import clip

__all__ = ["label_pattern", "plain_label", "read_label", "read_number", "strip_thinking"]

_SHOWN = 160
_THINKING = regex.compile(r"\A\s*<(think(?:ing)?)>.*?(?:</\1>|\Z)", regex.DOTALL | regex.IGNORECASE)
_END_OF_THINKING = regex.compile(r"\A.*</think(?:ing)?>", regex.DOTALL | regex.IGNORECASE)
_FORMAT = regex.compile(r"\p{Cf}+")
_EMPHASIS = regex.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_SEPARATOR = regex.compile(r"[\s_-]+")
# What may stand around a label that is the whole reply.
_AROUND = " \t\r\n.,;:!?\"'“”‘’«»()[]{}<>。，！？：、"

_MARKER = (
    r"(?<![\w-])(?:grade|verdict|label|judge?ment|rating|score|result|decision|classification|conclusion|answer)"
    r"[\"'”’]?\s*(?:\([^()\n]{0,40}\))?(?:\s*[:=：]+|\s[-–—]\s)[\s\"'“‘’(\[<]*"
)
_MARKED = regex.compile(_MARKER, regex.IGNORECASE)
# Words that turn a verdict round or leave it open: prose that holds one is no verdict.
_DOUBT = regex.compile(
    r"(?i)\b(?:not|no|never|neither|nor|none|cannot|hardly|barely|without|unless|if|whether|would|could|should|might|may"
    r"|rather|instead|unsure|unclear|unable|but|however|although|though|otherwise|wrong|false)\b|n['’]t\b"
)

_NUMERAL = r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:e[+-]?\d+)?"
# What stands between two labels that are offered rather than given ("C or I").
_BESIDE = regex.compile(r"(?i)[\s\"'”’)\]>]*(?:/|\||,?\s*\b(?:or|and)\b)[\s\"'“‘(\[<]*")
_PAUSE = regex.compile(r"\s*[,.;:!—–\n]|\s+-\s")
# What takes the verdict at the start of a text half back ("Yes, but …").
_QUALIFIED = regex.compile(r"(?i)[\s,.;:!—–-]*\b(?:but|however|except|although|though|or|and)\b")
# A number, a parenthesis after it, and what it is out of.
_NUMBER = regex.compile(
    rf"(?P<number>{_NUMERAL})(?![\w])(?:\s*\([^()\n]*\))?"
    rf"(?P<of>\s*(?:/|out\s+of|of)\s*(?P<most>{_NUMERAL})(?![\w.,]*\d)|\s*(?P<percent>%))?",
    regex.IGNORECASE,
)
# What follows one bound of a range ("4-5", "4 or 5"), or a text that goes on as a fraction.
_GOES_ON = regex.compile(
    r"[.,]?\s*(?:[-–—~/]|(?:to|or|and)\b)\s*[+-]?\.?\d|\s*[/%]|\.\d|,\s*[+-]?\.?\d", regex.IGNORECASE
)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d{1,2}|[+-]?\d+,\d{4,}")


def strip_thinking(text: str) -> str:
    """`text` after its ``<think>`` block; nothing where the block never ends.

    A reply may begin inside the block, since some templates open it in the prompt.
    """
    if "<" not in text:
        return text
    opened = _THINKING.sub("", text, count=1)
    return opened if opened != text else _END_OF_THINKING.sub("", text, count=1)


def plain_label(text: str, labels: Iterable[str]) -> str | None:
    """The label that `text` is, but for case, Markdown and marks around it; ``None`` where it is none."""
    known = tuple(labels)
    if text in known:
        return text
    return _by_key(known).get(_key(text))


def read_label(text: str, labels: Iterable[str]) -> str:
    """The one of `labels` that a reply gives as its verdict.

    Raises ModelFailure of kind ``bad_label`` where it gives none, or leaves it open.
    """
    known = tuple(labels)
    said = strip_thinking(text)
    if found := plain_label(said, known):
        return found
    clean = _EMPHASIS.sub("", _clean(said)).strip()
    found = _marked(clean, known) if _MARKED.search(clean) else _unmarked(clean, known)
    if found is None:
        listed = ", ".join(known)
        raise ModelFailure("bad_label", f"the reply is none of the labels {listed}: {clip(said, _SHOWN)!r}", raw=text)
    return found


def read_number(text: str, low: float, high: float) -> float:
    """The number that a reply gives on the scale from `low` to `high`, bounds included; it is never rescaled.

    It is the whole reply or stands after the last marker ("Score: 4/5"). Raises ModelFailure of kind ``bad_label``
    where there is none, it is not on the scale, or it is given out of something else than `high`.
    """
    said = _EMPHASIS.sub("", fold(_clean(strip_thinking(text)))).strip()
    starts = [found.end() for found in _MARKED.finditer(said)]
    found = _NUMBER.match(said, starts[-1] if starts else 0)
    alone = found and (starts or not said[found.end() :].strip(_AROUND))
    value = _numeral(found["number"]) if found and alone and not _GOES_ON.match(said, found.end()) else None
    if found is None or value is None:
        raise ModelFailure("bad_label", f"no number is given as the score: {clip(said, _SHOWN)!r}", raw=text)
    most = 100.0 if found["percent"] else _numeral(found["most"]) if found["of"] else high
    if most != high or not low <= value <= high:
        raise ModelFailure("bad_label", f"{found[0]!r} is not on the scale {low:g} to {high:g}", raw=text)
    return value


def _numeral(text: str) -> float | None:
    """The value of a whole numeral; a comma before exactly three figures may be either mark, hence no number."""
    if "," in text:
        if not _DECIMAL_COMMA.fullmatch(text):
            return None
        text = text.replace(",", ".")
    try:
        value = float(text)
    except ValueError:  # "1.2.3"
        return None
    return value if math.isfinite(value) else None


def _clean(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", _FORMAT.sub("", text))


def _key(text: str) -> str:
    """What labels are compared by."""
    return _SEPARATOR.sub(" ", _EMPHASIS.sub("", _clean(text)).strip(_AROUND)).casefold()


@lru_cache(maxsize=64)
def _by_key(labels: tuple[str, ...]) -> dict[str, str]:
    return {_key(label): label for label in labels}


@lru_cache(maxsize=64)
def label_pattern(labels: tuple[str, ...]) -> regex.Pattern[str]:
    """Any label as a whole word, the longest first, so that "not relevant" is not "relevant"."""
    written = [r"[\s_-]+".join(map(regex.escape, _SEPARATOR.split(label))) for label in labels]
    inner = "|".join(sorted(written, key=len, reverse=True))
    return regex.compile(rf"(?<![\w-])(?:{inner})(?![\w]|-\w)", regex.IGNORECASE)


def _marked(text: str, labels: tuple[str, ...]) -> str | None:
    """The label right after the last marker, unless a second one is offered beside it ("C or I")."""
    start = [found.end() for found in _MARKED.finditer(text)][-1]
    pattern = label_pattern(labels)
    if (found := pattern.match(text, start)) is None:
        return None
    beside = _BESIDE.match(text, found.end())
    return None if beside and pattern.match(text, beside.end()) else plain_label(found[0], labels)


def _unmarked(text: str, labels: tuple[str, ...]) -> str | None:
    """The label of a last line of its own, of the beginning, or of a short last sentence."""
    if last := plain_label(text.splitlines()[-1] if text else "", labels):
        return last
    pattern = label_pattern(labels)
    ending = [found for found in pattern.finditer(text) if not text[found.end() :].strip(_AROUND)]
    first = pattern.match(begun := text.lstrip(_AROUND))
    if first and len(first[0]) > 1 and _PAUSE.match(begun, first.end()):
        qualified = ending or _QUALIFIED.match(begun, first.end())
        return None if qualified else plain_label(first[0], labels)
    return _last_sentence(text, labels, ending)


def _last_sentence(text: str, labels: tuple[str, ...], ending: list[regex.Match[str]]) -> str | None:
    """The label that ends "The answer is …", where the text holds no other label and no word of doubt."""
    if not ending or not regex.search(r"(?i)(?:\b(?:is|as)|=)(?:\s+an?)?\s+[\"'“‘(]*\Z", text[: ending[-1].start()]):
        return None
    said, before = ending[-1][0], text[: ending[-1].start()]
    label = plain_label(said, labels)
    if len(said) == 1 and said != label:  # "a" is an article before it is a grade
        return None
    others = [found[0] for found in label_pattern(labels).finditer(before) if len(found[0]) > 1]
    return None if others or _DOUBT.search(before) else label
