"""The whole way of a judge: through the real model layer, and through a run."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ringtrue as rt
import ringtrue.judges.catalogue as judges
from ringtrue.judges.asking import JudgeFailure
from ringtrue.judges.catalogue import judge_metric, with_models
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics
from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import ModelFailure, Request
from tests.judges.scripted import Scripted, asked, row, verdicts, whole


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    with Scheduler() as opened:
        yield opened


def first_labels(request: Request) -> dict[str, Any]:
    """A model that gives the first label of whatever schema it is asked for."""
    properties = (request.schema or {})["properties"]
    if "claims" in properties:
        return {"claims": [{"source": "Lima", "claim": "It is Lima.", "kind": "essential"}]}
    if "verdict" in properties:
        return whole(properties["verdict"]["enum"][0])
    ids = properties["verdicts"]["properties"]
    return verdicts(**{id: one["properties"]["verdict"]["enum"][0] for id, one in ids.items()})


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_every_judge_runs_through_the_model_layer(name: str, scheduler: Scheduler) -> None:
    model = open_model(first_labels, scheduler=scheduler, environ={})
    data = row(contexts=["Lima."], reference=("Lima",), metadata={"guidelines": "Be brief."})
    verdict = asked(judge_metric(builtin_rubric(name), [model]), *data)
    assert verdict.value == (0.4 if name == "baseline_factuality" else 1.0)
    assert verdict.usage is not None
    assert verdict.usage["calls"] >= 1


def test_a_reply_that_misses_an_id_is_asked_for_again_by_the_model_layer(scheduler: Scheduler) -> None:
    replies = iter([verdicts(p1="relevant"), verdicts(p1="relevant", p2="irrelevant")])
    model = open_model(lambda request: next(replies), scheduler=scheduler, environ={})
    verdict = asked(judge_metric(builtin_rubric("context_relevance"), [model]), *row(contexts=["a", "b"]))
    assert verdict.value == 0.5
    assert verdict.usage is not None
    assert verdict.usage["calls"] == 2


def test_a_reply_that_misses_an_id_for_good_fails(scheduler: Scheduler) -> None:
    model = open_model(lambda request: verdicts(p1="relevant"), scheduler=scheduler, environ={})
    with pytest.raises(JudgeFailure, match=r"unparsed: .*p2 is missing") as raised:
        asked(judge_metric(builtin_rubric("context_relevance"), [model]), *row(contexts=["a", "b"]))
    assert raised.value.usage["calls"] >= 2


def test_rows_are_judged_at_once_from_the_callers_loop() -> None:
    model = Scripted(first_labels)
    metric = judge_metric(builtin_rubric("faithfulness"), [model])

    async def many() -> list[Any]:
        return await asyncio.gather(*(metric(*row(f"Answer {n}.", contexts=["Lima."])) for n in range(20)))

    assert [verdict.value for verdict in asyncio.run(many())] == [1.0] * 20
    assert len(model.requests) == 40


def test_a_run_keeps_verdicts_failures_and_skips_apart(tmp_path: Path) -> None:
    def replies(request: Request) -> Any:
        text = request.messages[-1].content
        return (
            ModelFailure("refused", "I will not.")
            if "Answer three" in text
            else whole("yes" if "Answer one" in text else "no")
        )

    coherence, conciseness = judges.__dict__["coherence"], judges.__dict__["conciseness"]
    use = with_models(coherence.bind(), [Scripted(replies)])
    rows = [{"id": str(n), "question": f"Q{n}?", "reference": "R"} for n in range(1, 4)]
    answers = {"1": "Answer one.", "2": "Answer two.", "3": "Answer three."}
    run = rt.run(rows, {"app": answers}, [use, conciseness], store=tmp_path / "kept.db")
    scores = {(score.sample_id, score.metric): score for score in run.report.scores()}
    mine = [scores[str(n), "coherence"] for n in (1, 2, 3)]
    assert [(one.status, one.value, one.label) for one in mine] == [
        ("scored", 1.0, "yes"),
        ("scored", 0.0, "no"),
        ("failed", None, None),
    ]
    assert mine[2].error == "refused: I will not."
    assert {one.source for one in mine} == {"judge"}
    assert mine[0].exchanges is not None
    assert mine[0].usage is not None
    assert mine[0].usage["calls"] == 1
    skipped = scores["1", "conciseness"]
    assert (skipped.status, skipped.error) == ("skipped", judges.NO_MODEL)
