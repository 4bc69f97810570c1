"""Filters and limits."""

import pytest

from ringtrue.data.load import dataset_of, select
from ringtrue.errors import UsageError
from ringtrue.types import Dataset


@pytest.fixture
def dataset() -> Dataset:
    rows = [
        {"id": "a", "question": "Price of X?", "reference": "1", "metadata": {"lang": "de", "hops": 2}},
        {"id": "b", "question": "Name of Y?", "reference": ["1", "2"], "lang": "en"},
        {"id": "c", "reference": "3"},
    ]
    return dataset_of(rows, name="gold").dataset


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ("metadata.lang == 'de'", ["a"]),
        ("metadata.lang != 'de'", ["b", "c"]),
        ("metadata.hops >= `2`", ["a"]),
        ("contains(question, 'Name')", ["b"]),
        ("!question", ["c"]),
        ("id == 'a' || id == 'c'", ["a", "c"]),
    ],
)
def test_a_filter_keeps_the_samples_that_fit(dataset: Dataset, where: str, ids: list[str]) -> None:
    kept = select(dataset, where=where)
    assert [sample.id for sample in kept] == ids
    assert kept.fingerprint != dataset.fingerprint
    assert kept.name == "gold"


def test_a_limit_takes_the_first(dataset: Dataset) -> None:
    assert [sample.id for sample in select(dataset, limit=2)] == ["a", "b"]
    assert select(dataset, limit=9) == dataset


@pytest.mark.parametrize("where", ["metadata.lang = 'de'", "id ==", "", "nosuch(id) == 'x'"])
def test_a_filter_that_cannot_be_read_is_told(dataset: Dataset, where: str) -> None:
    with pytest.raises(UsageError, match="write JMESPath"):
        select(dataset, where=where)


def test_a_filter_that_gives_no_yes_or_no_is_told(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="gives a number, not yes or no, for sample 'a'"):
        select(dataset, where="length(id)")


def test_a_field_alone_asks_whether_it_is_there(dataset: Dataset) -> None:
    assert select(dataset, where="id") == dataset
    with pytest.raises(UsageError, match="no sample of gold fits"):
        select(dataset, where="facts")


def test_a_filter_with_a_wrong_type_is_told(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="does not fit sample 'a'"):
        select(dataset, where="abs(question) == `1`")


def test_a_filter_that_keeps_nothing_says_what_it_can_name(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match=r"no sample of gold fits(.|\n)*metadata\.lang(.|\n)*single quotes"):
        select(dataset, where="metadata.lang == 'fr'")


def test_text_in_double_quotes_is_told(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="'de' in double quotes is a field; text stands in single quotes"):
        select(dataset, where='metadata.lang == "de"')


def test_a_limit_below_one_is_told(dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="limit must be 1 or more, not 0"):
        select(dataset, limit=0)
