"""What stands in for a model: replies that fit any judge's schema, signed and priced like the model's own."""

import asyncio

import pytest

from ringtrue.app.planning.rehearsal import ITEMS, REHEARSED, LookingAtReplies, filled, stand_in, text_of
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics
from ringtrue.judges.prompts.shape import CLAIMS, schema_of
from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.structured import conform
from ringtrue.models.types import Message, Request


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_what_is_filled_in_is_what_every_judge_asks_for(name: str) -> None:
    rubric = builtin_rubrics()[name]
    schema = schema_of(rubric, () if rubric.unit == "whole" else ("p1", "p2"))
    assert conform(filled(schema), schema) == filled(schema)


def test_a_text_is_taken_apart_into_claims_that_differ_from_another_texts() -> None:
    one, other = filled(CLAIMS, "a "), filled(CLAIMS, "b ")
    assert len(one["claims"]) == ITEMS
    assert one != other
    assert conform(one, CLAIMS) == one


@pytest.mark.parametrize("chars", [0, 1, 47, 48, 49, 1000])
def test_a_text_has_the_length_that_was_asked_for(chars: int) -> None:
    assert len(text_of(chars)) == chars
    assert text_of(chars, "app 1. ").startswith("app 1. "[:chars])


def test_other_values_are_the_least_that_fit() -> None:
    schema = {
        "type": "object",
        "properties": {
            "score": {"type": "integer", "minimum": 1, "maximum": 5},
            "sure": {"type": "boolean"},
            "what": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "same": {"const": "x"},
        },
    }
    assert filled(schema) == {"score": 1, "sure": False, "what": None, "same": "x"}


def test_a_stand_in_is_signed_and_priced_like_its_model() -> None:
    with Scheduler() as scheduler:
        model = open_model(
            "openai-compatible:m",
            scheduler=scheduler,
            environ={},
            base_url="http://127.0.0.1:9/v1",
            params={"temperature": 0, "max_tokens": 7},
            prices={"openai-compatible:m": {"input": 1.0, "output": 10.0}},
            cache=LookingAtReplies(None),
        )
        rubric = builtin_rubric("coherence")
        standing = stand_in(model)
        signatures = [judge_metric(rubric, [one]).bind().signature for one in (model, standing)]
        assert signatures[0] == signatures[1]
        assert "openai-compatible:m@http://127.0.0.1:9/v1(max_tokens=7,temperature=0)" in signatures[0]
        request = Request(messages=(Message("user", "x" * 400),), schema=schema_of(rubric))
        first, again = (asyncio.run(standing.complete(request)) for _ in range(2))
    # 400 bytes at four a token, four for the message, and the schema; the reply is cut to max_tokens.
    assert first.usage.input_tokens is not None
    assert first.usage.input_tokens > 104
    assert (first.usage.output_tokens, first.usage.calls) == (7, 1)
    assert first.usage.cost == pytest.approx((first.usage.input_tokens + 70) / 1e6)
    assert first.model == REHEARSED
    assert (again.usage.cached, again.usage.calls, again.parsed) == (True, 0, first.parsed)
