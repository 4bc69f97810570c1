"""What one judgement is about: the items of a row, and the questions that they and its passages are packed into."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ringtrue.catalogue import FIELDS, missing_field
from ringtrue.errors import DataError, Skip, UsageError
from ringtrue.judges.prompts.shape import id_of
from ringtrue.judges.rubric import Rubric
from ringtrue.text.words import sentences
from ringtrue.types import Passage, Response, Sample

__all__ = [
    "WHOLE",
    "Item",
    "Piece",
    "Question",
    "guidelines_in",
    "passages_in",
    "questions_about",
    "questions_of",
    "shown_fields",
]

_MOST_ITEMS = 40  # judged in one question, so that the reply does not run out of tokens
_LEAST_CHARS = 500


class Item(NamedTuple):
    """One thing to judge.

    `required` says that the row cannot be right without it; `group` is the golden answer that a claim comes from,
    `source` the words of it, which `in_source` says are there. `name` is what the row calls a passage or guideline,
    `whose` the side that a claim is of where both sides have some.
    """

    id: str
    kind: str
    text: str
    required: bool = True
    group: int = 1
    source: str | None = None
    in_source: bool | None = None
    name: str | None = None
    whose: Literal["answer", "reference"] | None = None


WHOLE = Item(id="whole", kind="whole", text="")


class Piece(NamedTuple):
    """A passage, or a part of one that is too long for a question. Parts count from 1."""

    id: str
    text: str
    part: int = 1
    parts: int = 1


class Question(NamedTuple):
    """What one question to a model is about: all these items, judged by these passages."""

    items: tuple[Item, ...]
    pieces: tuple[Piece, ...] = ()


def shown_fields(rubric: Rubric, sample: Sample, response: Response) -> dict[str, Any]:
    """The fields that the rubric names and the row has. Raises Skip where a needed one is missing."""
    found = {name: value for name in rubric.fields if (value := _value(name, sample, response)) is not None}
    for name in rubric.needs:
        if name not in found:
            raise Skip(f"no {name}")
    if rubric.needs_any and not found.keys() & set(rubric.needs_any):
        raise Skip(f"no {' or '.join(rubric.needs_any)}")
    return found


def passages_in(contexts: Sequence[Passage]) -> tuple[Item, ...]:
    """The retrieved passages. Raises Skip where only the id of one is known, since leaving it out would flatter."""
    items = tuple(
        [
            Item(id=id_of("passages", place), kind="passage", text=one.text, name=one.id)
            for place, one in enumerate(contexts, 1)
            if one.text is not None
        ]
    )
    if bare := len(contexts) - len(items):
        raise Skip(f"{bare} of {len(contexts)} passages have no text")
    return items


def guidelines_in(value: Any) -> tuple[Item, ...]:
    """The guidelines of ``metadata.guidelines``: a text, a list of texts, or texts by name."""
    listed = value if isinstance(value, list | tuple) else [value]
    named = value if isinstance(value, Mapping) else dict(enumerate(listed))
    for text in named.values():
        if not isinstance(text, str) or not text.strip():
            raise DataError(
                f"{text!r} is no guideline", field="metadata.guidelines", mend="write a text, or a list of texts"
            )
    return tuple(
        Item(id=id_of("guidelines", place), kind="guideline", text=text, name=name if isinstance(name, str) else None)
        for place, (name, text) in enumerate(named.items(), 1)
    )


def questions_of(items: Sequence[Item], passages: Sequence[Item], max_chars: int) -> list[Question]:
    """Questions in which all `items` are judged by all `passages`, `max_chars` characters of them in each at most."""
    parts = _packed(passages, max_chars) or [()]
    batches = [tuple(items[start : start + _MOST_ITEMS]) for start in range(0, len(items), _MOST_ITEMS)]
    return [Question(batch, pieces) for batch in batches for pieces in parts]


def questions_about(passages: Sequence[Item], max_chars: int) -> list[Question]:
    """The questions in which each passage is judged by itself; one that is too long comes up in several."""
    by_id = {one.id: one for one in passages}
    packs = [
        pack[start : start + _MOST_ITEMS]
        for pack in _packed(passages, max_chars)
        for start in range(0, len(pack), _MOST_ITEMS)
    ]
    return [Question(tuple(by_id[piece.id] for piece in pack), pack) for pack in packs]


def _value(name: str, sample: Sample, response: Response) -> Any:
    if name in FIELDS:
        if missing_field((name,), sample, response):
            return None
        return getattr(sample if hasattr(sample, name) else response, name)
    key = name.removeprefix("metadata.")
    found = sample.metadata.get(key, response.metadata.get(key))
    return None if found is None or found in ("", [], {}) else found


def _packed(passages: Sequence[Item], max_chars: int) -> list[tuple[Piece, ...]]:
    """The passages in order, in packs of at most `max_chars` characters; nothing is lost."""
    if max_chars < _LEAST_CHARS:
        raise UsageError(f"max_chars cannot be {max_chars}", mend=f"give {_LEAST_CHARS} characters or more")
    if passages and sum([len(one.text) for one in passages]) <= max_chars:  # nearly always
        return [tuple([Piece(one.id, one.text) for one in passages])]
    packs: list[list[Piece]] = []
    room = 0
    for piece in (piece for passage in passages for piece in _pieces(passage, max_chars)):
        if not packs or len(piece.text) > room or packs[-1][-1].id == piece.id:
            packs.append([])
            room = max_chars
        packs[-1].append(piece)
        room -= len(piece.text)
    return [tuple(pack) for pack in packs]


def _pieces(passage: Item, size: int) -> list[Piece]:
    texts = list(_cut(passage.text, size))
    return [Piece(passage.id, text, place, len(texts)) for place, text in enumerate(texts, 1)]


def _cut(text: str, size: int) -> Iterator[str]:
    """`text` in parts of at most `size` characters, cut after a sentence, else at a space, else anywhere."""
    start = 0
    while len(text) - start > size:
        window = text[start : start + size]
        end = _end_of_sentence(window) or window.rfind(" ") + 1 or size
        yield text[start : start + end]
        start += end
    yield text[start:]


def _end_of_sentence(window: str) -> int:
    """Where the last whole sentence in `window` ends, the space after it included; 0 where none does."""
    last = sentences(window)[-1:]
    place = window.rfind(last[0]) if last else -1
    return max(place, 0)
