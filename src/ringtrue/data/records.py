"""Samples and Responses as JSON-ready dicts and back, their hashes, and a dataset's fingerprint.

The dicts are what the store keeps and what ``.json`` and ``.jsonl`` files hold. A missing field is left out;
``reference`` is text where there is one golden answer and a list where there are several; ``facts`` is the string as
written.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import orjson

from ringtrue.data.facts import parse_facts
from ringtrue.data.scalars import json_ready, mend_surrogates
from ringtrue.types import Dataset, Passage, Response, Sample

__all__ = [
    "canonical_json",
    "make_dataset",
    "passage_record",
    "response_from_record",
    "response_json",
    "response_record",
    "sample_from_record",
    "sample_hash",
    "sample_record",
]

_HASH_BYTES = 16


def sample_record(sample: Sample) -> dict[str, Any]:
    """The Sample as a dict of JSON values; what is missing is left out."""
    record: dict[str, Any] = {"id": sample.id}
    if sample.question is not None:
        record["question"] = sample.question
    if reference := sample.reference:
        record["reference"] = reference[0] if len(reference) == 1 else list(reference)
    if sample.facts is not None:
        record["facts"] = sample.facts.raw
    if sample.reference_contexts is not None:
        record["reference_contexts"] = [passage_record(one) for one in sample.reference_contexts]
    if sample.metadata:
        record["metadata"] = dict(sample.metadata)
    return record


def sample_from_record(record: Mapping[str, Any]) -> Sample:
    """The Sample that `sample_record` made the dict of."""
    get = record.get
    reference, facts, contexts = get("reference", ()), get("facts"), get("reference_contexts")
    return Sample(
        id=record["id"],
        question=get("question"),
        reference=(reference,) if isinstance(reference, str) else tuple(reference),
        facts=None if facts is None else parse_facts(facts),
        reference_contexts=None if contexts is None else _passages(contexts),
        metadata=get("metadata") or {},
    )


def response_record(response: Response) -> dict[str, Any]:
    """The Response as a dict of JSON values; what is missing is left out."""
    record: dict[str, Any] = {}
    if response.answer is not None:
        record["answer"] = response.answer
    if response.contexts is not None:
        record["contexts"] = [passage_record(one) for one in response.contexts]
    if response.latency_s is not None:
        record["latency_s"] = response.latency_s
    if response.input_tokens is not None:
        record["input_tokens"] = response.input_tokens
    if response.output_tokens is not None:
        record["output_tokens"] = response.output_tokens
    if response.cost is not None:
        record["cost"] = response.cost
    if response.model is not None:
        record["model"] = response.model
    if response.trace_id is not None:
        record["trace_id"] = response.trace_id
    if response.error is not None:
        record["error"] = response.error
    if response.metadata:
        record["metadata"] = dict(response.metadata)
    return record


def response_from_record(record: Mapping[str, Any]) -> Response:
    """The Response that `response_record` made the dict of."""
    get = record.get
    contexts = get("contexts")
    return Response(
        answer=get("answer"),
        contexts=None if contexts is None else _passages(contexts),
        latency_s=get("latency_s"),
        input_tokens=get("input_tokens"),
        output_tokens=get("output_tokens"),
        cost=get("cost"),
        model=get("model"),
        trace_id=get("trace_id"),
        error=get("error"),
        metadata=get("metadata") or {},
    )


def passage_record(passage: Passage) -> dict[str, Any]:
    """The Passage as a dict of JSON values; what is missing is left out."""
    record: dict[str, Any] = {}
    if passage.id is not None:
        record["id"] = passage.id
    if passage.text is not None:
        record["text"] = passage.text
    if passage.score is not None:
        record["score"] = passage.score
    if passage.metadata:
        record["metadata"] = dict(passage.metadata)
    return record


def canonical_json(value: Any) -> bytes:
    """One JSON text for equal values: keys sorted, UTF-8, no spaces. What JSON cannot say is said as text."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a very large integer, a lone surrogate, a key that is no text, or a foreign type in metadata
        text = json.dumps(json_ready(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return mend_surrogates(text).encode()


def sample_hash(sample: Sample) -> bytes:
    """16 bytes that stand for everything in the Sample."""
    return blake2b(canonical_json(sample_record(sample)), digest_size=_HASH_BYTES).digest()


def response_json(response: Response) -> bytes:
    """The Response as canonical JSON: what the store keeps, and what stands for everything in it."""
    return canonical_json(response_record(response))


def make_dataset(name: str, samples: Iterable[Sample], version: str | None = None) -> Dataset:
    """A Dataset of these samples.

    Its fingerprint is 32 hex digits that stand for the samples in their order, whatever file they came from.
    """
    kept = tuple(samples)
    hashes = tuple(map(sample_hash, kept))
    fingerprint = blake2b(b"".join(hashes), digest_size=_HASH_BYTES).hexdigest()
    return Dataset(name=name, samples=kept, hashes=hashes, fingerprint=fingerprint, version=version)


def _passages(records: Sequence[Mapping[str, Any]]) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            text=record.get("text"),
            id=record.get("id"),
            score=record.get("score"),
            metadata=record.get("metadata") or {},
        )
        for record in records
    )
