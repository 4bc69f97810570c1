"""One label however it is written, what is missing, and points in time."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.labels.reading import kind_of, normal_label, read_at, read_label
from ringtrue.errors import UnknownNameError

YES = [
    "yes",
    "Yes",
    " YES ",
    "y",
    "true",
    "TRUE",
    True,
    "pass",
    "Passed",
    1,
    1.0,
    "1",
    "1.0",
    "+1",
    "yes.",
    "👍",
    ["yes"],
]
NO = ["no", "No", "n", "false", "FALSE", False, "fail", "Failed", 0, 0.0, "0", "0.0", "-0", "no!", "👎", "ｎｏ"]
MISSING = [None, "", "  ", float("nan"), "NaN", "null", "None", "skip", "Skipped", "n/a", "N/A", "#N/A", "-", "—", []]


@pytest.mark.parametrize("value", YES)
def test_every_writing_of_yes_is_one_label(value: Any) -> None:
    assert normal_label(value) == "yes"
    assert read_label(value, {"relevant": 1, "irrelevant": 0}) == "relevant"


@pytest.mark.parametrize("value", NO)
def test_every_writing_of_no_is_one_label(value: Any) -> None:
    assert normal_label(value) == "no"
    assert read_label(value, {"factual": 1, "hallucinated": 0}) == "hallucinated"


@pytest.mark.parametrize("value", MISSING)
def test_what_says_nothing_is_missing_and_no_category(value: Any) -> None:
    assert normal_label(value) is None
    assert read_label(value, {"yes": 1, "no": 0}) is None
    assert kind_of(value) == "missing"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("Partly Correct", "partly correct"),
        ("partly_correct", "partly correct"),
        ("partly-correct ", "partly correct"),
        (3, "3"),
        (3.0, "3"),
        ("3.0", "3"),
        (" 3.50", "3.5"),
        (-1, "-1"),
        ("Straße", "strasse"),
        ("unsure", "unsure"),
        ("1e400", "1e400"),
    ],
)
def test_other_labels_have_one_writing(value: Any, label: str) -> None:
    assert normal_label(value) == label


def test_a_known_label_is_given_in_its_own_writing() -> None:
    labels = {"Fully Supported": 1.0, "partially-supported": 0.5, "N/A": None, "unsupported": 0.0}
    assert read_label("fully_supported", labels) == "Fully Supported"
    assert read_label("PARTIALLY SUPPORTED", labels) == "partially-supported"
    assert read_label("n/a", labels) == "N/A"  # here it is a label
    assert read_label(True, labels) == "Fully Supported"
    assert read_label("fail", labels) == "unsupported"
    assert read_label(4.0, ["1", "2", "3", "4", "5"]) == "4"


def test_the_sides_are_those_of_the_values_not_of_the_order() -> None:
    assert read_label("yes", {"bad": 0, "good": 1}) == "good"
    assert read_label("yes", ["bad", "good"]) == "bad"  # a list says it by its order
    assert read_label(1, {"yes": 0, "no": 1}) == "yes"  # a label that says yes is the yes


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("maybe", {"yes": 1, "no": 0}),
        ("yes", ["a", "b", "c"]),
        ("yes", {"a": 1, "b": 1, "c": 0}),
        ("yes", {"bad", "good"}),  # a set has no order
        (2, {"yes": 1, "no": 0}),
    ],
)
def test_an_unknown_label_is_refused_with_the_known_ones(value: Any, labels: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown label") as error:
        read_label(value, labels)
    assert all(label in str(error.value) for label in labels)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(1, "switch"), ("0.0", "switch"), ("pass", "flag"), (True, "flag"), ("4", "number"), ("B", "word")],
)
def test_kinds(value: Any, kind: str) -> None:
    assert kind_of(value) == kind


@given(st.text() | st.floats() | st.integers() | st.booleans() | st.none())
def test_a_normal_label_is_its_own_normal_label(value: Any) -> None:
    label = normal_label(value)
    assert label is None or normal_label(label) == label


@pytest.mark.parametrize(
    "value",
    [
        "2026-05-01T14:30:00Z",
        "2026-05-01 14:30:00",
        "2026-05-01T16:30:00+02:00",
        "2026-05-01 14:30:00 UTC",
        "2026-05-01T14:30:00.000000000Z",
        1777645800,
        "1777645800",
        1777645800000,
        1777645800000000000,
        datetime(2026, 5, 1, 14, 30),
        datetime(2026, 5, 1, 16, 30, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_a_point_in_time_is_utc_however_it_is_written(value: Any) -> None:
    assert read_at(value) == "2026-05-01T14:30:00+00:00"
    assert datetime(2026, 5, 1, 14, 30, tzinfo=UTC).timestamp() == 1777645800


@pytest.mark.parametrize("value", ["2026-05-01", "20260501", date(2026, 5, 1)])
def test_a_day_begins_at_midnight(value: Any) -> None:
    assert read_at(value) == "2026-05-01T00:00:00+00:00"


def test_no_time_is_no_time() -> None:
    assert read_at(None) is read_at("") is read_at("NaT") is read_at(float("nan")) is None


@pytest.mark.parametrize(
    "value", ["05/01/2026", "yesterday", "2026-13-01", 2026, 46143, 1e30, "0001-01-01T00:00:00+14:00"]
)
def test_what_is_no_point_in_time_is_an_error(value: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_at(value)
