"""FMEval: its JSON and JSON-lines datasets, its results, and a DataConfig saved as JSON with its JMESPath locations."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from ringtrue.data.formats.decode import decode
from ringtrue.data.formats.jsontext import parse_json
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import read_bytes, read_rows
from ringtrue.data.importers.peers import without
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError

__all__ = ["fmeval_rows"]

_LOCATION = "_location"


def fmeval_rows(path: str | Path) -> RawRows:
    """Raw rows under FMEval's own names. `path` is a dataset, results, or a DataConfig that names a dataset."""
    config = _config(path)
    return without(read_rows(path) if config is None else _by_config(config, Path(path)), ("scores",))


def _config(path: str | Path) -> Mapping[str, Any] | None:
    """The DataConfig in a file, if it is one."""
    if not str(path).lower().endswith(".json"):
        return None
    reading = Reading(name=str(path))
    try:
        document = parse_json(decode(read_bytes(path), reading), reading)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and "dataset_uri" in document else None


def _by_config(config: Mapping[str, Any], path: Path) -> RawRows:
    uri = str(config["dataset_uri"])
    if "://" in uri:
        raise DataError(
            f"the dataset is at {uri}", file=path, field="dataset_uri", mend="download it and name the copy"
        )
    data = path.parent / uri
    locations = {
        name.removesuffix(_LOCATION): str(where)
        for name, where in config.items()
        if name.endswith(_LOCATION) and where is not None
    }
    if "lines" in str(config.get("dataset_mime_type", "")) or data.suffix.lower() == ".jsonl":
        raw = read_rows(data)
        rows = [{name: _search(where, row, path) for name, where in locations.items()} for row in raw.rows]
        return replace(raw, rows=rows)
    reading = Reading(name=str(data))
    document = parse_json(decode(read_bytes(data), reading), reading)
    columns = {name: _search(where, document, path) for name, where in locations.items()}
    lengths = {name: len(column) if isinstance(column, list) else 0 for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise DataError(
            f"the locations do not find columns of one length: {told}", file=path, mend="mend the locations"
        )
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return RawRows(rows=rows, places=range(1, len(rows) + 1), reading=reading)


def _search(where: str, value: Any, path: Path) -> Any:
    try:
        return jmespath.search(where, value)
    except JMESPathError as error:
        raise DataError(f"{where!r} is no JMESPath: {' '.join(str(error).split())}", file=path) from error
