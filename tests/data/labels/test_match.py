"""Labels find their answers by sample id, trace or span; what finds none is listed; the store keeps the history."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.data.labels.label import Label, LoadedLabels
from ringtrue.data.labels.load import load_labels
from ringtrue.data.labels.match import match_labels
from ringtrue.data.records import make_dataset
from ringtrue.data.store import Kept, Store
from ringtrue.errors import DataError, StoreError, UnknownNameError, UsageError
from ringtrue.types import Answered, Response, RunInfo, Sample, Score, UsedMetric

DATASET = make_dataset("three", [Sample(id=name, question=f"{name}?") for name in ("q1", "q2", "q3")])
INFO = RunInfo(
    id="r1",
    status="finished",
    started="2026-01-01T00:00:00+00:00",
    finished=None,
    dataset_name="three",
    dataset_fingerprint=DATASET.fingerprint,
    dataset_version=None,
    pipelines=("base",),
    metrics=(UsedMetric(label="tone", written="tone", signature="tone|version:1"),),
    repeats=1,
    config={},
    environment={},
)


def answered(sample_id: str, pipeline: str = "base", text: str | None = None, **more: Any) -> Answered:
    response = Response(answer=text or f"{pipeline} on {sample_id}", **more)
    return Answered(pipeline=pipeline, sample_id=sample_id, repeat=0, response=response)


ANSWERS = [answered("q1", trace_id="A25B-00"), answered("q2", metadata={"span_id": "d30"}), answered("q3")]


def label(item: str, rater: str = "ana", said: str = "yes", **more: Any) -> Label:
    made: dict[str, Any] = {"metric": "tone", "label": said, "value": float(said == "yes"), "place": 2} | more
    return Label(item=item, rater=rater, **made)


def loaded(*labels: Label) -> LoadedLabels:
    return LoadedLabels(labels=labels, notes=(), form="long", file="l.csv", unit="line", mapping={})


def matched(*labels: Label, answers: list[Answered] = ANSWERS) -> tuple[list[Score], tuple[str, ...]]:
    return match_labels(loaded(*labels), answers, run_id="r1")


def test_a_label_becomes_a_score_whose_source_is_a_person() -> None:
    (score,), notes = matched(label("q1", at="2026-05-01T00:00:00+00:00", rationale="so"))
    assert score == Score(
        sample_id="q1",
        pipeline="base",
        repeat=0,
        metric="tone",
        status="scored",
        signature="tone|human",
        value=1.0,
        label="yes",
        rationale="so",
        source="human:ana",
        at="2026-05-01T00:00:00+00:00",
    )
    assert notes == ()


@pytest.mark.parametrize(
    ("found", "sample"),
    [
        (label(" q3 ".strip()), "q3"),
        (label("tr-a25b00"), "q1"),
        (label("A25B00"), "q1"),
        (label("d30"), "q2"),
        (label("task 9", others=("tr-a25b-00",)), "q1"),
        (label("9", others=("q2",)), "q2"),
    ],
)
def test_the_answer_is_found_by_sample_trace_or_span(found: Label, sample: str) -> None:
    (score,), _ = matched(found)
    assert score.sample_id == sample


def test_labels_of_no_answer_are_listed_with_the_nearest_ids() -> None:
    scores, notes = matched(label("q1"), label("q11", place=3), label("zzz", place=4), label("zzz", "bob", place=5))
    assert len(scores) == 1
    assert notes == (
        "labels of no answer of run r1, left out: 3 ('q11', line 3: did you mean q1?; 'zzz', lines 4 and 5)",
    )


def test_where_nothing_fits_it_is_an_error() -> None:
    with pytest.raises(
        DataError, match=r"l\.csv: no label is of an answer of run r1: 'x9', line 2[\s\S]*ringtrue runs"
    ):
        matched(label("x9"))


def test_a_repeat_that_was_not_answered_is_listed() -> None:
    _, notes = matched(label("q1"), label("q1", repeat=2, place=3))
    assert "'q1' was not answered by that pipeline or repeat, line 3" in notes[0]


def test_with_several_pipelines_one_must_be_named() -> None:
    answers = [answered("q1", "a"), answered("q1", "b")]
    with pytest.raises(UsageError, match=r"l\.csv, line 2: [\s\S]*--pipeline[\s\S]*: a, b"):
        matched(label("q1"), answers=answers)
    with pytest.raises(UnknownNameError, match=r"line 2: unknown pipeline 'c'[\s\S]*known: a, b"):
        matched(label("q1", pipeline="c"), answers=answers)
    (score,), _ = matched(label("q1", pipeline="b"), answers=answers)
    assert score.pipeline == "b"


def test_labels_of_two_spans_of_one_answer_are_one_label() -> None:
    again = [answered("q1", trace_id="t", metadata={"span_id": "s"})]
    scores, notes = matched(label("t"), label("s", place=3), answers=again)
    assert len(scores) == 1
    assert "counted once" in notes[0]
    with pytest.raises(DataError, match="ana rates 'q1'"):
        matched(label("t"), label("s", said="no", place=3), answers=again)


def test_labels_without_a_metric_are_refused() -> None:
    with pytest.raises(UsageError, match=r"l\.csv does not say which metric[\s\S]*--metric"):
        matched(label("q1", metric=None))


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.open(":memory:") as opened:
        filled(opened, ANSWERS)
        yield opened


def filled(store: Store, answers: list[Answered], run: RunInfo = INFO) -> None:
    store.add_run(run, DATASET)
    hashes = dict(zip((one.id for one in DATASET), DATASET.hashes, strict=True))
    store.add(run.id, [Kept.of(one, hashes[one.sample_id]) for one in answers], [])


def put(store: Store, *labels: Label) -> tuple[int, ...]:
    return tuple(store.add_labels(INFO, matched(*labels)[0]))


def test_the_same_label_again_is_nothing_new(store: Store) -> None:
    assert put(store, label("q1"), label("q2")) == (2, 0, 0, 0)
    assert put(store, label("q1"), label("q2", at="2026-05-01T00:00:00+00:00")) == (0, 0, 2, 0)
    assert put(store, label("q1", rationale="a reason")) == (0, 1, 0, 0)
    assert put(store, label("q1")) == (0, 0, 1, 0)
    assert [one.rationale for one in store.labels(INFO)] == ["a reason", None]


def test_who_changes_their_mind_has_a_history_and_the_latest_counts(store: Store) -> None:
    assert put(store, label("q1", at="2026-05-02T00:00:00+00:00")) == (1, 0, 0, 0)
    assert put(store, label("q1", said="no", at="2026-05-03T00:00:00+00:00")) == (0, 1, 0, 0)
    assert put(store, label("q1", at="2026-05-01T00:00:00+00:00")) == (0, 0, 0, 1)
    assert [(one.label, one.at) for one in store.labels(INFO)] == [("no", "2026-05-03T00:00:00+00:00")]
    with store._begin() as connection:
        rows = connection.exec_driver_sql("SELECT revision, label, source FROM scores ORDER BY revision").fetchall()
    assert [tuple(one) for one in rows] == [(0, "yes", "human:ana"), (1, "no", "human:ana")]


def test_people_do_not_mix_with_what_the_run_scored(store: Store) -> None:
    put(store, label("q1", metric="tone"))
    assert list(store.scores(INFO)) == []


def test_a_label_serves_every_run_with_the_same_answer(store: Store) -> None:
    later = replace(INFO, id="r2")
    filled(store, ANSWERS[:1], later)
    put(store, label("q1"), label("q2"))
    assert [one.sample_id for one in store.labels(later)] == ["q1"]


def test_one_answer_of_two_pipelines_is_rated_once() -> None:
    twins = [answered("q1", "a", "same"), answered("q1", "b", "same")]
    with Store.open(":memory:") as store:
        filled(store, twins)
        scores, _ = matched(label("q1", pipeline="a"), label("q1", pipeline="b", said="no"), answers=twins)
        for order in (scores, scores[::-1]):
            with pytest.raises(DataError, match=r"ana rates one and the same answer differently[\s\S]*`at`"):
                store.add_labels(INFO, order)
        assert list(store.labels(INFO)) == []
        store.add_labels(INFO, scores[:1])
        assert [one.pipeline for one in store.labels(INFO)] == ["a", "b"]


def test_a_score_of_no_answer_of_the_run_is_refused(store: Store) -> None:
    (score,), _ = matched(label("q1"))
    with pytest.raises(StoreError, match="no answer of base to 'q9'"):
        store.add_labels(INFO, [replace(score, sample_id="q9")])


RATINGS = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.text(min_size=1, max_size=8), st.sampled_from(["tone", "m|n"])),
    st.tuples(st.sampled_from([("yes", 1.0), ("no", 0.0), ("partly", None), (None, 3.5)]), st.none() | st.text()),
    min_size=1,
    max_size=12,
)


@settings(max_examples=25)
@given(RATINGS, st.randoms())
def test_what_goes_in_comes_out_in_any_order(ratings: dict[Any, Any], random: Any) -> None:
    labels = [
        Label(item=item, rater=rater, metric=metric, label=said, value=value, rationale=why, place=place)
        for place, ((item, rater, metric), ((said, value), why)) in enumerate(ratings.items())
    ]
    random.shuffle(labels)
    cut = random.randrange(len(labels) + 1)
    with Store.open(":memory:") as store:
        filled(store, ANSWERS)
        for part in (labels[:cut], labels[cut:], labels):
            if part:
                put(store, *part)
        found = {
            (one.sample_id, one.source.removeprefix("human:"), one.metric): ((one.label, one.value), one.rationale)
            for one in store.labels(INFO)
        }
        assert sum(1 for _ in store.labels(INFO)) == len(ratings)
    assert found == ratings


def test_import_reads_what_was_written_in_any_order(write: Callable) -> None:
    rows = [
        {"item": item, "rater": rater, "metric": "tone", "label": said}
        for item, said in (("q1", "yes"), ("q2", 0), ("q3", "TRUE"))
        for rater in ("ana", "bob")
    ]
    read = [
        sorted((one.item, one.rater, one.label) for one in load_labels(write("l.jsonl", order)).labels)
        for order in (rows, rows[::-1], rows[3:] + rows[:3])
    ]
    assert read[0] == read[1] == read[2]
    assert len(read[0]) == 6
