"""What models cost."""

import pytest

from ringtrue.errors import ConfigError
from ringtrue.models.prices import Price, cost_of, price_of, price_table, prices_as_of
from ringtrue.models.types import Usage


def used(input_tokens: int | None, output_tokens: int | None) -> Usage:
    return Usage(input_tokens=input_tokens, output_tokens=output_tokens, calls=1, cost=None, latency_s=1.0)


def test_dollars_for_a_million_tokens() -> None:
    assert cost_of("openai:gpt-4o-mini", used(1_000_000, 1_000_000)) == pytest.approx(0.75)  # 0.15 + 0.60
    assert cost_of("anthropic:claude-haiku-4-5", used(2000, 100)) == pytest.approx(0.0025)  # 2000 * 1 + 100 * 5, / 1e6


def test_what_is_not_known_is_none_and_never_0() -> None:
    assert cost_of("openai:gpt-of-tomorrow", used(10, 10)) is None
    assert cost_of("vllm:gpt-4o-mini", used(10, 10)) is None
    assert cost_of("openai:gpt-4o-mini", used(None, 10)) is None


@pytest.mark.parametrize("build", ["gpt-4o-mini-2024-07-18", "gpt-4o-mini-latest"])
def test_a_dated_build_costs_what_its_model_does(build: str) -> None:
    assert price_of(f"openai:{build}") == price_of("openai:gpt-4o-mini")


def test_a_smaller_model_is_not_taken_for_its_bigger_sister() -> None:
    assert price_of("openai:gpt-4o-mini-search") is None


def test_the_user_overrides_the_table() -> None:
    own = {"openai:gpt-4o-mini": {"input": 1, "output": 2}, "vllm:*": Price(0.0, 0.0)}
    assert price_of("openai:gpt-4o-mini-2024-07-18", own) == Price(1.0, 2.0)
    assert cost_of("vllm:qwen", used(5, 5), own) == 0.0


@pytest.mark.parametrize("price", [{"input": 1}, {"input": "much", "output": 1}, {"input": -1, "output": 1}, 3])
def test_a_price_that_is_none_is_told(price: object) -> None:
    with pytest.raises(ConfigError, match=r"prices\.a:b"):
        price_of("a:b", {"a:b": price})  # type: ignore[dict-item]


def test_the_table_is_dated_and_sound() -> None:
    assert prices_as_of() == "2026-11-30"
    assert len(price_table()) >= 30
    assert all(0 < price.input <= price.output <= 200 for price in price_table().values())
