"""What models cost, from a dated table in the package and from the user. What is not known is ``None``, never 0."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ringtrue.errors import ConfigError
from ringtrue.models.types import Usage

__all__ = ["FREE", "Price", "cost_of", "price_of", "price_table", "prices_as_of"]

_MILLION = 1_000_000
# What providers put after a model's name to say which build it is: a date, "latest".
_BUILD = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, in and out."""

    input: float
    output: float

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """US dollars for so many tokens; ``None`` where their number is not known."""
        if input_tokens is None or output_tokens is None:
            return None
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION

    def cost_of(self, usage: Usage) -> float | None:
        """US dollars for what was used."""
        return self.cost(usage.input_tokens, usage.output_tokens)


# Models that run in this process: nobody is charged.
FREE = Price(0.0, 0.0)


def price_of(model_id: str, prices: Mapping[str, Price | Mapping[str, float]] | None = None) -> Price | None:
    """The price of ``provider:model``: the user's (`prices`) before the package's, a dated build like its model.

    A user's key may be ``provider:*`` for all models of a provider.
    """
    provider = model_id.partition(":")[0]
    own = prices or {}
    for key in (model_id, _BUILD.sub("", model_id), f"{provider}:*"):
        if key in own:
            return _price(own[key], key)
    table = price_table()
    return table.get(model_id) or table.get(_BUILD.sub("", model_id))


def cost_of(
    model_id: str, usage: Usage, prices: Mapping[str, Price | Mapping[str, float]] | None = None
) -> float | None:
    """US dollars for what was used; ``None`` where the model's price or the number of tokens is not known."""
    price = price_of(model_id, prices)
    return None if price is None else price.cost_of(usage)


@cache
def price_table() -> Mapping[str, Price]:
    """The package's table, by ``provider:model``."""
    return {
        f"{provider}:{model}": Price(float(pair[0]), float(pair[1]))
        for provider, models in _file()["prices"].items()
        for model, pair in models.items()
    }


@cache
def prices_as_of() -> str:
    """The date on which the package's table was true, ISO 8601."""
    return str(_file()["as_of"])


@cache
def _file() -> dict[str, Any]:
    import yaml  # heavy, and only a run that asks a model needs it

    text = files("ringtrue.models").joinpath("prices.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def _price(given: Price | Mapping[str, float], key: str) -> Price:
    if isinstance(given, Price):
        return given
    try:
        price = Price(float(given["input"]), float(given["output"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{given!r} is no price",
            where=f"prices.{key}",
            mend="write {input: …, output: …}, US dollars for a million tokens",
        ) from error
    if not (price.input >= 0 and price.output >= 0):
        raise ConfigError("a price cannot be negative", where=f"prices.{key}", mend="write 0 for what costs nothing")
    return price
