"""What a metric gives becomes a Score; nothing is invented, and nothing a metric raises gets out."""

import asyncio
import math
from dataclasses import replace
from typing import Any

import pytest

from ringtrue.catalogue import MetricUse, metric
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


def judged_by(*models: str, label: str | None = None, **made_by: str) -> MetricUse:
    """A judge that says which models it asks and what else decides."""
    signed = tuple({"model": "+".join(models), **made_by}.items())
    metric = replace(letters, name="fair", kind="judge", models=tuple(one.split("@")[0] for one in models))
    return MetricUse(replace(metric, made_by=signed), label=label)


def test_a_judge_alone_has_its_bare_name_and_two_have_their_models() -> None:
    assert list(label_metrics([judged_by("a:m", rubric="1")])) == ["fair"]
    assert list(label_metrics([judged_by("a:m"), judged_by("b:m"), judged_by("a:m", "b:m"), letters.bind()])) == [
        "fair[a:m]",
        "fair[b:m]",
        "fair[a:m+b:m]",
        "letters",
    ]


def test_one_model_asked_in_two_ways_is_told_apart_by_what_differs() -> None:
    alike = [judged_by("a:m", rubric="1"), judged_by("a:m", rubric="1", repeats="3"), judged_by("b:m", rubric="1")]
    assert list(label_metrics(alike)) == ["fair[a:m]", "fair[a:m, repeats:3]", "fair[b:m]"]
    assert list(label_metrics(reversed(alike))) == ["fair[b:m]", "fair[a:m, repeats:3]", "fair[a:m]"]
    there = [judged_by("a:m@http://one/v1"), judged_by("a:m@http://two/v1")]
    assert list(label_metrics(there)) == ["fair[a:m@http://one/v1]", "fair[a:m@http://two/v1]"]


def test_a_name_of_the_users_own_stands_first() -> None:
    assert list(label_metrics([judged_by("a:m", label="mild"), judged_by("b:m")])) == ["mild", "fair"]
    assert list(label_metrics([judged_by("a:m", label="fair"), judged_by("b:m")])) == ["fair", "fair[b:m]"]


def test_one_metric_comes_up_once_and_a_name_stands_for_one() -> None:
    assert list(label_metrics([judged_by("a:m"), judged_by("a:m")])) == ["fair"]
    with pytest.raises(UsageError, match="'mild' and 'fair' are one metric"):
        label_metrics([judged_by("a:m", label="mild"), judged_by("a:m")])
    with pytest.raises(UsageError, match="two metrics of this run are named 'mild'"):
        label_metrics([judged_by("a:m", label="mild"), judged_by("b:m", label="mild")])
    with pytest.raises(UsageError, match="named 'letters'"):
        label_metrics([judged_by("a:m", label="letters"), replace(letters.bind(), label="letters")])


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
