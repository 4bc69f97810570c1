"""Likeness in meaning, with the encoder's real weights."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from ringtrue.catalogue import parse_metric
from ringtrue.errors import Skip
from ringtrue.metrics import similarity
from ringtrue.models.local.embedding import embedder
from ringtrue.models.local.weights import MissingWeightsError
from ringtrue.types import Response, Sample


def score(metric: str, answer: str, *reference: str) -> Any:
    use = parse_metric(metric)
    return asyncio.run(use(Sample(id="1", reference=reference), Response(answer=answer)))


@pytest.mark.parametrize("metric", ["answer_similarity", "bertscore", "bertscore(rescale=true)", "bertscore(idf=true)"])
def test_the_same_text_gets_1_another_wording_more_than_another_matter(metric: str) -> None:
    golden = "The capital of France is Paris."
    assert score(metric, golden, golden) == 1
    near, far = score(metric, "Paris is France's capital city.", golden), score(metric, "Zinc melts at 420 °C.", golden)
    assert far + 0.2 < near < 1


@pytest.mark.parametrize("metric", ["answer_similarity", "bertscore"])
def test_a_contradiction_is_not_seen(metric: str) -> None:
    assert score(metric, "Revenue rose by 3 % in 2020.", "Revenue fell by 3 % in 2020.") > 0.85


def test_of_several_golden_answers_the_best_counts_for_each_measure() -> None:
    short, long = "Paris", "It is Paris, the largest city of France, on the Seine."
    for measure in ("f1", "precision", "recall"):
        metric = f"bertscore(measure={measure})"
        each = [score(metric, "The city of Paris", one) for one in (short, long)]
        assert score(metric, "The city of Paris", short, long) == max(each)
    assert score("answer_similarity", "The city of Paris", short, long) == pytest.approx(
        max(score("answer_similarity", "The city of Paris", one) for one in (short, long)), abs=1e-4
    )


def test_recall_is_for_what_is_missing_and_precision_for_what_is_added() -> None:
    golden, answer = "Paris lies on the Seine.", "Paris lies on the Seine, and zinc melts at 420 °C."
    assert score("bertscore(measure=recall)", answer, golden) > score("bertscore(measure=precision)", answer, golden)
    assert score("bertscore(measure=precision)", golden, answer) == score("bertscore(measure=recall)", answer, golden)


def test_another_script_and_missing_weights_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Skip, match="this answer is in another script"):
        score("bertscore", "Париж", "Paris")

    def missing() -> None:
        raise MissingWeightsError("no weights here", mend="fetch them")

    monkeypatch.setattr(similarity, "embedder", missing)
    with pytest.raises(Skip, match="no weights here; fetch them"):
        score("answer_similarity", "Paris", "Paris")


def test_a_text_without_a_word_piece_is_skipped() -> None:
    with pytest.raises(Skip, match="no word piece"):
        score("bertscore", "\u200b", "Paris")


def test_the_signature_names_encoder_and_layer() -> None:
    assert parse_metric("bertscore(idf=true)").signature == (
        "bertscore|idf:true|measure:f1|rescale:false|encoder:bge-small-en-v1.5@68807e3f|layer:12|version:1"
    )
    assert "encoder:bge-small-en-v1.5@68807e3f" in parse_metric("answer_similarity").signature


def test_a_run_without_a_network_scores_every_row_and_reads_each_text_once(
    ringtrue: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object, **__: object) -> None:
        raise AssertionError("somebody asked the network")

    monkeypatch.setattr(socket.socket, "connect", cut)
    monkeypatch.setattr(socket, "getaddrinfo", cut)
    rows = [f'{{"id":"{n}","reference":"Golden answer {n % 3}","answer":"Answer {n}"}}' for n in range(20)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows))
    encoder, read = embedder(), []
    work = encoder._states._work

    def counted(batch: Any) -> Any:
        read.extend(batch)
        return work(batch)

    encoder._states._work = counted
    try:
        result = ringtrue(
            *("run", "--dataset", str(tmp_path / "rows.jsonl"), "-o", str(tmp_path / "report.json")),
            *("--metric", "answer_similarity", "--metric", "bertscore"),
        )
    finally:
        encoder._states._work = work
    assert result.code == 0, result.err
    assert len(read) == len(set(read)) == 23
