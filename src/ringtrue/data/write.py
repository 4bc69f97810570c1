"""A Dataset to a file that `load_dataset` reads back equal."""

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import yaml

from ringtrue.data.cells import guard_cell
from ringtrue.data.fields.lists import texts_in_text
from ringtrue.data.formats.parquet import arrow
from ringtrue.data.formats.read import ending_of
from ringtrue.data.records import canonical_json, passage_record, sample_record
from ringtrue.data.scalars import json_ready
from ringtrue.errors import OutputError
from ringtrue.types import Dataset, Passage, Sample

__all__ = ["write_dataset"]

_COLUMNS = ("id", "question", "reference", "facts", "reference_contexts", "metadata")
_WIDE = 2**31  # YAML lines are not folded
_STR, _FLOAT = "tag:yaml.org,2002:str", "tag:yaml.org,2002:float"
# Line ends of all kinds, control characters, byte-order marks, and spaces at an end.
_DELICATE = re.compile("[\\x00-\\x1f\\x7f-\\xa0\\u2028\\u2029\\ufeff]|^ | $")


def write_dataset(dataset: Dataset, path: str | Path) -> None:
    """Write a Dataset in the format of the file's ending. ``.json`` and ``.yaml`` keep its name and version too.

    Lists and objects stand in table cells as JSON. Raises OutputError where the file cannot be written, DataError for
    an unknown ending, and MissingExtraError for Parquet without pyarrow.
    """
    ending = ending_of(path)
    try:
        if ending == ".parquet":
            _write_parquet(dataset, path)
            return
        data = _WRITERS[ending](dataset)
        Path(path).write_bytes(gzip.compress(data) if str(path).lower().endswith(".gz") else data)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _json_lines(dataset: Dataset) -> bytes:
    return b"".join(_json_text(sample_record(sample)) + b"\n" for sample in dataset)


def _json(dataset: Dataset) -> bytes:
    return _json_text(_document(dataset), orjson.OPT_INDENT_2) + b"\n"


def _json_text(value: Any, option: int = 0) -> bytes:
    """JSON in the order of the fields, which is the one people read."""
    try:
        return orjson.dumps(value, option=option)
    except TypeError:
        return canonical_json(value)


def _yaml(dataset: Dataset) -> bytes:
    document = json_ready(_document(dataset))
    text: str = yaml.dump(document, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDE)
    return text.encode("utf-8")


def _document(dataset: Dataset) -> dict[str, Any]:
    head = {"name": dataset.name} | ({} if dataset.version is None else {"version": dataset.version})
    return {**head, "samples": [sample_record(sample) for sample in dataset]}


class _Dumper(yaml.SafeDumper):
    """YAML without anchors, with numbers as JSON writes them, and with escapes wherever a sign might be changed."""

    def ignore_aliases(self, data: Any) -> bool:
        return data is data  # every value stands where it is used

    def text_node(self, value: str) -> yaml.Node:
        return self.represent_scalar(_STR, value, style='"' if _DELICATE.search(value) else None)

    def float_node(self, value: float) -> yaml.Node:
        return self.represent_scalar(_FLOAT, json.dumps(value))


_Dumper.add_representer(str, _Dumper.text_node)
_Dumper.add_representer(float, _Dumper.float_node)


def _table(delimiter: str, dataset: Dataset) -> bytes:
    rows = [_cells(sample) for sample in dataset]
    columns = [name for name in _COLUMNS if name in ("id", "question") or any(name in row for row in rows)]
    text = io.StringIO(newline="")
    # Ends of CR LF make the writer quote both characters wherever they stand in a cell.
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([guard_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue().encode("utf-8")


def _cells(sample: Sample) -> Mapping[str, str]:
    """The sample's record as cells. A single text that looks like a list is put into one, so that it stays a text."""
    record = sample_record(sample)
    if sample.reference_contexts is not None:
        record["reference_contexts"] = [_short(one) for one in sample.reference_contexts]
    for name in ("reference", "facts"):
        if isinstance(text := record.get(name), str) and texts_in_text(text) is not None:
            record[name] = [text]
    return {name: one if isinstance(one, str) else _json_text(one).decode("utf-8") for name, one in record.items()}


def _short(passage: Passage) -> str | dict[str, Any]:
    """A passage that is nothing but a text as that text."""
    record = passage_record(passage)
    return record["text"] if record.keys() == {"text"} else record


def _write_parquet(dataset: Dataset, path: str | Path) -> None:
    pa = arrow("Parquet")
    texts = pa.list_(pa.string())
    passage = pa.struct(
        [("id", pa.string()), ("text", pa.string()), ("score", pa.float64()), ("metadata", pa.string())]
    )
    kinds = (pa.string(), pa.string(), texts, pa.string(), pa.list_(passage), pa.string())
    rows = [_arrow_row(sample) for sample in dataset]
    table = pa.Table.from_pylist(rows, schema=pa.schema(list(zip(_COLUMNS, kinds, strict=True))))
    pa.parquet.write_table(table, path)


def _arrow_row(sample: Sample) -> dict[str, Any]:
    """The record with metadata as JSON, since Arrow wants one type a column."""
    record = sample_record(sample) | {"reference": list(sample.reference) or None}
    for one in (record, *record.get("reference_contexts", ())):
        if "metadata" in one:
            one["metadata"] = _json_text(one["metadata"]).decode("utf-8")
    return record


_WRITERS: Mapping[str, Callable[[Dataset], bytes]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".csv": partial(_table, ","),
    ".tsv": partial(_table, "\t"),
}
