"""`python -m benchmarks.judge_calls [--rounds N]`: judging over a server that answers after 50 ms, the whole path.

A real run (rows with answers and passages from files, one judge, a store in a file, replies kept) beside the same
requests sent by bare aiohttp and by asyncio's streams, in turn. Each figure is the median of the rounds.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple, TypeAlias

import aiohttp
import orjson

from benchmarks.loopback import LATENCY_S, serving
from benchmarks.rows import make_rows
from ringtrue.app.config import parse_config
from ringtrue.app.service import Job, prepare, run
from ringtrue.data.store import Store
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.prompts.shape import schema_of
from ringtrue.models.providers.openai_compatible import ChatCompletions
from ringtrue.models.providers.wire import How
from ringtrue.models.types import Message, Request
from ringtrue.report.report import Report

JUDGE = "faithfulness_binary"
ROUNDS = 3
SECONDS = 3  # that a round takes at the physical limit

Way: TypeAlias = Callable[[int, Sequence[bytes], int, Path], None]  # port, requests, in flight, the rows' folder


class Taken(NamedTuple):
    """What some calls took, in seconds."""

    wall: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    print(f"{'in flight':<10}{'client':<28}{'calls/s':>9}{'of the limit':>14}{'of aiohttp':>12}{'CPU ms/call':>13}")
    with serving() as port:
        for in_flight in (50, 200):
            compare(port, in_flight, rounds)
    print("wanted of the whole path: 75 % of the limit at 50, 60 % of bare aiohttp at 200, 0.5 CPU ms a call")


def compare(port: int, in_flight: int, rounds: int) -> None:
    """Each client in turn, so that what else the machine does meets all of them."""
    limit = in_flight / LATENCY_S
    calls = int(limit * SECONDS)
    few = bodies(port)
    requests = (few * (calls // len(few) + 1))[:calls]
    ways: dict[str, Way] = {"asyncio streams": streams, "bare aiohttp": bare_aiohttp, "ringtrue, whole path": whole}
    taken: dict[str, list[Taken]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            with rows_in_folder(calls) as folder:
                began, cpu = perf_counter(), process_time()
                way(port, requests, in_flight, folder)
                taken[name].append(Taken(perf_counter() - began, process_time() - cpu))
    speed = {name: calls / median(one.wall for one in each) for name, each in taken.items()}
    for name, each in taken.items():
        print(
            f"{in_flight:<10}{name:<28}{speed[name]:>9.0f}{speed[name] / limit:>14.0%}"
            f"{speed[name] / speed['bare aiohttp']:>12.0%}{median(one.cpu for one in each) / calls * 1000:>13.3f}",
            flush=True,
        )


def whole(port: int, requests: Sequence[bytes], in_flight: int, folder: Path) -> None:
    """Files in, Scores and replies in the store, the report made; as many rows as there are requests."""
    report = judged(port, in_flight, folder)
    cell = report.summary["base"][JUDGE]
    assert (cell.scored, cell.mean) == (len(requests), 1.0)


def judged(port: int, in_flight: int, folder: Path) -> Report:
    raw = {
        "dataset": "golden.jsonl",
        "pipelines": {"base": "answers.jsonl"},
        "metrics": [JUDGE],
        "models": {
            "own": {
                "model": "openai-compatible:fixed-latency",
                "base_url": f"http://127.0.0.1:{port}/v1",
                "concurrency": in_flight,
            }
        },
    }
    with Store.open(folder / "ringtrue.db") as store:
        prepared = prepare(Job(config=parse_config(raw), raw=raw, folder=folder))
        return asyncio.run(run(prepared, store))


@contextmanager
def rows_in_folder(rows: int) -> Iterator[Path]:
    """A folder with questions, and answers with three passages of some hundred words each."""
    drawn = make_rows(rows)
    passages = [response.answer for _, response in make_rows(100, seed=11, paragraphs=3)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        questions, answers = [], []
        for place, (sample, response) in enumerate(drawn):
            told = [passages[(place + step) % len(passages)] for step in range(3)]
            questions.append({"id": sample.id, "question": sample.question})
            answers.append({"id": sample.id, "answer": response.answer, "contexts": told})
        for file, lines in (("golden.jsonl", questions), ("answers.jsonl", answers)):
            (folder / file).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
        yield folder


def bodies(port: int) -> list[bytes]:
    """The requests of a hundred rows as ringtrue sends them."""
    dialect, schema = ChatCompletions("fixed-latency"), schema_of(builtin_rubric(JUDGE))
    found = []
    with rows_in_folder(100) as folder:
        report = judged(port, 50, folder)
    for score in report.scores():
        (asked,) = score.exchanges or ()
        messages = tuple(Message(one["role"], one["content"]) for one in asked["messages"])
        found.append(orjson.dumps(dialect.body(Request(messages=messages, schema=schema), How(form="schema"))))
    return found


def bare_aiohttp(port: int, requests: Sequence[bytes], in_flight: int, _: Path) -> None:
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    headers = {"Content-Type": "application/json"}

    async def main() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def call(body: bytes) -> None:
                async with session.post(url, data=body, headers=headers) as response:
                    read(await response.read())

            await at_once(call, requests, in_flight)

    asyncio.run(main())


def streams(port: int, requests: Sequence[bytes], in_flight: int, _: Path) -> None:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"

    async def main() -> None:
        free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

        async def call(body: bytes) -> None:
            reader, writer = free.pop() if free else await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body))
            answer = await reader.readuntil(b"\r\n\r\n")
            read(await reader.readexactly(int(answer.partition(b"Content-Length: ")[2].partition(b"\r")[0])))
            free.append((reader, writer))

        await at_once(call, requests, in_flight)
        for _, writer in free:
            writer.close()

    asyncio.run(main())


async def at_once(call: Callable[[bytes], Awaitable[None]], requests: Sequence[bytes], in_flight: int) -> None:
    """All calls, so many under way at any time."""
    rest = iter(requests)

    async def work() -> None:
        for body in rest:
            await call(body)

    await asyncio.gather(*(work() for _ in range(in_flight)))


def read(answer: bytes) -> None:
    assert "factual" in orjson.loads(answer)["choices"][0]["message"]["content"]


if __name__ == "__main__":
    main()
