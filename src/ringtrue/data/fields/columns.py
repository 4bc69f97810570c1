"""Which column is which field: decided once for a whole file, told to the user, and refused where it is not clear."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import jmespath
from jmespath.exceptions import JMESPathError

from ringtrue.data.aliases import ANSWER_FIELDS, CONTEXT_WORDS, FIELDS, TARGET, plain_name, similar_field
from ringtrue.data.fields.nesting import Meaning, columns_of, flatten, meaning
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.notes import Reading
from ringtrue.data.scalars import is_missing, to_text
from ringtrue.errors import DataError, UnknownNameError, did_you_mean

__all__ = ["Columns", "Role", "map_columns"]

Role = Literal["dataset", "answers"]
Rows = Sequence[Mapping[str, Any]]

_GOLDEN = ("reference", "facts", "reference_contexts", "reference_context_ids")
# Where two columns that differ could be one of these, guessing would change scores.
_WEIGHTY = ("id", "question", "answer", "contexts", "reference", "facts", "reference_contexts")
_ASKED_FOR, _EVERYDAY_WORD = -1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of each field, the best first; the first that is not missing in a row is the row's value.

    `split` are columns whose text is cut at ``<OR>`` into several references (FMEval); `extras` are the columns of
    metadata with their key there; `mapping` is what to print.
    """

    fields: Mapping[str, tuple[str, ...]]
    split: frozenset[str]
    extras: Mapping[str, str]
    mapping: Mapping[str, str]

    @property
    def have_answers(self) -> bool:
        """Whether a pipeline's answers (or what it retrieved) stand in the file."""
        return "answer" in self.fields or "contexts" in self.fields


def map_columns(raw: RawRows, asked: Mapping[str, str] | None, role: Role) -> tuple[RawRows, Columns]:
    """Lay nested rows flat and decide every column. `asked` is the user's ``--map`` (column or JMESPath to field).

    Raises DataError for a column that is not there, two columns for one field, or (strict) any guess, and
    UnknownNameError for a field that is not known.
    """
    given = columns_of(raw.rows)
    flat = replace(raw, rows=flatten(raw.rows))
    flat, chosen = _choose(flat, raw.rows, asked or {})
    columns = list(columns_of(flat.rows))
    meanings = {name: found for name in columns if (found := chosen.get(name) or meaning(name))}
    _decide_contexts(meanings, columns, flat.rows, role)
    fields = _settle(meanings, flat, role)
    _refuse_guesses(fields, chosen, flat.reading)
    _note_guesses(fields, meanings, flat.reading)
    extras = _extras(columns, given, fields, meanings, role)
    _note_misspelt(extras, fields, flat.reading)
    mapping: dict[str, str] = {}
    for field, names in fields.items():
        for name in names:
            if name != field:
                mapping[name] = f"{mapping[name]},{field}" if name in mapping else field
    split = frozenset(name for name, (_, found) in meanings.items() if found == TARGET)
    return flat, Columns(fields=fields, split=split, extras=extras, mapping=mapping)


def _choose(flat: RawRows, rows: Rows, asked: Mapping[str, str]) -> tuple[RawRows, dict[str, Meaning]]:
    """What the user said of columns. A JMESPath into nested rows becomes a column of its own."""
    columns = columns_of(flat.rows)
    by_name = {plain_name(name): name for name in columns}
    chosen: dict[str, Meaning] = {}
    for source, wanted in asked.items():
        fields = tuple(field.strip() for field in wanted.split(","))
        for field in fields:
            if field not in FIELDS:
                raise UnknownNameError("field", field, FIELDS, where=f"--map {source}={wanted}")
        name = source if source in columns else by_name.get(plain_name(source), source)
        if name not in columns:
            values = _search(source, rows)
            if all(value is None for value in values):
                raise _no_column(source, columns, flat.reading)
            with_path = [{**row, source: value} for row, value in zip(flat.rows, values, strict=True)]
            flat = replace(flat, rows=with_path)
        chosen[name] = (_ASKED_FOR, TARGET if set(fields) == set(TARGET) else fields)
    return flat, chosen


def _search(path: str, rows: Rows) -> list[Any]:
    try:
        compiled = jmespath.compile(path)
        return [compiled.search(row) for row in rows]
    except JMESPathError:
        return [None]


def _no_column(name: str, columns: Iterable[str], reading: Reading) -> DataError:
    names = list(columns)
    hint = did_you_mean(name, names).partition("known:")[0].strip()
    return reading.error(
        f"column {name!r} not found; available columns: {', '.join(names)}", mend=hint or "name one of these in --map"
    )


def _decide_contexts(meanings: dict[str, Meaning], columns: Iterable[str], rows: Rows, role: Role) -> None:
    """Whose passages a column such as ``context`` holds.

    They are the retrieved ones beside answers, unless another column is surely that (DeepEval has both); in a file
    without answers they are the golden ones.
    """
    answers = [name for name, (_, fields) in meanings.items() if fields == ("answer",)]
    retrieved = any(fields == ("contexts",) for _, fields in meanings.values())
    beside_answers = not retrieved and any(not is_missing(row.get(name)) for name in answers for row in rows)
    field = "contexts" if role == "answers" or beside_answers else "reference_contexts"
    for name in columns:
        if name not in meanings and plain_name(name) in CONTEXT_WORDS:
            meanings[name] = (_EVERYDAY_WORD, (field,))


def _settle(meanings: Mapping[str, Meaning], raw: RawRows, role: Role) -> dict[str, tuple[str, ...]]:
    """The columns of each field. A file whose columns of answers are all empty has none."""
    candidates: dict[str, list[tuple[int, str]]] = {}
    for name, (rank, fields) in meanings.items():
        for field in fields:
            candidates.setdefault(field, []).append((rank, name))
    unused: tuple[str, ...] = _GOLDEN if role == "answers" else ()
    if role == "dataset" and not _any_answer(candidates, raw):
        unused = ANSWER_FIELDS
    return {field: _columns_for(field, found, raw) for field, found in candidates.items() if field not in unused}


def _any_answer(candidates: Mapping[str, list[tuple[int, str]]], raw: RawRows) -> bool:
    if not candidates.keys() & {"answer", "contexts"}:
        return False
    names = [name for field in ("answer", "contexts", "error") for _, name in candidates.get(field, ())]
    if any(not is_missing(row.get(name)) for name in names for row in raw.rows):
        return True
    raw.reading.notes.add(f"golden data only, since these columns are empty in every row: {', '.join(names)}")
    return False


def _columns_for(field: str, found: list[tuple[int, str]], raw: RawRows) -> tuple[str, ...]:
    """The best column for a field, and those that never say something else than it in the same row."""
    found = sorted(found, key=lambda one: one[0])
    best = found[0][0]
    if best == _ASKED_FOR:
        found = [one for one in found if one[0] == best]
    kept: list[str] = []
    for rank, name in found:
        rival = None if field == "metadata" else next((one for one in kept if _differ(one, name, raw.rows)), None)
        if rival is None:
            kept.append(name)
        elif rank == best and field in _WEIGHTY:
            raise raw.reading.error(
                f"two columns could be `{field}`: {rival!r} and {name!r}",
                mend=f"choose one, for example with --map {rival}={field}",
            )
        else:
            raw.reading.notes.add(f"column {name!r} is not read as {field}, since {rival!r} is (--map says otherwise)")
    return tuple(kept)


def _differ(one: str, other: str, rows: Rows) -> bool:
    for row in rows:
        a, b = row.get(one), row.get(other)
        if not is_missing(a) and not is_missing(b) and a != b and to_text(a) != to_text(b):
            return True
    return False


def _refuse_guesses(fields: Mapping[str, tuple[str, ...]], chosen: Mapping[str, Meaning], reading: Reading) -> None:
    if not reading.strict:
        return
    guessed: dict[str, list[str]] = {}
    for field, names in fields.items():
        for name in names:
            if name != field and name not in chosen:
                guessed.setdefault(name, []).append(field)
    if guessed:
        flags = " ".join(f"--map {_quoted(name + '=' + ','.join(found))}" for name, found in guessed.items())
        raise reading.error(f"strict: columns would be guessed: {', '.join(guessed)}", mend=f"say so: {flags}")


def _quoted(flag: str) -> str:
    return f'"{flag}"' if any(sign in flag for sign in " ()[]|;&*?") else flag


def _note_guesses(fields: Mapping[str, tuple[str, ...]], meanings: Mapping[str, Meaning], reading: Reading) -> None:
    for field, names in fields.items():
        for name in names:
            if meanings[name][0] == _EVERYDAY_WORD:
                reading.notes.add(f"column {name!r} was taken for {field} (--map {name}=… says otherwise)")


def _extras(
    columns: Sequence[str],
    given: Iterable[str],
    fields: Mapping[str, tuple[str, ...]],
    meanings: Mapping[str, Meaning],
    role: Role,
) -> dict[str, str]:
    """Columns that become metadata, with their key: the inner name for what was laid flat, where that is free."""
    used = {name for names in fields.values() for name in names}
    if role == "answers":  # golden fields beside recorded answers are the dataset's to say
        used |= {name for name, (_, found) in meanings.items() if set(found) <= set(_GOLDEN)}
    outer = set(given)
    extras: dict[str, str] = {}
    for name in columns:
        if name not in used:
            inner = name.rpartition(".")[2]
            free = name not in outer and inner not in columns and inner not in extras.values()
            extras[name] = inner if free else name
    return extras


def _note_misspelt(extras: Iterable[str], fields: Mapping[str, tuple[str, ...]], reading: Reading) -> None:
    for name in extras:
        if (field := similar_field(name)) and field not in fields and meaning(name) is None:
            reading.notes.add(
                f"column {name!r} is kept as metadata; if it is {field}, say --map {_quoted(f'{name}={field}')}"
            )
