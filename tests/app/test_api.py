"""The Python door: what it takes, what it gives, and that it works inside a running event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ringtrue as rt

ROWS = [
    {"id": "a", "question": "Capital of Peru?", "reference": "Lima", "facts": "Lima"},
    {"id": "b", "question": "Capital of Chile?", "reference": "Santiago", "facts": "Santiago"},
]


def app(question: str) -> str:
    return "Lima" if "Peru" in question else "Rome"


async def slow_app(question: str) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"answer": app(question), "contexts": ["x"]}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def means(run: rt.Run) -> dict[str, float | None]:
    return {pipeline: cells["exact_match"].mean for pipeline, cells in run.summary.items()}


def test_functions_lists_and_dicts_are_pipelines() -> None:
    run = rt.run(
        ROWS,
        {
            "function": app,
            "async": slow_app,
            "list": ["Lima", "Santiago"],
            "by_id": {"a": "Lima", "b": rt.Response(answer="Santiago")},
        },
        ["exact_match"],
    )
    assert means(run) == {"function": 0.5, "async": 0.5, "list": 1.0, "by_id": 1.0}
    assert run.exit_code == 0
    assert len(run.scores) == 8
    assert Path(".ringtrue/ringtrue.db").exists()


def test_files_and_specs_are_pipelines_too(write: Callable) -> None:
    path = write("answers.jsonl", [{"id": "a", "answer": "Lima"}, {"id": "b", "answer": "Santiago"}])
    write("api_app.py", "def answer(question):\n    return 'Lima'\n")
    golden = write("golden.jsonl", ROWS)
    run = rt.run(
        golden, {"path": path, "text": "answers.jsonl", "fn": "api_app:answer"}, ["exact_match"], store=":memory:"
    )
    assert means(run) == {"path": 1.0, "text": 1.0, "fn": 0.5}
    assert not Path(".ringtrue").exists()


def test_answers_in_the_rows_are_a_pipeline() -> None:
    run = rt.run([{**row, "answer": "Lima"} for row in ROWS], metrics=["exact_match"], store=":memory:")
    assert means(run) == {"answers": 0.5}


def test_gates_filters_and_limits() -> None:
    run = rt.run(
        ROWS, {"app": app}, ["exact_match"], thresholds={"exact_match": ">= 1"}, filter="id == 'a'", store=":memory:"
    )
    assert run.passed
    failed = rt.run(ROWS, {"app": app}, ["exact_match"], thresholds=["exact_match >= 1"], store=":memory:")
    assert (failed.passed, failed.exit_code) == (False, 100)
    assert rt.run(ROWS, {"app": app}, limit=1, store=":memory:").to_dict()["dataset"]["n"] == 1


def test_tables_and_outputs() -> None:
    run = rt.run(ROWS, {"app": app}, ["exact_match"], store=":memory:")
    frame = run.to_pandas()
    assert list(frame["value"]) == [1.0, 0.0]
    assert run.to_arrow().num_rows == 2
    run.save("out/report.html", "out/scores.csv")
    assert Path("out/report.html").read_text().startswith("<!doctype html>")
    assert "srcdoc" in run._repr_html_()


@rt.metric(needs=("answer",), range=(0, 1), better="higher", source="test")
def short(sample: rt.Sample, response: rt.Response, *, most: int = 4) -> bool:
    """Whether the answer is short."""
    return len(response.answer or "") <= most


@rt.metric(needs=("answer",), range=(0, 1), better="higher", source="test")
async def awaited(sample: rt.Sample, response: rt.Response) -> bool:
    """A metric that waits."""
    await asyncio.sleep(0)
    return True


def test_metrics_of_the_users_own(ringtrue: Callable) -> None:
    run = rt.run(ROWS, {"list": ["Lima", "Santiago"]}, [short, awaited, short.bind(most=9)])
    cells = run.summary["list"]
    assert (cells["short"].mean, cells["awaited"].mean, cells["short(most=9)"].mean) == (0.5, 1.0, 1.0)
    assert ringtrue("report", "--json").json["summary"]["list"]["short"]["mean"] == 0.5


def test_it_runs_inside_a_running_loop() -> None:
    async def notebook() -> rt.Run:
        return rt.run(ROWS, {"app": slow_app}, ["exact_match"], store=":memory:")

    assert means(asyncio.run(notebook())) == {"app": 0.5}


def test_run_async_uses_the_callers_loop() -> None:
    async def whole() -> rt.Run:
        loop = asyncio.get_running_loop()

        async def here(question: str) -> str:
            assert asyncio.get_running_loop() is loop
            return app(question)

        return await rt.run_async(ROWS, {"app": here}, ["exact_match"], store=":memory:")

    assert means(asyncio.run(whole())) == {"app": 0.5}


@pytest.mark.parametrize(
    ("pipelines", "told"),
    [
        ({"x": ["only one"]}, "1 answers for 2 samples"),
        ({"x": {"z": "no such id"}}, "does not hold: z"),
        ({"x": 5}, "cannot be a int"),
        ({"x": [1, 2]}, "what is no answer: returned an int"),
        ({}, "no pipeline"),
    ],
)
def test_what_cannot_be_a_pipeline_is_told(pipelines: dict[str, Any], told: str) -> None:
    with pytest.raises(rt.RingtrueError, match=told):
        rt.run(ROWS, pipelines, ["exact_match"], store=":memory:")


def test_unknown_names_are_told_before_anything_runs() -> None:
    with pytest.raises(rt.RingtrueError, match=r"unknown metric 'exact_mach'[\s\S]*did you mean exact_match"):
        rt.run(ROWS, {"app": app}, ["exact_mach"])
    with pytest.raises(rt.RingtrueError, match=r"'f1_over_words' is not among the metrics of this run[\s\S]*add it"):
        rt.run(ROWS, {"app": app}, ["exact_match"], thresholds={"f1_over_words": ">= 1"})
    with pytest.raises(rt.RingtrueError, match="no metric"):
        rt.run(ROWS, {"app": app}, [lambda sample, response: 1])  # type: ignore[list-item]
    assert not Path(".ringtrue").exists()


def test_a_run_of_python_objects_cannot_be_resumed_from_outside(ringtrue: Callable) -> None:
    rt.run(ROWS, {"app": app}, ["exact_match"])
    result = ringtrue("resume")
    assert (result.code, "begun in Python" in result.err) == (2, True)


def test_one_answer_can_be_scored_alone() -> None:
    scores = rt.score(ROWS[0], "It is Lima.", ["facts_matched", "f1_over_words(mode=squad)", short])
    assert scores["facts_matched"].value == 1.0
    assert scores["f1_over_words(mode=squad)"].value == pytest.approx(0.5)
    assert scores["short"].value == 0.0
    assert rt.check_scores(scores, {"facts_matched": ">= 1", "short": "== 1"}) == ["short: 0 is not == 1"]
    assert rt.score({"question": "Q?"}, None, ["exact_match"])["exact_match"].status == "skipped"
