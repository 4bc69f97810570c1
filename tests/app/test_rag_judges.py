"""The example of all judges: it names each of them, and each runs on a real model, in this process and over HTTP."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from ringtrue.catalogue import catalogue
from ringtrue.models.types import FailureKind

EXAMPLE = Path(__file__).parents[2] / "examples/rag_judges"
CONFIGS = ("ringtrue.yaml", "local.yaml")
# Judges to compare others with are no part of the example.
JUDGES = {name for name, metric in catalogue().items() if metric.kind == "judge" and not name.startswith("baseline_")}
KINDS = {kind.replace("_", " ") for kind in (*get_args(FailureKind), "too_long", "no_majority")}


@pytest.mark.parametrize("config", CONFIGS)
def test_the_example_runs_every_judge_that_there_is(config: str) -> None:
    named = yaml.safe_load((EXAMPLE / config).read_text(encoding="utf-8"))["metrics"]
    assert set(named) == JUDGES
    assert len(named) == len(set(named))


def test_a_model_that_the_environment_does_not_name_is_told(
    ringtrue: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RINGTRUE_JUDGE_MODEL", raising=False)
    result = ringtrue("run", EXAMPLE / "local.yaml")
    assert result.code == 2
    assert "RINGTRUE_JUDGE_MODEL" in result.err


@contextmanager
def served(gguf_file: Path) -> Iterator[str]:
    """llama.cpp's own server on loopback, with one thread; its address."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(gguf_file)
    settings.n_ctx, settings.n_parallel, settings.n_gpu_layers, settings.verbosity = 4096, 1, 0, -1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    yield server.listening_address
    del server


def check(score: dict[str, Any]) -> None:
    """A Score is a verdict of the judge, skipped for a reason, or failed with its kind; it is never made up."""
    metric = catalogue()[score["metric"]]
    if score["status"] != "scored":
        assert score["value"] is score["label"] is score["probability"] is None, score
        assert score["error"], score
        assert score["status"] == "skipped" or score["error"].partition(":")[0] in KINDS, score
        return
    low, high = metric.range
    assert low <= score["value"] <= high, score
    assert score["label"] in (metric.labels or (None,)), score
    assert score["probability"] is None or 0 <= score["probability"] <= 1, score
    assert score["usage"]["calls"] >= 1 or score["usage"]["cached"], score


@pytest.mark.slow
@pytest.mark.parametrize("way", ["in this process", "over HTTP"])
def test_every_judge_runs_on_a_real_model(
    way: str, ringtrue: Callable, gguf_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chance-level model: the path is tested, not the wisdom."""

    def run() -> None:
        result = ringtrue("run", EXAMPLE / "local.yaml", "--limit", "1", "-o", "scores.jsonl")
        assert result.code in (0, 3), result.err

    if way == "over HTTP":
        with served(gguf_file) as url:
            monkeypatch.setenv("RINGTRUE_JUDGE_MODEL", "openai-compatible:smollm2")
            monkeypatch.setenv("OPENAI_BASE_URL", url)
            monkeypatch.delenv("OPENAI_API_KEY", raising=False)
            run()
    else:
        monkeypatch.setenv("RINGTRUE_JUDGE_MODEL", f"gguf:{gguf_file}")
        run()
    scores = [json.loads(line) for line in Path("scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {score["metric"] for score in scores} == JUDGES
    for score in scores:
        check(score)
    assert sum(score["status"] == "scored" for score in scores) > len(scores) / 2
