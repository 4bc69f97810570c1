"""What the HTML page shows of a Score's parts: claims, passages and guidelines with their evidence, and the votes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.report.judging.summary import percent_text
from ringtrue.report.plain import labels_text, middle_out, number, value_text

__all__ = ["KINDS", "ItemView", "ItemsView", "VoteView", "held_text", "items_view", "jury_text", "vote_view"]

KINDS = {"claim": "Claims", "passage": "Passages", "guideline": "Guidelines"}

_LONG = 2_000  # characters of a claim, a quote or a reason


@dataclass(frozen=True, slots=True)
class ItemView:
    """One claim, passage or guideline. `notes` are what to know of its text, `found` where its quote stands."""

    id: str
    text: str
    notes: str
    verdict: str
    value: str
    probability: str
    votes: str
    quote: str
    found: str
    doubtful: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ItemsView:
    """All items of a kind, and which of the columns that not every judge fills are there."""

    title: str
    items: Sequence[ItemView]
    evidence: bool
    probability: bool


@dataclass(frozen=True, slots=True)
class VoteView:
    """One voter's verdict on the row, or why it has none."""

    voter: str
    verdict: str
    value: str
    failure: str


def items_view(parts: Iterable[Mapping[str, Any]], kind: str, title: str) -> ItemsView:
    """The parts of a kind."""
    items = [_item(part) for part in parts if part.get("kind") == kind]
    return ItemsView(
        title,
        items,
        evidence=any(one.quote or one.found for one in items),
        probability=any(one.probability for one in items),
    )


def _item(part: Mapping[str, Any]) -> ItemView:
    probability, value = part.get("probability"), part.get("value")
    return ItemView(
        id=" ".join(str(part[name]) for name in ("id", "name") if part.get(name)),
        text=middle_out(str(part.get("text", "")), _LONG),
        notes="; ".join(_notes(part)),
        verdict=str(part.get("verdict", "no majority" if part.get("votes") else "–")),
        value="" if value is None else value_text(value),
        probability="" if probability is None else number(probability),
        votes=labels_text(part.get("votes") or {}),
        quote=middle_out(str(part.get("evidence", "")), _LONG),
        found=_found(part),
        doubtful="note" in part or part.get("quoted") is False,
        reason=middle_out(str(part.get("reason", "")), _LONG),
    )


def _notes(part: Mapping[str, Any]) -> Iterable[str]:
    """Whose claim it is, what it stands for, and whether the words that it was drawn from are there."""
    if whose := part.get("whose"):
        yield "of the answer" if whose == "answer" else "of the golden answer"
    elif group := part.get("group"):
        yield f"of golden answer {group}"
    if part.get("required") is False:
        yield "extra: not needed"
    source = part.get("source")
    if source and source != part.get("text"):
        there = ", which are not there word for word" if part.get("in_source") is False else ""
        yield f"from “{middle_out(str(source), _LONG)}”{there}"


def _found(part: Mapping[str, Any]) -> str:
    """Whether the quoted words are where they should be, and where."""
    where = part.get("found_in")
    if part.get("quoted"):
        return f"found in {where}" if where else "found word for word"
    return "not found word for word" if part.get("evidence") else str(part.get("note", ""))


def vote_view(voter: Mapping[str, Any]) -> VoteView:
    """One voter of a jury's part."""
    value, failed = voter.get("value"), voter.get("failed")
    told = f"{str(failed).replace('_', ' ')}: {voter.get('message', '')}" if failed else ""
    return VoteView(
        voter=str(voter.get("voter", "")),
        verdict=str(voter.get("label") or "–"),
        value="–" if value is None else value_text(value),
        failure=middle_out(told, _LONG),
    )


def jury_text(part: Mapping[str, Any]) -> str:
    """``flip rate 33 %, spread 1``."""
    flips, spread = part.get("flip_rate"), part.get("spread")
    told = [
        "" if flips is None else f"flip rate {percent_text(flips)}",
        "" if spread is None else f"spread {value_text(spread)}",
    ]
    return ", ".join(filter(None, told))


def held_text(part: Mapping[str, Any]) -> str:
    """Whether the verdict was right, by another judge's."""
    judge = f"Held against {part.get('judge')}"
    if "right" not in part:
        return f"{judge}: cannot be said, {part.get('unknown', 'the reason is not known')}."
    why = f" ({middle_out(str(part['reason']), _LONG)})" if part.get("reason") else ""
    return f"{judge}, which says {part.get('verdict')}{why}: {'right' if part['right'] else 'wrong'}."
