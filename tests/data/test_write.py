"""What is written is read back equal."""

import builtins
import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ringtrue.data.facts import parse_facts
from ringtrue.data.load import dataset_of, load_dataset
from ringtrue.data.write import write_dataset
from ringtrue.errors import DataError, MissingExtraError, OutputError
from ringtrue.types import Dataset, Facts, Passage, Sample

ENDINGS = ["jsonl", "ndjson", "json", "csv", "tsv", "yaml", "yml", "jsonl.gz", "csv.gz", "parquet"]
TEXT_ENDINGS = ["jsonl", "json", "csv", "tsv", "yaml"]

# Text that has broken readers: line separators, quotes, formulas, lists, YAML's own signs, NUL, marks, emoji.
nasty = st.sampled_from(
    ["\u2028", "\x85", "\r\n", "\r", "\t", '"', "'", "=", "+1", "-", "@", "[", '["a"]', "['a', 'b']", "[]", "{}",
     "(1,)", "~", "null", "no", "007", "3.10", ": ", "# ", "- ", "|", ";", ",", "\\", "\ufeff", "<OR>", "<AND>",
     "\x1b[31m", "\x07", "\U0001f600", "é", "{{ x }}", "%", "&a", "*a", "!!python/x", "nan", "true", "x", " "]
)  # fmt: skip
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])), st.lists(nasty, min_size=1, max_size=6).map("".join)
).filter(lambda text: bool(text.strip()))


def facts_or_none(text: str) -> Facts | None:
    try:
        return parse_facts(text)
    except DataError:
        return None


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=3,
)
passages = st.builds(
    Passage,
    text=st.none() | texts,
    id=st.none() | texts,
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    metadata=st.dictionaries(texts, json_values, max_size=2),
).filter(lambda one: one.text is not None or one.id is not None or one == Passage(text=None))
samples = st.builds(
    Sample,
    id=texts,
    question=st.none() | texts,
    reference=st.lists(texts, max_size=3).map(tuple),
    facts=st.none() | texts.map(facts_or_none),
    reference_contexts=st.none() | st.lists(passages, max_size=3).map(tuple),
    metadata=st.dictionaries(texts, json_values, max_size=3),
)


def as_dataset(given: list[Sample]) -> Dataset:
    # A row of its own keeps one of the needed fields in the file, whatever the others hold.
    return dataset_of([Sample(id="\u0001first", question="q"), *given], name="given").dataset


@pytest.mark.parametrize("ending", TEXT_ENDINGS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(samples, max_size=2, unique_by=lambda sample: sample.id))
def test_any_dataset_comes_back_equal(ending: str, tmp_path: Path, given: list[Sample]) -> None:
    dataset = as_dataset(given)
    path = tmp_path / f"data.{ending}"
    write_dataset(dataset, path)
    assert load_dataset(path, name="given").dataset == dataset


FULL = [
    Sample(
        id="1",
        question='He said "go; now", then\r\nleft.',
        reference=("=SUM(A1)", "-41.27%"),
        facts=parse_facts("UK<OR>England<AND>(a<AND>b<OR>c)"),
        reference_contexts=(
            Passage(text="one | two; three", id="d", score=1.0, metadata={"p": 1}),
            Passage(text="x"),
            Passage(text=None, id="only"),
        ),
        metadata={"n": 3, "f": 1e16, "t": "007", "b": True, "z": None, "l": [1, "a"]},
    ),
    Sample(id="2", question="q", reference=('["a"]',), reference_contexts=()),
    Sample(id="3", question="q", facts=parse_facts("['a', 'b']")),
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_gives_the_same_dataset_back(ending: str, tmp_path: Path) -> None:
    dataset = dataset_of(FULL, name="full").dataset
    write_dataset(dataset, tmp_path / f"full.{ending}")
    assert load_dataset(tmp_path / f"full.{ending}").dataset == dataset


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_documents_keep_name_and_version(ending: str, tmp_path: Path) -> None:
    given = dataset_of(FULL, name="prices").dataset
    dataset = replace(given, name="prices", version="3")
    write_dataset(dataset, tmp_path / f"file.{ending}")
    assert load_dataset(tmp_path / f"file.{ending}").dataset == dataset


def test_a_spreadsheet_sees_no_formula(tmp_path: Path) -> None:
    rows = [
        Sample(id="1", question="=HYPERLINK('x')", reference=("-41.27%",)),
        Sample(id="2", question="@x", reference=("+49 30 555 0100",)),
    ]
    write_dataset(dataset_of(rows).dataset, tmp_path / "d.csv")
    with (tmp_path / "d.csv").open(newline="", encoding="utf-8") as file:
        cells = list(csv.reader(file))[1:]
    assert cells == [["1", "'=HYPERLINK('x')", "-41.27%"], ["2", "'@x", "+49 30 555 0100"]]


def test_metadata_that_json_cannot_say_are_written_as_text(tmp_path: Path) -> None:
    dataset = dataset_of([Sample(id="1", question="q", metadata={"n": 2**70})]).dataset
    write_dataset(dataset, tmp_path / "d.jsonl")
    assert load_dataset(tmp_path / "d.jsonl").dataset.samples[0].metadata == {"n": str(2**70)}


def test_an_unknown_ending_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"unknown ending '\.xlsx'(.|\n)*\.jsonl"):
        write_dataset(dataset_of(FULL).dataset, tmp_path / "d.xlsx")


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written: No such file or directory"):
        write_dataset(dataset_of(FULL).dataset, tmp_path / "no" / "d.csv")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without_pyarrow(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return found(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(MissingExtraError, match=r"ringtrue\[arrow\]"):
        write_dataset(dataset_of(FULL).dataset, tmp_path / "d.parquet")
