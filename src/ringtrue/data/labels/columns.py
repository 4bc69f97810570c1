"""Which column of a table of labels is which field: as users and tools name them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.data.aliases import plain_name, rank_of
from ringtrue.data.fields.nesting import columns_of
from ringtrue.data.labels.label import Asked
from ringtrue.data.notes import Reading
from ringtrue.data.scalars import is_missing
from ringtrue.errors import UnknownNameError, did_you_mean

__all__ = ["FIELDS", "LabelColumns", "first", "ids_in", "is_rationale", "label_columns", "named_column"]

FIELDS = ("item", "rater", "label", "value", "rationale", "at", "pipeline", "repeat", "metric")

# The surest names first; compared as in `ringtrue.data.aliases`.
_NAMES = {
    "item": "item sample_id sample item_id example_id case_id test_id record_id external_id id uid uuid row_id "
    "question_id qid query_id",
    "rater": "rater rater_name rater_id annotator annotator_name annotator_id reviewer reviewer_name reviewer_id "
    "labeler labeller labeled_by labelled_by rated_by annotated_by reviewed_by completed_by grader expert worker "
    "worker_id user username user_name user_id email person author",
    "label": "label human_label verdict grade judgement judgment decision annotation category class choice choices",
    "value": "value rating score stars points",
    "rationale": "rationale comment comments reason reasoning explanation justification note notes remark remarks",
    "at": "at updated_at last_update_time rated_at labeled_at labelled_at annotated_at reviewed_at submitted_at "
    "timestamp created_at create_time inserted_at date datetime time",
    "pipeline": "pipeline pipeline_name system variant app application",
    "repeat": "repeat repetition epoch attempt trial",
    "metric": "metric metric_name criterion criteria dimension aspect annotation_name assessment_name question_name",
}
_RANKS = {
    plain_name(name): (place, field) for field, names in _NAMES.items() for place, name in enumerate(names.split())
}
# Ids of what a sample was answered in; they are looked for among a run's responses.
_TRACE_IDS = ("traceid", "spanid", "contextspanid", "contexttraceid")


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The columns of each field, the surest first, and those that hold the ids of traces and spans."""

    fields: Mapping[str, tuple[str, ...]]
    traces: tuple[str, ...]

    @property
    def mapping(self) -> dict[str, str]:
        """Column to field, where the two differ."""
        return {names[0]: field for field, names in self.fields.items() if names[0] != field}


def label_columns(rows: Sequence[Mapping[str, Any]], asked: Asked, reading: Reading) -> LabelColumns:
    """Decide every column. What the user maps goes before any guess, and `asked.raters` are nothing else.

    Raises UnknownNameError for a field that there is not, DataError for a column that there is not.
    """
    columns = list(columns_of(rows))
    fields: dict[str, list[str]] = {}
    taken = {named_column(name, columns, reading) for name in asked.raters}
    for written, field in asked.mapping.items():
        if field not in FIELDS:
            raise UnknownNameError("field", field, FIELDS, where=f"--map {written}={field}")
        name = named_column(written, columns, reading)
        fields[field] = [name]
        taken.add(name)
    found: dict[str, list[tuple[int, str]]] = {}
    for name in columns:
        if name not in taken and (rank := _rank(name)):
            found.setdefault(rank[1], []).append((rank[0], name))
    for field, ranked in found.items():
        fields.setdefault(field, [name for _, name in sorted(ranked)])
    traces = tuple(name for name in columns if plain_name(name) in _TRACE_IDS)
    return LabelColumns({field: tuple(fields[field]) for field in FIELDS if field in fields}, traces)


def named_column(name: str, columns: Iterable[str], reading: Reading) -> str:
    """The column that a user names; case, spaces, underscores and hyphens do not matter. Raises DataError."""
    known = list(columns)
    by_name = {plain_name(one): one for one in known}
    found = name if name in known else by_name.get(plain_name(name))
    if found is None:
        raise reading.error(f"there is no column {name!r}", mend=did_you_mean(name, known))
    return found


def first(row: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The first value that is not missing."""
    return next((row[name] for name in names if not is_missing(row.get(name))), None)


def ids_in(values: Mapping[str, Any]) -> list[Any]:
    """The ids in an object of any fields: a sample's first, then a trace's or a span's."""
    ranked = sorted((rank[0], name) for name in values if (rank := _rank(name)) and rank[1] == "item")
    traces = [name for name in values if plain_name(name) in _TRACE_IDS]
    return [values[name] for name in (*(name for _, name in ranked), *traces) if not is_missing(values[name])]


def is_rationale(name: str) -> bool:
    """Whether a question or field of this name asks for the reason of a verdict."""
    return plain_name(name) in _RATIONALE


_RATIONALE = frozenset(map(plain_name, _NAMES["rationale"].split()))


def _rank(name: str) -> tuple[int, str] | None:
    plain = plain_name(name)
    if plain in _RANKS:
        return _RANKS[plain]
    known = rank_of(name)
    return (len(_RANKS), "item") if known and known[1] == ("id",) else None
