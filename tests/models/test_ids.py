"""Names of models, and where they are asked."""

import re

import pytest

from ringtrue.errors import ConfigError, UnknownNameError, UsageError
from ringtrue.models.ids import Address, ModelId, address_of, parse_model_id, plain_url


@pytest.mark.parametrize(
    ("written", "provider", "name"),
    [
        ("openai:gpt-5-mini", "openai", "gpt-5-mini"),
        ("openai/gpt-5-mini", "openai", "gpt-5-mini"),
        ("openai:/gpt-5-mini", "openai", "gpt-5-mini"),
        (" OpenAI:gpt-5-mini ", "openai", "gpt-5-mini"),
        ("openai_compatible:org/model", "openai-compatible", "org/model"),
        ("ollama:llama3.1:8b", "ollama", "llama3.1:8b"),
        ("vllm/Qwen/Qwen3-8B", "vllm", "Qwen/Qwen3-8B"),
        ("vllm://models/q", "vllm", "/models/q"),
        ("google:gemini-2.5-flash", "gemini", "gemini-2.5-flash"),
        ("bedrock:arn:aws:bedrock:us-east-1:1:x/y", "bedrock", "arn:aws:bedrock:us-east-1:1:x/y"),
        ("gguf:/models/a.gguf", "gguf", "/models/a.gguf"),
        ("gguf:models/a.gguf", "gguf", "models/a.gguf"),
        ("python:my_app:judge", "python", "my_app:judge"),
    ],
)
def test_names_are_read_as_peers_write_them(written: str, provider: str, name: str) -> None:
    assert parse_model_id(written) == ModelId(provider, name)


def test_an_id_reads_back() -> None:
    assert str(parse_model_id("azure/my deployment")) == "azure:my deployment"


@pytest.mark.parametrize("written", ["gpt-5-mini", "", ":x", "openai:", "openai"])
def test_a_name_without_provider_or_model_is_told(written: str) -> None:
    with pytest.raises(UsageError, match="provider") as raised:
        parse_model_id(written)
    assert "provider:model" in (raised.value.mend or "")


def test_an_unknown_provider_gets_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean openai"):
        parse_model_id("opnai:gpt-5")


def at(written: str, base_url: str | None = None, **environ: str) -> Address:
    return address_of(parse_model_id(written), environ, base_url=base_url)


@pytest.mark.parametrize(
    ("written", "environ", "url", "headers"),
    [
        (
            "openai:m",
            {"OPENAI_API_KEY": "k"},
            "https://api.openai.com/v1/chat/completions",
            {"Authorization": "Bearer k"},
        ),
        (
            "openai:m",
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://proxy/v1/"},
            "http://proxy/v1/chat/completions",
            {"Authorization": "Bearer k"},
        ),
        (
            "anthropic:m",
            {"ANTHROPIC_API_KEY": "k"},
            "https://api.anthropic.com/v1/messages",
            {"x-api-key": "k", "anthropic-version": "2023-06-01"},
        ),
        ("ollama:m", {}, "http://localhost:11434/v1/chat/completions", {}),
        ("ollama:m", {"OLLAMA_HOST": "0.0.0.0:9999"}, "http://127.0.0.1:9999/v1/chat/completions", {}),
        ("ollama:m", {"OLLAMA_HOST": "gpu-box"}, "http://gpu-box:11434/v1/chat/completions", {}),
        ("vllm:m", {"VLLM_API_KEY": "k"}, "http://localhost:8000/v1/chat/completions", {"Authorization": "Bearer k"}),
        (
            "databricks:m",
            {"DATABRICKS_HOST": "adb-1.azuredatabricks.net", "DATABRICKS_TOKEN": "k"},
            "https://adb-1.azuredatabricks.net/serving-endpoints/chat/completions",
            {"Authorization": "Bearer k"},
        ),
        (
            "azure:dep",
            {"AZURE_OPENAI_ENDPOINT": "https://a.openai.azure.com/", "AZURE_OPENAI_API_KEY": "k"},
            "https://a.openai.azure.com/openai/v1/chat/completions",
            {"api-key": "k"},
        ),
        (
            "azure:my dep",
            {
                "AZURE_OPENAI_ENDPOINT": "https://a.openai.azure.com",
                "AZURE_OPENAI_API_KEY": "k",
                "AZURE_OPENAI_API_VERSION": "2024-10-21",
            },
            "https://a.openai.azure.com/openai/deployments/my%20dep/chat/completions?api-version=2024-10-21",
            {"api-key": "k"},
        ),
        (
            "gemini:m",
            {"GOOGLE_API_KEY": "k"},
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
            {"Authorization": "Bearer k"},
        ),
    ],
)
def test_each_providers_environment(written: str, environ: dict[str, str], url: str, headers: dict[str, str]) -> None:
    found = at(written, **environ)
    assert (found.url, dict(found.headers)) == (url, headers)


@pytest.mark.parametrize(
    "base_url", ["http://host:1", "http://host:1/", "host.example:1/v1", "http://host:1/v1/chat/completions"]
)
def test_a_base_url_may_be_written_in_many_ways(base_url: str) -> None:
    assert at("openai-compatible:m", base_url).url.endswith(":1/v1/chat/completions")


@pytest.mark.parametrize(
    ("written", "base_url", "told"),
    [
        ("openai:m", None, None),
        ("openai:m", "https://api.openai.com/v1/", None),
        ("openai:m", "https://API.openai.com:443/v1", None),
        ("openai:m", "http://proxy/v1", "http://proxy/v1"),
        ("openai-compatible:m", "https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("openai-compatible:m", "http://host:8000", "http://host:8000/v1"),
        ("openai-compatible:m", "http://host:80/v1/chat/completions", "http://host/v1"),
        ("openai-compatible:m", "http://user:secret@Host:8000/v1", "http://host:8000/v1"),
        ("openai-compatible:m", "http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("anthropic:m", "https://api.anthropic.com/v1", None),
        ("anthropic:m", "http://gate/v1", "http://gate"),
        ("ollama:m", None, None),
        ("ollama:m", "gpu-box", "http://gpu-box:11434/v1"),
    ],
)
def test_an_address_is_told_where_it_is_not_the_providers_own(
    written: str, base_url: str | None, told: str | None
) -> None:
    assert at(written, base_url, OPENAI_API_KEY="k", ANTHROPIC_API_KEY="k").told == told


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://me:secret@Host.example:443/a/b/?key=secret#c", "https://host.example/a/b"),
        ("http://host:443", "http://host:443"),
        ("http://host:port/v1", "http://host:port/v1"),
    ],
)
def test_a_plain_url_holds_no_secret(url: str, plain: str) -> None:
    assert plain_url(url) == plain


def test_openais_key_does_not_go_to_another_server_by_chance() -> None:
    assert at("openai-compatible:m", "http://elsewhere/v1", OPENAI_API_KEY="sk-1").secret is None
    assert at("openai-compatible:m", OPENAI_BASE_URL="http://elsewhere/v1", OPENAI_API_KEY="sk-1").secret == "sk-1"
    assert at("openai-compatible:m", "http://elsewhere/v1", RINGTRUE_API_KEY="own").secret == "own"


@pytest.mark.parametrize(
    ("written", "variable"),
    [
        ("openai:m", "OPENAI_API_KEY"),
        ("anthropic:m", "ANTHROPIC_API_KEY"),
        ("gemini:m", "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("databricks:m", "DATABRICKS_HOST"),
        ("azure:m", "AZURE_OPENAI_ENDPOINT"),
        ("openai-compatible:m", "OPENAI_BASE_URL"),
    ],
)
def test_what_is_missing_is_named_by_its_variable(written: str, variable: str) -> None:
    with pytest.raises(ConfigError) as raised:
        at(written)
    assert variable in (raised.value.mend or "")


@pytest.mark.parametrize("url", ["ftp://x", "http://[x]/v1"])
def test_a_base_url_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ConfigError, match=f"base URL: '{re.escape(url)}' is no web address"):
        at("vllm:m", url)
