"""Every built-in judge on a row, with a scripted model: verdicts, edge cases, failures, juries."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from ringtrue.catalogue import FIELDS
from ringtrue.data.facts import parse_facts
from ringtrue.errors import Skip
from ringtrue.judges.asking import JudgeFailure, JudgeSkip
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics
from ringtrue.judges.rubric import Example, Rubric
from ringtrue.models.types import Completion, ModelFailure, Request, Usage
from ringtrue.types import Passage, Response, Sample
from tests.judges.scripted import Scripted, asked, judged, row, verdicts, whole

GUIDELINES = {"guidelines": ["Be brief.", "Say please."]}
CLAIMS = {
    "claims": [
        {"source": "Lima is the capital", "claim": "Lima is the capital of Peru.", "kind": "essential"},
        {"source": "since 1535", "claim": "Lima has been it since 1535.", "kind": "extra"},
    ]
}


def everything() -> tuple[Sample, Response]:
    """A row that has all that any judge needs."""
    return row(contexts=["Lima is the capital of Peru.", "Cusco is old."], reference=("Lima",), metadata=GUIDELINES)


def failing(rubric: str | Rubric, *replies: Any, **options: Any) -> JudgeFailure:
    """The failure of a judge on the row that has everything."""
    with pytest.raises(JudgeFailure) as raised:
        judged(rubric, Scripted(*replies), *everything(), **options)
    return raised.value


WHOLES = sorted(name for name, one in builtin_rubrics().items() if one.unit == "whole" and name != "refusal")


@pytest.mark.parametrize("name", WHOLES)
@pytest.mark.parametrize("place", [0, 1])
def test_a_judge_of_the_whole_gives_its_label_value_and_reason(name: str, place: int) -> None:
    rubric = builtin_rubric(name)
    label = list(rubric.labels)[place]
    said = whole(label, "It is so.") if rubric.rationale else {"verdict": label}
    model = Scripted(said, probabilities={rubric.positive or label: 0.75})
    verdict = judged(name, model, *everything())
    told = "It is so." if rubric.rationale else None
    assert (verdict.value, verdict.label, verdict.rationale) == (rubric.labels[label], label, told)
    assert verdict.probability == 0.75  # of the positive label, whichever was given, where there is one
    assert verdict.parts is None
    assert model.requests[0].labels == tuple(rubric.labels)


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_a_judge_is_shown_what_it_needs_and_nothing_else_of_the_row(name: str) -> None:
    rubric = builtin_rubric(name)
    shown = {
        "question": "QUESTION-1",
        "answer": "ANSWER-1",
        "reference": ("REFERENCE-1",),
        "contexts": (Passage(text="CONTEXT-1", id="ID-1"),),
        "metadata": {"guidelines": "GUIDELINE-1", "note": "NOTE-1"},
    }
    sample = Sample(id="SAMPLE-1", question="QUESTION-1", reference=("REFERENCE-1",), metadata=shown["metadata"])
    response = Response(answer="ANSWER-1", contexts=shown["contexts"], model="MODEL-1", metadata={"trace": "TRACE-1"})
    model = Scripted(lambda request: answer_to(request, rubric))
    judged(name, model, sample, response)
    everything_said = "\n".join(model.prompts)
    for field in rubric.fields:
        word = field.removeprefix("metadata.").rstrip("s").upper() + "-1"
        if (field in FIELDS and field != "facts") or field.startswith("metadata"):
            assert word in everything_said
    for word in ("ID-1", "NOTE-1", "SAMPLE-1", "MODEL-1", "TRACE-1"):
        assert word not in everything_said


def answer_to(request: Request, rubric: Rubric) -> Any:
    """A reply in whatever schema is asked for: the first label everywhere."""
    properties = (request.schema or {})["properties"]
    if "claims" in properties:
        return CLAIMS
    if "verdicts" in properties:
        found = properties["verdicts"]["properties"]
        return verdicts(**{id: one["properties"]["verdict"]["enum"][0] for id, one in found.items()})
    return whole(properties["verdict"]["enum"][0])


def test_context_relevance_is_the_share_of_relevant_passages() -> None:
    verdict = judged("context_relevance", Scripted(verdicts(p1="relevant", p2="irrelevant")), *everything())
    assert (verdict.value, verdict.label) == (0.5, None)
    assert verdict.rationale == "1 of 2 passages: relevant; p2 irrelevant: “Cusco is old.”, Because"
    assert verdict.parts is not None
    assert verdict.parts[0] == {
        "kind": "passage",
        "id": "p1",
        "text": "Lima is the capital of Peru.",
        "verdict": "relevant",
        "value": 1.0,
        "reason": "Because.",
    }


def test_context_precision_looks_at_the_order() -> None:
    verdict = judged("context_precision", Scripted(verdicts(p1="useless", p2="useful")), *everything())
    assert verdict.value == 0.5


def test_faithfulness_checks_every_claim_and_its_evidence() -> None:
    reply = verdicts(
        c1={"verdict": "supported", "quote": "Lima is the capital of Peru", "reason": "p1 says so."},
        c2={"verdict": "supported", "quote": "since 1535", "reason": "It is there."},
    )
    verdict = judged("faithfulness", Scripted(CLAIMS, reply), *everything())
    assert (verdict.value, verdict.label) == (1.0, "factual")
    assert verdict.parts is not None
    first, second = verdict.parts
    assert (first["evidence"], first["quoted"], first["found_in"]) == ("Lima is the capital of Peru", True, "p1")
    assert (second["quoted"], second["note"]) == (False, "the quoted words are not there")
    assert "found_in" not in second
    assert (first["in_source"], second["in_source"]) == (True, False)


def test_one_unsupported_claim_is_a_hallucination() -> None:
    model = Scripted(CLAIMS, verdicts(c1="supported", c2="missing"))
    verdict = judged("faithfulness", model, *everything())
    assert (verdict.value, verdict.label) == (0.5, "hallucinated")
    assert verdict.rationale == ("1 of 2 claims: supported; c2 missing: “Lima has been it since 1535.”, Because")


def test_an_answer_without_claims_is_skipped_with_what_it_took() -> None:
    with pytest.raises(JudgeSkip, match="no claim that could be checked") as raised:
        judged("faithfulness", Scripted({"claims": []}), *everything())
    assert raised.value.usage["calls"] == 1
    assert raised.value.exchanges[0]["reply"] == '{"claims":[]}'
    assert isinstance(raised.value, Skip)


def test_context_recall_takes_listed_facts_without_asking_for_claims() -> None:
    sample, response = row(contexts=["Lima, since 1535."], facts=parse_facts("Lima<AND>1536"), reference=("unused",))
    model = Scripted(verdicts(c1="supported", c2="missing"))
    verdict = judged("context_recall", model, sample, response)
    assert verdict.value == 0.5
    assert len(model.requests) == 1
    assert "unused" not in model.prompts[0]


def test_answer_correctness_is_yes_where_the_needed_claims_are_there() -> None:
    reply = verdicts(c1={"verdict": "supported", "quote": "Lima is the capital"}, c2="missing")
    verdict = judged("answer_correctness", Scripted(CLAIMS, reply), *everything())
    assert (verdict.value, verdict.label) == (1.0, "yes")
    assert verdict.parts is not None
    assert [part["required"] for part in verdict.parts] == [True, False]


def test_answer_correctness_is_no_where_a_claim_is_contradicted_and_names_it() -> None:
    reply = verdicts(c1="supported", c2={"verdict": "contradicted", "quote": "capital", "reason": "It says 1536."})
    verdict = judged("answer_correctness", Scripted(CLAIMS, reply), *everything())
    assert (verdict.value, verdict.label) == (0.0, "no")
    assert verdict.rationale is not None
    assert "c2 contradicted: “Lima has been it since 1535.”, It says 1536" in verdict.rationale


def test_answer_correctness_by_facts_shows_the_golden_answer_beside_them() -> None:
    sample, response = row(facts=parse_facts("Lima"), reference=("It is Lima.",))
    model = Scripted(verdicts(c1="supported"))
    assert judged("answer_correctness", model, sample, response).label == "yes"
    assert "Reference answer:" in model.prompts[0]
    assert "Claim c1:" in model.prompts[0]


def test_answer_correctness_in_one_call_has_the_same_labels() -> None:
    model = Scripted(whole("no", "It misses Lima."))
    verdict = judged("answer_correctness", model, *everything(), mode="one_call")
    assert (verdict.value, verdict.label, verdict.rationale) == (0.0, "no", "It misses Lima.")
    assert len(model.requests) == 1
    assert "Reference answer:" in model.prompts[0]


def test_answer_correctness_without_a_golden_side_is_skipped() -> None:
    with pytest.raises(JudgeSkip, match="no facts or reference"):
        judged("answer_correctness", Scripted(CLAIMS), *row())


def test_guideline_gives_a_verdict_each() -> None:
    verdict = judged("guideline", Scripted(verdicts(g1="yes", g2="no")), *everything())
    assert (verdict.value, verdict.label) == (0.5, "no")
    assert verdict.parts is not None
    assert [part["text"] for part in verdict.parts] == ["Be brief.", "Say please."]
    assert judged("guideline", Scripted(verdicts(g1="yes", g2="yes")), *everything()).label == "yes"


@pytest.mark.parametrize(
    ("refused", "sufficient", "right"),
    [("yes", "no", True), ("yes", "yes", False), ("no", "yes", True), ("no", "no", False)],
)
def test_a_refusal_is_right_where_the_passages_do_not_suffice(refused: str, sufficient: str, right: bool) -> None:
    verdict = judged("refusal", Scripted(whole(refused), whole(sufficient, "Why.")), *everything())
    assert verdict.label == refused
    assert verdict.parts == (
        {"kind": "right", "judge": "context_sufficiency", "verdict": sufficient, "right": right, "reason": "Why."},
    )
    assert verdict.usage is not None
    assert verdict.usage["calls"] == 2


def test_a_refusal_asks_the_same_question_as_context_sufficiency() -> None:
    beside, alone = Scripted(whole("yes"), whole("no")), Scripted(whole("no"))
    judged("refusal", beside, *everything())
    judged("context_sufficiency", alone, *everything())
    assert beside.requests[1] == alone.requests[0]  # so that a run that has both asks once, by the models' cache


@pytest.mark.parametrize(("name", "params"), [("refusal", {}), ("answer_correctness", {"mode": "one_call"})])
def test_without_a_rationale_nobody_is_asked_why(name: str, params: dict[str, str]) -> None:
    model = Scripted({"verdict": "no"})
    verdict = judged(name, model, *everything(), rationale=False, **params)
    assert (verdict.label, verdict.rationale) == ("no", None)
    for request in model.requests:
        assert request.schema is not None
        assert list(request.schema["properties"]) == ["verdict"]
        assert "reason" not in request.messages[0].content.partition("# Reply")[2].replace("write reasons", "")
    metrics = [judge_metric(builtin_rubric(name), [model], rationale=one) for one in (True, False)]
    assert len({metric.bind().signature for metric in metrics}) == 2


def test_a_refusal_is_right_where_nothing_was_retrieved_and_unknown_without_a_record() -> None:
    verdict = judged("refusal", Scripted(whole("yes")), *row(contexts=[]))
    assert verdict.parts is not None
    assert verdict.parts[0]["right"] is True
    assert judged("refusal", Scripted(whole("yes")), *row()).parts is None


def test_a_refusal_stands_where_the_judge_beside_fails() -> None:
    verdict = judged("refusal", Scripted(whole("yes"), ModelFailure("refused", "I cannot.")), *everything())
    assert verdict.label == "yes"
    assert verdict.parts == ({"kind": "right", "judge": "context_sufficiency", "unknown": "I cannot."},)


# Nothing was retrieved


@pytest.mark.parametrize("name", ["context_relevance", "context_precision"])
def test_without_passages_there_is_nothing_to_rank(name: str) -> None:
    with pytest.raises(JudgeSkip, match="nothing was retrieved"):
        judged(name, Scripted("unused"), *row(contexts=[], reference=("Lima",)))


@pytest.mark.parametrize(("name", "label"), [("context_sufficiency", "no"), ("context_relevance_binary", "irrelevant")])
def test_no_passage_suffices_without_asking(name: str, label: str) -> None:
    model = Scripted("unused")
    verdict = judged(name, model, *row(contexts=[]))
    assert (verdict.value, verdict.label, verdict.rationale) == (0.0, label, "nothing was retrieved")
    assert not model.requests
    assert verdict.usage is not None
    assert (verdict.usage["calls"], verdict.usage["cost"]) == (0, 0.0)


@pytest.mark.parametrize(("name", "label"), [("faithfulness", "hallucinated"), ("context_recall", None)])
def test_no_claim_is_supported_by_nothing(name: str, label: str | None) -> None:
    model = Scripted(CLAIMS)
    verdict = judged(name, model, *row(contexts=[], reference=("Lima",)))
    assert (verdict.value, verdict.label) == (0.0, label)
    assert len(model.requests) == 1  # the claims
    assert verdict.parts is not None
    assert {part["verdict"] for part in verdict.parts} == {"missing"}


def test_a_refusal_without_passages_is_no_hallucination() -> None:
    with pytest.raises(JudgeSkip, match="no claim"):
        judged("faithfulness", Scripted({"claims": []}), *row("I do not know.", contexts=[]))


def test_the_binary_faithfulness_judge_is_told_that_nothing_was_retrieved() -> None:
    model = Scripted(whole("hallucinated"))
    judged("faithfulness_binary", model, *row(contexts=[]))
    assert "(No passage was retrieved.)" in model.prompts[0]


# Replies that are no verdict


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (verdicts(p1="relevant"), "unparsed", "p2"),
        ({"verdicts": {}}, "unparsed", "p1"),
        ({"verdicts": [{"id": "p1", "verdict": "relevant"}]}, "unparsed", "verdicts"),
        (verdicts(P1="relevant", p2="relevant"), "unparsed", "p1"),
        ('{"verdicts": {"p1": {"reason": "", "verdict": "relevant"}, "p1": {"reason": "", "verdict": "irrelevant"}}}',
         "unparsed", "JSON"),
        (verdicts(p1="relevant", p2="maybe"), "bad_label", "maybe"),
        (verdicts(p1="relevant", p2=""), "bad_label", "p2"),
        ("relevant", "unparsed", "relevant"),
        ("", "unparsed", ""),
    ],
)  # fmt: skip
def test_missing_double_or_unknown_verdicts_fail_and_never_pass(reply: Any, kind: str, told: str) -> None:
    failure = failing("context_relevance", reply)
    assert failure.kind == kind
    assert failure.message.startswith(kind.replace("_", " ") + ": ")
    assert told in failure.message
    assert failure.usage["calls"] == 1
    assert failure.exchanges[0]["messages"][-1]["content"].startswith("The CODE of this message")


def test_verdicts_about_unknown_ids_are_passed_over() -> None:
    reply = verdicts(p1="relevant", p2="relevant", p3="irrelevant", c1="relevant")
    assert judged("context_relevance", Scripted(reply), *everything()).value == 1.0


def test_a_label_may_differ_in_case_and_marks_only() -> None:
    assert (
        judged("context_relevance", Scripted(verdicts(p1="Relevant.", p2=" IRRELEVANT\n")), *everything()).value == 0.5
    )


def test_a_models_failure_keeps_its_kind_and_what_it_took() -> None:
    took = Usage(input_tokens=5, output_tokens=0, calls=3, cost=None, latency_s=2.0)
    failure = failing("coherence", ModelFailure("truncated", "ran out", raw="{", usage=took, mend="ask for more"))
    assert (failure.kind, failure.message) == ("truncated", "truncated: ran out")
    assert failure.usage == {
        "input_tokens": 5, "output_tokens": 0, "calls": 3, "cost": None, "latency_s": 2.0, "cached": False
    }  # fmt: skip
    assert failure.exchanges[0]["failure"] == "truncated"
    assert failure.exchanges[0]["reply"] == "{"
    assert str(failure).endswith("ask for more")


def test_labels_with_little_of_the_probability_fail_where_that_is_asked_for() -> None:
    model = Scripted(whole("yes"), probabilities={"yes": 1.0})
    model.label_mass = 0.05
    verdict = judged("coherence", model, *everything())
    assert verdict.exchanges is not None
    assert verdict.exchanges[0]["label_mass"] == 0.05
    with pytest.raises(JudgeFailure, match="low label mass"):
        judged("coherence", model, *everything(), least_label_mass=0.5)


def test_a_models_own_parsed_object_is_taken_and_checked() -> None:
    class Parsed(Scripted):
        async def complete(self, request: Request) -> Completion:
            return replace(await super().complete(request), parsed={"rationale": "", "verdict": "Yes."}, text="unread")

    assert judged("coherence", Parsed("unread"), *everything()).label == "yes"


# Long passages


def long_row(*sizes: int) -> tuple[Sample, Response]:
    return row(contexts=[f"word{n} " * (size // 6) for n, size in enumerate(sizes)], reference=("Lima",))


def test_long_passages_are_judged_in_several_calls() -> None:
    model = Scripted(lambda request: answer_to(request, builtin_rubric("context_relevance")))
    verdict = judged("context_relevance", model, *long_row(900, 900, 900), max_chars=2000)
    assert verdict.value == 1.0
    assert len(model.requests) == 2
    assert verdict.parts is not None
    assert [part["id"] for part in verdict.parts] == ["p1", "p2", "p3"]
    assert [("p3" in prompt) for prompt in model.prompts] == [False, True]


def test_a_claim_that_one_of_several_calls_supports_is_supported() -> None:
    model = Scripted(
        {"claims": CLAIMS["claims"][:1]}, verdicts(c1="missing"), verdicts(c1="supported"), verdicts(c1="contradicted")
    )
    verdict = judged("faithfulness", model, *long_row(900, 900, 900), max_chars=1000)
    assert verdict.value == 1.0


def test_one_passage_that_is_too_long_is_judged_in_parts() -> None:
    model = Scripted(verdicts(p1="irrelevant"), verdicts(p1="relevant"), verdicts(p1="irrelevant"))
    verdict = judged("context_relevance", model, *long_row(1400), max_chars=500)
    assert verdict.value == 1.0
    assert "Passage p1 (part 2 of 3):" in model.prompts[1]


@pytest.mark.parametrize("labels", [["irrelevant", "relevant"], ["relevant", "irrelevant"]])
def test_long_passages_are_relevant_where_one_call_says_so(labels: list[str]) -> None:
    model = Scripted(*map(whole, labels))
    assert judged("context_relevance_binary", model, *long_row(900, 900), max_chars=1000).label == "relevant"
    model = Scripted(whole("irrelevant"))
    assert judged("context_relevance_binary", model, *long_row(900, 900), max_chars=1000).label == "irrelevant"


def test_long_passages_suffice_where_one_calls_do_and_fail_otherwise() -> None:
    model = Scripted(whole("no"), whole("yes"))
    assert judged("context_sufficiency", model, *long_row(900, 900), max_chars=1000).label == "yes"
    with pytest.raises(JudgeFailure, match="too long: the passages needed 2 calls, none of which gave 'yes'"):
        judged("context_sufficiency", Scripted(whole("no")), *long_row(900, 900), max_chars=1000)


def test_a_verdict_that_needs_all_passages_at_once_is_refused_for_long_ones() -> None:
    model = Scripted(whole("factual"))
    with pytest.raises(JudgeFailure, match="too long") as raised:
        judged("faithfulness_binary", model, *long_row(900, 900), max_chars=1000)
    assert "raise max_chars" in str(raised.value)
    assert not model.requests


# Juries


def test_a_majority_of_models_decides_and_the_spread_is_told() -> None:
    models = [Scripted(whole(label, label), id=f"python:{n}") for n, label in enumerate(["no", "yes", "yes"])]
    verdict = judged("coherence", models, *everything())
    assert (verdict.value, verdict.label, verdict.rationale) == (1.0, "yes", "yes")
    assert verdict.probability == pytest.approx(2 / 3)
    assert verdict.parts is not None
    (jury,) = verdict.parts
    assert jury["kind"] == "jury"
    assert jury["flip_rate"] == pytest.approx(1 / 3)
    assert jury["spread"] == 1.0
    assert [one["voter"] for one in jury["voters"]] == ["python:0", "python:1", "python:2"]
    assert verdict.usage is not None
    assert verdict.usage["calls"] == 3


def test_repeats_of_one_model_are_told_apart_in_the_request() -> None:
    model = Scripted(whole("yes"))
    verdict = judged("coherence", model, *everything(), repeats=3)
    assert sorted(request.repeat for request in model.requests) == [0, 1, 2]
    assert verdict.probability == 1.0
    assert verdict.parts is not None
    assert [one["voter"] for one in verdict.parts[0]["voters"]][1] == "python:scripted #2"


def test_a_tie_is_a_failure() -> None:
    models = [Scripted(whole(label)) for label in ("yes", "no")]
    with pytest.raises(JudgeFailure, match="no majority: 1 yes, 1 no") as raised:
        judged("coherence", models, *everything())
    assert raised.value.kind == "no_majority"
    assert raised.value.usage["calls"] == 2


def test_the_mean_of_a_jury_needs_no_majority() -> None:
    models = [Scripted(whole(label)) for label in ("yes", "no")]
    verdict = judged("coherence", models, *everything(), combine="mean")
    assert (verdict.value, verdict.label, verdict.probability) == (0.5, None, 0.5)


def test_a_jury_votes_on_every_claim_which_are_taken_apart_once() -> None:
    models = [
        Scripted(CLAIMS, verdicts(c1="supported", c2="missing"), id="python:a"),
        Scripted(verdicts(c1="supported", c2="supported"), id="python:b"),
        Scripted(verdicts(c1="missing", c2="supported"), id="python:c"),
    ]
    verdict = judged("faithfulness", models, *everything())
    assert (verdict.value, verdict.label) == (1.0, "factual")
    assert verdict.probability == pytest.approx(1 / 3)  # one voter of three called all of it supported
    assert verdict.parts is not None
    first, second, jury = verdict.parts
    assert first["votes"] == {"supported": 2, "missing": 1}
    assert second["probability"] == pytest.approx(2 / 3)
    assert jury["flip_rate"] == pytest.approx(1 / 3)
    assert jury["spread"] == 0.5


def test_the_mean_over_claims_is_the_mean_of_the_rows_values() -> None:
    models = [
        Scripted(CLAIMS, verdicts(c1="supported", c2="missing")),
        Scripted(verdicts(c1="supported", c2="supported")),
    ]
    verdict = judged("faithfulness", models, *everything(), combine="mean")
    assert verdict.value == 0.75
    assert verdict.parts is not None
    assert "verdict" not in verdict.parts[1]
    assert verdict.parts[1]["votes"] == {"missing": 1, "supported": 1}


def test_a_voter_that_fails_is_told_where_the_others_decide() -> None:
    models = [Scripted(whole("yes")), Scripted(whole("yes")), Scripted(ModelFailure("timed_out", "slow"))]
    verdict = judged("coherence", models, *everything())
    assert verdict.label == "yes"
    assert verdict.parts is not None
    assert verdict.parts[0]["voters"][2]["failed"] == "timed_out"


@pytest.mark.parametrize("combine", ["majority", "mean"])
def test_a_voter_that_fails_and_might_have_decided_fails_the_score(combine: str) -> None:
    models = [Scripted(whole("yes")), Scripted(ModelFailure("timed_out", "slow"))]
    with pytest.raises(JudgeFailure, match="timed out: slow") as raised:
        judged("coherence", models, *everything(), combine=combine)
    assert len(raised.value.exchanges) == 2


def test_the_mean_of_a_jury_fails_with_any_of_its_voters() -> None:
    models = [Scripted(whole("yes")), Scripted(whole("yes")), Scripted(ModelFailure("timed_out", "slow"))]
    with pytest.raises(JudgeFailure, match="timed out: slow"):
        judged("coherence", models, *everything(), combine="mean")


def test_a_refusal_without_a_majority_is_neither_right_nor_wrong() -> None:
    models = [Scripted(whole("yes"), whole("no")), Scripted(whole("no"), whole("no"))]
    verdict = judged("refusal", models, *everything(), combine="mean")
    assert (verdict.value, verdict.label) == (0.5, None)
    assert verdict.parts is not None
    assert verdict.parts[-1]["unknown"] == "no majority"
    assert "right" not in verdict.parts[-1]


def test_votes_that_have_neither_a_majority_nor_a_mean_fail() -> None:
    rubric = replace(builtin_rubric("coherence"), labels={"yes": 1.0, "a": None, "b": None}, criteria=(), edge_cases=())
    models = [Scripted(whole("a")), Scripted(whole("b"))]
    with pytest.raises(JudgeFailure, match="no majority"):
        judged(rubric, models, *everything(), combine="mean")


# The record


def test_all_that_was_said_is_kept_in_the_order_of_the_questions() -> None:
    async def slow_first(request: Request) -> None:
        await asyncio.sleep(0.01 if request.repeat == 0 else 0)

    class Slow(Scripted):
        async def complete(self, request: Request) -> Completion:
            await slow_first(request)
            return await super().complete(request)

    verdict = judged("coherence", Slow(whole("yes")), *everything(), repeats=2, params={"temperature": 1.0})
    assert verdict.exchanges is not None
    assert [one["repeat"] for one in verdict.exchanges] == [0, 1]
    one = verdict.exchanges[0]
    assert (one["about"], one["model"]) == ("coherence", "python:scripted")
    assert [message["role"] for message in one["messages"]] == ["system", "user"]
    assert one["reply"] == '{"rationale":"Because.","verdict":"yes"}'
    assert one["replied_by"] == "scripted-1"
    assert one["usage"]["cost"] == 0.01
    assert verdict.usage == {
        "input_tokens": 200, "output_tokens": 20, "calls": 2, "cost": 0.02, "latency_s": 1.0, "cached": False
    }  # fmt: skip


def test_only_the_parameters_given_are_sent() -> None:
    model = Scripted(whole("yes"))
    judged("coherence", model, *everything())
    judged("coherence", model, *everything(), params={"temperature": 0, "seed": 1})
    assert [dict(request.params) for request in model.requests] == [{}, {"temperature": 0, "seed": 1}]


def test_the_same_row_makes_the_same_requests() -> None:
    model = Scripted(lambda request: answer_to(request, builtin_rubric("faithfulness")))
    judged("faithfulness", model, *everything())
    judged("faithfulness", model, *everything())
    assert model.requests[:2] == model.requests[2:]


def test_examples_are_shown_before_the_row() -> None:
    model = Scripted(whole("yes"))
    example = Example(fields={"answer": "Yes. No."}, label="no", rationale="It contradicts itself.")
    judged("coherence", model, *everything(), examples=[example])
    assert [one.role for one in model.requests[0].messages] == ["system", "user", "assistant", "user"]
    assert "It contradicts itself." in model.requests[0].messages[2].content


# A rubric of the user's


def test_a_graded_rubric_gives_its_values_and_not_applicable_none() -> None:
    rubric = Rubric(
        name="depth",
        summary="How deep.",
        needs=("answer",),
        optional=("metadata.level",),
        role="You judge.",
        task="How deep is {answer}?",
        labels={"1": 1.0, "2": 2.0, "3": 3.0, "none": None},
    )
    metric = judge_metric(rubric, [Scripted(whole("3"))])
    assert metric.range == (1.0, 3.0)
    assert asked(metric, *row()).value == 3.0
    verdict = judged(rubric, Scripted(whole("none")), *row())
    assert (verdict.value, verdict.label) == (None, "none")
    models = [Scripted(whole(label)) for label in ("1", "2", "3")]
    assert judged(rubric, models, *row(), combine="mean").value == 2.0
    model = Scripted(whole("1"))
    judged(rubric, model, *row(metadata={"level": {"a": "{b}"}}))
    assert '\n{"a":"{b}"}\n' in model.prompts[0]


def test_a_categorical_rubric_gives_labels_alone() -> None:
    rubric = Rubric(
        name="kind",
        summary="Which kind.",
        needs=("answer",),
        role="You sort.",
        task="Sort.",
        labels={"fact": None, "opinion": None},
    )
    verdict = judged(rubric, Scripted(whole("opinion"), whole("fact"), whole("opinion")), *row(), repeats=3)
    assert (verdict.value, verdict.label) == (None, "opinion")
    assert verdict.probability == pytest.approx(2 / 3)
    metric = judge_metric(rubric)
    assert (metric.range, metric.better) == ((None, None), None)
