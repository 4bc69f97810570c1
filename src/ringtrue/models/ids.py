"""Names of models, ``provider:model``, and what each provider's usual environment variables say of its endpoint.

=====================  ===========================  ========================================================
provider               model                        environment
=====================  ===========================  ========================================================
``openai``             ``gpt-…``                    OPENAI_API_KEY, OPENAI_BASE_URL
``openai-compatible``  as the server calls it       RINGTRUE_API_KEY, or OPENAI_BASE_URL with OPENAI_API_KEY
``anthropic``          ``claude-…``                 ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
``ollama``             as pulled                    OLLAMA_BASE_URL or OLLAMA_HOST
``vllm``               as served                    VLLM_BASE_URL, VLLM_API_KEY
``databricks``         the serving endpoint         DATABRICKS_HOST, DATABRICKS_TOKEN
``azure``              the deployment               AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_API_KEY
``gemini``             ``gemini-…``                 GEMINI_API_KEY or GOOGLE_API_KEY
``bedrock``            a model id, profile or ARN   AWS_* and what boto3 reads besides
``gguf``               a file
``python``             ``module:function``
=====================  ===========================  ========================================================
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from ringtrue.errors import ConfigError, UnknownNameError, UsageError

__all__ = ["PROVIDERS", "Address", "ModelId", "address_of", "parse_model_id", "plain_url"]


@dataclass(frozen=True, slots=True)
class ModelId:
    """A provider and what it calls the model. Written ``provider:model``."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True)
class Address:
    """Where an endpoint is, and the headers that open it.

    `secret` is the key in them, `key_name` the variable it came from. `told` is the base URL as people may read it,
    without a secret; ``None`` where the address is the provider's own, so that the model's name alone says who answers.
    """

    url: str
    headers: Mapping[str, str]
    secret: str | None = None
    key_name: str | None = None
    told: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """`urls` and `keys` are variables, the first that is set counts.

    `path` is where the interface begins on a bare host, `port` what it listens to where none is said.
    """

    base_url: str | None = None
    urls: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    needs_key: bool = False
    header: str = "Authorization"
    path: str = "/v1"
    port: int | None = None


PROVIDERS: Mapping[str, _Provider] = {
    "openai": _Provider(
        base_url="https://api.openai.com/v1", urls=("OPENAI_BASE_URL",), keys=("OPENAI_API_KEY",), needs_key=True
    ),
    "openai-compatible": _Provider(urls=("OPENAI_BASE_URL",), keys=("RINGTRUE_API_KEY",)),
    "anthropic": _Provider(
        base_url="https://api.anthropic.com",
        urls=("ANTHROPIC_BASE_URL",),
        keys=("ANTHROPIC_API_KEY",),
        needs_key=True,
        header="x-api-key",
        path="",
    ),
    "ollama": _Provider(base_url="http://localhost:11434/v1", urls=("OLLAMA_BASE_URL", "OLLAMA_HOST"), port=11434),
    "vllm": _Provider(base_url="http://localhost:8000/v1", urls=("VLLM_BASE_URL",), keys=("VLLM_API_KEY",)),
    "databricks": _Provider(
        urls=("DATABRICKS_HOST",), keys=("DATABRICKS_TOKEN",), needs_key=True, path="/serving-endpoints"
    ),
    "azure": _Provider(
        urls=("AZURE_OPENAI_ENDPOINT",),
        keys=("AZURE_OPENAI_API_KEY",),
        needs_key=True,
        header="api-key",
        path="/openai/v1",
    ),
    "gemini": _Provider(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        urls=("GEMINI_BASE_URL",),
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        needs_key=True,
        path="/v1beta/openai",
    ),
    "bedrock": _Provider(),
    "gguf": _Provider(),
    "python": _Provider(),
}
_USUAL_PORTS = {"http": ":80", "https": ":443"}
_OTHER_NAMES = {"google": "gemini", "azure-openai": "azure", "openai-compat": "openai-compatible"}


def parse_model_id(text: str) -> ModelId:
    """Read ``provider:model``, ``provider/model`` or ``provider:/model``; the model's own colons and slashes stay.

    Raises UsageError where there is no provider or no model, UnknownNameError for a provider that is not known.
    """
    found = re.fullmatch(r"\s*([^:/]+)([:/])(.*?)\s*", text, re.DOTALL)
    if found is None:
        raise UsageError(
            f"model {text!r} names no provider",
            mend="write provider:model, for example openai:gpt-5-mini or ollama:llama3.1",
        )
    written, _, name = found.groups()
    folded = written.strip().lower().replace("_", "-")
    provider = _OTHER_NAMES.get(folded, folded)
    if provider not in PROVIDERS:
        raise UnknownNameError("model provider", written, PROVIDERS, where=f"model {text!r}")
    if provider != "gguf":
        name = name.removeprefix("/")
    if not name:
        raise UsageError(f"model {text!r} has no name after the provider", mend="write provider:model")
    return ModelId(provider, name)


def address_of(model: ModelId, environ: Mapping[str, str], *, base_url: str | None = None) -> Address:
    """Where to ask for the model over HTTP, from `base_url` or the provider's environment variables.

    Raises ConfigError where a URL or a key is missing; the mend names the variable to set.
    """
    provider = PROVIDERS[model.provider]
    named = next((name for name in provider.urls if environ.get(name)), None)
    written = base_url or (environ[named] if named else provider.base_url)
    if written is None:
        variable = f"the environment variable {provider.urls[0]}"
        raise ConfigError(f"model {model} has no address", mend=f"set {variable}, or give a base URL")
    url = _normal_url(written, provider, where="base URL" if base_url else named)
    key_name = _key_name(model, provider, environ, from_openai=not base_url and named == "OPENAI_BASE_URL")
    secret = environ[key_name].strip() if key_name else None
    bearer = provider.header == "Authorization"
    headers = {provider.header: f"Bearer {secret}" if bearer else secret} if secret else {}
    if model.provider == "anthropic":
        headers["anthropic-version"] = "2023-06-01"
        target = f"{url.removesuffix('/v1')}/v1/messages"
    elif model.provider == "azure" and (version := environ.get("AZURE_OPENAI_API_VERSION", "").strip()):
        root = url.removesuffix("/v1").removesuffix("/openai")
        target = f"{root}/openai/deployments/{quote(model.name, safe='')}/chat/completions?api-version={quote(version)}"
    else:
        target = f"{url}/chat/completions"
    told = plain_url(url.removesuffix("/v1") if model.provider == "anthropic" else url)
    usual = provider.base_url is not None and told == plain_url(provider.base_url)
    return Address(target, headers, secret, key_name, told=None if usual else told)


def plain_url(url: str) -> str:
    """Which server and path a URL means: no user, password, query or fragment, no port that is the usual one."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(_USUAL_PORTS.get(parts.scheme, ":"))
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"


def _key_name(model: ModelId, provider: _Provider, environ: Mapping[str, str], *, from_openai: bool) -> str | None:
    """The variable that holds the key.

    OpenAI's key goes to another server only where the server's URL comes from OpenAI's variable too.
    """
    for name in (*provider.keys, "OPENAI_API_KEY") if from_openai else provider.keys:
        if environ.get(name, "").strip():
            return name
    if provider.needs_key:
        raise ConfigError(
            f"model {model} needs a key", mend=f"set the environment variable {' or '.join(provider.keys)}"
        )
    return None


def _normal_url(written: str, provider: _Provider, *, where: str | None) -> str:
    """The base URL without what comes after it; a bare host gets the provider's port, and the interface's path."""
    text = written.strip()
    if "://" not in text:  # OLLAMA_HOST and DATABRICKS_HOST are often a host alone
        local = re.match(r"(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\d:a-f]+\]|[^./]+)(?::\d+)?(?:/|$)", text)
        port = f":{provider.port}" if provider.port and not re.search(r":\d+(?:/|$)|/", text) else ""
        text = ("http://" if local else "https://") + text + port
    text = text.replace("://0.0.0.0", "://127.0.0.1").rstrip("/")
    for ending in ("/chat/completions", "/messages"):
        text = text.removesuffix(ending)
    try:
        parts = urlsplit(text)
    except ValueError:  # brackets that hold no address
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{written!r} is no web address", where=where, mend="write it as http://host:port/v1")
    return text if parts.path.strip("/") else text + provider.path
