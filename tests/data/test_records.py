"""Records, hashes and fingerprints."""

import pytest

from ringtrue.data.facts import parse_facts
from ringtrue.data.records import (
    canonical_json,
    make_dataset,
    response_from_record,
    response_json,
    response_record,
    sample_from_record,
    sample_hash,
    sample_record,
)
from ringtrue.types import Passage, Response, Sample

FULL_SAMPLE = Sample(
    id="a",
    question="How much?",
    reference=("12 billion", "12,000 million"),
    facts=parse_facts("12 billion<OR>12,000 million"),
    reference_contexts=(
        Passage(text="It was 12 billion.", id="d1", score=0.5, metadata={"page": 3}),
        Passage(text=None),
    ),
    metadata={"lang": "en", "tags": ["x"]},
)
FULL_RESPONSE = Response(
    answer="About 12 billion.",
    contexts=(),
    latency_s=0.25,
    input_tokens=10,
    output_tokens=0,
    cost=0.0,
    model="m",
    trace_id="t",
    error="e",
    metadata={"k": [1, None]},
)


def test_a_record_holds_what_is_there_and_nothing_else() -> None:
    assert sample_record(Sample(id="a")) == {"id": "a"}
    assert response_record(Response()) == {}
    assert sample_record(Sample(id="a", reference=("x",)))["reference"] == "x"
    assert sample_record(FULL_SAMPLE)["facts"] == "12 billion<OR>12,000 million"
    assert sample_record(FULL_SAMPLE)["reference_contexts"][1] == {}


def test_zero_and_an_empty_list_are_kept() -> None:
    record = response_record(FULL_RESPONSE)
    assert (record["output_tokens"], record["cost"], record["contexts"]) == (0, 0.0, [])


@pytest.mark.parametrize("sample", [Sample(id="a"), FULL_SAMPLE, Sample(id="b", reference_contexts=())])
def test_a_sample_comes_back_from_its_record(sample: Sample) -> None:
    assert sample_from_record(sample_record(sample)) == sample


@pytest.mark.parametrize("response", [Response(), FULL_RESPONSE, Response(contexts=(Passage(text=None, id="x"),))])
def test_a_response_comes_back_from_its_record(response: Response) -> None:
    assert response_from_record(response_record(response)) == response


def test_hashes_are_sixteen_bytes_and_tell_contents_apart() -> None:
    assert len(sample_hash(FULL_SAMPLE)) == 16
    assert sample_hash(Sample(id="a", question="x")) != sample_hash(Sample(id="a", reference=("x",)))
    assert response_json(Response(contexts=())) != response_json(Response())


def test_a_hash_does_not_depend_on_the_order_of_metadata() -> None:
    assert sample_hash(Sample(id="a", metadata={"x": 1, "y": 2})) == sample_hash(
        Sample(id="a", metadata={"y": 2, "x": 1})
    )


def test_a_fingerprint_stands_for_the_samples_in_their_order() -> None:
    one, other = Sample(id="a"), Sample(id="b")
    there = make_dataset("there", [one, other])
    assert there.fingerprint == make_dataset("again", iter((one, other))).fingerprint
    assert there.fingerprint != make_dataset("back", [other, one]).fingerprint
    assert there.hashes == (sample_hash(one), sample_hash(other))
    assert len(make_dataset("empty", []).fingerprint) == 32


def test_what_json_cannot_say_has_a_canonical_form_too() -> None:
    assert canonical_json({"b": 2**70, "a": {1: "x"}}) == b'{"a":{"1":"x"},"b":"1180591620717411303424"}'
    assert canonical_json("cut \ud83d") == b'"cut \xef\xbf\xbd"'
