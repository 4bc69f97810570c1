"""A small model of flesh and blood in this process. It judges by chance: what is tested is the way."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigError
from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import ChatModel, Message, ModelFailure, Request

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(gguf_file: Path) -> Iterator[tuple[Scheduler, ChatModel]]:
    with Scheduler() as scheduler:
        params = {"n_ctx": 2048, "temperature": 0, "seed": 1}
        yield scheduler, open_model(f"gguf:{gguf_file}", scheduler=scheduler, environ={}, params=params)


@pytest.fixture
def reply(model: tuple[Scheduler, ChatModel]) -> Callable[..., Any]:
    def reply(text: str, **fields: Any) -> Any:
        scheduler, chat_model = model
        return scheduler.run_sync(chat_model.complete(Request(messages=(Message("user", text),), **fields)))

    return reply


def test_an_object_of_the_asked_shape_with_probabilities(reply: Any, verdict_schema: Any) -> None:
    verdict_schema["properties"]["rationale"]["maxLength"] = 40
    found = reply("Is Paris the capital of France?", schema=verdict_schema, labels=("yes", "no"))
    assert found.parsed["verdict"] in ("yes", "no")
    assert len(found.parsed["rationale"]) <= 40
    assert sum(found.label_probabilities.values()) == pytest.approx(1.0)
    assert 0 < found.label_mass <= 1  # of what the model would have said without the grammar
    assert (found.usage.calls, found.usage.cost) == (1, 0.0)
    assert found.usage.input_tokens > 10


def test_the_first_tokens_probability_is_enough_for_a_label(reply: Any) -> None:
    found = reply("Answer Yes or No. Is Paris the capital of France?", labels=("yes", "no"), params={"max_tokens": 1})
    assert found.parsed in ("yes", "no")
    assert found.label_mass > 0.05
    assert found.usage.output_tokens == 1


def test_a_prompt_that_is_too_long_is_told(reply: Any) -> None:
    with pytest.raises(ModelFailure, match="exceeds the available context size") as raised:
        reply("again " * 4000)
    assert raised.value.kind == "bad_request"
    assert "max_chars" in (raised.value.mend or "")


def test_a_file_that_is_no_model_is_told(model: Any, tmp_path: Path, scheduler: Scheduler, ask: Any) -> None:
    file = tmp_path / "no.gguf"
    file.write_bytes(b"GGUF but no more")
    with pytest.raises(ConfigError, match=r"llama\.cpp cannot load"):
        ask(open_model(f"gguf:{file}", scheduler=scheduler, environ={}))
