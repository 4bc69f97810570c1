"""examples/faq_rag: cutting is blamed in A and not in B, B is better than A, and the page is what a run gives."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ringtrue as rt
from ringtrue.models.local.weights import MissingWeightsError, find
from ringtrue.text.words import sentences

FOLDER = Path(__file__).parent.parent / "examples/faq_rag"
GOLDEN = [json.loads(line) for line in (FOLDER / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
METRICS = ["factual_knowledge", "recall_at_k(k=3, by=text)"]


@pytest.fixture(scope="module")
def example() -> Iterator[Callable[[str], ModuleType]]:
    """Imports a module of the example, whose folder is on the path as when ringtrue reads its configuration."""
    sys.path.insert(0, str(FOLDER))
    yield lambda name: __import__(name)
    sys.path.remove(str(FOLDER))
    for name in ("pipelines", "generator", "retrieval"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def run(example: Callable[[str], ModuleType]) -> Any:
    """A and B over all questions, without judges."""
    versions = example("pipelines")
    pipelines = {"A": versions.version_a, "B": versions.version_b}
    return rt.run(str(FOLDER / "golden.jsonl"), pipelines, METRICS, store=":memory:")


@pytest.fixture(scope="module")
def chunks(example: Callable[[str], ModuleType]) -> dict[str, list[Any]]:
    return {version: chunker() for version, chunker in example("retrieval").CHUNKERS.items()}


def test_both_chunkers_hold_the_whole_text_and_only_b_keeps_its_sentences(chunks: dict[str, list[Any]]) -> None:
    whole = "\n\n".join(one.text for one in chunks["B"])
    assert "".join(one.text for one in chunks["A"]) == whole
    assert len(chunks["B"]) >= 60
    assert all(one.text.endswith(".") and "?\n" in one.text for one in chunks["B"])
    kept = {sentence for one in chunks["A"] for sentence in sentences(one.text)}
    assert not set(sentences(whole)) <= kept
    lengths = [sum(len(one.text) for one in chunks[version]) / len(chunks[version]) for version in "AB"]
    assert lengths[0] == pytest.approx(lengths[1], rel=0.1)  # so that neither shows more text


def test_every_golden_passage_stands_in_the_entry_that_it_names(chunks: dict[str, list[Any]]) -> None:
    texts = {one.id: one.text for one in chunks["B"]}
    assert len({row["question"] for row in GOLDEN}) == len(GOLDEN) >= 18
    for row in GOLDEN:
        (golden,) = row["reference_contexts"]
        assert golden["text"] in texts[golden["id"]]
        assert row["question"] not in texts[golden["id"]]


def test_the_generator_answers_from_the_passages_alone(example: Callable[[str], ModuleType]) -> None:
    generator, chunk = example("generator"), example("retrieval").Chunk
    asked = "How long may I keep a borrowed ladder?"
    right = chunk("1", "How long can I borrow a ladder?\nA ladder may be kept for nine days.")
    other = chunk("2", "Do you sell bread?\nBread is sold until noon.")
    assert generator.generate(asked, [other, right]) == "A ladder may be kept for nine days."
    assert generator.generate(asked, [other]) == generator.UNKNOWN
    assert generator.generate(asked, []) == generator.UNKNOWN
    halves = [chunk("1", "A ladder may be kept for"), chunk("2", "two euros a loaf. Bread is sold until noon.")]
    assert generator.generate(asked, halves) == "A ladder may be kept for two euros a loaf."


def test_cutting_is_to_be_mended_in_a_and_not_in_b(run: Any, chunks: dict[str, list[Any]]) -> None:
    for version in "AB":
        corpus = [rt.Passage(id=one.id, text=one.text) for one in chunks[version]]
        found = rt.diagnose(run, pipelines=[version], corpus=corpus).pipelines[version]
        assert found.first is not None
        assert (found.first.stage == "chunk") == (version == "A")
        signs = {one.sign for one in found.findings}
        assert ({"begins_inside", "ends_inside"} <= signs) == (version == "A")
        assert sum(one.stage == "chunk" for one in found.failures) == 0 or version == "A"


def test_b_is_better_than_a(run: Any) -> None:
    found = rt.compare(run, baseline="A").to_dict()["pairs"]
    pairs = {one["metric"]: one for one in found}
    assert {(one["a"], one["b"]) for one in found} == {("B", "A")}
    assert pairs["factual_knowledge"]["difference"] > 0
    low, high = pairs["recall_at_k"]["ci"]
    assert 0 < low < high


def test_the_configuration_runs(ringtrue: Callable) -> None:
    words = ("run", FOLDER / "ringtrue.yaml", "--limit", "1", "--metric", "factual_knowledge", "--json", "-q")
    found = ringtrue(*words)
    assert found.code == 0, found.err
    assert list(found.json["summary"]) == ["A", "B", "C"]


@pytest.mark.slow
def test_the_page_is_what_a_fresh_run_gives() -> None:
    for name in ("embedding", "cross-encoder", "judge"):
        try:
            find(name)
        except MissingWeightsError as error:
            pytest.skip(error.message)
    words = [sys.executable, str(FOLDER / "walkthrough.py"), "--check"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, f"run: python examples/faq_rag/walkthrough.py\n{done.stdout}{done.stderr}"
