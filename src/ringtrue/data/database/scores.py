"""Scores in the database: written in groups, looked up by content, and read back with all that was said.

What was asked of models is kept in the Score. The messages before the last one, which are the same for every row, stand
in a table of texts under their hash, and are put back where a Score is read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeAlias

import orjson
import sqlalchemy as sa

from ringtrue.data.database import tables
from ringtrue.data.database.engine import CHUNK, insert
from ringtrue.data.records import canonical_json
from ringtrue.types import Score

__all__ = ["ScoreAt", "insert_scores", "known_scores", "scores_of"]

ScoreAt: TypeAlias = tuple[bytes, int, Score]  # with its item key and revision

_STORED = "stored"  # in a message, in place of its content: the key of that in hexadecimal
_LONG = 200  # characters; a shorter text stays where it is
_KEY_BYTES = 16


def insert_scores(
    connection: sa.Connection, scores: Sequence[ScoreAt], numbers: Mapping[str, int], kept: set[str]
) -> set[str]:
    """Write Scores. `numbers` are those of their signatures, `kept` the keys of texts that are there already.

    Gives the keys of the texts that were written with them.
    """
    texts: dict[str, str] = {}
    rows = [
        tables.score_row(item, numbers[score.signature], revision, score, _apart(score.exchanges, texts))
        for item, revision, score in scores
    ]
    new = texts.keys() - kept
    insert(connection, tables.texts, [(bytes.fromhex(key), canonical_json(texts[key])) for key in new])
    insert(connection, tables.scores, rows)
    return new


def known_scores(
    connection: sa.Connection, items: Iterable[bytes], names: Mapping[int, str]
) -> dict[tuple[bytes, str], tuple[str, int]]:
    """The latest status and revision by item and signature, of the signatures of these numbers; people's not."""
    found: dict[tuple[bytes, str], tuple[str, int]] = {}
    listed = list(items)
    held = tables.scores.c
    for start in range(0, len(listed), CHUNK):
        query = (
            sa.select(held.item, held.signature, held.status, held.revision)
            .where(held.item.in_(listed[start : start + CHUNK]), held.signature.in_(names))
            .where(held.source.not_like("human:%"))
            .order_by(held.revision)
        )
        for item, number, status, revision in connection.execute(query):
            found[item, names[number]] = (status, revision)
    return found


def scores_of(
    connection: sa.Connection, run: int, labels: Mapping[str, str], names: Mapping[int, str]
) -> Iterator[Score]:
    """The Scores over the responses of the run of that number; of several revisions the latest comes last.

    `names` are the wanted signatures by number, `labels` what the run calls them.
    """
    answered, held = tables.responses.c, tables.scores.c
    query = (
        sa.select(
            answered.sample_id,
            answered.pipeline,
            answered.repeat,
            held.signature,
            held.source,
            held.status,
            held.value,
            held.label,
            held.probability,
            held.detail,
        )
        .join(tables.scores, held.item == answered.item)
        .where(answered.run == run, held.signature.in_(names))
        .where(held.source.not_like("human:%"))
        .order_by(held.revision)
    )
    texts: dict[str, str] = {}
    rows = connection.execute(query)
    for sample, pipeline, repeat, number, source, status, value, label, probability, detail in rows:
        more = orjson.loads(detail) if detail else {}
        exchanges = [_whole(connection, one, texts) for one in more.get("exchanges", ())]
        yield Score(
            sample_id=sample,
            pipeline=pipeline,
            repeat=repeat,
            metric=labels[names[number]],
            status=status,
            signature=names[number],
            value=value,
            label=label,
            probability=probability,
            rationale=more.get("rationale"),
            parts=tuple(more["parts"]) if "parts" in more else None,
            usage=more.get("usage"),
            exchanges=tuple(exchanges) if "exchanges" in more else None,
            error=more.get("error"),
            source=source,
            at=more.get("at"),
        )


def _apart(exchanges: Sequence[Mapping[str, Any]] | None, texts: dict[str, str]) -> list[Mapping[str, Any]] | None:
    """The exchanges with the keys of long texts in their place; the texts are added to `texts`."""
    if exchanges is None:
        return None
    found: list[Mapping[str, Any]] = []
    for one in exchanges:
        messages: Sequence[Mapping[str, Any]] = one.get("messages") or ()
        if len(messages) > 1:
            before = [_message_apart(message, texts) for message in messages[:-1]]
            one = {**one, "messages": [*before, messages[-1]]}
        found.append(one)
    return found


def _message_apart(message: Mapping[str, Any], texts: dict[str, str]) -> Mapping[str, Any]:
    content = message.get("content")
    if not isinstance(content, str) or len(content) < _LONG:
        return message
    key = _key(content)
    texts[key] = content
    return {"role": message.get("role"), _STORED: key}


@lru_cache(maxsize=64)
def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).hexdigest()


def _whole(connection: sa.Connection, exchange: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """The exchange with the texts in it that stand apart; `texts` holds those that were read before."""
    for message in exchange.get("messages", ()):
        if (key := message.pop(_STORED, None)) is not None:
            if key not in texts:
                query = sa.select(tables.texts.c.value).where(tables.texts.c.key == bytes.fromhex(key))
                texts[key] = orjson.loads(connection.execute(query).scalar_one())
            message["content"] = texts[key]
    return exchange
