"""A model by its name."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ringtrue.errors import ConfigError, MissingExtraError, UnknownNameError, UsageError
from ringtrue.models.budget import Budget
from ringtrue.models.cache import CachedModel
from ringtrue.models.opening import open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.types import Request


class Kept(dict[bytes, bytes]):
    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:  # type: ignore[override]
        return {key: self[key] for key in keys if key in self}

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        self.update(replies)


def test_nothing_is_asked_and_no_thread_begun_by_opening() -> None:
    scheduler = Scheduler()
    model = open_model("ollama:m", scheduler=scheduler, environ={})
    assert model.id == "ollama:m"
    assert scheduler._inner is None


def test_models_of_one_address_share_what_they_learn(
    server: Any, scheduler: Scheduler, opened: Any, ask: Any, chat: Any
) -> None:
    refused = (400, {}, {"error": {"message": "Unsupported parameter: seed", "param": "seed"}})
    server.script(lambda request, body: refused if "seed" in body else chat("fine"))
    assert ask(opened(params={"seed": 1})).usage.calls == 2
    assert ask(opened(params={"seed": 1})).usage.calls == 1


def test_replies_are_kept_by_model_address_and_parameters(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    server.script(chat("fine"))
    kept = Kept()
    first = opened(cache=kept, params={"temperature": 0})
    assert isinstance(first, CachedModel)
    ask(first)
    assert ask(opened(cache=kept, params={"temperature": 0})).usage.cached
    assert not ask(opened(cache=kept, params={"temperature": 1})).usage.cached
    assert not ask(opened(cache=kept), repeat=1).usage.cached
    assert len(kept) == 3


def test_a_parameter_that_is_ours_to_set_is_refused() -> None:
    with pytest.raises(UsageError, match="'response_format' is no parameter to set"):
        open_model("ollama:m", scheduler=Scheduler(), environ={}, params={"response_format": {}})


def test_a_limit_of_money_needs_a_price() -> None:
    budget = Budget(max_cost=1.0)
    with pytest.raises(ConfigError, match="the price of vllm:m is not known") as raised:
        open_model("vllm:m", scheduler=Scheduler(), environ={}, budget=budget)
    assert "vllm:m: {input: …, output: …}" in (raised.value.mend or "")
    free = {"vllm:*": {"input": 0, "output": 0}}
    open_model("vllm:m", scheduler=Scheduler(), environ={}, budget=budget, prices=free)
    open_model("openai:gpt-4o-mini", scheduler=Scheduler(), environ={"OPENAI_API_KEY": "k"}, budget=budget)


def test_names_that_lead_nowhere_are_told() -> None:
    for wrong, error in (
        ("nope:m", UnknownNameError),
        ("m", UsageError),
        ("openai:m", ConfigError),
        ("gguf:nowhere.gguf", ConfigError),
        ("python:nowhere:judge", ConfigError),
        ("python:os:nothing", ConfigError),
        ("python:os:sep", ConfigError),
        ("python:os", ConfigError),
    ):
        with pytest.raises(error):
            open_model(wrong, scheduler=Scheduler(), environ={})


def test_a_missing_library_is_told_with_its_install_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scheduler: Scheduler, ask: Any
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xllamacpp", None)
    monkeypatch.setitem(__import__("sys").modules, "botocore", None)
    monkeypatch.setitem(__import__("sys").modules, "botocore.exceptions", None)
    file = tmp_path / "m.gguf"
    file.write_bytes(b"")
    for name, extra in ((f"gguf:{file}", "gguf"), ("bedrock:m", "bedrock")):
        model = open_model(name, scheduler=scheduler, environ={"AWS_REGION": "us-east-1"})
        with pytest.raises(MissingExtraError, match=rf"ringtrue\[{extra}\]"):
            ask(model)


@pytest.mark.parametrize("value", ["many", 1.5, True])
def test_options_of_loading_are_whole_numbers(value: object, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="n_ctx is"):
        open_model("gguf:m", scheduler=Scheduler(), environ={}, params={"n_ctx": value})


def test_the_proxy_of_the_environment_is_used_and_passed_by(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    server.script(chat("fine"))
    environ = {"HTTP_PROXY": server.url, "no_proxy": "other.example"}
    assert ask(opened(base_url="http://model.invalid/v1", environ=environ)).text == "fine"
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["Host"] == "model.invalid"
    assert ask(opened(environ={"HTTP_PROXY": "http://proxy.invalid", "NO_PROXY": "127.0.0.1"})).text == "fine"


def test_one_name_at_two_addresses_may_be_two_models(server: Any, opened: Any, ask: Any, chat: Any) -> None:
    server.script(chat("here"), chat("there"))
    kept = Kept()
    here, there = (opened(cache=kept, base_url=f"{server.url}/{path}") for path in ("here/v1", "there/v1"))
    assert [ask(here).text, ask(there).text, ask(here).text] == ["here", "there", "here"]
    assert len(server.bodies) == 2
    assert (here.address, there.address) == (f"{server.url}/here/v1", f"{server.url}/there/v1")
    assert opened("openai:m", base_url=None, environ={"OPENAI_BASE_URL": ""}).address is None
    assert opened("openai:m", base_url="http://me:secret@gate/v1?key=k").address == "http://gate/v1"


def test_bedrock_at_an_endpoint_of_ones_own_is_told_apart(scheduler: Scheduler) -> None:
    environ = {"AWS_REGION": "us-east-1"}
    assert open_model("bedrock:m", scheduler=scheduler, environ=environ).address is None  # type: ignore[attr-defined]
    own = open_model("bedrock:m", scheduler=scheduler, environ=environ, base_url="https://vpce-1.example:443/")
    assert own.address == "https://vpce-1.example"  # type: ignore[attr-defined]


def a_judge(request: Request) -> str:
    return "yes"


def test_a_function_has_a_name(scheduler: Scheduler, ask: Any) -> None:
    model = open_model(a_judge, scheduler=scheduler, environ={}, cache=Kept())
    assert model.id == f"python:{__name__}:a_judge"
    assert ask(model, labels=("yes", "no")).parsed == "yes"
    assert not isinstance(model, CachedModel)
