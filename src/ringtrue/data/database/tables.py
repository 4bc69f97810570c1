"""The tables of the store, and what their rows hold."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson
import sqlalchemy as sa

from ringtrue.data.records import canonical_json
from ringtrue.types import RunInfo, Score, UsedMetric

__all__ = [
    "DETAIL",
    "calibrations",
    "datasets",
    "meta",
    "metadata",
    "replies",
    "responses",
    "run_info",
    "run_payload",
    "runs",
    "score_row",
    "scores",
    "signatures",
    "tags",
    "texts",
]

# What few Scores have stands together in one column.
DETAIL = ("rationale", "parts", "usage", "exchanges", "error", "at")
_NO_DETAIL = (None,) * len(DETAIL)

metadata = sa.MetaData()
meta = sa.Table(
    "meta", metadata, sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False)
)
# A dataset's samples as JSON, a thousand or so a part: one row a sample would cost more than all else in a run.
datasets = sa.Table(
    "datasets",
    metadata,
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("part", sa.Integer, primary_key=True),
    sa.Column("payload", sa.LargeBinary, nullable=False),
)
runs = sa.Table(
    "runs",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
)
# Tables with large rows are in the order of writing: SQLite would else move them about to keep them in the keys' order.
responses = sa.Table(
    "responses",
    metadata,
    sa.Column("run", sa.Integer, primary_key=True),
    sa.Column("pipeline", sa.Text, primary_key=True),
    sa.Column("sample_id", sa.Text, primary_key=True),
    sa.Column("repeat", sa.Integer, primary_key=True),
    sa.Column("item", sa.LargeBinary(16), nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
)
signatures = sa.Table(
    "signatures",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("signature", sa.Text, nullable=False, unique=True),
)
scores = sa.Table(
    "scores",
    metadata,
    sa.Column("item", sa.LargeBinary(16), primary_key=True),
    sa.Column("signature", sa.Integer, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("value", sa.Double),
    sa.Column("label", sa.Text),
    sa.Column("probability", sa.Double),
    sa.Column("detail", sa.LargeBinary),
)
# Long texts that come up in many Scores, in JSON, by their hash.
texts = sa.Table(
    "texts",
    metadata,
    sa.Column("key", sa.LargeBinary(16), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
# Replies of models, by a hash of everything that was asked.
replies = sa.Table(
    "replies",
    metadata,
    sa.Column("key", sa.LargeBinary(16), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

# What was measured of judges against people's labels.
calibrations = sa.Table(
    "calibrations",
    metadata,
    sa.Column("signature", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# The names that people give to runs.
tags = sa.Table(
    "tags",
    metadata,
    sa.Column("run", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)


def score_row(
    item: bytes, signature: int, revision: int, score: Score, exchanges: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Any, ...]:
    """The values of a row of `scores`, in the order of its columns. `exchanges` are as they are to be kept."""
    more = (score.rationale, score.parts, score.usage, exchanges, score.error, score.at)
    detail = (
        None
        if more == _NO_DETAIL
        else {key: value for key, value in zip(DETAIL, more, strict=True) if value is not None}
    )
    return (
        item,
        signature,
        score.source,
        revision,
        score.status,
        score.value,
        score.label,
        score.probability,
        None if detail is None else canonical_json(detail),
    )


def run_payload(run: RunInfo) -> dict[str, Any]:
    return {
        "dataset_name": run.dataset_name,
        "dataset_version": run.dataset_version,
        "pipelines": list(run.pipelines),
        "metrics": [asdict(one) for one in run.metrics],
        "repeats": run.repeats,
        "config": dict(run.config),
        "environment": dict(run.environment),
        "notes": list(run.notes),
    }


def run_info(row: sa.Row[Any], tags: tuple[str, ...] = ()) -> RunInfo:
    payload = orjson.loads(row.payload)
    return RunInfo(
        id=row.id,
        status=row.status,
        started=row.started,
        finished=row.finished,
        dataset_name=payload["dataset_name"],
        dataset_fingerprint=row.fingerprint,
        dataset_version=payload["dataset_version"],
        pipelines=tuple(payload["pipelines"]),
        metrics=tuple(UsedMetric(**{**one, "range": tuple(one["range"])}) for one in payload["metrics"]),
        repeats=payload["repeats"],
        config=payload["config"],
        environment=payload["environment"],
        notes=tuple(payload["notes"]),
        tags=tags,
    )
