"""The runner: every question asked once, every answer kept as it comes, nothing lost, doubled or invented."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from ringtrue.catalogue import Metric, metric
from ringtrue.data.records import make_dataset
from ringtrue.data.store import Store
from ringtrue.engine.plan import Plan, label_metrics
from ringtrue.engine.runner import Progress, execute
from ringtrue.errors import PipelineError, StoreError, UsageError
from ringtrue.types import Answer, Dataset, Response, RunInfo, Sample, Score


@dataclass
class FakePipeline:
    """A pipeline of a function, that counts what it was asked."""

    function: Callable[[Sample, int], Response | Awaitable[Response]]
    name: str = "base"
    live: bool = True
    asked: list[tuple[str, int]] = field(default_factory=list)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Answer]:
        def answer(sample: Sample, repeat: int) -> Response | Awaitable[Response]:
            self.asked.append((sample.id, repeat))
            return self.function(sample, repeat)

        yield answer

    open = _opened


CALLS: list[str] = []


@metric(needs=("answer",), range=(0, None), better=None, source="test")
def letters(sample: Sample, response: Response) -> float:
    """How many letters the answer has."""
    CALLS.append(sample.id)
    return len(response.answer or "")


@metric(needs=("answer",), range=(0, 1), better=None, source="test")
async def waited(sample: Sample, response: Response) -> float:
    """A metric that waits."""
    await asyncio.sleep(0)
    if response.answer == "break":
        raise ValueError("broke")
    return 1.0


def dataset(n: int = 3) -> Dataset:
    samples = tuple(Sample(id=f"s{place}", question=f"Question {place}?") for place in range(n))
    return make_dataset("few", samples)


def plan_of(*pipelines: FakePipeline, metrics: tuple[Metric, ...] = (letters,), n: int = 3, repeats: int = 1) -> Plan:
    uses = label_metrics([one.bind() for one in metrics])
    return Plan(dataset=dataset(n), pipelines=pipelines, metrics=uses, repeats=repeats)


def begun(plan: Plan, store: Store, run_id: str = "20260101-000000-aaaa") -> RunInfo:
    info = RunInfo(
        id=run_id,
        status="running",
        started="2026-01-01T00:00:00+00:00",
        finished=None,
        dataset_name=plan.dataset.name,
        dataset_fingerprint=plan.dataset.fingerprint,
        dataset_version=None,
        pipelines=tuple(one.name for one in plan.pipelines),
        metrics=plan.used,
        repeats=plan.repeats,
        config={},
        environment={},
    )
    store.add_run(info, plan.dataset)
    return info


def by_place(scores: list[Score]) -> dict[tuple[str, str, int, str], tuple[str, float | None]]:
    return {(one.pipeline, one.sample_id, one.repeat, one.metric): (one.status, one.value) for one in scores}


def ran(plan: Plan, **options: Any) -> list[Score]:
    with Store.open(":memory:") as store:
        info = begun(plan, store)
        asyncio.run(execute(plan, store, info.id, **options))
        return list(store.scores(info))


def test_every_question_is_asked_once_of_each_pipeline_and_repeat() -> None:
    one = FakePipeline(lambda sample, repeat: Response(answer=f"{sample.id}/{repeat}"), "one")
    two = FakePipeline(lambda sample, repeat: Response(answer="x" * repeat + "y"), "two", live=False)
    scores = by_place(ran(plan_of(one, two, repeats=2)))
    assert (
        sorted(one.asked) == sorted(two.asked) == [(f"s{place}", repeat) for place in range(3) for repeat in range(2)]
    )
    assert scores["one", "s2", 1, "letters"] == ("scored", 4)
    assert scores["two", "s0", 1, "letters"] == ("scored", 2)
    assert len(scores) == 12


def test_plain_and_waiting_pipelines_and_metrics_are_alike() -> None:
    async def later(sample: Sample, repeat: int) -> Response:
        await asyncio.sleep(0)
        return Response(answer="abc")

    scores = by_place(ran(plan_of(FakePipeline(later), metrics=(letters, waited))))
    assert scores["base", "s1", 0, "letters"] == ("scored", 3)
    assert scores["base", "s1", 0, "waited"] == ("scored", 1)


def test_what_a_pipeline_or_metric_raises_is_a_failed_row_and_the_run_goes_on() -> None:
    def broken(sample: Sample, repeat: int) -> Response:
        if sample.id == "s0":
            raise PipelineError("HTTP 500")
        if sample.id == "s1":
            raise ZeroDivisionError("division by zero")
        return Response(answer="break")

    scores = ran(plan_of(FakePipeline(broken), metrics=(letters, waited)))
    told = {(one.sample_id, one.metric): (one.status, one.error) for one in scores}
    assert told["s0", "letters"] == ("failed", "no answer: HTTP 500")
    status, error = told["s1", "letters"]
    assert status == "failed"
    assert re.fullmatch(r"no answer: ZeroDivisionError: division by zero \(test_runner\.py:\d+\)", error or "")
    assert told["s2", "letters"] == ("scored", None)
    assert told["s2", "waited"] == ("failed", "ValueError: broke")


@pytest.mark.parametrize("answer", [None, "", " \n"])
def test_an_empty_answer_fails_where_live_and_is_missing_where_recorded(answer: str | None) -> None:
    live = ran(plan_of(FakePipeline(lambda *_: Response(answer=answer))))
    assert {one.status for one in live} == {"failed"}
    assert {one.error for one in live} == {"no answer: the application gave an empty answer"}
    recorded = ran(plan_of(FakePipeline(lambda *_: Response(), live=False)))
    assert {(one.status, one.error) for one in recorded} == {("skipped", "no answer")}


def test_latency_is_measured_unless_the_application_tells_it() -> None:
    async def slow(sample: Sample, repeat: int) -> Response:
        await asyncio.sleep(0.01)
        return Response(answer="x", latency_s=7.0 if sample.id == "s0" else None)

    plan = plan_of(FakePipeline(slow))
    with Store.open(":memory:") as store:
        info = begun(plan, store)
        asyncio.run(execute(plan, store, info.id))
        latency = {one.sample_id: one.response.latency_s for one in store.answers(info.id)}
    assert latency["s0"] == 7.0
    assert latency["s1"] is not None
    assert latency["s1"] >= 0.01


def test_no_more_questions_are_under_way_than_allowed() -> None:
    now = most = 0

    async def counted(sample: Sample, repeat: int) -> Response:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return Response(answer="x")

    ran(plan_of(FakePipeline(counted), n=20), max_concurrency=3)
    assert most == 3


def test_the_same_work_is_not_done_twice_in_a_later_run() -> None:
    plan = plan_of(FakePipeline(lambda *_: Response(answer="same"), live=False))
    CALLS.clear()
    with Store.open(":memory:") as store:
        first = begun(plan, store)
        asyncio.run(execute(plan, store, first.id))
        second = begun(plan, store, "20260102-000000-bbbb")
        asyncio.run(execute(plan, store, second.id))
        assert by_place(list(store.scores(first))) == by_place(list(store.scores(second)))
    assert sorted(CALLS) == ["s0", "s1", "s2"]


def test_a_stopped_run_keeps_what_was_finished_and_goes_on_from_there() -> None:
    async def never(sample: Sample, repeat: int) -> Response:
        if sample.id in ("s3", "s4"):
            await asyncio.Event().wait()
        return Response(answer=sample.id)

    async def stop_in_the_middle(plan: Plan, store: Store, run_id: str) -> None:
        reached = asyncio.Event()
        task = asyncio.create_task(
            execute(plan, store, run_id, max_concurrency=2, on_progress=lambda now: now.done >= 3 and reached.set())
        )
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    first = FakePipeline(never)
    second = FakePipeline(lambda sample, _: Response(answer=sample.id))
    with Store.open(":memory:") as store:
        plan = plan_of(first, n=6)
        info = begun(plan, store)
        asyncio.run(stop_in_the_middle(plan, store, info.id))
        held = {one.sample_id for one in store.answers(info.id)}
        asyncio.run(execute(plan_of(second, n=6), store, info.id))
        scores = list(store.scores(info))
    assert held == {"s0", "s1", "s2"}
    assert {sample for sample, _ in second.asked} == {"s3", "s4", "s5"}
    assert by_place(scores) == by_place(ran(plan_of(FakePipeline(lambda sample, _: Response(answer=sample.id)), n=6)))
    assert len(scores) == 6


def test_answers_and_scores_are_kept_while_other_scores_are_waited_for() -> None:
    @metric(needs=("answer",), range=(0, 1), better=None, source="test")
    async def stuck(sample: Sample, response: Response) -> float:
        """A metric that never comes back from one row."""
        if sample.id == "s1":
            await asyncio.Event().wait()
        return 1.0

    async def stop_when_two_are_scored(plan: Plan, store: Store, info: RunInfo) -> list[str]:
        reached = asyncio.Event()
        task = asyncio.create_task(
            execute(plan, store, info.id, on_progress=lambda now: now.done == 2 and reached.set())
        )
        await asyncio.wait_for(reached.wait(), 30)
        held = [one.sample_id for one in store.scores(info) if one.metric == "stuck"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return held

    with Store.open(":memory:") as store:
        plan = plan_of(FakePipeline(lambda sample, _: Response(answer=sample.id)), metrics=(letters, stuck))
        info = begun(plan, store)
        held = asyncio.run(stop_when_two_are_scored(plan, store, info))
        assert sorted(held) == ["s0", "s2"]
        assert {one.sample_id for one in store.answers(info.id)} == {"s0", "s1", "s2"}
        assert len(list(store.scores(info))) == 5


def test_judges_have_a_limit_of_their_own() -> None:
    now, most = Counter[str](), Counter[str]()

    def counted(name: str) -> Metric:
        async def function(sample: Sample, response: Response) -> float:
            now[name] += 1
            most[name] = max(most[name], now[name])
            await asyncio.sleep(0.001)
            now[name] -= 1
            return 1.0

        return replace(waited, name=name, function=function, kind="judge" if name == "judge" else "code")

    pipeline = FakePipeline(lambda sample, _: Response(answer=sample.id), live=False)
    plan = plan_of(pipeline, metrics=(counted("judge"), counted("other")), n=20)
    assert len(ran(plan, max_concurrency=3, judged_at_once=7)) == 40
    assert most == {"judge": 7, "other": 3}


def test_a_store_that_breaks_ends_the_run() -> None:
    class Full(Store):
        def add(self, run_id: str, answers: Any, scores: Any, *, again: bool = False) -> None:
            if scores:
                raise StoreError("the disk is full")
            super().add(run_id, answers, scores, again=again)

    plan = plan_of(FakePipeline(lambda *_: Response(answer="x"), live=False), metrics=(waited,))
    with Full.open(":memory:") as store, pytest.raises(StoreError, match="the disk is full"):
        asyncio.run(execute(plan, store, begun(plan, store).id))


def test_failed_answers_are_asked_again_when_a_run_goes_on() -> None:
    down = FakePipeline(lambda sample, _: Response(answer="up") if sample.id == "s0" else Response(error="down"))
    up = FakePipeline(lambda *_: Response(answer="up"))
    with Store.open(":memory:") as store:
        plan = plan_of(down)
        info = begun(plan, store)
        asyncio.run(execute(plan, store, info.id))
        asyncio.run(execute(plan_of(up), store, info.id))
        scores = list(store.scores(info))
    assert [sample for sample, _ in up.asked] == ["s1", "s2"]
    assert {one.status for one in scores} == {"scored"}


def test_progress_counts_answers_and_failures() -> None:
    told: list[Progress] = []
    broken = FakePipeline(lambda sample, _: Response(error="down") if sample.id == "s1" else Response(answer="x"))
    ran(plan_of(broken), on_progress=told.append)
    assert told[-1] == Progress(done=3, total=3, failed=1)


def test_a_plan_refuses_what_cannot_run() -> None:
    one = FakePipeline(lambda *_: Response())
    with pytest.raises(UsageError, match=r"no pipeline[\s\S]*--pipeline"):
        plan_of()
    with pytest.raises(UsageError, match="two pipelines are named 'base'"):
        plan_of(one, one)
    with pytest.raises(UsageError, match="repeats"):
        plan_of(one, repeats=0)
    samples = (Sample(id="a", reference=("x",)),)
    silent = make_dataset("silent", samples)
    with pytest.raises(UsageError, match=r"sample 'a' of silent has no question[\s\S]*--filter"):
        Plan(dataset=silent, pipelines=[one], metrics={})
