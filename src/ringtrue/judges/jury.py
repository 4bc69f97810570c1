"""Many votes, one verdict: the majority or the mean of several models, or of one model asked several times."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from ringtrue.models.types import ModelFailure

__all__ = ["Ballot", "Combining", "NoVerdict", "Vote", "elect", "jury_part", "probability_of"]

Combining: TypeAlias = Literal["majority", "mean"]


class NoVerdict(Exception):
    """The models replied, and still there is no verdict.

    There is ``no_majority``, the passages are ``too_long``, or a cut has ``no_probability`` to be held against.
    """

    def __init__(
        self, kind: Literal["no_majority", "too_long", "no_probability"], message: str, *, mend: str | None = None
    ) -> None:
        super().__init__(message)
        self.kind, self.message, self.mend = kind, message, mend


class Vote(NamedTuple):
    """What one voter says of one item.

    `probability` is that of the rubric's positive label, of `label` where there is none. `quoted` says whether `quote`
    is in the text that it should come from, `found_in` where.
    """

    label: str
    reason: str | None = None
    quote: str | None = None
    quoted: bool | None = None
    found_in: str | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes of one voter by item, or why it has none."""

    voter: str
    votes: Mapping[str, Vote] = field(default_factory=dict)
    failure: ModelFailure | None = None


def elect(ballots: Sequence[Ballot], item: str, positive: str | None) -> Vote:
    """The vote of the majority on one item: more than half of all ballots, those that failed included.

    It is the first such ballot's, with the probability of all: the mean of the models' own where each gives one, else
    the share of votes. Raises the first ModelFailure where a ballot failed and might have decided, else NoVerdict.
    """
    cast = [ballot.votes[item] for ballot in ballots if item in ballot.votes]
    if len(ballots) == len(cast) == 1:
        return cast[0]
    counts = Counter(vote.label for vote in cast)
    label, most = counts.most_common(1)[0] if counts else ("", 0)
    if 2 * most <= len(ballots):
        failed = [ballot.failure for ballot in ballots if ballot.failure is not None]
        if failed:
            raise failed[0]
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise NoVerdict("no_majority", told if item == "whole" else f"{item}: {told}")
    first = next(vote for vote in cast if vote.label == label)
    return Vote(
        label=label,
        reason=first.reason,
        quote=first.quote,
        quoted=first.quoted,
        found_in=first.found_in,
        probability=probability_of(cast, positive or label),
    )


def jury_part(
    ballots: Sequence[Ballot], rows: Sequence[tuple[float | None, str | None]], items: Sequence[str]
) -> dict[str, Any]:
    """What to know of a jury: who voted what, how often votes left the commonest one, how far apart the values are.

    `rows` are the row's value and label by each ballot that did not fail. `flip_rate` is the share of votes other than
    the commonest one of their item; `spread` is the greatest value less the least.
    """
    valid = [ballot for ballot in ballots if ballot.failure is None]
    commonest = [max(Counter(ballot.votes[item].label for ballot in valid).values(), default=0) for item in items]
    values = [value for value, _ in rows if value is not None]
    voters: list[dict[str, Any]] = [
        {"voter": one.voter, "label": label, "value": value} for one, (value, label) in zip(valid, rows, strict=True)
    ]
    voters += [
        {"voter": one.voter, "failed": one.failure.kind, "message": one.failure.message}
        for one in ballots
        if one.failure is not None
    ]
    return {
        "kind": "jury",
        "voters": voters,
        "flip_rate": (len(items) * len(valid) - sum(commonest)) / (len(items) * len(valid)) if valid else None,
        "spread": max(values) - min(values) if values else None,
    }


def probability_of(votes: Sequence[Vote], label: str) -> float | None:
    """The mean of what the votes give for `label`, else its share of them; ``None`` for one vote without its own."""
    own = [vote.probability for vote in votes if vote.probability is not None]
    if len(own) == len(votes):
        return sum(own) / len(own)
    return sum(vote.label == label for vote in votes) / len(votes) if len(votes) > 1 else None
