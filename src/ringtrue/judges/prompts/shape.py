"""The shape of a reply: its JSON schema, and a worked example in it. What is thought stands before the verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.judges.rubric import ITEM, Example, Rubric

__all__ = ["CLAIMS", "example_reply", "id_of", "schema_of"]

# Local models that never find an end are stopped here; endpoints that know no such bound are not told of it.
_LONGEST = 400
_TEXT: Mapping[str, Any] = {"type": "string", "maxLength": _LONGEST}


def id_of(unit: str, place: int) -> str:
    """The id of an item by its place, from 1: ``p1`` for a passage, ``c1`` for a claim, ``g1`` for a guideline."""
    return f"{unit[0]}{place}"


def schema_of(rubric: Rubric, ids: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON schema of the reply: one verdict, or one under each of `ids`."""
    verdict = {"type": "string", "enum": list(rubric.labels)}
    if not ids:
        return _object({**({"rationale": _TEXT} if rubric.rationale else {}), "verdict": verdict})
    reason = {"reason": _TEXT} if rubric.rationale else {}
    quote = {"quote": _TEXT} if rubric.evidence else {}
    return _object({"verdicts": _object(dict.fromkeys(ids, _object({**reason, **quote, "verdict": verdict})))})


def example_reply(rubric: Rubric, example: Example) -> dict[str, Any]:
    """The reply that a worked example shows."""
    if rubric.unit not in ITEM:
        return {**({"rationale": example.rationale} if rubric.rationale else {}), "verdict": example.label}
    reason = {"reason": example.rationale} if rubric.rationale else {}
    quote = {"quote": example.quote} if rubric.evidence else {}
    return {"verdicts": {id_of(rubric.unit, 1): {**reason, **quote, "verdict": example.label}}}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


# What a text is taken apart into.
CLAIMS: Mapping[str, Any] = _object(
    {
        "claims": {
            "type": "array",
            "items": _object(
                {"source": _TEXT, "claim": _TEXT, "kind": {"type": "string", "enum": ["essential", "extra"]}}
            ),
        }
    }
)
