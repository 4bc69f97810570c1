"""Labelled rows from files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.data.labelled import Labelled, Stored, load_labelled
from ringtrue.errors import DataError, UnknownNameError

Write = Callable[..., Path]


def rows(*given: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": str(place), "question": f"Q{place}?", "answer": "A.", **row} for place, row in enumerate(given, 1)]


def labels_of(labelled: Labelled) -> list[str | None]:
    return [row.label for row in labelled.rows]


@pytest.mark.parametrize(
    "written",
    [
        [1, 0, 1.0, "1"],
        ["yes", "No", "TRUE", "pass"],
        [True, False, "y", "Yes "],
        ["1.0", "0", "t", "passed"],
    ],
)
def test_two_sided_labels_are_yes_and_no_however_they_are_written(write: Write, written: list[Any]) -> None:
    labelled = load_labelled(write("l.jsonl", rows(*({"label": one} for one in written))))
    assert labels_of(labelled) == ["yes", "no", "yes", "yes"]
    assert labelled.labels == ("no", "yes")


def test_numbers_of_a_scale_are_labels_of_their_own(write: Write) -> None:
    # 1 and 0 are no yes and no where 2 is a label too.
    labelled = load_labelled(write("l.jsonl", rows({"label": 1}, {"label": "2.0"}, {"label": 0}, {"label": 1.0})))
    assert labels_of(labelled) == ["1", "2", "0", "1"]
    assert labelled.labels == ("0", "1", "2")


def test_words_beside_yes_and_no_are_words(write: Write) -> None:
    labelled = load_labelled(write("l.jsonl", rows({"label": "yes"}, {"label": "Maybe"}, {"label": "no"})))
    assert labelled.labels == ("maybe", "no", "yes")


def test_people_who_mix_numbers_and_words_are_refused(write: Write) -> None:
    with pytest.raises(DataError, match=r"field 'label': people do not use one set of labels"):
        load_labelled(write("l.jsonl", rows({"label": "good"}, {"label": 3})))


def test_without_a_label_the_majority_of_raters_is_one(write: Write) -> None:
    path = write(
        "l.jsonl",
        rows({"raters": [1, 1, 0]}, {"raters": [1, None, 0]}, {"raters": ["skip", "", "no"]}, {"raters": [1, 0]}),
    )
    labelled = load_labelled(path)
    assert labels_of(labelled) == ["yes", None, "no", None]
    assert labelled.rows[1].raters == {"rater 1": "yes", "rater 2": None, "rater 3": "no"}
    assert "rows without a majority of raters, set aside: 2 (rows 2 and 4)" in labelled.notes


def test_raters_may_have_names_and_columns(write: Write) -> None:
    named = load_labelled(write("l.jsonl", rows({"raters": {"ann": 1, "ben": 0}, "label": 1})))
    assert named.rows[0].raters == {"ann": "yes", "ben": "no"}
    wide = load_labelled(write("w.csv", "question,answer,rater_ann,rater_ben,judge_gpt\nQ?,A,yes,yes,no\n"))
    assert wide.rows[0].raters == {"ann": "yes", "ben": "yes"}
    assert wide.rows[0].judges == {"gpt": Stored(label="no")}


def test_a_cell_may_hold_a_list_as_python_writes_it(write: Write) -> None:
    labelled = load_labelled(write("l.csv", 'question,answer,raters\nQ?,A,"[1, 0, None]"\n'))
    assert labelled.rows[0].raters == {"rater 1": "yes", "rater 2": "no", "rater 3": None}


def test_stored_judges_are_labels_scores_or_both(write: Write) -> None:
    judges = [{"gpt": 1, "bem": 0, "bem_prob": 0.07, "sim": 0.0}, {"gpt": 0, "bem": 1, "bem_prob": 0.9, "sim": 0.4}]
    labelled = load_labelled(
        write("l.jsonl", rows({"label": 1, "judges": judges[0]}, {"label": 0, "judges": judges[1]}))
    )
    first = labelled.rows[0].judges
    assert first == {"gpt": Stored("yes"), "bem": Stored("no", 0.07), "sim": Stored(score=0.0)}


def test_labels_are_no_part_of_what_was_judged(write: Write) -> None:
    """A changed label must not make another sample of a row: its Scores would be lost."""
    before, after = rows({"label": 1, "qid": "7", "topic": "x"}), rows({"label": 0, "qid": "7", "topic": "x"})
    one, other = load_labelled(write("a.jsonl", before)), load_labelled(write("b.jsonl", after))
    assert one.dataset.hashes == other.dataset.hashes
    assert one.dataset.samples[0].metadata == {"topic": "x"}


@pytest.mark.parametrize(
    ("cluster_by", "clusters"),
    [(None, ["7", "7"]), ("question", ["Q1?", "Q2?"]), ("row", ["1", "2"]), ("topic", ["x", "y"])],
)
def test_rows_hang_together_by_qid_or_as_asked(write: Write, cluster_by: str | None, clusters: list[str]) -> None:
    path = write("l.jsonl", rows({"label": 1, "qid": 7, "topic": "x"}, {"label": 0, "qid": 7, "topic": "y"}))
    labelled = load_labelled(path, cluster_by=cluster_by)
    assert [row.cluster for row in labelled.rows] == clusters


def test_a_column_that_is_not_there_is_named(write: Write) -> None:
    path = write("l.jsonl", rows({"label": 1}))
    with pytest.raises(UnknownNameError, match="unknown column 'topic'"):
        load_labelled(path, cluster_by="topic")
    with pytest.raises(UnknownNameError, match="unknown column 'verdict'"):
        load_labelled(path, mapping={"verdict": "label"})


def test_the_label_may_stand_in_any_column(write: Write) -> None:
    labelled = load_labelled(write("l.jsonl", rows({"ok": "true"}, {"ok": "false"})), mapping={"ok": "label"})
    assert labels_of(labelled) == ["yes", "no"]


def test_answers_and_passages_alone_will_do(write: Write) -> None:
    labelled = load_labelled(write("l.jsonl", [{"id": "a", "context": "C.", "answer": "A.", "label": 1}]))
    response = labelled.answers["a", 0]
    assert (response.answer, [one.text for one in response.contexts or ()]) == ("A.", ["C."])


def test_a_passage_without_an_answer_is_what_was_retrieved(write: Write) -> None:
    labelled = load_labelled(write("l.jsonl", [{"id": "a", "question": "Q?", "context": "C.", "label": 1}]))
    assert [one.text for one in labelled.answers["a", 0].contexts or ()] == ["C."]


def test_rows_that_nobody_labelled_are_refused(write: Write) -> None:
    with pytest.raises(DataError, match="no row has a label of people's"):
        load_labelled(write("l.jsonl", rows({}, {})))
