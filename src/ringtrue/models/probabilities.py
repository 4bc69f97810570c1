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

_EDGE = regex.compile(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$")


def label_probabilities(
    tokens: Sequence[Token], label: str, labels: Iterable[str]
) -> tuple[Mapping[str, float] | None, float]:
    """The probability of each label where the reply's own `label` begins, and the mass that all had together.

    A token counts for the label whose beginning it is ("ir" for "irrelevant"), unless two begin so. The mass is 0, and
    there are no probabilities, where the label is not among the tokens or no label has a part of the mass.
    """
    keys = {one: _key(one) for one in labels}
    likeliest = _beginning(tokens, label)
    shares = dict.fromkeys(keys, 0.0)
    for text, logprob in likeliest:
        begun = [one for one, key in keys.items() if (part := _key(text)) and key.startswith(part)]
        if len(begun) == 1:
            shares[begun[0]] += exp(logprob)
    mass = sum(shares.values())
    if not mass > 0:
        return None, 0.0
    return {one: share / mass for one, share in shares.items()}, min(mass, 1.0)


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
