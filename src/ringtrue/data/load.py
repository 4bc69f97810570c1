"""The doors for data: datasets and recorded answers from files, and datasets from what Python holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ringtrue.data.fields.columns import Columns, map_columns
from ringtrue.data.fields.join import Answers, join_answers, samples_of
from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import read_rows
from ringtrue.data.notes import Reading
from ringtrue.data.records import make_dataset
from ringtrue.data.scalars import to_text
from ringtrue.data.where import fields_of, predicate
from ringtrue.errors import DataError, UsageError
from ringtrue.types import Dataset, Response, Sample

__all__ = [
    "Loaded",
    "Recorded",
    "dataset_from_rows",
    "dataset_of",
    "load_answers",
    "load_dataset",
    "name_of",
    "select",
]

_OUR_HEAD = {"name", "version", "description"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A Dataset, what its file said beside it, and how it was read.

    `answers` are by sample id and repeat, None where the file holds golden data only. `mapping` is source column to our
    field where the two differ in spelling. `notes` are what a person should know.
    """

    dataset: Dataset
    answers: Mapping[tuple[str, int], Response] | None
    mapping: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A pipeline's recorded answers by sample id and repeat (from 0), with `mapping` and `notes` as in `Loaded`."""

    answers: Mapping[tuple[str, int], Response]
    mapping: Mapping[str, str]
    notes: tuple[str, ...]


def load_dataset(
    path: str | Path,
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
    name: str | None = None,
) -> Loaded:
    """Read a dataset from a file; its format goes by the ending.

    `mapping` is column to field and goes before any guess; `strict` refuses guesses. A bad row is an error, or with
    `skip_bad_rows` left out and noted. The dataset's name is `name`, else what the file says, else the file's own.
    Raises DataError (UnknownNameError for a field of `mapping` that is not known).
    """
    raw = read_rows(path, strict=strict, skip_bad_rows=skip_bad_rows, encoding=encoding)
    if not raw.head.keys() <= _OUR_HEAD:  # another tool's document, whose name and version are of other things
        raw = replace(raw, head={})
    return dataset_from_rows(raw, name=name or to_text(raw.head.get("name")) or name_of(path), mapping=mapping)


def load_answers(
    path: str | Path,
    dataset: Dataset,
    *,
    mapping: Mapping[str, str] | None = None,
    strict: bool = False,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
) -> Recorded:
    """Read a pipeline's recorded answers and join them to the samples of `dataset`, by id or else by question.

    Arguments and errors are those of `load_dataset`; that nothing fits is an error too.
    """
    raw = read_rows(path, strict=strict, skip_bad_rows=skip_bad_rows, encoding=encoding)
    raw, columns = map_columns(raw, mapping, "answers")
    if not columns.have_answers and "error" not in columns.fields:
        raise _no_field(raw, columns, "answers", "answer")
    answers = join_answers(raw, columns, dataset)
    return Recorded(answers=answers, mapping=columns.mapping, notes=raw.reading.notes.lines(raw.reading.unit))


def dataset_of(rows_or_samples: Iterable[Sample | Mapping[str, Any]], *, name: str = "dataset") -> Loaded:
    """A dataset from Samples, dicts (any field names that files may have), a DataFrame or an Arrow table."""
    reading = Reading(name=name)
    rows = _rows_of(rows_or_samples)
    if not rows:
        raise reading.error("there are no rows")
    if isinstance(rows[0], Sample):
        return _from_samples(rows, reading)
    if odd := next((row for row in rows if not isinstance(row, Mapping)), None):
        raise reading.error(f"a {type(odd).__name__} where a row belongs", mend="give dicts, or Samples")
    named = [{str(column): value for column, value in row.items()} for row in rows]
    raw = RawRows(rows=named, places=range(1, len(named) + 1), reading=reading)
    return dataset_from_rows(raw, name=name)


def select(dataset: Dataset, *, where: str | None = None, limit: int | None = None) -> Dataset:
    """The samples that `where` (JMESPath over `sample_record`) keeps, the first `limit` of them.

    Raises UsageError where the expression cannot be read, gives no yes or no, or keeps nothing.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"limit must be 1 or more, not {limit}", mend="leave --limit out for all samples")
    samples = dataset.samples
    if where is not None:
        samples = tuple(filter(predicate(where), samples))
        if not samples and dataset.samples:
            known = ", ".join(fields_of(dataset.samples[:100]))
            raise UsageError(
                f"no sample of {dataset.name} fits the filter {where!r}",
                mend=f"it may name: {known}; text stands in 'single quotes', a number in `backticks`",
            )
    samples = samples[:limit]
    if len(samples) == len(dataset.samples):
        return dataset
    return make_dataset(dataset.name, samples, dataset.version)


def name_of(path: str | Path) -> str:
    """What a dataset is called that does not say it: its file without the endings."""
    return Path(path).name.removesuffix(".gz").rpartition(".")[0]


def dataset_from_rows(
    raw: RawRows, *, name: str, mapping: Mapping[str, str] | None = None, golden: bool = True
) -> Loaded:
    """The dataset in raw rows of any source.

    Without `golden`, rows of answers or passages alone will do, as they stand where people have judged them.
    """
    raw, columns = map_columns(raw, mapping, "dataset")
    if not columns.fields.keys() & {"question", "reference", "facts"} and (golden or not columns.have_answers):
        raise _no_field(raw, columns, "questions, golden answers or facts", "question")
    samples, answers = samples_of(raw, columns)
    if not samples:
        raise raw.reading.error("no row is left", mend="; ".join(raw.reading.notes.lines(raw.reading.unit)))
    if golden and "answer" in columns.fields.get("answer", ()) and not columns.fields.keys() & {"reference", "facts"}:
        raw.reading.notes.add(
            "column 'answer' is what an application answered, so nothing here is golden; "
            "if it holds golden answers, say --map answer=reference"
        )
    return _loaded(name, samples, answers, columns.mapping, raw)


def _loaded(
    name: str, samples: Iterable[Sample], answers: Answers | None, mapping: Mapping[str, str], raw: RawRows
) -> Loaded:
    dataset = make_dataset(name, samples, to_text(raw.head.get("version")))
    return Loaded(dataset=dataset, answers=answers, mapping=mapping, notes=raw.reading.notes.lines(raw.reading.unit))


def _from_samples(rows: Iterable[Any], reading: Reading) -> Loaded:
    samples: dict[str, Sample] = {}
    for place, sample in enumerate(rows, start=1):
        if not isinstance(sample, Sample):
            raise reading.error(f"a {type(sample).__name__} among Samples", place=place, mend="give Samples, or dicts")
        if sample.id in samples:
            raise reading.error(f"id that stands twice: {sample.id!r}", place=place, mend="give each Sample its own id")
        samples[sample.id] = sample
    return _loaded(reading.name, samples.values(), None, {}, RawRows(rows=(), places=(), reading=reading))


def _rows_of(given: Any) -> list[Any]:
    """Rows of a table of another library by what it can do, so that none is imported here."""
    if hasattr(given, "to_pylist"):  # pyarrow
        return list(given.to_pylist())
    if hasattr(given, "to_dicts"):  # polars
        return list(given.to_dicts())
    if hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
        return list(given.to_dict("records"))
    if isinstance(given, Mapping):  # columns
        return [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
    return list(given)


def _no_field(raw: RawRows, columns: Columns, wanted: str, field: str) -> DataError:
    names = columns_of(raw.rows)
    read = {name for one in columns.fields.values() for name in one}
    example = next((name for name in names if name not in read), "COLUMN")
    return raw.reading.error(
        f"no column holds {wanted}; columns: {', '.join(names)}",
        mend=f"name it with --map, for example --map {example}={field}",
    )
