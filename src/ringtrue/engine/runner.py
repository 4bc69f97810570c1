"""Run a plan: ask the pipelines, score the answers, keep both as they come.

The only place with concurrency, and the only one that catches whatever a pipeline or a metric may raise. Answers of a
live pipeline are handed to the store the moment they are there, so that a killed run loses none but those of the last
10 ms; recorded ones go in big batches. Scores that have to be waited for are kept a tenth of a second after they are
there. Scores are looked up by
content first, so that none is computed twice.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from traceback import extract_tb
from typing import TypeAlias, cast

from ringtrue.catalogue import missing_field
from ringtrue.data.store import Kept
from ringtrue.engine.collecting import collection_paused, collection_seldom
from ringtrue.engine.plan import Call, Keeping, Plan
from ringtrue.engine.scoring import broken, judged, refused
from ringtrue.engine.waiting import Due, Made, Waiting
from ringtrue.errors import RingtrueError
from ringtrue.types import Answer, Answered, Pipeline, Response, Sample, Score

__all__ = ["OnProgress", "Progress", "execute", "score_async", "score_columns", "score_row"]

_BATCH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: responses kept of all there will be, and how many of them failed."""

    done: int
    total: int
    failed: int


OnProgress: TypeAlias = Callable[[Progress], None]
_Place: TypeAlias = tuple[Pipeline, Answer, Sample, int]


async def execute(
    plan: Plan,
    store: Keeping,
    run_id: str,
    *,
    max_concurrency: int = 8,
    judged_at_once: int = 8,
    on_progress: OnProgress | None = None,
) -> tuple[list[Answered], list[Score]] | None:
    """Do what the plan asks and the store does not hold yet for this run; failed answers and Scores are tried again.

    Pipelines, and metrics that wait for something, have `max_concurrency` calls under way at most; judges work on
    `judged_at_once` Scores, and their models have limits of their own.

    The store has all responses and Scores when it returns, and whatever was finished when it is cancelled. They are
    given back too where all of them were made just now, which saves reading them; else the store has to be asked.
    """
    keeper = _Keeper(plan, store, run_id, on_progress, judges=judged_at_once, others=max_concurrency)
    try:
        await keeper.take_up()
        async with AsyncExitStack() as stack:
            stack.enter_context(collection_seldom())
            live: list[tuple[Pipeline, Answer]] = []
            for pipeline in plan.pipelines:
                answer = await stack.enter_async_context(pipeline.open())
                if pipeline.live:
                    live.append((pipeline, answer))
                    continue
                for batch in _batches(_read(pipeline, answer, plan, keeper.asked), _BATCH):
                    with collection_paused():
                        await keeper.keep(batch)
            await _ask_all(live, plan, keeper, max_concurrency)
            await keeper.waiting.ended()
    finally:
        await keeper.waiting.stop()
    return keeper.made()


def score_row(sample: Sample, answered: Answered, calls: Sequence[Call]) -> list[Score]:
    """The Scores of one response by plain metrics, in order. Nothing a metric raises gets out."""
    return [refused(sample, answered, call) or _score(sample, answered, call) for call in calls]


def score_columns(
    rows: Sequence[tuple[Sample, Response]], calls: Sequence[Call]
) -> list[tuple[list[float | None], dict[int, Score]]]:
    """Plain metrics over rows: of each its values, and by place the whole Score of a row that is no plain value."""
    asked: dict[tuple[str, ...], list[bool]] = {}
    for call in calls:
        if call.needs not in asked:  # metrics of one family need the same fields
            asked[call.needs] = [
                response.error is None and missing_field(call.needs, sample, response) is None
                for sample, response in rows
            ]
    return [_score_column(rows, call, asked[call.needs]) for call in calls]


def _score_column(
    rows: Sequence[tuple[Sample, Response]], call: Call, asked: Sequence[bool]
) -> tuple[list[float | None], dict[int, Score]]:
    values: list[float | None] = []
    scores: dict[int, Score] = {}
    function, low, high = call.function, call.low, call.high
    for (sample, response), is_asked in zip(rows, asked, strict=True):
        broke: Exception | None = None
        outcome = None
        if is_asked:
            try:
                outcome = function(sample, response)
            except Exception as error:
                broke = error
            if type(outcome) is float and low <= outcome <= high:  # nearly always; a Score would cost as much again
                values.append(outcome)
                continue
        answered = Answered(pipeline="", sample_id=sample.id, repeat=0, response=response)
        score = refused(sample, answered, call) or (
            judged(answered, call, outcome) if broke is None else broken(answered, call, broke)
        )
        scores[len(values)] = score
        values.append(score.value)
    return values, scores


def _score(sample: Sample, answered: Answered, call: Call) -> Score:
    try:
        outcome = call.function(sample, answered.response)
    except Exception as error:
        return broken(answered, call, error)
    return judged(answered, call, outcome)


async def score_async(sample: Sample, answered: Answered, call: Call) -> Score:
    """The Score of one response by an asynchronous metric."""
    if score := refused(sample, answered, call):
        return score
    try:
        return judged(answered, call, await call.function(sample, answered.response))
    except Exception as error:
        return broken(answered, call, error)


class _Keeper:
    """Scores answers and keeps them with their Scores: what is made at once in batches, what is waited for later."""

    def __init__(
        self, plan: Plan, store: Keeping, run_id: str, on_progress: OnProgress | None, *, judges: int, others: int
    ) -> None:
        self._store, self._run_id, self._on_progress = store, run_id, on_progress
        self._samples = {sample.id: sample for sample in plan.dataset}
        self._hashes = {sample.id: key for sample, key in zip(plan.dataset, plan.dataset.hashes, strict=True)}
        calls = plan.calls()
        self._plain = [call for call in calls if not call.is_async]
        self._async = [call for call in calls if call.is_async]
        # A signature that never had a Score here need not be looked up row by row.
        self._looked_up = store.signatures(call.signature for call in calls)
        self.waiting = Waiting(score_async, self._keep_scores, judges=judges, others=others)
        self._open: Counter[bytes] = Counter()  # Scores that an item still waits for
        self._total, self._done, self._failed = len(plan), 0, 0
        self._seen: set[bytes] = set()
        self._answers: list[Answered] = []
        self._scores_made: list[Score] = []
        self._all_made = True
        self._again = False
        self.asked: set[tuple[str, str, int]] = set()

    async def take_up(self) -> None:
        """Take up a stored run: answers that failed are asked again, Scores that are missing or failed are made."""
        stored = self._store.answers(self._run_id)
        held = [one for one in stored if one.response.error is None]
        self._again = len(held) < len(stored)
        for batch in _batches(held, _BATCH):
            await self.keep(batch, held=True)

    def made(self) -> tuple[list[Answered], list[Score]] | None:
        """All answers and Scores of the run, where no Score was taken over from earlier work."""
        return (self._answers, self._scores_made) if self._all_made else None

    async def keep(self, answers: Sequence[Answered], *, held: bool = False) -> None:
        """Score a batch and keep it; `held` answers are in the store already. Scores to be waited for come later."""
        kept = [Kept.of(one, self._hashes[one.sample_id]) for one in answers]
        made, due = self._scores(kept)
        self._store.add(self._run_id, [] if held else kept, made, again=self._again)
        self._answers.extend(answers)
        self._scores_made.extend(score for _, _, score in made)
        self.asked.update((one.pipeline, one.sample_id, one.repeat) for one in answers)
        self._failed += sum(one.response.error is not None for one in answers)
        self._open.update(one.item for one in due)
        self._progressed(len(answers) - len({one.item for one in due}))
        self.waiting.add(due)
        await asyncio.sleep(0)  # a plain run must hear of Ctrl-C between batches

    def _keep_scores(self, made: Sequence[Made]) -> None:
        """Keep Scores that were waited for."""
        self._store.add(self._run_id, [], made)
        self._scores_made.extend(score for _, _, score in made)
        self._open.subtract(item for item, _, _ in made)
        over = [item for item in {item for item, _, _ in made} if not self._open[item]]
        for item in over:
            del self._open[item]
        self._progressed(len(over))

    def _progressed(self, answers: int) -> None:
        self._done += answers
        if self._on_progress:
            self._on_progress(Progress(done=self._done, total=self._total, failed=self._failed))

    def _scores(self, kept: Sequence[Kept]) -> tuple[list[Made], list[Due]]:
        """The Scores of plain metrics, and what is due of the others."""
        known = self._store.known({one.item for one in kept}, self._looked_up) if self._looked_up else {}
        self._all_made = self._all_made and not known
        made: list[Made] = []
        due: list[Due] = []
        for answered, item, _ in kept:
            if item in self._seen:  # another pipeline gave the same answer
                self._all_made = False
                continue
            self._seen.add(item)
            plain = [call for call in self._plain if _is_due(known, item, call)] if known else self._plain
            sample = self._samples[answered.sample_id]
            scores = score_row(sample, answered, plain)
            made.extend((item, _revision(known, item, score.signature), score) for score in scores)
            due.extend(
                Due(sample, answered, call, item, _revision(known, item, call.signature))
                for call in self._async
                if _is_due(known, item, call)
            )
        return made, due


def _is_due(known: dict[tuple[bytes, str], tuple[str, int]], item: bytes, call: Call) -> bool:
    return known.get((item, call.signature), ("failed", 0))[0] == "failed"


def _revision(known: dict[tuple[bytes, str], tuple[str, int]], item: bytes, signature: str) -> int:
    stored = known.get((item, signature))
    return 0 if stored is None else stored[1] + 1


def _read(pipeline: Pipeline, answer: Answer, plan: Plan, asked: set[tuple[str, str, int]]) -> Iterator[Answered]:
    for sample, repeat in plan.places(pipeline.name, asked):
        response = cast(Response, answer(sample, repeat))
        yield Answered(pipeline=pipeline.name, sample_id=sample.id, repeat=repeat, response=response)


async def _ask_all(live: Sequence[tuple[Pipeline, Answer]], plan: Plan, keeper: _Keeper, limit: int) -> None:
    """Ask live pipelines, `limit` questions under way at most, and keep each answer as soon as it is there."""
    places = _interleaved(
        [
            [(pipeline, answer, sample, repeat) for sample, repeat in plan.places(pipeline.name, keeper.asked)]
            for pipeline, answer in live
        ]
    )
    ready: asyncio.Queue[Answered | None] = asyncio.Queue()

    async def work() -> None:
        for pipeline, answer, sample, repeat in places:
            ready.put_nowait(await _ask(pipeline, answer, sample, repeat))

    async def work_all() -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(limit):
                group.create_task(work())

    workers = asyncio.create_task(work_all())
    workers.add_done_callback(lambda _: ready.put_nowait(None))
    try:
        async for batch in _drained(ready):
            await keeper.keep(batch)
        await workers
    except asyncio.CancelledError:
        await _stopped(workers)
        if rest := [one for one in _emptied(ready) if one is not None]:
            await keeper.keep(rest)
        raise
    finally:
        await _stopped(workers)


def _told(error: Exception) -> str:
    """The exception with the file and line of the application where it was raised."""
    frames = extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


async def _stopped(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _ask(pipeline: Pipeline, answer: Answer, sample: Sample, repeat: int) -> Answered:
    """One answer with its latency. Whatever goes wrong is kept as the Response's error."""
    began = perf_counter()
    try:
        got = answer(sample, repeat)
        response = got if isinstance(got, Response) else await got
        if response.error is None and not (response.answer or "").strip():
            response = replace(response, error="the application gave an empty answer")
    except RingtrueError as error:
        response = Response(error=error.message)
    except Exception as error:
        response = Response(error=_told(error))
    if response.latency_s is None:
        response = replace(response, latency_s=perf_counter() - began)
    return Answered(pipeline=pipeline.name, sample_id=sample.id, repeat=repeat, response=response)


async def _drained(queue: "asyncio.Queue[Answered | None]") -> AsyncIterator[list[Answered]]:
    """What is in the queue, as often as something is, until the None that ends it."""
    while (first := await queue.get()) is not None:
        more = _emptied(queue)
        yield [first, *(one for one in more if one is not None)]
        if None in more:
            return


def _emptied(queue: "asyncio.Queue[Answered | None]") -> list[Answered | None]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


def _interleaved(lists: Sequence[Sequence[_Place]]) -> Iterator[_Place]:
    """One of each list in turn, so that no pipeline waits for another to end."""
    for place in range(max(map(len, lists), default=0)):
        for one in lists:
            if place < len(one):
                yield one[place]


def _batches(answers: Iterable[Answered], size: int) -> Iterator[list[Answered]]:
    rest = iter(answers)
    while batch := list(islice(rest, size)):
        yield batch
