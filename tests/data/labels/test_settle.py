"""Label sets, duplicates and missing ratings: what is one, what counts, and what is refused."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from ringtrue.data.labels.load import load_labels
from ringtrue.errors import DataError

KNOWN = {"factuality": {"factual": 1.0, "hallucinated": 0.0}, "grade": {"A": 1.0, "B": 0.5, "C": 0.0, "n/a": None}}


def row(item: str, rater: str, label: Any, **more: Any) -> dict[str, Any]:
    return {"item": item, "rater": rater, "label": label, "metric": "m", **more}


def test_labels_of_a_judge_are_read_as_the_judge_writes_them(write: Callable) -> None:
    rows = [row("q1", "ana", "Factual"), row("q2", "ana", True), row("q3", "ana", 0), row("q4", "ana", "skip")]
    loaded = load_labels(write("l.jsonl", [{**one, "metric": "factuality"} for one in rows]), known=KNOWN)
    assert [(one.label, one.value) for one in loaded.labels] == [
        ("factual", 1.0),
        ("factual", 1.0),
        ("hallucinated", 0.0),
    ]
    assert loaded.notes == ("missing ratings, which are no category: 1 (line 4)",)


def test_a_judges_own_label_for_not_applicable_is_a_label(write: Callable) -> None:
    rows = [
        row("q1", "ana", "n/a", metric="grade"),
        row("q2", "ana", None, metric="grade"),
        row("q3", "ana", "b", metric="grade"),
    ]
    loaded = load_labels(write("l.jsonl", rows), known=KNOWN)
    assert [(one.label, one.value) for one in loaded.labels] == [("n/a", None), ("B", 0.5)]


def test_an_unknown_label_is_told_or_left_out(write: Callable) -> None:
    path = write(
        "l.jsonl", [row("q1", "ana", "factual", metric="factuality"), row("q2", "bob", "factul", metric="factuality")]
    )
    with pytest.raises(DataError, match=r"l\.jsonl:2: field 'label': unknown label 'factul' of factuality\n") as error:
        load_labels(path, known=KNOWN)
    assert error.value.mend == (
        "did you mean factual? known: factual, hallucinated; --skip-bad-rows leaves such rows out"
    )
    loaded = load_labels(path, known=KNOWN, skip_bad_rows=True)
    assert len(loaded.labels) == 1
    assert loaded.notes == ("bad rows left out, unknown label: 1 (line 2)",)


def test_raters_who_use_different_scales_are_told(write: Callable) -> None:
    path = write("l.jsonl", [row("q1", "ana", "yes"), row("q1", "bob", 1), row("q2", "bob", 4)])
    told = r"words by ana \('yes', line 1\); numbers by bob \('4', line 3\)"
    with pytest.raises(DataError, match=rf"l\.jsonl:3: field 'label': m has no one set of labels: {told}"):
        load_labels(path)


def test_categories_beside_numbers_are_told_but_yes_beside_a_category_is_one_set(write: Callable) -> None:
    with pytest.raises(DataError, match=r"words by ana \('partly', line 2\); numbers by ana \('1', line 1\)"):
        load_labels(write("l.jsonl", [row("q1", "ana", 1), row("q2", "ana", "partly")]))
    loaded = load_labels(write("l.jsonl", [row("q1", "ana", "yes"), row("q2", "ana", "partly")]))
    assert [one.label for one in loaded.labels] == ["yes", "partly"]


def test_each_metric_has_its_own_scale(write: Callable) -> None:
    rows = [row("q1", "ana", "yes", metric="good"), row("q1", "ana", 4, metric="stars")]
    loaded = load_labels(write("l.jsonl", rows))
    assert [(one.metric, one.label, one.value) for one in loaded.labels] == [("good", "yes", 1.0), ("stars", None, 4.0)]


def test_a_metric_is_chosen_or_named(write: Callable) -> None:
    two = write("two.jsonl", [row("q1", "ana", "yes", metric="good"), row("q1", "ana", 4, metric="stars")])
    loaded = load_labels(two, metric="stars")
    assert [one.value for one in loaded.labels] == [4.0]
    assert loaded.notes == ("ratings of other metrics left out: good 1",)
    with pytest.raises(DataError, match=r"no label is about 'starz'; the file's metrics: good, stars"):
        load_labels(two, metric="starz")
    one = load_labels(write("one.jsonl", [row("q1", "ana", "yes", metric="Is it good?")]), metric="good")
    assert one.labels[0].metric == "good"
    assert one.notes == ("what the file calls 'Is it good?' is taken for 'good'",)


def test_the_same_rating_twice_is_counted_once(write: Callable) -> None:
    rows = [row("q1", "ana", "yes"), row("q1", "ana", 1.0, rationale="clear"), row("q1", "ana", "TRUE")]
    loaded = load_labels(write("l.jsonl", rows))
    assert [(one.label, one.rationale) for one in loaded.labels] == [("yes", "clear")]
    assert loaded.notes == ("the same rating by the same person again, counted once: 1 (line 3)",)


def test_of_two_ratings_the_latest_counts_in_any_order(write: Callable) -> None:
    rows = [
        row("q1", "ana", "yes", at="2026-05-01"),
        row("q1", "ana", "no", at="2026-05-03T00:00:00+02:00"),
        row("q1", "ana", "yes", at="2026-05-02T21:00:00Z"),
    ]
    for order in permutations(rows):
        loaded = load_labels(write("l.jsonl", list(order)))
        assert [(one.label, one.at) for one in loaded.labels] == [("no", "2026-05-02T22:00:00+00:00")]
        assert "the latest counts" in loaded.notes[0]


@pytest.mark.parametrize("dates", [(None, None), ("2026-05-01", None), ("2026-05-01", "2026-05-01T00:00:00Z")])
def test_two_ratings_of_which_none_is_clearly_the_latest_are_refused(write: Callable, dates: Any) -> None:
    rows = [row("q1", "ana", "yes", at=dates[0]), row("q2", "ana", "no"), row("q1", "ana", "no", at=dates[1])]
    for order in (rows, rows[::-1]):
        with pytest.raises(DataError, match=r"ana rates 'q1' \(m\) twice[\s\S]*\(line 1\)[\s\S]*\(line 3\)[\s\S]*`at`"):
            load_labels(write("l.jsonl", order))


def test_raters_pipelines_and_repeats_are_kept_apart(write: Callable) -> None:
    rows = [
        row("q1", "ana", "yes", pipeline="a"),
        row("q1", "ana", "no", pipeline="b"),
        row("q1", "ana", "no", pipeline="a", repeat=1),
        row("q1", "bob", "no", pipeline="a"),
    ]
    assert len(load_labels(write("l.jsonl", rows)).labels) == 4


def test_hostile_names_and_texts_are_kept_as_they_are(write: Callable) -> None:
    rows = [row("<script>", "ana  \n smith", "yes", rationale="=cmd() \u2028 '; DROP TABLE scores;--")]
    (label,) = load_labels(write("l.jsonl", rows)).labels
    assert (label.item, label.rater) == ("<script>", "ana smith")
    assert label.rationale == "=cmd() \u2028 '; DROP TABLE scores;--"


def test_a_label_that_is_an_object_is_no_crash(write: Callable) -> None:
    loaded = load_labels(write("l.jsonl", [row("q1", "ana", {"deep": [1]}), row("q2", "ana", ["b", "a"])]))
    assert [one.label for one in loaded.labels] == ['{"deep": [1]}', "a, b"]
