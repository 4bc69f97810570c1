"""What stands in for models and the store when a run is rehearsed: nothing is asked, nothing is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from ringtrue.data.database.replies import Replies
from ringtrue.data.store import Kept, Store
from ringtrue.models.budget import estimate_tokens
from ringtrue.models.cache import CachedModel, reply_key
from ringtrue.models.prices import Price
from ringtrue.models.structured import wire_schema
from ringtrue.models.types import ChatModel, Completion, Request, Usage
from ringtrue.types import Answered, Score

__all__ = ["ITEMS", "REHEARSED", "TEXT_CHARS", "Looking", "LookingAtReplies", "filled", "stand_in", "text_of"]

REHEARSED = "rehearsal"  # what the stand-in calls itself in its replies
TEXT_CHARS = 160  # of a free text in a reply: a sentence or two
ITEMS = 4  # in a list whose length the schema leaves open, such as the claims of a text
_BYTES_A_TOKEN = 4
_SENTENCE = "This stands for words that nobody has said yet. "


def stand_in(model: ChatModel) -> ChatModel:
    """`model` as it would be asked, with its cache where it has one, but with a reply made here."""
    endpoint = model.model if isinstance(model, CachedModel) else model
    inner = _StandIn(
        id=endpoint.id,
        params=getattr(endpoint, "params", {}),
        address=getattr(endpoint, "address", None),
        price=getattr(endpoint, "price", None),
    )
    return replace(model, model=inner) if isinstance(model, CachedModel) else inner


def text_of(chars: int, beginning: str = "") -> str:
    """A text of so many characters that stands for one that is not known."""
    return (beginning + _SENTENCE * (chars // len(_SENTENCE) + 1))[:chars]


def filled(schema: Mapping[str, Any], beginning: str = "") -> Any:
    """The plainest value of a JSON schema: its first label, texts of `TEXT_CHARS`, lists of `ITEMS`.

    Texts begin with `beginning`, so that those of one reply are told from those of another.
    """
    if "enum" in schema or "const" in schema:
        return schema["enum"][0] if "enum" in schema else schema["const"]
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], beginning)
    kinds = schema.get("type", "string")
    match kinds if isinstance(kinds, str) else kinds[0]:
        case "object":
            return {name: filled(one, beginning) for name, one in schema.get("properties", {}).items()}
        case "array":
            return [filled(schema.get("items", {}), beginning) for _ in range(ITEMS)]
        case "number" | "integer":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
    return text_of(min(TEXT_CHARS, schema.get("maxLength", TEXT_CHARS)), beginning)


@dataclass(frozen=True, slots=True, kw_only=True)
class _StandIn:
    """Signed and priced like the model that it stands for; it replies at once, and tells what that would have taken."""

    id: str
    params: Mapping[str, Any]
    address: str | None
    price: Price | None

    async def complete(self, request: Request) -> Completion:
        """A reply that fits, with the tokens by the length of the messages, the schema and the reply itself."""
        request = replace(request, params={**self.params, **request.params})
        schema = request.schema
        key = reply_key(self.id, request).hex()[:8]
        parsed = filled(schema, f"{key} ") if schema is not None else next(iter(request.labels), text_of(TEXT_CHARS))
        text = parsed if isinstance(parsed, str) else orjson.dumps(parsed).decode()
        asked, _ = estimate_tokens(request)
        asked += len(orjson.dumps(wire_schema(schema))) // _BYTES_A_TOKEN if schema is not None else 0
        most, said = request.params.get("max_tokens"), len(text) // _BYTES_A_TOKEN
        said = min(most, said) if isinstance(most, int) else said
        cost = self.price.cost(asked, said) if self.price else None
        return Completion(
            text=text,
            parsed=parsed,
            finish_reason=None,
            usage=Usage(input_tokens=asked, output_tokens=said, calls=1, cost=cost, latency_s=0.0),
            model=REHEARSED,
        )


@dataclass(frozen=True, slots=True)
class LookingAtReplies:
    """Kept replies to look at; what is rehearsed stays here, so that a question that comes up twice is asked once."""

    replies: Replies | None
    _new: dict[bytes, bytes] = field(default_factory=dict)

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        kept = self.replies.get(keys) if self.replies else {}
        return {**kept, **{key: self._new[key] for key in keys if key in self._new}}

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        self._new.update(replies)


@dataclass(frozen=True, slots=True)
class Looking:
    """A store to look at: it knows the Scores that are kept, and keeps none.

    `stored` are the (item, signature) pairs that need no judging, `scores` the Scores that a run would have made.
    """

    store: Store | None
    stored: set[tuple[bytes, str]] = field(default_factory=set)
    scores: list[Score] = field(default_factory=list)

    def answers(self, _: str) -> list[Answered]:
        return []

    def signatures(self, wanted: Iterable[str]) -> set[str]:
        return self.store.signatures(wanted) if self.store else set()

    def known(self, items: Iterable[bytes], signatures: Iterable[str]) -> dict[tuple[bytes, str], tuple[str, int]]:
        found = self.store.known(items, signatures) if self.store else {}
        self.stored.update(key for key, (status, _) in found.items() if status != "failed")
        return found

    def add(
        self,
        _: str,
        __: Sequence[Kept],
        scores: Sequence[tuple[bytes, int, Score]],
        *,
        again: bool = False,  # noqa: ARG002
    ) -> None:
        self.scores.extend(score for _, _, score in scores)
