"""From the votes on items to the verdict on the row, and what a person reads of both."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ringtrue.judges.items import Item
from ringtrue.judges.jury import NoVerdict, Vote
from ringtrue.judges.rubric import ITEM, Rubric
from ringtrue.text.words import clip
from ringtrue.types import Verdict

__all__ = ["by_cut", "part_of", "rationale_of", "row_verdict"]

_SHOWN, _PASSAGE_SHOWN = 120, 300
_MOST_NAMED = 5


def row_verdict(rubric: Rubric, items: Sequence[Item], labels: Mapping[str, str]) -> tuple[float | None, str | None]:
    """The row's value and label, from the label of each item.

    The claims of several golden answers are counted apart, and the best of these answers counts.
    """
    if rubric.unit == "whole":
        label = labels[items[0].id]
        return rubric.labels[label], label
    if rubric.combine == "f1":
        return _f1(rubric, items, labels), None
    groups = [[item for item in items if item.group == group] for group in sorted({item.group for item in items})]
    if rubric.combine == "all":
        holds = any(_holds(rubric, group, labels) for group in groups)
        return float(holds), _overall(rubric, holds)
    values = [value for group in groups if (value := _combined(rubric, group, labels)) is not None]
    if not values:
        return None, labels[items[0].id]  # no label has a value: the judgement does not apply to this row
    good = _good(rubric)
    holds = any(all(labels[item.id] in good for item in group) for group in groups)
    return max(values), _overall(rubric, holds)


def by_cut(rubric: Rubric, found: Verdict) -> Verdict:
    """The verdict that a rubric's cut makes of the probability in `found`, which is calibrated where it says how.

    A part keeps what the models said themselves. Raises NoVerdict where there is no probability: the cut was fitted to
    probabilities, and the models' own label is another judge's verdict.
    """
    positive, cut = rubric.positive, rubric.cut
    assert positive is not None and cut is not None
    if found.probability is None:
        raise NoVerdict(
            "no_probability",
            f"the rubric has a cut, and no probability of {positive!r} was given",
            mend="judge with a model that tells label probabilities (logprobs), ask it several times (repeats), "
            "or leave cut and calibration out of the rubric",
        )
    fitted = found.probability if rubric.calibration is None else rubric.calibration.calibrated(found.probability)
    label = positive if fitted >= cut else next(one for one in rubric.labels if one != positive)
    part = {"kind": "cut", "verdict": found.label, "probability": found.probability, "calibrated": fitted, "cut": cut}
    return replace(
        found,
        value=rubric.labels[label],
        label=label,
        probability=fitted,
        parts=(*(found.parts or ()), {name: value for name, value in part.items() if value is not None}),
    )


def part_of(rubric: Rubric, item: Item, vote: Vote | None, counts: Mapping[str, int]) -> dict[str, Any]:
    """What the Score keeps of an item. `counts` are its votes by label; a jury without a majority has no `vote`."""
    limit = _PASSAGE_SHOWN if item.kind == "passage" else len(item.text) + 1
    part: dict[str, Any] = {
        "kind": item.kind,
        "id": item.id,
        "name": item.name,
        "text": item.text if len(item.text) < limit else clip(item.text, limit),
        "source": item.source,
        "in_source": item.in_source,
        "required": item.required if rubric.combine == "all" else None,
        "group": item.group if item.group > 1 else None,
        "whose": item.whose,
    }
    if vote is not None:
        part |= {
            "verdict": vote.label,
            "value": rubric.labels[vote.label],
            "probability": vote.probability,
            "reason": vote.reason or None,
            "evidence": vote.quote or None,
            "quoted": vote.quoted,
            "found_in": vote.found_in,
            "note": _note(rubric, vote),
        }
    part["votes"] = dict(counts) if sum(counts.values()) > 1 else None
    return {name: value for name, value in part.items() if value is not None}


def rationale_of(rubric: Rubric, items: Sequence[Item], votes: Mapping[str, Vote]) -> str | None:
    """How many items are as they should be, and which are not, with what was said of them."""
    if rubric.unit == "whole":
        return votes[items[0].id].reason or None
    good = _good(rubric)
    bad = [item for item in items if votes[item.id].label not in good]
    kind = ITEM[rubric.unit] + ("" if len(items) == 1 else "s")
    told = f"{len(items) - len(bad)} of {len(items)} {kind}: {' or '.join(sorted(good))}"
    named = [_named(item, votes[item.id]) for item in bad[:_MOST_NAMED]]
    more = [f"{len(bad) - _MOST_NAMED} more"] if len(bad) > _MOST_NAMED else []
    return "; ".join([told, *named, *more])


def _good(rubric: Rubric) -> frozenset[str]:
    """The labels that count in full."""
    if rubric.positive is not None:
        return frozenset((rubric.positive,))
    return frozenset(label for label, value in rubric.labels.items() if value == max(rubric.values))


def _holds(rubric: Rubric, group: Sequence[Item], labels: Mapping[str, str]) -> bool:
    """Whether all required items are positive and none is fatal; where none is marked as required, all are."""
    required = [item for item in group if item.required] or group
    fatal = any(labels[item.id] in rubric.fatal for item in group)
    return not fatal and all(labels[item.id] == rubric.positive for item in required)


def _combined(rubric: Rubric, group: Sequence[Item], labels: Mapping[str, str]) -> float | None:
    if rubric.combine == "average_precision":
        return _average_precision([labels[item.id] == rubric.positive for item in group])
    values = [value for item in group if (value := rubric.labels[labels[item.id]]) is not None]
    return sum(values) / len(values) if values else None


def _f1(rubric: Rubric, items: Sequence[Item], labels: Mapping[str, str]) -> float:
    """F1 over the claims of both sides, TP / (TP + (FP + FN) / 2), by the golden answer that fits best."""
    own = [labels[item.id] == rubric.positive for item in items if item.whose == "answer"]
    missing = {item.group: 0 for item in items if item.whose == "reference"} or {0: 0}
    for item in items:
        if item.whose == "reference" and labels[item.id] != rubric.positive:
            missing[item.group] += 1
    right, wrong = sum(own), len(own) - sum(own)
    return right / (right + (wrong + min(missing.values())) / 2) if right else 0.0


def _average_precision(useful: Sequence[bool]) -> float:
    """The mean of precision at each useful rank; 0 where none is useful."""
    ranks = [rank for rank, one in enumerate(useful, 1) if one]
    return sum(place / rank for place, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


def _overall(rubric: Rubric, holds: bool) -> str | None:
    return rubric.overall[0 if holds else 1] if rubric.overall else None


def _note(rubric: Rubric, vote: Vote) -> str | None:
    """What to beware of: a positive verdict without words to show for it."""
    if rubric.evidence is None or vote.label != rubric.positive or vote.quoted:
        return None
    return "the quoted words are not there" if vote.quote else "no evidence was quoted"


def _named(item: Item, vote: Vote) -> str:
    said = f", {vote.reason.rstrip('.')}" if vote.reason else ""
    return f"{item.id} {vote.label}: “{clip(item.text, _SHOWN)}”{said}"
