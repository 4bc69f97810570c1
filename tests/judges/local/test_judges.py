"""The local judges with the network that the package carries."""

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ringtrue.catalogue import MetricUse, find_metric
from ringtrue.data.facts import parse_facts
from ringtrue.errors import MissingExtraError, Skip, UsageError
from ringtrue.judges.local import catalogue
from ringtrue.judges.local.cascade import with_cascade
from ringtrue.judges.local.catalogue import LOCAL, with_local, without_model
from ringtrue.models.types import Completion
from ringtrue.types import Passage, Response, Sample, Verdict

QUESTION = "What were net sales in the second quarter?"


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("a local judge opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    yield


def judged(name: str, *, sample: dict[str, Any] | None = None, **response: Any) -> Verdict:
    params = response.pop("params", {})
    contexts = response.pop("contexts", None)
    passages = None if contexts is None else tuple(Passage(text=one, id=f"d{n}") for n, one in enumerate(contexts, 1))
    use = with_local(find_metric(name).bind()) if not params else catalogue.with_local(_bound(name, params))
    given = {"question": QUESTION} | (sample or {})
    outcome = use(Sample(id="1", **given), Response(contexts=passages, **response))
    verdict = asyncio.run(outcome)
    assert isinstance(verdict, Verdict)
    return verdict


def _bound(name: str, params: dict[str, Any]) -> MetricUse:
    return replace(find_metric(name).bind(), given=tuple(params.items()))


def test_a_right_and_a_wrong_answer() -> None:
    reference = {"reference": ("$134.4 billion",)}
    right = judged("answer_correctness", sample=reference, answer="Net sales came to $134,383 million.")
    wrong = judged("answer_correctness", sample=reference, answer="Net sales were $170.0 billion.")
    assert (right.value, right.label) == (1.0, "yes")
    assert (wrong.value, wrong.label) == (0.0, "no")
    assert right.probability is not None and wrong.probability is not None
    assert right.probability > 0.8 > 0.2 > wrong.probability


def test_the_rationale_names_the_number_that_differs() -> None:
    found = judged(
        "answer_correctness", sample={"reference": ("$134.4 billion",)}, answer="Net sales were $170.0 billion."
    )
    assert "the reference says “134.4 billion”, the answer “170.0 billion”" in (found.rationale or "")
    (claim,) = found.parts or ()
    assert (claim["kind"], claim["verdict"]) == ("claim", "contradicted")
    assert claim["evidence"] == "Net sales were $170.0 billion."
    assert "network" in claim["weighed"]


def test_each_listed_fact_is_a_claim() -> None:
    facts = parse_facts("red<AND>blue<OR>navy")
    found = judged("answer_correctness", sample={"question": "Which colours?", "facts": facts}, answer="Red and navy.")
    assert [part["text"] for part in found.parts or ()] == ["red", "blue or navy"]
    half = judged("answer_correctness", sample={"question": "Which colours?", "facts": facts}, answer="Red.")
    assert [part["verdict"] == "supported" for part in half.parts or ()] == [True, False]
    assert half.label == "no"


def test_an_answer_that_declines_is_not_right() -> None:
    found = judged("answer_correctness", sample={"reference": ("12",)}, answer="I do not know whether it is 12.")
    assert found.label == "no"
    assert "declines" in (found.rationale or "")


def test_faithfulness_sentence_by_sentence_with_its_passage() -> None:
    contexts = ["Ann Lee has led the museum since 2015.", "The museum opens at 9:30 every day."]
    found = judged(
        "faithfulness", answer="The museum opens at 9:30 every day. It was built in 1720.", contexts=contexts
    )
    assert [part["verdict"] == "supported" for part in found.parts or ()] == [True, False]
    assert (found.value, found.label) == (0.5, "hallucinated")
    assert (found.parts or ())[0]["found_in"] == "p2"
    assert judged("faithfulness_binary", answer="It was built in 1720.", contexts=contexts).label == "hallucinated"


def test_a_sentence_of_a_passage_is_supported_whatever_stands_beside_it() -> None:
    passage = (
        "Lamps are not sold here. Our workshop in Halden takes seven weeks for a repair. We never work on Mondays."
    )
    found = judged("faithfulness", answer="Our workshop in Halden takes seven weeks for a repair.", contexts=[passage])
    assert (found.label, found.rationale) == ("factual", "1 of 1 claim: supported")


def test_nothing_retrieved_supports_nothing() -> None:
    found = judged("faithfulness", answer="The museum opens at 9:30.", contexts=[])
    assert (found.value, found.probability) == (0.0, 0.0)


def test_an_answer_without_a_claim_is_skipped() -> None:
    with pytest.raises(Skip, match="no claim"):
        judged("faithfulness", answer="I could not find any information.", contexts=["The museum opens at 9:30."])


def test_recall_and_sufficiency_by_the_golden_answer() -> None:
    contexts = ["The museum opens at 9:30 every day and closes at 18:00."]
    golden = {"reference": ("The museum opens at 9:30 every day. It was founded by Ann Lee.",)}
    assert judged("context_recall", sample=golden, contexts=contexts).value == 0.5
    assert judged("context_sufficiency", sample=golden, contexts=contexts).label == "no"
    half = {"reference": ("The museum opens at 9:30 every day.",)}
    assert judged("context_sufficiency", sample=half, contexts=contexts).label == "yes"


def test_a_refusal_is_right_where_the_passages_do_not_suffice() -> None:
    golden = {"reference": ("It was founded by Ann Lee in 1720.",)}
    found = judged("refusal", sample=golden, answer="I do not know.", contexts=["The museum opens at 9:30."])
    assert found.label == "yes"
    assert (found.parts or ())[0]["right"] is True


def test_relevance_of_passages_and_answers() -> None:
    contexts = ["Net sales in the second quarter were $134.4 billion.", "The cat sat on the mat."]
    found = judged("context_relevance", contexts=contexts)
    assert [part["verdict"] for part in found.parts or ()] == ["relevant", "irrelevant"]
    assert found.value == 0.5
    assert judged("context_relevance_binary", contexts=contexts).label == "relevant"
    assert judged("answer_relevance", answer="I do not know.").label == "irrelevant"
    assert judged("answer_relevance", answer="Net sales in the second quarter were $134.4 billion.").label == "relevant"
    golden = {"reference": ("$134.4 billion",)}
    assert judged("context_precision", sample=golden, contexts=contexts).value == 1.0
    assert judged("context_precision", sample=golden, contexts=contexts[::-1]).value == 0.5


def test_close_to_even_odds_it_may_say_that_it_is_unsure() -> None:
    reference = {"reference": ("$134.4 billion",)}
    found = judged(
        "answer_correctness", sample=reference, answer="Net sales were $170.0 billion.", params={"unsure": 0.49}
    )
    assert (found.label, found.value) == ("unsure", None)
    with pytest.raises(UsageError, match="unsure cannot be"):
        judged("answer_correctness", sample=reference, answer="x", params={"unsure": 0.7})


def test_another_script_is_skipped() -> None:
    with pytest.raises(Skip, match="English"):
        judged("answer_correctness", sample={"reference": ("東京",)}, answer="日本の首都は東京です")


def test_the_same_rows_get_the_same_verdicts_in_any_company() -> None:
    use = with_local(find_metric("answer_correctness").bind())
    rows = [
        (Sample(id=str(n), question="Who?", reference=("Ann Lee",)), Response(answer="Ann " * n)) for n in range(1, 30)
    ]

    async def together() -> list[Verdict]:
        return list(await asyncio.gather(*(use(*row) for row in rows)))

    alone = [asyncio.run(use(*row)) for row in rows[:5]]
    assert [one.probability for one in asyncio.run(together())][:5] == [one.probability for one in alone]


def test_the_signature_names_weights_and_rules() -> None:
    use = with_local(find_metric("answer_correctness").bind())
    assert "model:local|weights:ringtrue-judge-1@" in use.signature
    assert use.metric.models == (LOCAL,)


def test_a_judge_without_a_local_form_says_so() -> None:
    with pytest.raises(UsageError, match="'coherence' has no local form"):
        with_local(find_metric("coherence").bind())
    assert without_model(find_metric("coherence").bind()).metric is find_metric("coherence")


def test_without_the_networks_a_judge_skips_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "find_spec", lambda _: None)
    use = without_model(find_metric("faithfulness").bind())
    with pytest.raises(Skip, match=r"ringtrue\[local\]"):
        use(Sample(id="1"), Response())
    with pytest.raises(MissingExtraError):
        with_local(find_metric("faithfulness").bind())


class Counting:
    """A model that says yes, and counts how often it was asked."""

    id = "python:yes"
    asked = 0

    async def complete(self, *_: Any, **__: Any) -> Completion:
        Counting.asked += 1
        raise AssertionError("not asked in this test")


def test_a_cascade_asks_the_model_only_where_the_local_judge_is_unsure() -> None:
    use = with_cascade(find_metric("answer_correctness").bind(), [Counting()], band=0.2)
    sample = Sample(id="1", question=QUESTION, reference=("$134.4 billion",))
    found = asyncio.run(use(sample, Response(answer="Net sales came to $134,383 million.")))
    assert (found.label, (found.parts or ())[-1]) == ("yes", {"kind": "cascade", "by": "local"})
    assert Counting.asked == 0
    assert use.metric.models == (LOCAL, "python:yes")
    assert "band:0.2" in use.signature
