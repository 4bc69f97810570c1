"""One raw row to a Sample and to a Response, by the columns of its file."""

import json
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from ringtrue.data.facts import parse_facts
from ringtrue.data.fields.columns import Columns
from ringtrue.data.fields.lists import object_of, texts_in_text
from ringtrue.data.fields.nesting import said_by_user
from ringtrue.data.fields.passages import passages_of, pieces_of, with_ids
from ringtrue.data.formats.raw import RawRows
from ringtrue.data.scalars import is_missing, json_ready, to_number, to_text
from ringtrue.errors import DataError
from ringtrue.types import Facts, Passage, Response, Sample

__all__ = ["RowReader", "derived_id"]

_MILLISECONDS = 1000
_MEASURES = ("latency_s", "latency_ms", "input_tokens", "output_tokens", "cost", "model", "trace_id", "error")
# Only such a text can be empty after FMEval's normalisation (ASCII punctuation and English articles go).
_MAYBE_EMPTY = re.compile(r"[\W_aAnNtThHeE]*", re.ASCII)
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class RowReader:
    """Reads the rows of one file. `notes` of the file's reading grow as rows are odd."""

    def __init__(self, raw: RawRows, columns: Columns) -> None:
        self.cells, self.notes, self.strict = raw.cells, raw.reading.notes, raw.reading.strict
        self.columns, self.fields = columns, columns.fields
        self.measured = any(field in columns.fields for field in _MEASURES)

    def id_of(self, row: Mapping[str, Any]) -> str | None:
        """The row's own id, if it has one."""
        return to_text(self._value(row, "id"))

    def question_of(self, row: Mapping[str, Any]) -> str | None:
        """The question; of a chat, what the user said last."""
        value = self._value(row, "question")
        if isinstance(value, list) and (said := said_by_user(value)) is not None:
            return said
        return to_text(value)

    def sample_of(self, row: Mapping[str, Any], place: int) -> Sample:
        """The golden side of a row. Its id is derived from its content where the row has none."""
        question = self.question_of(row)
        reference = self._reference(row, place)
        return Sample(
            id=self.id_of(row) or derived_id(question, reference),
            question=question,
            reference=reference,
            facts=self._facts(row, place),
            reference_contexts=self._passages(row, "reference_contexts", "reference_context_ids", place),
            metadata=self._metadata(row),
        )

    def response_of(self, row: Mapping[str, Any], place: int, *, extras: bool = True) -> Response:
        """The pipeline's side of a row."""
        answer = self._answer(row, place)
        contexts = self._passages(row, "contexts", "context_ids", place)
        metadata = self._metadata(row) if extras else {}
        if not self.measured:
            return Response(answer=answer, contexts=contexts, metadata=metadata)
        latency = self._number(row, "latency_s", place)
        if latency is None and (milliseconds := self._number(row, "latency_ms", place)) is not None:
            latency = milliseconds / _MILLISECONDS
        return Response(
            answer=answer,
            contexts=contexts,
            latency_s=latency,
            input_tokens=self._count(row, "input_tokens", place),
            output_tokens=self._count(row, "output_tokens", place),
            cost=self._number(row, "cost", place),
            model=to_text(self._value(row, "model")),
            trace_id=to_text(self._value(row, "trace_id")),
            error=to_text(self._value(row, "error")),
            metadata=metadata,
        )

    def repeat_of(self, row: Mapping[str, Any], place: int) -> int | None:
        """What the row's repeat column says, or None."""
        return self._count(row, "repeat", place) if "repeat" in self.fields else None

    def _value(self, row: Mapping[str, Any], field: str) -> Any:
        return self._named_value(row, field)[1]

    def _named_value(self, row: Mapping[str, Any], field: str) -> tuple[str | None, Any]:
        """The field's first column that is not missing in the row, and its value."""
        for name in self.fields.get(field, ()):
            value = row.get(name)
            if value is not None and (value and not value.isspace() if type(value) is str else not is_missing(value)):
                return name, value
        return None, None

    def _answer(self, row: Mapping[str, Any], place: int) -> str | None:
        value = self._value(row, "answer")
        if isinstance(value, str):
            return to_text(value)
        text = to_text(value)
        if isinstance(value, dict) or (isinstance(value, list) and len(value) > 1):
            self.notes.add("answers that are no text but a list or an object: their JSON is taken", place)
        return text

    def _reference(self, row: Mapping[str, Any], place: int) -> tuple[str, ...]:
        name, value = self._named_value(row, "reference")
        if name is None:
            return ()
        if name in self.columns.split and isinstance(value, str):
            value = value.split("<OR>")
        elif self.cells and isinstance(value, str) and (listed := texts_in_text(value)) is not None:
            value = listed
        elif not isinstance(value, str | Mapping | list):
            value = json_ready(value)
        texts = [to_text(item) for item in value] if isinstance(value, list) else [to_text(value)]
        reference = tuple(text for text in texts if text is not None)
        for text in reference:
            self._check_reference(text, name, place)
        return reference

    def _check_reference(self, text: str, name: str, place: int) -> None:
        if "<OR>" in text:
            self.notes.add(
                "references that hold <OR> are read as one answer; if they are FMEval's target_output, "
                f"say --map {name}=reference,facts",
                place,
            )
        elif _MAYBE_EMPTY.fullmatch(text) and not _fmeval_words(text):
            self.notes.add(
                "references of articles or punctuation only, where FMEval's F1 is 0 "
                "(f1_over_words with mode: squad keeps them)",
                place,
            )

    def _facts(self, row: Mapping[str, Any], place: int) -> Facts | None:
        value = self._value(row, "facts")
        if value is None:
            return None
        if self.cells and isinstance(value, str) and (listed := texts_in_text(value)) is not None:
            value = listed
        try:
            facts = parse_facts(value) if isinstance(value, str) else parse_facts(_fact_texts(value))
        except DataError as error:
            reason = error.message.removeprefix("field 'facts': ")
            self.notes.add(f"facts that cannot be read are left out ({reason})", place)
            return None
        if facts.dropped:
            self.notes.add("facts with an empty alternative, which would match every answer: it is left out", place)
        return facts

    def _passages(self, row: Mapping[str, Any], field: str, ids: str, place: int) -> tuple[Passage, ...] | None:
        if field not in self.fields and ids not in self.fields:
            return None
        value = self._value(row, field)
        passages = passages_of(value, cut=partial(self._cut, field, place) if self.cells and not self.strict else None)
        if ids not in self.fields:
            return passages
        joined = with_ids(passages, self._value(row, ids))
        if joined is None and passages is not None:
            self.notes.add(f"{ids} that do not fit the number of passages are left out", place)
            return passages
        return joined

    def _cut(self, field: str, place: int, text: str) -> Sequence[str]:
        pieces = pieces_of(text)
        if len(pieces) > 1:
            self.notes.add(f"{field} in one cell, cut at bars or semicolons", place)
        return pieces

    def _number(self, row: Mapping[str, Any], field: str, place: int) -> float | None:
        value = self._value(row, field)
        if value is None:
            return None
        number = to_number(value)
        if number is None or number < 0:
            self.notes.add(f"{field} that is no number is left out", place)
            return None
        return number

    def _count(self, row: Mapping[str, Any], field: str, place: int) -> int | None:
        number = self._number(row, field, place)
        if number is None:
            return None
        if not number.is_integer():
            self.notes.add(f"{field} that is no whole number is left out", place)
            return None
        return int(number)

    def _metadata(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Other columns, then what objects under ``metadata`` say."""
        metadata: dict[str, Any] = {}
        for name, key in self.columns.extras.items():
            if not is_missing(value := row.get(name)):
                metadata[key] = json_ready(value)
        for name in self.fields.get("metadata", ()):
            if not is_missing(value := row.get(name)):
                inner = object_of(value)
                metadata |= {name: json_ready(value)} if inner is None else inner
        return metadata


def derived_id(question: str | None, reference: Iterable[str]) -> str:
    """``q-`` and ten hex digits that stand for the question and its golden answers."""
    content = json.dumps([question, list(reference)], ensure_ascii=False).encode("utf-8", "surrogatepass")
    return "q-" + blake2b(content, digest_size=5).hexdigest()


def _fact_texts(value: Any) -> Any:
    """Facts as the grammar takes them: text, or nested lists of text. A list of one text is that text."""
    if isinstance(value, str):
        return str(value)
    value = json_ready(value)
    if not isinstance(value, list):
        return value if isinstance(value, dict) else to_text(value)
    if len(value) == 1 and not isinstance(value[0], list):
        return _fact_texts(value[0])
    return [_fact_texts(item) for item in value if item is not None]


def _fmeval_words(text: str) -> list[str]:
    words = text.lower().translate(_NO_PUNCTUATION).split(" ")
    return [word for word in words if word.strip() and word not in ("a", "an", "the")]
