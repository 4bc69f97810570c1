"""What is asked and given."""

import pytest

from ringtrue.errors import RingtrueError
from ringtrue.models.types import ModelFailure, Usage, total_usage


def used(tokens: int | None = 1, cost: float | None = 0.5, *, cached: bool = False) -> Usage:
    return Usage(input_tokens=tokens, output_tokens=2, calls=1, cost=cost, latency_s=0.25, cached=cached)


def test_usages_add_up() -> None:
    assert total_usage([used(), used(3)]) == Usage(
        input_tokens=4, output_tokens=4, calls=2, cost=1.0, latency_s=0.5, cached=False
    )
    assert total_usage([used(cached=True), used(cached=True)]).cached
    assert not total_usage([used(cached=True), used()]).cached


def test_what_is_unknown_in_one_is_unknown_in_the_sum() -> None:
    total = total_usage([used(None), used(3, None)])
    assert (total.input_tokens, total.output_tokens, total.cost) == (None, 4, None)


def test_nothing_is_nothing() -> None:
    assert total_usage([]) == Usage(input_tokens=0, output_tokens=0, calls=0, cost=0.0, latency_s=0.0, cached=False)


@pytest.mark.parametrize(
    ("kind", "retryable"), [("refused", False), ("auth", False), ("unparsed", True), ("rate_limited", True)]
)
def test_a_failure_says_whether_another_try_may_do(kind: str, retryable: bool) -> None:
    failure = ModelFailure(kind, "it did not work", raw="text", mend="mend it")  # type: ignore[arg-type]
    assert isinstance(failure, RingtrueError)
    assert (failure.retryable, str(failure)) == (retryable, "it did not work\n  mend it")
    assert ModelFailure("auth", "", retryable=True).retryable
