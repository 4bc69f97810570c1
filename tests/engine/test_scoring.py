"""What a metric gives becomes a Score; nothing is invented, and nothing a metric raises gets out."""

import asyncio
import math
from typing import Any

import pytest

from ringtrue.catalogue import metric
from ringtrue.engine.batch import score_rows, score_table
from ringtrue.engine.plan import Call, label_metrics
from ringtrue.engine.runner import score_row
from ringtrue.errors import Skip, UsageError
from ringtrue.types import Answered, Response, Sample, Score, Verdict

SAMPLE = Sample(id="a", question="Who?", reference=("Ada",))
RESPONSE = Response(answer="Ada")


def scored(outcome: Any, needs: tuple[str, ...] = ("answer",), response: Response = RESPONSE) -> Score:
    def rule(sample: Sample, response: Response) -> Any:
        """A rule."""
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    made = metric(needs=needs, range=(0, 1), better="higher", source="test")(rule)
    answered = Answered(pipeline="base", sample_id="a", repeat=0, response=response)
    (score,) = score_row(SAMPLE, answered, [Call.of("rule", made.bind())])
    return score


@pytest.mark.parametrize(("outcome", "value"), [(0.5, 0.5), (1, 1.0), (True, 1.0), (False, 0.0)])
def test_numbers_and_bools_are_values(outcome: Any, value: float) -> None:
    assert (scored(outcome).status, scored(outcome).value) == ("scored", value)


def test_text_is_a_label_and_a_verdict_is_kept_whole() -> None:
    assert scored("yes").label == "yes"
    score = scored(Verdict(value=0.5, label="partly", probability=0.9, rationale="r", parts=({"c": 1},)))
    assert (score.value, score.label, score.probability, score.rationale, score.parts) == (
        0.5,
        "partly",
        0.9,
        "r",
        ({"c": 1},),
    )


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (math.nan, "no number"),
        (math.inf, "no number"),
        (1.5, "outside 0–1"),
        (-0.1, "outside 0–1"),
        ([1], "a list, which is no score"),
        (Verdict(rationale="nothing else"), "neither a value nor a label"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (KeyError(), "KeyError"),
    ],
)
def test_what_is_no_score_fails_with_the_reason(outcome: Any, why: str) -> None:
    score = scored(outcome)
    assert (score.status, score.value, score.label) == ("failed", None, None)
    assert why in (score.error or "")


def test_a_metric_that_does_not_apply_is_skipped() -> None:
    assert scored(None).status == "skipped"
    assert (scored(Skip("only for lists")).status, scored(Skip("only for lists")).error) == (
        "skipped",
        "only for lists",
    )


def test_a_missing_field_skips_and_a_failed_response_fails() -> None:
    assert scored(1, needs=("facts",)).error == "no facts"
    assert scored(1, response=Response()).error == "no answer"
    failed = scored(1, response=Response(error="HTTP 500"))
    assert (failed.status, failed.error) == ("failed", "no answer: HTTP 500")


def test_no_passages_are_known_but_unknown_passages_are_missing() -> None:
    assert scored(1, needs=("contexts",), response=Response(answer="x", contexts=())).status == "scored"
    assert scored(1, needs=("contexts",)).error == "no contexts"


@metric(needs=("answer",), range=(0, None), better=None, source="test")
def letters(sample: Sample, response: Response, *, factor: int = 1) -> float:
    """How many letters the answer has."""
    return len(response.answer or "") * factor


@metric(needs=("answer",), range=(0, 1), better=None, source="test")
async def slow(sample: Sample, response: Response) -> float:
    """A metric that waits."""
    await asyncio.sleep(0)
    return 1.0


def test_labels_carry_parameters_only_where_they_must_tell_apart() -> None:
    assert list(label_metrics([letters.bind(factor=2)])) == ["letters"]
    assert list(label_metrics([letters.bind(), letters.bind(factor=2), letters.bind()])) == [
        "letters",
        "letters(factor=2)",
    ]


def test_the_batch_door_gives_a_score_a_row_and_metric() -> None:
    rows = [(SAMPLE, RESPONSE), (Sample(id="b"), Response())]
    columns = score_rows(rows, [letters.bind(), letters.bind(factor=2)])
    assert columns["letters(factor=2)"].values == [6, None]
    assert columns["letters"].each("status", "scored") == ["scored", "skipped"]


def test_the_arrow_door_says_the_same() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"id": ["a", "b"], "answer": ["Ada", None], "reference": [["Ada"], None]})
    scored = score_table(table, [letters.bind()])
    assert scored.to_pydict() == {
        "id": ["a", "b"],
        "letters": [3.0, None],
        "letters.status": ["scored", "skipped"],
        "letters.error": [None, "no answer"],
    }


def test_a_metric_that_waits_cannot_go_through_the_batch_door() -> None:
    with pytest.raises(UsageError, match=r"waits for a model[\s\S]*ringtrue.run"):
        score_rows([], [slow.bind()])
