"""How probable each label was, read from the token probabilities that an endpoint gives beside its reply."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import exp
from typing import TypeAlias

import regex

from ringtrue.models.labels import label_pattern
from ringtrue.models.types import Completion, ModelFailure

__all__ = ["Token", "label_probabilities", "require_label_mass"]

# A token of the reply with the likeliest tokens at its place, each with its natural log probability.
Token: TypeAlias = tuple[str, Sequence[tuple[str, float]]]

_LEFT_OPEN = 0.01
_EDGE = regex.compile(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$")


def label_probabilities(
    tokens: Sequence[Token], label: str, labels: Iterable[str]
) -> tuple[Mapping[str, float] | None, float]:
    """The probability of each label where the reply's own `label` begins, and the mass that all had together.

    A token counts for the label whose beginning it is ("ir" for "irrelevant"). There are no probabilities where that
    leaves more than a hundredth of the mass open: a token with which two labels begin, or a label so unlikely for the
    model that it is not among the likeliest tokens, while the others are hardly likelier. The mass is 0 where the label
    is not among the tokens or no label has a part of the mass.
    """
    keys = {one: _key(one) for one in labels}
    likeliest = [(_key(text), exp(logprob)) for text, logprob in _beginning(tokens, label)]
    shares = dict.fromkeys(keys, 0.0)
    shared = 0.0
    for part, share in likeliest:
        begun = [one for one, key in keys.items() if part and key.startswith(part)]
        if len(begun) == 1:
            shares[begun[0]] += share
        elif begun:
            shared += share
    told = sum(shares.values())
    mass = told + shared
    if not mass > 0:
        return None, 0.0
    if shared + _unseen(shares, [share for _, share in likeliest]) > _LEFT_OPEN * mass:
        return None, min(mass, 1.0)
    return {one: share / told for one, share in shares.items()}, min(mass, 1.0)


def require_label_mass(completion: Completion, least: float) -> None:
    """Raise ModelFailure of kind ``low_label_mass`` where the labels had less than `least` of the mass together.

    A reply without token probabilities passes.
    """
    if completion.label_mass is not None and completion.label_mass < least:
        raise ModelFailure(
            "low_label_mass",
            f"the labels have {completion.label_mass:.2g} of the probability together, less than {least:g}",
            raw=completion.text,
            usage=completion.usage,
        )


def _unseen(shares: Mapping[str, float], listed: Sequence[float]) -> float:
    """The most that labels without a token among the likeliest can have: no more than those, and what those leave."""
    return max(min(min(listed) * sum(not share for share in shares.values()), 1 - sum(listed)), 0.0)


def _beginning(tokens: Sequence[Token], label: str) -> Sequence[tuple[str, float]]:
    """The likeliest tokens where the label begins: at the start of the reply, else where it stands last."""
    text = "".join(token for token, _ in tokens)
    found = list(label_pattern((label,)).finditer(text))
    if not found:
        return ()
    place = found[0 if not _key(text[: found[0].start()]) else -1].start()
    ends = accumulate(len(token) for token, _ in tokens)
    return next(likeliest for (_, likeliest), end in zip(tokens, ends, strict=True) if place < end)


def _key(text: str) -> str:
    return _EDGE.sub("", text).casefold()
