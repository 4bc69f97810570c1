"""What a run may spend."""

import pytest

from ringtrue.models.budget import Budget, estimate_tokens
from ringtrue.models.types import Message, ModelFailure, Request


def refused(budget: Budget, estimate: float = 0.0) -> str:
    with pytest.raises(ModelFailure) as raised:
        budget.admit(estimate)
    assert raised.value.kind == "budget"
    assert raised.value.mend is not None
    return raised.value.message


def test_without_limits_everything_is_let_through() -> None:
    budget = Budget()
    for _ in range(100):
        budget.admit(10.0)
        budget.settle(10.0, 10.0)
    assert (budget.calls, budget.cost, budget.spent) == (100, 1000.0, None)


def test_calls_are_counted_when_they_begin() -> None:
    budget = Budget(max_calls=2)
    budget.admit(0)
    budget.admit(0)
    assert refused(budget) == "all 2 calls of the run's budget are made"


def test_what_is_under_way_counts_before_it_is_paid() -> None:
    budget = Budget(max_cost=1.0)
    budget.admit(0.4)
    budget.admit(0.4)
    assert "$0.8000 under way" in refused(budget, 0.4)
    budget.settle(0.4, 0.1)  # cheaper than thought
    budget.admit(0.4)
    assert budget.cost == 0.1


def test_an_unknown_cost_is_taken_for_what_was_thought() -> None:
    budget = Budget(max_cost=1.0)
    budget.admit(0.9)
    budget.settle(0.9, None)
    assert budget.cost == 0.9
    assert budget.spent is None
    budget.admit(0.1)
    budget.settle(0.1, 0.2)
    assert "are spent" in refused(budget)


def test_time_counts_from_the_beginning() -> None:
    now = 100.0
    budget = Budget(max_seconds=5, now=lambda: now)
    budget.admit(0)
    assert budget.seconds_left == 5
    now = 105.0
    assert refused(budget) == "the run's time of 5 s is over"


def test_tokens_are_estimated_by_length_and_budget() -> None:
    messages = (Message("system", "a" * 40), Message("user", "b" * 360))
    assert estimate_tokens(Request(messages=messages)) == (108, 200)
    assert estimate_tokens(Request(messages=messages, params={"max_tokens": 5})) == (108, 5)
