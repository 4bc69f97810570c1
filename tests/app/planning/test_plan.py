"""`ringtrue run --plan`: what judging would take, exactly as many calls as the run then makes; nothing is asked."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROWS = [
    {
        "id": name,
        "question": f"Capital of {name}?",
        "reference": f"{right} is the capital.",
        "answer": f"It is {right}.",
        "contexts": [f"{right} is the capital of {name}."],
    }
    for name, right in (("Peru", "Lima"), ("Chile", "Santiago"), ("Cuba", "Havana"))
]
METRICS = ("answer_relevance", "faithfulness", "answer_correctness")
CONFIG = """
dataset: rows.jsonl
metrics: [answer_relevance, faithfulness, answer_correctness, exact_match]
models:
  own: {{model: 'openai-compatible:qwen', base_url: '{url}/v1', params: {{max_tokens: 100}}}}
judges: [{{model: own}}]
"""


def fill(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: fill(one) for name, one in schema["properties"].items()}
        case "array":
            return [fill(schema["items"])]
    return "Lima is the capital."


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A model on loopback that replies with what the schema asks for; `asked` counts its calls."""
    asked.clear()
    for name in ("http_proxy", "HTTP_PROXY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body)
            content = json.dumps(fill(body["response_format"]["json_schema"]["schema"]))
            choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 500, "completion_tokens": 50}
            reply = json.dumps({"model": "qwen", "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


asked: list[dict[str, Any]] = []


@pytest.fixture
def config(url: str, write: Callable) -> str:
    write("rows.jsonl", ROWS)
    text = CONFIG.format(url=url)
    write("ringtrue.yaml", text)
    return text


def planned(ringtrue: Callable, *words: str) -> Any:
    result = ringtrue("run", "--plan", "--json", *words)
    assert result.code == 0, result.err
    return result.json


def test_the_run_makes_as_many_calls_as_the_plan_says(ringtrue: Callable, config: str) -> None:
    plan = planned(ringtrue)
    assert asked == []
    assert not Path(".ringtrue").exists(), "a plan makes no store"
    total, metrics = plan["judging"]["total"], plan["judging"]["metrics"]
    assert list(metrics) == list(METRICS)
    # Relevance is one question a row; the other two take a text apart first, then judge its claims.
    assert {name: one["calls"] for name, one in metrics.items()} == dict(zip(METRICS, (3, 6, 6), strict=True))
    assert (total["scores"], total["stored"], total["questions"], total["cached"]) == (9, 0, 15, 0)
    assert plan["live"] is None
    assert plan["budget"] is None
    ringtrue("run", "--max-failed", "1")
    assert len(asked) == total["calls"] == 15


def test_tokens_grow_with_what_is_shown_and_stay_below_max_tokens(
    ringtrue: Callable, config: str, write: Callable
) -> None:
    short = planned(ringtrue)["judging"]["total"]
    longer = [row | {"contexts": [row["contexts"][0] + " So it is." * 400]} for row in ROWS]
    write("rows.jsonl", longer)
    long = planned(ringtrue)["judging"]["total"]
    # 10 bytes 400 times are 1,000 tokens in each of the three questions that show passages.
    assert long["input_tokens"] - short["input_tokens"] == pytest.approx(3000, abs=3)
    assert 0 < long["output_tokens"] == short["output_tokens"] <= 15 * 100


def test_what_is_stored_is_free_and_so_is_a_kept_reply(ringtrue: Callable, config: str, write: Callable) -> None:
    assert ringtrue("run", "--limit", "2", "--metric", "answer_relevance").code == 0
    one = planned(ringtrue)["judging"]["metrics"]["answer_relevance"]
    assert (one["scores"], one["stored"], one["questions"], one["calls"]) == (3, 2, 1, 1)
    # Another answer is another Score, but the same claims of the golden answer are looked up.
    assert ringtrue("run", "--metric", "answer_correctness", "--max-failed", "1").code == 0
    store = Path(".ringtrue/ringtrue.db")
    before = hashlib.sha256(store.read_bytes()).digest()
    asked.clear()
    write("other.jsonl", [{"id": row["id"], "answer": f"I think {row['id']} has none."} for row in ROWS])
    plan = planned(ringtrue, "--pipeline", "other=other.jsonl", "--metric", "answer_correctness")
    other = plan["judging"]["metrics"]["answer_correctness"]
    assert (other["scores"], other["stored"], other["questions"], other["cached"], other["calls"]) == (3, 0, 6, 3, 3)
    told = ringtrue("run", "--plan", "--pipeline", "other=other.jsonl", "--metric", "answer_correctness").out
    assert "3 questions with a kept reply" in told
    without = planned(ringtrue, "--no-cache", "--pipeline", "other=other.jsonl", "--metric", "answer_correctness")
    assert without["judging"]["total"]["cached"] == 0
    assert asked == []
    assert hashlib.sha256(store.read_bytes()).digest() == before, "a plan writes nothing"
    assert len(ringtrue("runs", "--json").json) == 2


def test_money_is_unknown_where_a_price_is_and_never_nothing(ringtrue: Callable, config: str, write: Callable) -> None:
    plan = planned(ringtrue)
    assert plan["judging"]["total"]["cost"] is None
    assert plan["judging"]["total"]["unpriced"] == ["openai-compatible:qwen"]
    told = ringtrue("run", "--plan").out
    assert "cost unknown" in told
    assert "$" not in told
    write("ringtrue.yaml", config + "prices: {'openai-compatible:qwen': {input: 1, output: 4}}\n")
    total = planned(ringtrue)["judging"]["total"]
    assert total["cost"] == pytest.approx((total["input_tokens"] + 4 * total["output_tokens"]) / 1e6)
    assert total["unpriced"] == []


def test_the_plan_is_held_against_the_budget(ringtrue: Callable, config: str, write: Callable) -> None:
    assert planned(ringtrue, "--max-calls", "15")["budget"] == {"max_calls": 15, "max_cost": None, "fits": True}
    assert planned(ringtrue, "--max-calls", "14")["budget"]["fits"] is False
    assert "more than the run's budget of 14 calls" in ringtrue("run", "--plan", "--max-calls", "14").out
    write("ringtrue.yaml", config + "prices: {'openai-compatible:qwen': {input: 1, output: 4}}\n")
    assert planned(ringtrue, "--max-cost", "0.000001")["budget"]["fits"] is False
    assert planned(ringtrue, "--max-cost", "1", "--max-calls", "20")["budget"]["fits"] is True


def test_live_pipelines_are_not_asked_and_what_is_assumed_is_said(
    ringtrue: Callable, config: str, write: Callable
) -> None:
    write("app.py", "def answer(question):\n    open('asked.txt', 'w')\n    return question\n")
    live = config.replace("metrics:", "pipelines: {app: {target: 'app:answer'}, kept: rows.jsonl}\nmetrics:")
    write("ringtrue.yaml", live + "run: {repeats: 2, max_calls: 40}\n")
    plan = planned(ringtrue)
    assert not Path("asked.txt").exists()
    assert plan["judging"]["pipelines"] == ["kept"]
    assert plan["live"]["pipelines"] == ["app"]
    # Each answer of each repeat is one of its own; the claims of a golden answer are asked for once, for `kept`.
    relevance, faithful, correct = plan["live"]["metrics"].values()
    assert (relevance["calls"], faithful["calls"], correct["calls"], correct["repeated"]) == (6, 12, 6, 6)
    assert plan["budget"]["fits"] is (15 + 24 <= 40)
    assert any("not known before the run" in note for note in plan["notes"])
    assert "Judging the answers that app will give may take about 24 calls" in ringtrue("run", "--plan").out


def test_what_asks_nothing_says_so(ringtrue: Callable, config: str, write: Callable) -> None:
    write("ringtrue.yaml", "dataset: rows.jsonl\nmetrics: [exact_match]\n")
    plan = planned(ringtrue)
    assert (plan["judging"]["total"]["calls"], plan["judging"]["total"]["cost"]) == (0, 0)
    assert "No judge is among the metrics" in ringtrue("run", "--plan").out
    write("ringtrue.yaml", "dataset: rows.jsonl\nmetrics: [coherence]\n")
    plan = planned(ringtrue)
    assert (plan["judging"]["total"]["scores"], plan["judging"]["total"]["unasked"]) == (3, 3)
    assert "--judge-model" in " ".join(plan["notes"])


def test_two_judges_of_one_metric_are_planned_apart(ringtrue: Callable, config: str, write: Callable) -> None:
    two = "judges: [{metric: answer_relevance, model: own}, {metric: answer_relevance, model: own, repeats: 3}]"
    write(
        "ringtrue.yaml", config.replace("judges: [{model: own}]", two).replace(", faithfulness, answer_correctness", "")
    )
    metrics = planned(ringtrue)["judging"]["metrics"]
    calls = {name: one["calls"] for name, one in metrics.items()}
    # The first of the three repeats is the other judge's question.
    assert calls == {
        "answer_relevance[openai-compatible:qwen]": 3,
        "answer_relevance[openai-compatible:qwen, repeats:3, combine:majority]": 6,
    }
