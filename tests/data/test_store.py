"""The store: what goes in comes out, by content, also after a newer verdict; and its errors say the mend."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from ringtrue.data.facts import parse_facts
from ringtrue.data.records import make_dataset, sample_hash
from ringtrue.data.store import Kept, Store
from ringtrue.errors import StoreError, UnknownNameError
from ringtrue.types import Answered, Passage, Response, RunInfo, Sample, Score, UsedMetric

SAMPLES = (
    Sample(id="a", question="Who?", reference=("Ada", "Lovelace"), facts=parse_facts("Ada<OR>Lovelace")),
    Sample(
        id="b", question="Wo\u2028?", reference_contexts=(Passage(text="x", id="p1", score=0.5),), metadata={"n": [1]}
    ),
)
DATASET = make_dataset("two", SAMPLES, "3")
SIGNATURE = "exact_match|version:1"


def info(run_id: str = "20260101-000000-aaaa") -> RunInfo:
    return RunInfo(
        id=run_id,
        status="running",
        started="2026-01-01T00:00:00+00:00",
        finished=None,
        dataset_name="two",
        dataset_fingerprint=DATASET.fingerprint,
        dataset_version="3",
        pipelines=("base",),
        metrics=(UsedMetric(label="exact_match", written="exact_match", signature=SIGNATURE),),
        repeats=1,
        config={"config": {"dataset": "two.jsonl"}},
        environment={"python": "3.11"},
        notes=("a note",),
    )


def kept(sample_id: str = "a", text: str = "Ada") -> Kept:
    response = Response(answer=text, contexts=(Passage(text=None, id="p9"),), latency_s=0.25, metadata={"retries": 1})
    sample = next(one for one in SAMPLES if one.id == sample_id)
    return Kept.of(Answered(pipeline="base", sample_id=sample_id, repeat=0, response=response), sample_hash(sample))


def score(**changes: object) -> Score:
    made = Score(
        sample_id="a", pipeline="base", repeat=0, metric="exact_match", status="scored", signature=SIGNATURE, value=1.0
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_run_and_its_dataset_come_back_as_they_were(tmp_path: Path) -> None:
    with Store.open(tmp_path / "deep" / "ringtrue.db") as store:
        store.add_run(info(), DATASET)
    with Store.open(tmp_path / "deep" / "ringtrue.db") as store:
        assert store.run() == info()
        assert store.dataset(info()) == DATASET


def test_responses_and_scores_come_back_as_they_were() -> None:
    one = kept()
    made = score(label="yes", probability=0.75, rationale="because", parts=({"claim": 1},))
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [one], [(one.item, 0, made)])
        assert store.answers(info().id) == [one.answered]
        assert list(store.scores(info())) == [made]


def exchange(question: str, system: str = "You are a judge. " * 20) -> dict[str, object]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    return {"about": "tone", "messages": messages, "reply": "yes"}


def test_what_was_asked_of_models_comes_back_and_what_comes_up_again_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "ringtrue.db"
    items = [kept(), kept("b")]
    broken = "Half a pair: \ud83d. " * 20
    made = [
        score(exchanges=(exchange("Is it so? " * 30), exchange("And so?", system="Short."))),
        score(sample_id="b", exchanges=(exchange("Is it?"), {"messages": []}, {"reply": "no messages"})),
    ]
    with Store.open(path) as store:
        store.add_run(info(), DATASET)
        store.add(info().id, items, [(items[0].item, 0, made[0])])
        store.add(info().id, [], [(items[1].item, 0, made[1]), (items[1].item, 1, score(sample_id="b", exchanges=()))])
        store.add(info().id, [], [(items[0].item, 1, score(exchanges=(exchange("Half?", system=broken),)))])
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM texts").fetchone() == (2,)
        (details,) = connection.execute("SELECT group_concat(detail) FROM scores").fetchone()
        assert b"You are a judge" not in (details if isinstance(details, bytes) else details.encode())
    connection.close()
    with Store.open(path) as store:
        found = list(store.scores(info()))
        assert sorted(found[:2], key=lambda one: one.sample_id) == made
        (half,) = [one.exchanges for one in found[2:] if one.exchanges]
        assert half[0]["messages"][0]["content"] == broken.replace("\ud83d", "\ufffd")


def test_a_store_of_the_first_version_opens_and_goes_on(tmp_path: Path) -> None:
    path, one, made = tmp_path / "ringtrue.db", kept(), score(exchanges=(exchange("Is it so?"),))
    with Store.open(path) as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [one], [(one.item, 0, score())])
    with sqlite3.connect(path) as connection:  # as the first version wrote it
        detail = orjson.dumps({"exchanges": made.exchanges})
        connection.execute("UPDATE scores SET detail = ?", (detail,))
        connection.execute("DROP TABLE texts")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema'")
    connection.close()
    looked_at = Store.open_as_it_is(path)
    assert looked_at is not None
    with looked_at:
        assert list(looked_at.scores(info())) == [made]
    with Store.open(path) as store:
        store.add(info().id, [], [(one.item, 1, made)])
        assert list(store.scores(info())) == [made, made]
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("2",)
    connection.close()


def test_the_latest_revision_comes_last_and_counts_as_known() -> None:
    one = kept()
    failed = score(status="failed", value=None, error="no reply")
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [one], [(one.item, 0, failed)])
        assert store.known([one.item], [SIGNATURE]) == {(one.item, SIGNATURE): ("failed", 0)}
        store.add(info().id, [], [(one.item, 1, score())])
        assert [found.status for found in store.scores(info())] == ["failed", "scored"]
        assert store.known([one.item], [SIGNATURE]) == {(one.item, SIGNATURE): ("scored", 1)}


def test_the_same_score_twice_is_kept_once() -> None:
    one = kept()
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [one], [(one.item, 0, score())])
        store.add(info().id, [one], [(one.item, 0, score())])
        assert list(store.scores(info())) == [score()]
        assert len(store.answers(info().id)) == 1


def test_a_score_serves_every_run_that_has_its_item() -> None:
    one = kept()
    other = info("20260102-000000-bbbb")
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add_run(other, DATASET)
        store.add(info().id, [one], [(one.item, 0, score())])
        store.add(other.id, [one], [])
        assert list(store.scores(other)) == [score()]
        assert [run.id for run in store.runs()] == [other.id, info().id]


def test_a_persons_score_is_not_taken_for_the_codes() -> None:
    one = kept()
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [one], [(one.item, 0, score(source="human:ada", value=0.0))])
        assert store.known([one.item], [SIGNATURE]) == {}
        assert list(store.scores(info())) == []


def test_a_failed_answer_asked_again_takes_its_place() -> None:
    failed = Answered(pipeline="base", sample_id="a", repeat=0, response=Response(error="timed out"))
    one = kept()
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.add(info().id, [Kept.of(failed, b"0" * 16)], [])
        store.add(info().id, [one], [], again=True)
        assert store.answers(info().id) == [one.answered]


def test_a_run_is_found_by_the_beginning_of_its_id() -> None:
    with Store.open(":memory:") as store:
        with pytest.raises(StoreError, match=r"no run is stored[\s\S]*ringtrue run"):
            store.run()
        store.add_run(info("20260101-000000-aaaa"), DATASET)
        store.add_run(info("20260102-000000-bbbb"), DATASET)
        assert store.run("20260101").id == "20260101-000000-aaaa"
        for unclear in ("2026", "nothing"):
            with pytest.raises(UnknownNameError, match="unknown run"):
                store.run(unclear)


def test_a_status_ends_a_run() -> None:
    with Store.open(":memory:") as store:
        store.add_run(info(), DATASET)
        store.set_status(info().id, "finished")
        assert store.run().status == "finished"
        assert store.run().finished is not None


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ringtrue.db"
    Store.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    connection.close()
    with pytest.raises(StoreError, match=r"newer ringtrue[\s\S]*upgrade"):
        Store.open(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ringtrue.db"
    path.write_text("question,answer\n" * 200)
    with pytest.raises(StoreError, match="cannot be used"):
        Store.open(path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be used[\s\S]*--store"):
        Store.open(tmp_path)  # a folder stands where the file should


def test_a_store_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(StoreError, match=r"cannot be made or written[\s\S]*--store"):
        Store.open(tmp_path / "taken" / "ringtrue.db")


def test_reading_makes_no_empty_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no store[\s\S]*ringtrue run"):
        Store.open_existing(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_replies_are_kept_once_counted_and_forgotten(tmp_path: Path) -> None:
    with Store.open(tmp_path / "ringtrue.db") as store:
        assert store.replies.get([b"k" * 16]) == {}
        store.replies.put({b"k" * 16: b"first"})
        store.replies.put({b"k" * 16: b"second"})
    with Store.open(tmp_path / "ringtrue.db") as store:
        assert store.replies.get([b"x" * 16, b"k" * 16]) == {b"k" * 16: b"first"}
        assert store.replies.stats() == (1, 5)
        assert store.replies.clear() == 1
        assert store.replies.stats() == (0, 0)


def test_a_store_opened_as_it_is_makes_nothing(tmp_path: Path) -> None:
    assert Store.open_as_it_is(tmp_path / "folder/none.db") is None
    assert Store.open_as_it_is(":memory:") is None
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    assert Store.open_as_it_is(tmp_path / "empty.db") is None
    Store.open(tmp_path / "made.db").close()
    store = Store.open_as_it_is(tmp_path / "made.db")
    assert store is not None
    with store:
        assert store.runs() == []


def test_a_file_that_is_no_store_cannot_be_opened_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("no database, " * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be used"):
        Store.open_as_it_is(tmp_path / "notes.db")
