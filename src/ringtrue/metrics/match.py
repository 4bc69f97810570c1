"""Whether the answer is a golden answer, to the letter, after normalisation or as a JSON value, or contains one."""

import json
import re
from decimal import Decimal
from typing import Any, NoReturn, cast

from ringtrue.catalogue import metric
from ringtrue.errors import Skip
from ringtrue.text.normal import Mode, fmeval_normal, squad_words, word_pair
from ringtrue.types import Response, Sample

__all__ = ["contains_reference", "exact_match", "json_match", "quasi_exact_match"]

_INFO_WORD = re.compile(r"[\w.+-]*\s*")


@metric(needs=("answer", "reference"), range=(0, 1), better="higher", source="fmeval 1.2.3, QA Accuracy (aws/fmeval)")
def exact_match(sample: Sample, response: Response) -> float:
    """Whether the answer is a golden answer to the letter: 1 or 0.

    Case counts; white space around either text does not.
    """
    return float(cast(str, response.answer).strip() in map(str.strip, sample.reference))


@metric(
    needs=("answer", "reference"),
    range=(0, 1),
    better="higher",
    source="fmeval 1.2.3, QA Accuracy (aws/fmeval); SQuAD, arXiv:1606.05250",
)
def quasi_exact_match(sample: Sample, response: Response, *, mode: Mode = "fmeval") -> float:
    """Whether the answer is a golden answer but for case, punctuation and articles: 1 or 0.

    `mode` says how texts are normalised: as by FMEval; as by SQuAD, in any script; or as in FMEval's walk-through,
    where articles count.
    """
    answer = cast(str, response.answer)
    if mode == "fmeval":
        return float(fmeval_normal(answer.strip()) in [fmeval_normal(one.strip()) for one in sample.reference])
    pairs = [word_pair(reference, answer, mode) for reference in sample.reference]
    return float(any(golden == given for golden, given in pairs))


@metric(
    needs=("answer", "reference"),
    range=(0, 1),
    better="higher",
    source="lexical match of open-domain QA, as in Kamalloo et al. 2023, arXiv:2305.06984",
)
def contains_reference(sample: Sample, response: Response) -> float:
    """Whether the answer contains a golden answer, word by word in the same order: 1 or 0.

    Words are compared as SQuAD does it, in any script: case, punctuation and articles do not count, and a word is never
    found inside another.
    """
    answer = squad_words(cast(str, response.answer))
    return float(any(_holds(answer, squad_words(reference)) for reference in sample.reference))


@metric(needs=("answer", "reference"), range=(0, 1), better="higher", source="RFC 8259 (JSON)")
def json_match(sample: Sample, response: Response) -> float:
    """Whether the answer is a golden answer as a JSON value: 1 or 0.

    White space and the order of keys do not count, nor does a fence (```) around the value; numbers are compared by
    exact value (1 is 1.0), and ``true`` is not 1. Skipped where no golden answer is JSON.
    """
    golden = [value for reference in sample.reference for value in _values(reference)]
    if not golden:
        raise Skip("no reference is JSON")
    given = _values(cast(str, response.answer))
    return float(any(_same_value(left, right) for left in golden for right in given))


def _holds(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether `wanted` is a run of `words`; nothing is in no answer."""
    length = len(wanted)
    return length > 0 and any(words[start : start + length] == wanted for start in range(len(words) - length + 1))


def _values(text: str) -> list[Any]:
    """The JSON value that `text` is, or else the one between its first and its last fence; none is an empty list."""
    for candidate in (text, *_fenced(text)):
        try:
            return [json.loads(candidate, parse_float=Decimal, parse_int=Decimal, parse_constant=_refuse)]
        except (ValueError, ArithmeticError, RecursionError):  # no JSON, a vast exponent, a vast depth
            continue
    return []


def _fenced(text: str) -> list[str]:
    start, end = text.find("```") + 3, text.rfind("```")
    if end < start:
        return []
    info, newline, rest = text[start:end].partition("\n")
    return [rest if newline and _INFO_WORD.fullmatch(info) else text[start:end]]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _same_value(left: Any, right: Any) -> bool:
    """Equality of JSON values without recursion, so that no depth of nesting breaks it."""
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if one.keys() != other.keys():
                return False
            pairs += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif one != other:
            return False
    return True
