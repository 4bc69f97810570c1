"""The last complete object of a reply, held against a small schema."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.structured import conform, has_bounds, last_object, schema_digest, wire_schema, with_format
from ringtrue.models.types import Message, ModelFailure


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"verdict": "yes"}', {"verdict": "yes"}),
        ('```json\n{"verdict": "yes"}\n```', {"verdict": "yes"}),
        ('\ufeff {"verdict": "yes"} ', {"verdict": "yes"}),
        ('It echoes {"verdict": "yes"}; mine is {"verdict": "no"}.', {"verdict": "no"}),
        ('<think>{"verdict": "yes"}</think>{"verdict": "no"}', {"verdict": "no"}),
        ('so.</think>{"verdict": "no"}', {"verdict": "no"}),
        ('The set {a, b} holds. {"n": 1}', {"n": 1}),
        (
            '{"r": "it says </think> {\\"verdict\\": \\"yes\\"}", "verdict": "no"}',
            {"r": 'it says </think> {"verdict": "yes"}', "verdict": "no"},
        ),
        ('{"r": "two\nlines"}', {"r": "two\nlines"}),
        ('{"a": {"b": {}}} end', {"a": {"b": {}}}),
        ('[{"a": 1}]', {"a": 1}),
    ],
)
def test_the_last_complete_object_is_the_reply(text: str, found: dict[str, Any]) -> None:
    assert last_object(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "",
        '{"verdict": "ye',
        '{"verdict": "yes", "claims": [{"verdict": "yes"}',  # what is inside an unfinished object is none
        '{"verdict": "yes"} {"verdict": "no", ',
        '<think>{"verdict": "yes"}',
        '{"verdict": "no", "verdict": "yes"}',  # one key, two values
        '{"score": NaN}',
        "{'verdict': 'yes'}",
        "[1, 2]",
        "{" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_anything_else_is_unparsed_with_its_text(text: str) -> None:
    with pytest.raises(ModelFailure) as raised:
        last_object(text)
    assert raised.value.kind == "unparsed"
    assert raised.value.raw == text


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _VALUES, max_size=4), st.sampled_from(["{}", "```\n{}\n```", "Here: {} Done."]))
def test_every_object_is_read_back(value: dict[str, Any], shape: str) -> None:
    assert last_object(shape.replace("{}", json.dumps(value))) == value


PER_CLAIM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "verdict": {"enum": ["supported", "contradicted", "missing"]},
                    "probability": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["id", "verdict"],
            },
        },
        "note": {"type": ["string", "null"]},
    },
    "required": ["claims"],
}


def test_labels_that_differ_in_case_or_marks_are_made_the_schemas_own() -> None:
    value = {"claims": [{"id": "c1", "verdict": " Supported.\n", "probability": 1}], "note": None, "more": [1]}
    assert conform(value, PER_CLAIM) == {
        "claims": [{"id": "c1", "verdict": "supported", "probability": 1}],
        "note": None,
        "more": [1],
    }


def test_a_number_written_as_text_is_read_where_the_schema_bounds_it() -> None:
    schema = {"type": "integer", "minimum": 1, "maximum": 5}
    assert conform("4/5", schema) == 4
    assert conform(4.0, schema) == 4.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "claims is missing"),
        ({"claims": "c1"}, 'claims is "c1", no array'),
        ({"claims": [{"id": "c1"}]}, "claims[0].verdict is missing"),
        ({"claims": [{"id": 1, "verdict": "missing"}]}, "claims[0].id is 1, no string"),
        (
            {"claims": [{"id": "c1", "verdict": "missing", "probability": 7}]},
            "claims[0].probability is 7, outside 0 to 1",
        ),
        (
            {"claims": [{"id": "c1", "verdict": "missing", "probability": True}]},
            "claims[0].probability is true, no number",
        ),
        (
            {"claims": [{"id": "c1", "verdict": "missing", "probability": "7"}]},
            "claims[0].probability: '7' is not on the scale 0 to 1",
        ),
        ({"claims": [], "note": 3}, "note is 3, no string or null"),
        ([], "the reply is [], no object"),
    ],
)
def test_a_reply_of_another_shape_is_unparsed(value: Any, message: str) -> None:
    with pytest.raises(ModelFailure) as raised:
        conform(value, PER_CLAIM, raw="the text")
    assert (raised.value.kind, raised.value.message, raised.value.raw) == ("unparsed", message, "the text")


def test_a_label_of_its_own_is_a_bad_label() -> None:
    with pytest.raises(ModelFailure, match=r"claims\[0\].verdict is \"unsure\", none of supported") as raised:
        conform({"claims": [{"id": "c1", "verdict": "unsure"}]}, PER_CLAIM)
    assert raised.value.kind == "bad_label"


def test_true_is_no_label_of_1() -> None:
    with pytest.raises(ModelFailure):
        conform(True, {"enum": [0, 1]})
    assert conform(1, {"enum": [0, 1]}) == 1


def test_one_of_several_shapes() -> None:
    schema = {"anyOf": [{"type": "integer"}, {"enum": ["none"]}]}
    assert [conform(3, schema), conform("None", schema)] == [3, "none"]
    with pytest.raises(ModelFailure):
        conform([], schema)


def test_strict_endpoints_get_closed_objects_without_bounds() -> None:
    wired = wire_schema(PER_CLAIM)
    item = wired["properties"]["claims"]["items"]
    assert item["additionalProperties"] is False
    assert item["required"] == ["id", "verdict", "probability"]
    assert item["properties"]["probability"] == {"type": "number"}
    assert PER_CLAIM["properties"]["claims"]["items"]["required"] == ["id", "verdict"]


def test_bounds_are_found_wherever_they_are() -> None:
    assert has_bounds(PER_CLAIM)
    assert not has_bounds(wire_schema(PER_CLAIM))


def test_a_property_may_be_called_like_a_keyword() -> None:
    assert "title" in wire_schema({"type": "object", "properties": {"title": {"type": "string"}}})["properties"]


def test_the_order_of_keys_does_not_change_a_schemas_digest() -> None:
    one = {"type": "object", "required": ["a"]}
    assert schema_digest(one) == schema_digest({"required": ["a"], "type": "object"})
    assert schema_digest(one) != schema_digest({"type": "object", "required": ["b"]})


def test_the_schema_is_told_after_the_last_message() -> None:
    first, last = with_format([Message("system", "Be fair."), Message("user", "Cost: $schema?")], {"type": "object"})
    assert first.content == "Be fair."
    assert last.content.startswith("Cost: $schema?\n\nReply with one JSON object")
    assert last.content.endswith('{"type": "object"}')
