"""Judges as metrics: listed without a model, bound to some, and signed by all that decides."""

import subprocess
import sys
from collections.abc import Callable
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest

import ringtrue.judges.catalogue as judges
from ringtrue.catalogue import Metric, metric
from ringtrue.engine.plan import Call
from ringtrue.engine.scoring import broken, refused
from ringtrue.errors import ConfigError, Skip, UnknownNameError, UsageError
from ringtrue.judges.catalogue import NO_MODEL, judge_metric, with_models
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, load_rubric
from ringtrue.judges.rubric import Example, Rubric
from ringtrue.types import Answered, Response, Sample
from tests.judges.scripted import Scripted, asked, row, verdicts, whole

CATALOGUE = [
    "answer_correctness",
    "answer_relevance",
    "baseline_factuality",
    "baseline_five_point",
    "baseline_five_star",
    "baseline_statements",
    "coherence",
    "conciseness",
    "context_precision",
    "context_recall",
    "context_relevance",
    "context_relevance_binary",
    "context_sufficiency",
    "correctness",
    "faithfulness",
    "faithfulness_binary",
    "guideline",
    "harmfulness",
    "maliciousness",
    "refusal",
]


def builtin(name: str) -> Metric:
    found = getattr(judges, name)
    assert isinstance(found, Metric)
    return found


def test_every_built_in_judge_is_a_metric_of_the_module() -> None:
    assert sorted(name for name, one in vars(judges).items() if isinstance(one, Metric)) == CATALOGUE


@pytest.mark.parametrize("name", CATALOGUE)
def test_without_a_model_a_judge_skips_and_says_how_to_name_one(name: str) -> None:
    one = builtin(name)
    assert (one.kind, one.made_by) == ("judge", ())
    assert not iscoroutinefunction(one.function)
    with pytest.raises(Skip, match="no judge model: name one with --judge-model PROVIDER:MODEL"):
        one(*row())


def test_a_skipped_judge_is_a_skipped_score_of_source_judge() -> None:
    call = Call.of("coherence", builtin("coherence").bind())
    answered = Answered(pipeline="p", sample_id="a", repeat=0, response=Response(answer="A"))
    assert refused(Sample(id="a"), answered, call) is None
    score = broken(answered, call, Skip(NO_MODEL))
    assert (score.status, score.source, score.error) == ("skipped", "judge", NO_MODEL)


@pytest.mark.parametrize(
    ("name", "needs", "better", "range"),
    [
        ("faithfulness", ("answer", "contexts"), "higher", (0, 1)),
        ("context_precision", ("question", "reference", "contexts"), "higher", (0, 1)),
        ("answer_correctness", ("answer",), "higher", (0, 1)),
        ("guideline", ("answer",), "higher", (0, 1)),  # the judge itself looks for metadata.guidelines
        ("harmfulness", ("answer",), "lower", (0, 1)),
        ("maliciousness", ("answer",), "lower", (0, 1)),
        ("refusal", ("question", "answer"), None, (0, 1)),
    ],
)
def test_a_judge_says_what_it_needs_and_which_way_is_better(
    name: str, needs: tuple[str, ...], better: str | None, range: tuple[float, float]
) -> None:
    one = builtin(name)
    assert (one.needs, one.better, one.range) == (needs, better, range)
    assert one.doc.startswith(one.summary)
    assert one.source


def test_parameters_are_those_that_a_judge_has_use_for() -> None:
    found = {name: [param.name for param in builtin(name).params] for name in CATALOGUE}
    assert found["faithfulness"] == found["refusal"] == ["max_chars"]
    assert found["answer_correctness"] == ["mode"]
    assert found["coherence"] == []
    with pytest.raises(UsageError, match="known: claims, one_call"):
        builtin("answer_correctness").bind(mode="fast")


def test_with_models_gives_the_same_metric_with_the_same_parameters() -> None:
    use = builtin("answer_correctness").bind(mode="one_call")
    model = Scripted(whole("yes"))
    bound = with_models(use, [model])
    assert iscoroutinefunction(bound.metric.function)
    assert str(bound) == str(use) == "answer_correctness(mode=one_call)"
    assert asked(bound, *row(reference=("Lima",))).label == "yes"
    assert len(model.requests) == 1


def test_with_models_is_for_built_in_judges() -> None:
    @metric(needs=("answer",), range=(0, 1), better="higher", source="test")
    def coherence(sample: Sample, response: Response) -> float:
        """Another one of that name."""
        return 1.0

    with pytest.raises(UsageError, match="'coherence' is no built-in judge"):
        with_models(coherence.bind(), [Scripted(whole("yes"))])


def signature(
    rubric: str | Rubric = "coherence", models: int = 1, bound: dict[str, Any] | None = None, **options: Any
) -> str:
    found = builtin_rubric(rubric) if isinstance(rubric, str) else rubric
    made = judge_metric(found, [Scripted(whole("yes"), id=f"openai:m{n}") for n in range(models)], **options)
    return made.bind(**(bound or {})).signature


def test_the_signature_names_model_rubric_sampling_and_jury() -> None:
    rubric = builtin_rubric("coherence")
    told = signature(models=2, repeats=3, combine="mean", params={"temperature": 0.7, "seed": 1})
    parts = dict(part.split(":", 1) for part in told.split("|")[1:])
    assert parts["model"] == "openai:m0+openai:m1"
    assert parts["rubric"] == rubric.hash
    assert (parts["repeats"], parts["combine"], parts["temperature"], parts["seed"]) == ("3", "mean", "0.7", "1")
    assert signature().split("|")[0] == "coherence"
    assert "repeats" not in signature()


def test_whatever_can_change_a_verdict_changes_the_signature() -> None:
    example = Example(fields={"answer": "x"}, label="no")
    found = [
        signature(),
        signature(models=2),
        signature(repeats=2),
        signature(repeats=2, combine="mean"),
        signature(params={"temperature": 0}),
        signature(examples=[example]),
        signature(least_label_mass=0.5),
        signature("conciseness"),
        signature("faithfulness"),
        signature("faithfulness", bound={"max_chars": 1000}),
        signature("answer_correctness"),
        signature("answer_correctness", bound={"mode": "one_call"}),
    ]
    assert len(set(found)) == len(found)
    assert signature() == signature()


def test_what_a_model_sends_by_itself_is_signed_too() -> None:
    class Cool(Scripted):
        address = None
        params = {"temperature": 0, "seed": 3}  # noqa: RUF012

    told = judge_metric(builtin_rubric("coherence"), [Cool("x", id="openai:m"), Scripted("x")]).bind().signature
    assert "|model:openai:m(seed=3,temperature=0)+python:scripted|" in told


def test_where_a_model_is_asked_is_signed_too() -> None:
    class There(Scripted):
        address = "http://host:8000/v1"

    told = judge_metric(builtin_rubric("coherence"), [There("x", id="openai-compatible:m")]).bind().signature
    assert "|model:openai-compatible:m@http://host:8000/v1|" in told


def test_a_refusal_is_signed_by_the_judge_beside_it_too() -> None:
    assert builtin_rubric("context_sufficiency").hash in signature("refusal")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"repeats": 0}, "repeats cannot be 0"),
        ({"combine": "best"}, "combine cannot be 'best'"),
        ({"least_label_mass": 2}, "least_label_mass cannot be 2"),
        ({"examples": [Example(fields={"answer": "x"}, label="Yes!")]}, "unknown label 'Yes!'"),
        ({"examples": [Example(fields={"reply": "x"}, label="yes")]}, "unknown field 'reply'"),
    ],
)
def test_a_jury_that_cannot_be_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises((UsageError, ConfigError), match=told):
        judge_metric(builtin_rubric("coherence"), [Scripted("x")], **options)


def test_labels_without_values_have_no_mean() -> None:
    rubric = Rubric(name="k", summary="K.", needs=("answer",), role="R", task="T", labels={"a": None, "b": None})
    with pytest.raises(UsageError, match="have no mean"):
        judge_metric(rubric, [Scripted("x")], combine="mean")


def test_a_rubric_file_of_the_users_is_a_metric(write: Callable[..., Path]) -> None:
    path = write(
        "tone.yaml",
        "name: tone\nsummary: Whether the tone fits.\nneeds: [answer, contexts]\nunit: passages\nrole: You judge.\n"
        "task: Does {passage} fit {answer}?\nlabels: {yes: 1, no: 0}\npositive: yes\n",
    )
    one = judge_metric(load_rubric(path), [Scripted(verdicts(p1="yes", p2="no"))])
    assert (one.name, one.needs, one.kind) == ("tone", ("answer", "contexts"), "judge")
    assert asked(one, *row(contexts=["a", "b"])).value == 0.5
    with pytest.raises(Skip, match="no judge model"):
        judge_metric(load_rubric(path))(*row())


def test_an_unknown_parameter_is_told() -> None:
    with pytest.raises(UnknownNameError, match="max_chars"):
        builtin("faithfulness").bind(max_char=1)


def test_listing_the_judges_loads_neither_http_nor_pydantic() -> None:
    code = "import ringtrue.judges.catalogue, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert not loaded & {"aiohttp", "pydantic", "numpy", "sqlalchemy", "rich", "jinja2", "xllamacpp", "boto3"}


def test_the_three_published_judges_have_their_published_labels() -> None:
    # AWS, Evaluate the reliability of RAG applications using Amazon Bedrock.
    rubrics = builtin_rubrics()
    assert list(rubrics["faithfulness_binary"].labels) == ["factual", "hallucinated"]
    assert list(rubrics["context_relevance_binary"].labels) == ["relevant", "irrelevant"]
    assert list(rubrics["answer_relevance"].labels) == ["relevant", "irrelevant"]
    for name in ("faithfulness_binary", "context_relevance_binary", "answer_relevance"):
        assert rubrics[name].unit == "whole"
        assert "reference" not in rubrics[name].fields
