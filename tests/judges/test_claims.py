"""Texts taken apart into claims."""

import asyncio

import pytest

from ringtrue.data.facts import parse_facts
from ringtrue.errors import Skip
from ringtrue.judges.asking import Log, Voter
from ringtrue.judges.claims import claims_in, listed_claims
from ringtrue.judges.items import Item
from ringtrue.models.types import ModelFailure
from tests.judges.scripted import Scripted


def claim(text: str, source: str = "", kind: str = "essential") -> dict[str, str]:
    return {"source": source, "claim": text, "kind": kind}


def taken_apart(model: Scripted, texts: list[str], question: str | None = "Q?") -> tuple[Item, ...]:
    return asyncio.run(claims_in(texts, question, Log(), Voter(model)))


def test_claims_get_ids_of_ours_and_keep_their_words() -> None:
    model = Scripted({"claims": [claim("A is 5.", "it is 5"), claim("A is old.", "it is very old", "extra")]})
    first, second = taken_apart(model, ["It is 5. It is old."])
    assert (first.id, first.text, first.required, first.source, first.in_source) == (
        "c1",
        "A is 5.",
        True,
        "it is 5",
        True,
    )
    assert (second.id, second.required, second.in_source) == ("c2", False, False)


def test_each_golden_answer_is_a_group_with_a_request_of_its_own() -> None:
    model = Scripted(lambda request: {"claims": [claim("5" if ">\nfive\n" in request.messages[-1].content else "V")]})
    claims = taken_apart(model, ["five", "V"])
    assert [(one.id, one.text, one.group) for one in claims] == [("c1", "5", 1), ("c2", "V", 2)]
    assert len(model.requests) == 2


def test_equal_texts_make_equal_requests_so_that_the_cache_keeps_them() -> None:
    model = Scripted({"claims": [claim("x")]})
    taken_apart(model, ["Lima"])
    taken_apart(model, ["Lima"])
    assert model.requests[0] == model.requests[1]
    assert model.requests[0].repeat == 0


def test_blank_claims_are_no_claims() -> None:
    model = Scripted({"claims": [claim(" "), claim("x")]})
    assert [one.text for one in taken_apart(model, ["Lima"])] == ["x"]


def test_a_golden_answer_without_a_claim_leaves_the_others() -> None:
    model = Scripted(lambda request: {"claims": [claim("x")] if "Lima" in request.messages[-1].content else []})
    assert [one.group for one in taken_apart(model, ["I do not know.", "Lima"])] == [2]


def test_no_claim_at_all_skips() -> None:
    with pytest.raises(Skip, match="no claim that could be checked"):
        taken_apart(Scripted({"claims": []}), ["I do not know."])


@pytest.mark.parametrize("reply", ["no JSON", {"claims": "x"}, {"claim": []}, {"claims": [{"claim": "x"}]}])
def test_a_reply_of_another_shape_fails(reply: object) -> None:
    with pytest.raises(ModelFailure) as raised:
        taken_apart(Scripted(reply), ["Lima"])  # type: ignore[arg-type]
    assert raised.value.kind == "unparsed"


def test_without_a_question_none_is_shown() -> None:
    model = Scripted({"claims": [claim("x")]})
    taken_apart(model, ["Lima"], question=None)
    assert "Question:" not in model.prompts[0]
    assert "Text:\n<data-" in model.prompts[0]


def test_listed_facts_are_claims_without_a_call() -> None:
    claims = listed_claims(parse_facts("1535<AND>Lima<OR>City of Kings"))
    assert [(one.id, one.text, one.required) for one in claims] == [
        ("c1", "1535", True),
        ("c2", "Lima or City of Kings", True),
    ]
