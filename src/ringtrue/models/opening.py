"""A model by its name, ready to be asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.errors import ConfigError, UsageError
from ringtrue.models.budget import Budget
from ringtrue.models.cache import CachedModel, ReplyCache
from ringtrue.models.ids import ModelId, address_of, parse_model_id, plain_url
from ringtrue.models.prices import FREE, Price, price_of
from ringtrue.models.providers.anthropic import Messages
from ringtrue.models.providers.asking import Endpoint
from ringtrue.models.providers.bedrock import Converse, ConverseTransport
from ringtrue.models.providers.capabilities import Capabilities
from ringtrue.models.providers.gguf import GgufTransport, file_of, load_options
from ringtrue.models.providers.http import HttpTransport, proxy_for
from ringtrue.models.providers.openai_compatible import ChatCompletions
from ringtrue.models.providers.python import PythonDialect, PythonTransport, name_of, target_of
from ringtrue.models.providers.wire import Dialect, Transport
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Clock, Limits, Throttle
from ringtrue.models.types import ChatModel

__all__ = ["capabilities_of", "open_model"]

# Providers whose servers mostly decode by a grammar, and so take a schema with bounds; one that does not says so.
_BOUNDED = frozenset({"openai-compatible", "ollama", "vllm"})
# What the wanted shape of a reply decides, hence no parameter.
_OURS = frozenset(
    (
        "model",
        "messages",
        "system",
        "stream",
        "n",
        "response_format",
        "tools",
        "tool_choice",
        "logprobs",
        "top_logprobs",
    )
)


def open_model(
    model: str | Callable[..., Any],
    *,
    scheduler: Scheduler,
    environ: Mapping[str, str],
    base_url: str | None = None,
    params: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    prices: Mapping[str, Price | Mapping[str, float]] | None = None,
    budget: Budget | None = None,
    cache: ReplyCache | None = None,
    read_reasoning: bool = False,
    clock: Clock | None = None,
) -> ChatModel:
    """The model called ``provider:model``, or a Python function that answers a Request; nothing is asked yet.

    `params` are sent with every request, under its own. As long as the scheduler is open, models of one address share
    their throttle, for which the limits of the first one count, and what was learnt of them. `read_reasoning` reads
    what a model thought where it said nothing else. Replies of a Python function are not kept in `cache`: its code may
    change.

    Raises UsageError, UnknownNameError or ConfigError where the name, the address, a key or a parameter is off.
    """
    found = ModelId("python", name_of(model)) if callable(model) else parse_model_id(model)
    own, limits, budget = dict(params or {}), limits or Limits(), budget or Budget()
    if wrong := sorted(_OURS.intersection(own)):
        mend = "leave it out: ringtrue sets it as the judge needs it"
        raise UsageError(f"model {found}: {wrong[0]!r} is no parameter to set", mend=mend)
    match found.provider:
        case "python":
            transport = PythonTransport(scheduler, target_of(model), limits.concurrency)
            way = _Way(PythonDialect(), transport, key=str(found), cached=False)
        case "gguf":
            way = _gguf(found, scheduler, own)
        case "bedrock":
            way = _bedrock(found, scheduler, environ, base_url, limits)
        case _:
            way = _http(found, scheduler, environ, base_url)
    limits = replace(limits, concurrency=min(limits.concurrency, way.most_at_once or limits.concurrency))
    endpoint = Endpoint(
        id=str(found),
        key=way.key,
        dialect=way.dialect,
        transport=way.transport,
        scheduler=scheduler,
        throttle=scheduler.shared(("throttle", way.key), lambda: Throttle(limits, clock)),
        capabilities=capabilities_of(scheduler),
        budget=budget,
        price=_price(found, prices, budget),
        params=own,
        address=way.address,
        read_reasoning=read_reasoning,
        key_name=way.key_name,
    )
    return CachedModel(endpoint, cache, scheduler, way.place, own) if cache is not None and way.cached else endpoint


def capabilities_of(scheduler: Scheduler) -> Capabilities:
    """What was learnt of the endpoints that this scheduler asks; its `notes` are for people."""
    return scheduler.shared("capabilities", Capabilities)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a model is asked. `key` names it in what is shared, `place` tells it apart in the cache, `address` to people.

    Both of the latter are ``None`` where the model's name alone says who answers.
    """

    dialect: Dialect
    transport: Transport
    key: str
    place: str | None = None
    address: str | None = None
    cached: bool = True
    key_name: str | None = None
    most_at_once: int | None = None


def _http(model: ModelId, scheduler: Scheduler, environ: Mapping[str, str], base_url: str | None) -> _Way:
    address = address_of(model, environ, base_url=base_url)
    proxy = proxy_for(address.url, environ)
    transport = HttpTransport(scheduler, address.url, address.headers, secret=address.secret, proxy=proxy)
    bounds = model.provider in _BOUNDED
    dialect = Messages(model.name) if model.provider == "anthropic" else ChatCompletions(model.name, bounds=bounds)
    place = address.url if address.told else None
    key = f"{model} at {address.url} {hash(address.secret)}"  # another key has other rights and limits
    return _Way(dialect, transport, key, place, address.told, key_name=address.key_name)


def _gguf(model: ModelId, scheduler: Scheduler, params: dict[str, Any]) -> _Way:
    options, file = load_options(params), file_of(model.name)
    key = f"{model} {options}"
    transport = scheduler.shared(key, lambda: GgufTransport(scheduler, file, options))
    state = file.stat()  # another file under the same name is another model
    place = f"{state.st_size} {state.st_mtime_ns} {options}"
    return _Way(ChatCompletions(None, bounds=True), transport, key, place, most_at_once=options["n_parallel"])


def _bedrock(
    model: ModelId, scheduler: Scheduler, environ: Mapping[str, str], base_url: str | None, limits: Limits
) -> _Way:
    transport = ConverseTransport(scheduler, environ, base_url, limits.concurrency)
    address = plain_url(base_url) if base_url else None  # a region serves the same model under the same name
    return _Way(Converse(model.name), transport, f"{model} at {transport.place}", transport.place, address)


def _price(model: ModelId, prices: Mapping[str, Price | Mapping[str, float]] | None, budget: Budget) -> Price | None:
    """The model's price. Raises ConfigError where the budget limits money and the price is not known."""
    price = price_of(str(model), prices) or (FREE if model.provider == "gguf" else None)
    if budget.max_cost is not None and price is None:
        raise ConfigError(
            f"the price of {model} is not known, so that max_cost cannot hold",
            where="prices",
            mend=f"name it ({model}: {{input: …, output: …}}, US dollars for a million tokens), or leave max_cost out",
        )
    return price
