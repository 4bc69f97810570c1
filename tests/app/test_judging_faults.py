"""A whole run of judges over a server that fails three times in ten: every Score right or failed with its kind.

The server knows from the prompt which row is asked about and what is right, so that a mix-up of rows would show.
"""

import asyncio
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from ringtrue.app.config import parse_config
from ringtrue.app.service import Job, prepare, resume, run
from ringtrue.data.store import Store
from ringtrue.types import Score
from tests.servers.faults import FaultServer, chat, cut_short, dropped, running, said

FAULTY = 0.3
# What a Score may begin with that failed at a model.
KINDS = {"refused", "truncated", "unparsed", "timed out", "rate limited", "transport", "empty", "bad label", "filtered"}
FINAL = {"refused"}  # what is not tried again


def right(about: str, row: int) -> dict[str, Any]:
    """The right reply to a question about a row."""
    match about:
        case "faithfulness_binary":
            return {"rationale": f"row {row}", "verdict": "hallucinated" if row % 3 else "factual"}
        case "context_relevance":
            return _verdicts(row, p1="relevant", p2="irrelevant" if row % 2 else "relevant")
        case "claims":
            claims = [{"source": f"Row {row}", "claim": f"Row {row} is {word}.", "kind": "extra"} for word in "ab"]
            return {"claims": claims}
    return _verdicts(row, c1="supported", c2="missing" if row % 5 else "supported")


def right_value(metric: str, row: int) -> float:
    match metric:
        case "faithfulness_binary":
            return float(row % 3 == 0)
        case "context_relevance":
            return 0.5 if row % 2 else 1.0
    return 0.5 if row % 5 else 1.0


def wrong(reply: Mapping[str, Any]) -> dict[str, Any]:
    """The same with every verdict another one."""
    other = {"factual": "hallucinated", "hallucinated": "factual", "relevant": "irrelevant", "irrelevant": "relevant"}
    text = re.sub(
        r'"verdict": "(\w+)"', lambda found: f'"verdict": "{other.get(found[1], "missing")}"', json.dumps(reply)
    )
    changed: dict[str, Any] = json.loads(text)
    return changed


def _verdicts(row: int, **labels: str) -> dict[str, Any]:
    return {"verdicts": {id: {"reason": f"row {row}", "quote": "", "verdict": label} for id, label in labels.items()}}


def _without_an_id(reply: dict[str, Any]) -> Any:
    """A list of verdicts that misses its last one; other replies have no label."""
    if "verdicts" not in reply:
        return {"rationale": "I cannot tell."}
    first = next(iter(reply["verdicts"].items()))
    return {"verdicts": dict([first])}


# Texts of a reply that are as good as the right one, and texts that are of no use.
GOOD: dict[str, Callable[[dict[str, Any]], str]] = {
    "plain": json.dumps,
    "fenced": lambda reply: f"Here you are:\n```json\n{json.dumps(reply, indent=1)}\n```\n",
    "two objects": lambda reply: f"A draft: {json.dumps(wrong(reply))}\nNow the verdict:\n{json.dumps(reply)}",
    "thought": lambda reply: f"<think>Is it {json.dumps(wrong(reply))}? No.</think>{json.dumps(reply)}",
    "label with marks": lambda reply: re.sub(
        r'"verdict": "(\w)(\w*)"', lambda found: f'"verdict": " {found[1].upper()}{found[2]}.\\n"', json.dumps(reply)
    ),
}
USELESS: dict[str, Callable[[dict[str, Any]], str]] = {
    "truncated JSON": lambda reply: json.dumps(reply)[:-8],
    "no such label": lambda reply: re.sub(r'"(verdict|kind)": "\w+"', r'"\1": "perhaps"', json.dumps(reply)),
    "an id is missing": lambda reply: json.dumps(_without_an_id(reply)),
    "prose": lambda reply: "I would rather talk about it.",
    "nothing": lambda reply: "",
}
FAULTS = ("429", "500", "529", "drop", "cut short", "half a body", "refusal", *USELESS)
MIX = (*FAULTS * 4, "stall")  # a stall takes its whole timeout


@dataclass
class Judging:
    """The model: it answers well or badly, by the row, the question and how often that was asked."""

    faulty: float = FAULTY
    asked: Counter[tuple[int, str]] = field(default_factory=Counter)
    finished: Counter[tuple[int, str]] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)

    def __call__(self, request: web.BaseRequest, body: dict[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        found = re.search(r"[Rr]ow (\d+)", text)
        assert found is not None
        labels = {'"factual"': "faithfulness_binary", '"relevant"': "context_relevance", '"claims"': "claims"}
        about = next((name for label, name in labels.items() if label in text), "faithfulness")
        key = int(found[1]), about
        self.asked[key] += 1
        dice = random.Random(f"{key} {self.asked[key]}")
        reply = right(about, key[0])
        talk = said if "/messages" in request.path else chat
        if dice.random() < self.faulty:
            fault = dice.choice(MIX)
            self.met[fault] += 1
            return talk(USELESS[fault](reply)) if fault in USELESS else self._fault(fault, talk, request, body)
        self.finished[key] += 1
        form = dice.choice(list(GOOD))
        self.met[form] += 1
        return talk(GOOD[form](reply))

    def _fault(self, fault: str, talk: Any, request: web.BaseRequest, body: dict[str, Any]) -> Any:
        match fault:
            case "429":
                return 429, {"Retry-After": "0.02"}, {"error": {"message": "slow down"}}
            case "500" | "529":
                return int(fault), {}, {"type": "error", "error": {"message": "Overloaded"}}
            case "stall":
                return _too_late()
            case "drop":
                return dropped(request, body)
            case "cut short":
                return cut_short(request, body)
            case "half a body":
                return 200, {}, '{"choices": [{"mess'
        return said([], stop="refusal") if talk is said else chat(None, refusal="I won't.")


async def _too_late() -> web.Response:
    await asyncio.sleep(5)
    return web.Response()


@pytest.fixture(scope="module")
def _server() -> Iterator[FaultServer]:
    with running() as server:
        yield server


def job(folder: Path, url: str, model: str, metrics: list[str], rows: int) -> Job:
    lines = [
        {
            "id": f"r{row}",
            "question": f"What is in row {row}?",
            "answer": f"Row {row} is a and b.",
            "contexts": [f"Row {row} is a.", f"Row {row} is, as some say, b."],
        }
        for row in range(rows)
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    raw = {
        "dataset": "rows.jsonl",
        "metrics": metrics,
        "models": {"own": {"model": model, "base_url": url, "timeout": 1.0}},
        "run": {"max_failed": 1.0},
    }
    return Job(config=parse_config(raw), raw=raw, folder=folder)


def check(scores: list[Score], metrics: list[str], rows: int) -> list[Score]:
    """One Score a place, each right or failed with its kind; those that failed."""
    places = Counter((score.sample_id, score.metric) for score in scores)
    assert places == Counter((f"r{row}", metric) for row in range(rows) for metric in metrics)
    failed = []
    for score in scores:
        if score.status == "scored":
            assert score.value == right_value(score.metric, int(score.sample_id[1:])), score
            continue
        assert (score.status, score.value, score.label) == ("failed", None, None)
        assert (score.error or "").partition(":")[0] in KINDS
        assert score.exchanges
        failed.append(score)
    return failed


def revisions(path: Path) -> Counter[int]:
    with sqlite3.connect(path) as database:
        found = database.execute(
            "SELECT count(*), max(revision) FROM scores GROUP BY item, signature, source"
        ).fetchall()
    database.close()
    assert all(count == last + 1 for count, last in found), "a revision is missing or doubled"
    return Counter(last for _, last in found)


@pytest.mark.parametrize(
    ("model", "metrics", "rows"),
    [
        # 1,040 questions: a faithfulness asks for the claims, then for their verdicts.
        ("openai-compatible:judge", ["faithfulness_binary", "context_relevance", "faithfulness"], 260),
        ("anthropic:judge", ["faithfulness_binary", "context_relevance"], 50),
    ],
)
def test_with_three_faults_in_ten_every_score_is_right_or_failed_and_resume_mends_those(
    model: str, metrics: list[str], rows: int, _server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-key")
    judging, path = Judging(), tmp_path / "ringtrue.db"
    _server.script(judging)
    with Store.open(path) as store:
        prepared = prepare(job(tmp_path, _server.url, model, metrics, rows))
        report = asyncio.run(run(prepared, store))
        failed = check(list(report.scores()), metrics, rows)
        assert 0 < len(failed) < 0.2 * rows * len(metrics)
        assert {(score.error or "").partition(":")[0] for score in failed} >= FINAL
        assert set(judging.met) >= {*FAULTS, *GOOD}, "too few calls to meet every fault"
        assert set(judging.finished.values()) == {1}, "a finished reply was asked for again"
        assert revisions(path) == Counter({0: rows * len(metrics)})

        steps = [*metrics, *(["claims"] if "faithfulness" in metrics else [])]
        rest = {(row, about) for row in range(rows) for about in steps} - set(judging.finished)
        mended = Judging(faulty=0.0)
        _server.script(mended)
        _, report = asyncio.run(resume(store, prepared.info.id))
        assert check(list(report.scores()), metrics, rows) == []
        assert mended.asked == Counter(rest), "only what was not finished is asked for, once"
        assert revisions(path) == Counter({0: rows * len(metrics) - len(failed), 1: len(failed)})


def test_as_many_calls_are_under_way_as_the_model_may_have(_server: FaultServer, tmp_path: Path) -> None:
    async def slowly(request: web.BaseRequest, body: dict[str, Any]) -> web.Response:
        await asyncio.sleep(0.1)
        return web.json_response(Judging(faulty=0.0)(request, body))

    _server.script(slowly)
    with Store.open(tmp_path / "ringtrue.db") as store:
        prepared = prepare(job(tmp_path, _server.url, "openai-compatible:judge", ["faithfulness_binary"], 120))
        asyncio.run(run(prepared, store))
    assert 8 < _server.most_at_once <= 50, "the limit of 8 is for pipelines"
