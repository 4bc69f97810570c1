"""The pure parts: which rows are used for what, sets of examples, and the cut."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.app.tuning.bench import kappa_on
from ringtrue.app.tuning.cut import fit_cut
from ringtrue.app.tuning.examples import LONGEST, example_sets
from ringtrue.app.tuning.rows import parted
from ringtrue.errors import DataError, UsageError
from ringtrue.judges.loading import builtin_rubric
from ringtrue.report.agreement.candidates import Candidate, Labels, Person, Said
from ringtrue.types import Response, Sample

LABELS = Labels(names=("no", "yes"), positive="yes")
RUBRIC = builtin_rubric("answer_relevance")


def people(count: int, *, answer: str = "A", a_question: int = 2) -> list[Person]:
    return [
        Person(
            id=f"r{place}",
            cluster=f"q{place // a_question}",
            label="yes" if place % 2 else "no",
            raters={},
            sample=Sample(id=f"r{place}", question=f"Q{place // a_question}?"),
            response=Response(answer=f"{answer} {place}"),
        )
        for place in range(count)
    ]


def judge(rows: Sequence[Person], *said: Said) -> Candidate:
    runs = [{row.id: one for row, one in zip(rows, said, strict=True)}]
    return Candidate(name="judge", kind="judge", runs=runs, scores="probability")


SILENT = Candidate(name="judge", kind="judge", runs=[{}])


@given(st.integers(0, 50), st.sampled_from([0, 2, 4]))
def test_no_question_is_in_two_parts_and_no_row_is_lost(seed: int, examples: int) -> None:
    rows = people(200)
    found = parted(rows, LABELS, examples=examples, seed=seed, file="data")
    parts = [found.pool, found.chosen_on, found.test]
    questions = [{row.cluster for row in part} for part in parts]
    assert sum(map(len, questions)) == len(set().union(*questions)) == 100
    assert sum(map(len, parts)) == 200
    assert bool(found.pool) == bool(examples)
    assert [*found.fitting] == [*found.pool, *found.chosen_on]


def test_rows_without_a_label_are_left_out() -> None:
    rows = people(100)
    bare = [Person(id="x", cluster="x", label=None, raters={}, sample=Sample(id="x"), response=Response())]
    found = parted([*rows, *bare], LABELS, examples=0, seed=0, file="data")
    assert len(found.fitting) + len(found.test) == 100


@given(st.integers(2, 7), st.integers(1, 12), st.integers(0, 20))
def test_drawn_sets_are_balanced_and_hold_no_question_twice(size: int, trials: int, seed: int) -> None:
    rows = people(40)
    sets = example_sets(RUBRIC, rows, SILENT, LABELS, size=size, trials=trials, seed=seed)
    assert len(sets) == trials
    for one in sets.values():
        labels = [example.label for example in one]
        assert len(labels) == size
        assert abs(labels.count("relevant") - labels.count("irrelevant")) == size % 2
        assert len({example.fields["question"] for example in one}) == size
    again = example_sets(RUBRIC, rows, SILENT, LABELS, size=size, trials=trials, seed=seed)
    assert again == sets


def test_the_surest_misses_are_a_set_and_a_reason_is_shown_where_the_judge_was_right() -> None:
    rows = people(8, a_question=1)
    said = [Said(label="yes", score=0.5 + place / 20, rationale=f"because {place}") for place in range(8)]
    sets = example_sets(RUBRIC, rows, judge(rows, *said), LABELS, size=2, trials=4, seed=0)
    # wrong on the even rows, and the surest on the last of them
    assert [one.fields["answer"] for one in sets["the surest misses"]] == ["A 6", "A 4"]
    assert {one.rationale for one in sets["the surest misses"]} == {""}
    drawn = [example for name, one in sets.items() if name.startswith("draw") for example in one]
    assert all(
        one.rationale == f"because {one.fields['answer'].split()[1]}" for one in drawn if one.label == "relevant"
    )


def test_long_rows_and_rows_that_lack_something_are_no_examples() -> None:
    with pytest.raises(UsageError, match=r"0 no and 0 yes have all that the judge needs and no more than 4,000"):
        example_sets(RUBRIC, people(40, answer="A" * LONGEST), SILENT, LABELS, size=2, trials=1, seed=0)
    short = people(4)
    rows = [*short, *(row for row in people(40, answer="A" * LONGEST) if row.id not in {one.id for one in short})]
    sets = example_sets(RUBRIC, rows, SILENT, LABELS, size=2, trials=9, seed=0)
    assert {example.fields["answer"] for one in sets.values() for example in one} == {"A 0", "A 1", "A 2", "A 3"}


def test_the_cut_lies_between_the_rows_that_it_parts() -> None:
    rows = people(12)
    scores = [0.3 if row.label == "yes" else 0.1 for row in rows]
    found = fit_cut(judge(rows, *(Said(label="no", score=score) for score in scores)), rows, LABELS)
    assert found is not None
    low, high = found.calibration.calibrated(0.1), found.calibration.calibrated(0.3)
    assert low < found.cut <= high
    assert (found.cut, found.kappa, found.n) == (pytest.approx(0.5), 1.0, 12)  # Platt's targets are 1/8 and 7/8


def test_probabilities_that_do_not_rise_with_the_labels_give_no_cut() -> None:
    rows = people(12)
    turned = [Said(label="no", score=0.1 if row.label == "yes" else 0.3) for row in rows]
    assert fit_cut(judge(rows, *turned), rows, LABELS) is None


def test_rows_without_a_probability_are_left_out_and_none_at_all_is_an_error() -> None:
    rows = people(12)
    said = [Said(label="no", score=0.3 if row.label == "yes" else 0.1) for row in rows]
    found = fit_cut(judge(rows, Said(label="no"), *said[1:]), rows, LABELS)
    assert found is not None
    assert found.n == 11
    with pytest.raises(DataError, match="rows of both labels"):
        fit_cut(judge(rows, *(Said(label="no") for _ in rows)), rows, LABELS)


def test_a_row_without_a_verdict_counts_as_wrong_when_candidates_are_compared() -> None:
    rows = people(4)
    right = [Said(label=row.label) for row in rows]
    assert kappa_on(judge(rows, *right), rows, LABELS) == 1.0
    failed = Said(status="failed", error="unparsed")
    assert kappa_on(judge(rows, failed, *right[1:]), rows, LABELS) == 0.5
    assert kappa_on(judge(rows, *[Said(label="no")] * 4), rows, LABELS) == 0.0
