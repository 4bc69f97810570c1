"""The door for people's labels: any file of ours or of a peer, recognised by what is in it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.formats.decode import decode
from ringtrue.data.formats.jsontext import parse_json
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import ending_of, read_bytes, read_rows
from ringtrue.data.labels.label import Asked, LoadedLabels, Rating
from ringtrue.data.labels.long import is_flat_label_studio, long_ratings
from ringtrue.data.labels.peers.argilla import argilla_ratings, is_argilla
from ringtrue.data.labels.peers.label_studio import is_label_studio, label_studio_ratings
from ringtrue.data.labels.peers.mlflow import is_mlflow, mlflow_ratings
from ringtrue.data.labels.peers.phoenix import is_phoenix, phoenix_ratings
from ringtrue.data.labels.settle import Known, settle
from ringtrue.data.labels.wide import is_wide, wide_ratings
from ringtrue.data.notes import Reading

__all__ = ["load_labels"]


def load_labels(
    path: str | Path,
    *,
    metric: str | None = None,
    rater: str | None = None,
    raters: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    pipeline: str | None = None,
    known: Known | None = None,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
) -> LoadedLabels:
    """Read people's labels from a file; its form is recognised by its content.

    `metric`, `rater` and `pipeline` are for rows that do not say them; of a file with several metrics, `metric` chooses
    one. `raters` are columns that hold one person's labels each; `mapping` is column to field of
    `ringtrue.data.labels.columns.FIELDS`. `known` holds the labels of metrics where they are fixed (a judge's), with
    what each is worth. Raises DataError, and UnknownNameError for a field of `mapping` that there is not.
    """
    asked = Asked(metric=metric, rater=rater, raters=raters, mapping=mapping or {}, pipeline=pipeline)
    raw = _rows(path, skip_bad_rows=skip_bad_rows, encoding=encoding)
    form, ratings, columns = _ratings(raw, asked)
    reading = raw.reading
    labels = settle(ratings, asked, known or {}, reading)
    if not labels:
        notes = "; ".join(reading.notes.lines(reading.unit))
        raise reading.error("no label is in it" + (f" ({notes})" if notes else ""), mend="is it the right file?")
    return LoadedLabels(
        labels=labels,
        notes=reading.notes.lines(reading.unit),
        form=form,
        file=reading.name,
        unit=reading.unit,
        mapping=columns,
    )


def _ratings(raw: RawRows, asked: Asked) -> tuple[str, list[Rating], Mapping[str, str]]:
    if not asked.raters and not asked.mapping:
        if is_phoenix(raw):
            return "Phoenix", phoenix_ratings(raw), {}
        if is_mlflow(raw):
            return "MLflow", mlflow_ratings(raw, asked), {}
        if is_argilla(raw):
            return "Argilla", argilla_ratings(raw), {}
        if is_label_studio(raw):
            return "Label Studio", label_studio_ratings(raw), {}
    if is_wide(raw, asked):
        return ("wide", *wide_ratings(raw, asked))
    flat = is_flat_label_studio(columns_of(raw.rows))
    return ("Label Studio, flat" if flat else "long", *long_ratings(raw, asked))


def _rows(path: str | Path, *, skip_bad_rows: bool, encoding: str | None) -> RawRows:
    """The raw rows of a file; a JSON file may also be one trace of MLflow."""
    if ending_of(path) == ".json":
        reading = Reading(name=str(path), encoding=encoding)
        trace = _document(path, reading)
        if isinstance(trace, Mapping) and isinstance(trace.get("info"), Mapping):
            return RawRows(rows=[trace], places=[1], reading=reading)
    return read_rows(path, skip_bad_rows=skip_bad_rows, encoding=encoding)


def _document(path: str | Path, reading: Reading) -> Any:
    try:
        return parse_json(decode(read_bytes(path), reading), reading)
    except (ValueError, RecursionError):  # `read_rows` says what is wrong
        return None
