"""Labelled rows: answers with what people, and perhaps judges, said of them, one row an answer.

Beside the fields of a dataset and of answers, a row holds ``label`` (people's verdict), ``raters`` (each person's),
``judges`` (stored verdicts by name; ``NAME_prob`` is NAME's probability), ``qid`` (rows that hang together) and
``split``. In a table these may be columns of their own: ``rater_ann``, ``judge_gpt``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ringtrue.data.aliases import CONTEXT_WORDS, plain_name
from ringtrue.data.fields.lists import list_in_text
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.formats.read import read_rows
from ringtrue.data.labels.reading import kind_of, normal_label
from ringtrue.data.load import dataset_from_rows, name_of
from ringtrue.data.notes import Notes
from ringtrue.data.records import make_dataset
from ringtrue.data.scalars import is_missing, to_number, to_text
from ringtrue.errors import DataError, UnknownNameError
from ringtrue.stats.raters import majority
from ringtrue.types import Dataset, Response, Sample

__all__ = ["NEGATIVE", "POSITIVE", "Labelled", "LabelledRow", "Stored", "labelled_rows", "load_labelled"]

POSITIVE, NEGATIVE = "yes", "no"  # two-sided labels, however they are written

_LABEL = ("label", "human_label", "gold_label", "human_verdict")
_RATERS = ("raters", "ratings", "annotators")
_JUDGES = ("judges", "verdicts", "metrics")
_CLUSTER = ("cluster", "qid", "question_id")
_SPLIT = "split"
_PROBABILITY = ("_prob", "_probability")


@dataclass(frozen=True, slots=True)
class Stored:
    """What a judge said of a row before: a label, a score (a probability where it is one), or both."""

    label: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRow:
    """One row: people's `label`, each rater's own, and verdicts of judges that the source stores.

    `label` is what the row says, else the raters' majority; ``None`` where there is neither. `cluster` is what the row
    hangs together with (its question), `split` is ``dev`` or ``test`` where the source says so.
    """

    id: str
    cluster: str
    label: str | None
    raters: Mapping[str, str | None] = field(default_factory=dict)
    judges: Mapping[str, Stored] = field(default_factory=dict)
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """Labelled rows with the dataset and the answers that they are about; `rows` are in the dataset's order.

    `labels` are the labels in use, of two sides as ``no``, ``yes``; `notes` are what a person should know.
    """

    dataset: Dataset
    answers: Mapping[tuple[str, int], Response]
    rows: tuple[LabelledRow, ...]
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()


def load_labelled(
    path: str | Path,
    *,
    mapping: Mapping[str, str] | None = None,
    cluster_by: str | None = None,
    skip_bad_rows: bool = False,
    encoding: str | None = None,
) -> Labelled:
    """Read labelled rows from a file. `cluster_by` names a column, ``question``, or ``row`` for rows on their own.

    Raises DataError where no label is found, UnknownNameError for a column that is not there.
    """
    raw = read_rows(path, skip_bad_rows=skip_bad_rows, encoding=encoding)
    return labelled_rows(raw, name=name_of(path), mapping=mapping, cluster_by=cluster_by)


def labelled_rows(
    raw: RawRows, *, name: str, mapping: Mapping[str, str] | None = None, cluster_by: str | None = None
) -> Labelled:
    """The labelled rows in raw rows of any source."""
    fields = dict(mapping or {})
    own = {column: fields.pop(column) for column, wanted in list(fields.items()) if wanted in ("label", "split")}
    raw = _renamed(raw, own, cluster_by)
    for column in {column for row in raw.rows for column in row}:
        if plain_name(column) in CONTEXT_WORDS and not fields.keys() & {column}:
            fields[column] = "contexts"  # what people judged is what was retrieved, whether it was answered or not
    loaded = dataset_from_rows(raw, name=name, mapping=fields, golden=False)
    notes = Notes()
    bare: list[Sample] = []
    taken: list[_Taken] = []
    for sample in loaded.dataset:
        one, rest = _take(sample)
        bare.append(replace(sample, metadata=rest))
        taken.append(one)
    if not any(one.label is not None or any(one.raters.values()) for one in taken):
        raise DataError(
            "no row has a label of people's",
            file=raw.reading.name,
            mend=f"name the column with --map COLUMN=label; labels are looked for in: {', '.join(_LABEL + _RATERS)}",
        )
    by_row = cluster_by == "row"
    rows = _rows(bare, taken, by_row, notes, raw.reading.name)
    labels = tuple(sorted({row.label for row in rows if row.label is not None}))
    return Labelled(
        dataset=make_dataset(name, bare, loaded.dataset.version),
        answers=loaded.answers or {(one.id, 0): Response() for one in bare},
        rows=rows,
        labels=(NEGATIVE, POSITIVE) if set(labels) <= {NEGATIVE, POSITIVE} else labels,
        notes=(*(one for one in loaded.notes if "'qid' is not read" not in one), *notes.lines("row")),
    )


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a row's metadata held of people and judges, not read yet."""

    label: Any
    raters: Mapping[str, Any]
    judges: Mapping[str, Any]
    cluster: str | None
    split: str | None


def _renamed(raw: RawRows, own: Mapping[str, str], cluster_by: str | None) -> RawRows:
    """The rows with the user's names for label, split and cluster put right, so that none is taken for another field.

    The column of clusters is copied where it is a field of its own (``question``), else renamed: ``qid`` is no id here.
    """
    columns = list(dict.fromkeys(column for row in raw.rows for column in row))
    for column in own:
        if column not in columns:
            raise UnknownNameError("column", column, columns, where=raw.reading.name)
    cluster = cluster_by if cluster_by not in (None, "row", "question") else None
    if cluster is None and cluster_by is None:
        cluster = next((name for name in _CLUSTER if name in columns), None)
    elif cluster is not None and cluster not in columns:
        raise UnknownNameError("column", cluster, [*columns, "question", "row"], where="--cluster-by")
    names = dict(own) | ({cluster: _CLUSTER[0]} if cluster and cluster_by is None else {})
    if not names and cluster is None:
        return raw
    rows = [
        {names.get(key, key): value for key, value in row.items()}
        | ({_CLUSTER[0]: row.get(cluster)} if cluster else {})
        for row in raw.rows
    ]
    return replace(raw, rows=rows)


def _take(sample: Sample) -> tuple[_Taken, dict[str, Any]]:
    """What people and judges said, and the metadata that is left."""
    rest = dict(sample.metadata)
    label = next((found for name in _LABEL if not is_missing(found := rest.pop(name, None))), None)
    raters: dict[str, Any] = {}
    judges: dict[str, Any] = {}
    for name in _RATERS:
        raters |= _by_name(rest.pop(name, None), "rater {}")
    for name in _JUDGES:
        if isinstance(found := _parsed(rest.get(name)), Mapping):
            judges |= found
            del rest[name]
    for column in list(rest):
        head, _, name = column.partition("_")
        if name and head in ("rater", "annotator", "judge") and not isinstance(rest[column], list | dict):
            (judges if head == "judge" else raters)[name] = rest.pop(column)
    cluster, split = to_text(rest.pop(_CLUSTER[0], None)), to_text(rest.pop(_SPLIT, None))
    return _Taken(label, raters, judges, cluster, split), rest


def _by_name(value: Any, unnamed: str) -> Mapping[str, Any]:
    """Several values by name; those of a list are numbered."""
    value = _parsed(value)
    if isinstance(value, Mapping):
        return {str(name): one for name, one in value.items()}
    if isinstance(value, list | tuple):
        return {unnamed.format(place): one for place, one in enumerate(value, 1)}
    return {}


def _parsed(value: Any) -> Any:
    """A list or an object that a table's cell has written out, or the value as it is."""
    return (list_in_text(value) or value) if isinstance(value, str) else value


def _rows(
    samples: Sequence[Sample], taken: Sequence[_Taken], by_row: bool, notes: Notes, file: str
) -> tuple[LabelledRow, ...]:
    given = [one.label for one in taken if not is_missing(one.label)]
    ratings = [rating for one in taken for rating in one.raters.values()]
    read_rating = _reader(ratings, file, "raters")
    read_verdict = _reader(given, file, "label") if given else read_rating
    scored = _scored(taken)
    rows = []
    for place, (sample, one) in enumerate(zip(samples, taken, strict=True), 1):
        raters = {name: read_rating(rating) for name, rating in one.raters.items()}
        label = read_verdict(one.label)
        if label is None and raters and not given:
            most = majority(list(raters.values()))
            label = None if most is None else str(most)
            if label is None:
                notes.add("rows without a majority of raters, set aside", place)
        rows.append(
            LabelledRow(
                id=sample.id,
                cluster=sample.id if by_row else one.cluster or sample.question or sample.id,
                label=label,
                raters=raters,
                judges=_stored(one.judges, scored, read_verdict),
                split=one.split.casefold() if one.split else None,
            )
        )
    return tuple(rows)


def _reader(values: Iterable[Any], file: str, field: str) -> Callable[[Any], str | None]:
    """How to read the labels of one column: as yes and no where all are such, as numbers, or as words."""
    kinds = {kind_of(value) for value in values} - {"missing"}
    if "number" not in kinds:
        return normal_label
    if kinds <= {"number", "switch"}:
        return _numeral
    raise DataError(
        "people do not use one set of labels: numbers and words are mixed",
        file=file,
        field=field,
        mend="write yes and no, or numbers of one scale, or the same words throughout",
    )


def _numeral(value: Any) -> str | None:
    """A label that is a number, as short text: 2, 2.0 and "2" are one label."""
    number = None if kind_of(value) == "missing" else to_number(value)
    return None if number is None else f"{number:g}"


def _scored(taken: Sequence[_Taken]) -> frozenset[str]:
    """The judges that give scores: where any of their values is neither 0 nor 1, all are scores."""
    return frozenset(name for one in taken for name, value in one.judges.items() if kind_of(value) == "number")


def _stored(
    judges: Mapping[str, Any], scored: frozenset[str], read_verdict: Callable[[Any], str | None]
) -> dict[str, Stored]:
    """The verdicts by judge. ``NAME_prob`` is NAME's probability; a judge in `scored` gives scores, no labels."""
    found: dict[str, Stored] = {}
    for name, value in judges.items():
        owner = next((name.removesuffix(end) for end in _PROBABILITY if name.endswith(end)), name)
        if owner != name and owner in judges:
            found[owner] = replace(found.get(owner, Stored()), score=to_number(value))
        elif name in scored and read_verdict is normal_label:
            found[name] = Stored(score=to_number(value))
        else:
            found[name] = replace(found.get(name, Stored()), label=read_verdict(value))
    return found
