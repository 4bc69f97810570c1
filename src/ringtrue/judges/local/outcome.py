"""From what was weighed of each claim to a Verdict of the same shape as a model's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.errors import UsageError
from ringtrue.judges.items import Item
from ringtrue.judges.jury import Vote
from ringtrue.judges.rubric import Rubric
from ringtrue.judges.verdicts import part_of, rationale_of, row_verdict
from ringtrue.types import Verdict

__all__ = ["UNSURE", "Weighed", "is_unsure", "outcome"]

UNSURE = "unsure"
_LEAST_SHARE = 0.1  # of the log-odds, for an input to be shown


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is held of one item: the label, how probable the good one is, and what each input added to its log-odds.

    `evidence` are words of the text that was judged by; `found_in` names the passage that they are from.
    """

    label: str
    probability: float
    shares: Mapping[str, float]
    reason: str | None = None
    evidence: str | None = None
    found_in: str | None = None

    @property
    def vote(self) -> Vote:
        return Vote(
            label=self.label,
            reason=self.reason,
            quote=self.evidence,
            quoted=True if self.evidence else None,
            found_in=self.found_in,
            probability=self.probability,
        )


def outcome(
    rubric: Rubric, items: Sequence[Item], weighed: Sequence[Weighed], probability: float | None, unsure: float = 0.0
) -> Verdict:
    """The verdict on the row by the rubric's own rule, with `probability` that it is the good one.

    Within `unsure` of even odds the label is ``unsure``, and there is no value.
    """
    votes = {item.id: one.vote for item, one in zip(items, weighed, strict=True)}
    value, label = row_verdict(rubric, items, {id: vote.label for id, vote in votes.items()})
    if probability is not None and is_unsure(probability, unsure):
        value, label = None, UNSURE
    return Verdict(
        value=value,
        label=label,
        probability=probability,
        rationale=rationale_of(rubric, items, votes),
        parts=tuple(_part(rubric, item, one) for item, one in zip(items, weighed, strict=True)),
    )


def is_unsure(probability: float, band: float) -> bool:
    """Whether the probability is within `band` of even odds. Raises UsageError for a band that is none."""
    if not 0 <= band < 0.5:
        raise UsageError(f"unsure cannot be {band:g}", mend="give a share from 0 to .5, such as .1 (from .4 to .6)")
    return abs(probability - 0.5) < band


def _part(rubric: Rubric, item: Item, weighed: Weighed) -> dict[str, Any]:
    """What a model's judge keeps of an item, and what was weighed."""
    shares = {name: round(share, 2) for name, share in weighed.shares.items() if abs(share) >= _LEAST_SHARE}
    return part_of(rubric, item, weighed.vote, Counter()) | ({"weighed": shares} if shares else {})
