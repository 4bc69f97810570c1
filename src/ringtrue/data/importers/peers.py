"""Tools whose rows are almost ours: each converter says only where a name or a shape means something else there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from ringtrue.data.aliases import plain_name
from ringtrue.data.facts import format_facts
from ringtrue.data.fields.nesting import columns_of, said_by_user
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.scalars import is_missing, to_text
from ringtrue.types import AnyOf

__all__ = ["azure", "deepeval", "inspect_ai", "mlflow", "ragas", "ragchecker", "without"]

Row = Mapping[str, Any]


def ragas(raw: RawRows) -> RawRows:
    """ragas 1 and 2. In test sets that ragas 1 made (`evolution_type`), ``contexts`` are the golden passages."""
    columns = columns_of(raw.rows)
    if "evolution_type" in columns and "answer" not in columns and "reference_contexts" not in columns:
        rows = [{("reference_contexts" if k == "contexts" else k): v for k, v in row.items()} for row in raw.rows]
        raw = replace(raw, rows=rows)
    return without(raw, ("episode_done", "multi_responses"))


def deepeval(raw: RawRows) -> RawRows:
    """DeepEval goldens and test cases; in tables, their lists stand between ``|`` or ``;``."""
    if raw.cells:
        lists = [name for name in columns_of(raw.rows) if plain_name(name) in ("context", "retrievalcontext")]
        raw = replace(raw, rows=[_cut(row, lists) for row in raw.rows])
    return without(raw, ("tools_called", "expected_tools", "turns", "custom_column_key_values"))


def mlflow(raw: RawRows) -> RawRows:
    """MLflow evaluation datasets: inputs, expectations, outputs, as objects or (from a DataFrame) as JSON in text."""
    nested = ("inputs", "expectations", "outputs", "request", "response", "tags", "metadata")
    rows = [{name: _parsed(value) if name in nested else value for name, value in row.items()} for row in raw.rows]
    upkeep = ("created_time", "last_update_time", "created_by", "last_updated_by", "dataset_id")
    return without(replace(raw, rows=rows), ("trace", "source", *upkeep))


def inspect_ai(raw: RawRows) -> RawRows:
    """Inspect samples and logs. Each target is right on its own; a letter among choices stands for the choice."""
    log = ("messages", "events", "attachments", "store", "scores", "model_usage", "timelines")
    return without(replace(raw, rows=[_inspect_row(row) for row in raw.rows]), (*log, "files", "setup", "sandbox"))


def ragchecker(raw: RawRows) -> RawRows:
    """RAGChecker results, without its own verdicts and metrics."""
    verdicts = ("retrieved2answer", "retrieved2response", "response2answer", "answer2response")
    return without(raw, (*verdicts, "metrics", "response_claims"))


def azure(raw: RawRows) -> RawRows:
    """Azure AI evaluation: query, response, context, ground_truth, or a whole conversation (its last turn is taken)."""
    if "conversation" not in columns_of(raw.rows):
        return raw
    raw.reading.notes.add("of conversations, the last question and answer are taken")
    return replace(raw, rows=[_last_turn(row) for row in raw.rows])


def without(raw: RawRows, names: Iterable[str]) -> RawRows:
    """Rows without columns that mean nothing here; those that held something are told."""
    unwanted = set(map(plain_name, names))
    out = [name for name in columns_of(raw.rows) if plain_name(name) in unwanted]
    if told := [name for name in out if any(row.get(name) not in (None, "", [], {}) for row in raw.rows)]:
        raw.reading.notes.add(f"not carried over: {', '.join(told)}")
    return replace(raw, rows=[{k: v for k, v in row.items() if k not in out} for row in raw.rows]) if out else raw


def _cut(row: Row, names: Sequence[str]) -> Row:
    cut = dict(row)
    for name in names:
        text = row.get(name)
        if isinstance(text, str) and text.strip() and text.lstrip()[0] not in "[({":
            cut[name] = [piece.strip() for piece in text.split("|" if "|" in text else ";") if piece.strip()]
    return cut


def _parsed(value: Any) -> Any:
    """The object that a text holds as JSON, or the value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


def _inspect_row(row: Row) -> Row:
    row = dict(row)
    if isinstance(row.get("input"), list):
        row["input"] = said_by_user(row["input"]) or row["input"]
    given = row.pop("target", None)
    targets = [to_text(one) for one in given] if isinstance(given, list) else [to_text(given)]
    choices = row.get("choices")
    if isinstance(choices, list):
        targets = [_choice(one, choices) for one in targets]
    golden = [one for one in targets if one is not None]
    if golden:
        row["reference"] = golden
        row["facts"] = format_facts(AnyOf(tuple(golden)) if len(golden) > 1 else golden[0])
    return row


def _choice(target: str | None, choices: Sequence[Any]) -> str | None:
    """The choice that a single capital letter stands for (``B`` is the second), else the target itself."""
    place = ord(target) - ord("A") if target is not None and len(target) == 1 else -1
    return to_text(choices[place]) if 0 <= place < len(choices) else target


def _last_turn(row: Row) -> Row:
    conversation = row.get("conversation")
    messages = conversation.get("messages") if isinstance(conversation, Mapping) else None
    if not isinstance(messages, list):
        return row
    answers = [one for one in messages if isinstance(one, Mapping) and one.get("role") == "assistant"]
    turn = {"query": said_by_user(messages)} | {name: value for name, value in row.items() if name != "conversation"}
    if answers:
        turn |= {"response": answers[-1].get("content")}
        context = answers[-1].get("context")
        if isinstance(context, Mapping):
            context = context.get("citations") or context
        if not is_missing(context):
            turn |= {"context": context}
    return turn
