"""A rubric and the data of one row become the messages of one question.

The only place where data enter a prompt: each text goes through `fences` once and is never looked at again, so that
braces, ``${NAME}`` and ``%`` in it stay what they are.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from ringtrue.data.facts import terms
from ringtrue.judges.loading import prompt_file
from ringtrue.judges.marked_yaml import read_marked
from ringtrue.judges.prompts.fences import fence, fence_code, neutralise
from ringtrue.judges.prompts.shape import example_reply, id_of
from ringtrue.judges.rubric import ITEM, PLACEHOLDER, Example, Rubric
from ringtrue.models.types import Message
from ringtrue.types import AnyOf, Fact, Facts, Passage

__all__ = [
    "Block",
    "Prompt",
    "blocks_of",
    "fact_text",
    "item_heading",
    "prompt_of",
    "texts_of",
    "words_hash",
]

_VERSION = 1  # raise it when the same words and data make another prompt
_FRAME = "frame.yaml"
_HASH_BYTES = 8


class Block(NamedTuple):
    """One text of the data under its heading, which is ours."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is said of a rubric: to begin with (`system`, and worked examples as turns) and after the data.

    `ask` is the latter, in pieces between which the ids of the items stand.
    """

    system: str
    examples: tuple[Message, ...]
    ask: tuple[str, ...]

    def messages(self, blocks: Sequence[Block], ids: Sequence[str] = ()) -> tuple[Message, ...]:
        """The messages of one question. `ids` are the items to judge."""
        return (Message("system", self.system), *self.examples, self.question(blocks, ids))

    def question(self, blocks: Sequence[Block], ids: Sequence[str]) -> Message:
        """The data, each text fenced, and the instructions after them."""
        texts = [neutralise(text) for _, text in blocks]
        code = fence_code(texts)
        fenced = [f"{heading}:\n{fence(text, code)}" for (heading, _), text in zip(blocks, texts, strict=True)]
        first = _frame()["code"].replace("$code", code)
        return Message("user", "\n\n".join([first, *fenced, ", ".join(ids).join(self.ask)]))


def prompt_of(rubric: Rubric, *, ask: str | None = None) -> Prompt:
    """The words of a rubric, made once for all rows. `ask` names another way to ask for the reply."""
    frame, way = _frame(), ask or ("whole" if rubric.unit == "whole" else "items")
    asks: Mapping[str, str] = frame["ask"]
    quote = _put(asks["quote"], source=frame["sources"][rubric.evidence]) if rubric.evidence else ""
    words = {
        "task": _fill(rubric.task),
        "thought": asks["reason" if way == "items" else "rationale"] if rubric.rationale else "",
        "quote": quote,
        "labels": ", ".join(f'"{label}"' for label in rubric.labels),
    }
    pieces = f"{frame['end']}\n$task\n{asks[way]}".split("$ids")
    prompt = Prompt(_system(rubric), (), tuple(_put(piece, **words) for piece in pieces))
    turns = [message for example in rubric.examples for message in _turns(prompt, rubric, example)]
    return replace(prompt, examples=tuple(turns))


def blocks_of(field: str, value: Any) -> list[Block]:
    """The blocks of one field of a row, numbered where it holds several texts; passages are numbered always."""
    texts, heading = texts_of(value), _heading(field)
    if not texts:
        return [Block(heading, said)] if (said := _frame()["nothing"].get(field)) else []
    if field == "contexts":
        return [Block(f"{heading} {id_of('passages', place)}", text) for place, text in enumerate(texts, 1)]
    numbered = len(texts) > 1
    return [Block(f"{heading} {place}" if numbered else heading, text) for place, text in enumerate(texts, 1)]


@lru_cache(maxsize=1024)  # the same few come up in every row
def item_heading(kind: str, id: str, part: int = 1, parts: int = 1, *, whose: str | None = None) -> str:
    """The heading of a passage, claim or guideline, or of one part of it; `whose` names the field it comes from."""
    told = [_put(_frame()["part"], part=str(part), parts=str(parts))] if parts > 1 else []
    told += [_put(_frame()["whose"], field=_frame()["fields"][whose]["named"])] if whose else []
    return f"{_heading(kind)} {id}" + (f" ({', '.join(told)})" if told else "")


def texts_of(value: Any) -> list[str]:
    """The texts of a field's value as they are; what is no text is written as JSON."""
    match value:
        case None:
            return []
        case str():
            return [value]
        case Facts():
            return [fact_text(term) for term in terms(value.tree)]
        case Passage():
            return [value.text or ""]
        case list() | tuple():
            return [text for one in value for text in texts_of(one)]
        case bool() | int() | float() | dict():
            return [orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()]
    return [str(value)]


def fact_text(fact: Fact, *, inner: bool = False) -> str:
    """A golden fact in words: alternatives with "or" between them."""
    if isinstance(fact, str):
        return fact
    word = " or " if isinstance(fact, AnyOf) else " and "
    text = word.join(fact_text(item, inner=True) for item in fact.items)
    return f"({text})" if inner else text


@cache
def words_hash() -> str:
    """Stands for the words around every rubric and the way they are put together, in hexadecimal."""
    content = b"".join(prompt_file(name).read_bytes() for name in (_FRAME, "claims.yaml"))
    return blake2b(content, digest_size=_HASH_BYTES, salt=b"%d" % _VERSION).hexdigest()


@cache
def _frame() -> dict[str, Any]:
    return read_marked(prompt_file(_FRAME).read_text(encoding="utf-8"), _FRAME)[0]


def _put(template: str, **words: str) -> str:
    """A text of the frame with `words` in it; what a word holds is not looked at again."""
    return re.sub(r"\$([a-z]+)", lambda found: words[found[1]], template)


def _fill(text: str) -> str:
    """A text of a rubric, its placeholders turned into names for the data."""
    names = _frame()["fields"]

    def named(found: Any) -> str:
        if found["plain"]:
            return str(found[0][1:])
        name = found["double"] or found["name"]
        return str(names[name]["named"]) if name in names else f"the {name.removeprefix('metadata.')}"

    return PLACEHOLDER.sub(named, text).strip()


def _system(rubric: Rubric) -> str:
    frame = _frame()
    cases = [_put(frame["case"], when=_fill(one.when), then=_fill(one.then)) for one in rubric.edge_cases]
    reply_rules = [*frame["reply_rules"], *([frame["reason_rule"]] if rubric.rationale else [])]
    parts = {
        "task": _fill(rubric.task),
        "procedure": "\n".join(f"{n}. {_fill(step)}" for n, step in enumerate(rubric.procedure, 1)),
        "criteria": _bullets([_fill(one) for one in rubric.criteria]),
        "edge_cases": _bullets(cases),
        "data_rules": _bullets(frame["data_rules"]),
        "reply_rules": _bullets(reply_rules),
    }
    sections = [f"# {frame['parts'][key]}\n{text}" for key, text in parts.items() if text]
    return "\n\n".join([_fill(rubric.role), *sections])


def _turns(prompt: Prompt, rubric: Rubric, example: Example) -> list[Message]:
    """A worked example as a question and its reply."""
    item = ITEM.get(rubric.unit)
    ids = [id_of(rubric.unit, 1)] if item else []
    blocks = [block for name, value in example.fields.items() if name != item for block in blocks_of(name, value)]
    blocks += [Block(item_heading(item, id), example.fields[item]) for id in ids if item]
    reply = orjson.dumps(example_reply(rubric, example)).decode()
    return [prompt.question(blocks, ids), Message("assistant", reply)]


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


@lru_cache(maxsize=1024)
def _heading(field: str) -> str:
    known = _frame()["fields"].get(field)
    return str(known["heading"]) if known else field.removeprefix("metadata.").replace("_", " ").capitalize()
