"""Length, time, money and tokens of an answer."""

import pytest

from ringtrue.catalogue import Metric, missing_field
from ringtrue.metrics.running import answer_words, cost, input_tokens, latency_s, output_tokens
from ringtrue.types import Response, Sample

SAMPLE = Sample(id="1")
RESPONSE = Response(answer="It's 退款, yes!", latency_s=0.25, cost=0.0, input_tokens=812, output_tokens=7)


@pytest.mark.parametrize(
    ("metric", "value"),
    [(answer_words, 5.0), (latency_s, 0.25), (cost, 0.0), (input_tokens, 812.0), (output_tokens, 7.0)],
    ids=lambda one: one.name if isinstance(one, Metric) else str(one),
)
def test_values_are_read_off_the_response(metric: Metric, value: float) -> None:
    assert metric(SAMPLE, RESPONSE) == value
    assert isinstance(metric(SAMPLE, RESPONSE), float)


@pytest.mark.parametrize(
    "metric", [answer_words, latency_s, cost, input_tokens, output_tokens], ids=lambda one: one.name
)
def test_a_value_that_was_not_recorded_is_a_missing_field(metric: Metric) -> None:
    assert missing_field(metric.needs, SAMPLE, Response()) == metric.needs[0]


def test_less_time_and_money_are_better_and_length_is_neither() -> None:
    assert [one.better for one in (latency_s, cost, answer_words)] == ["lower", "lower", None]
