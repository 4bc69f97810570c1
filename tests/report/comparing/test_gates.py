"""Gates on a comparison: read, held, and what they say."""

from typing import Any

import pytest

from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Comparison
from ringtrue.report.comparing.gates import parse_gate


def gated(source: Any, *written: str, **given: Any) -> Comparison:
    return build_comparison([source], gates=[parse_gate(one) for one in written], **given)


@pytest.mark.parametrize(
    ("written", "metric", "verb", "operator", "bound", "pipeline"),
    [
        ("answer_correctness drops by > 0.02", "answer_correctness", "drops", ">", 0.02, None),
        ("new: latency_s worsens by >= 10%", "latency_s", "worsens", ">=", 0.1, "new"),
        ("f1_over_words(mode=squad) falls by .1", "f1_over_words(mode=squad)", "drops", ">", 0.1, None),
        ("faithfulness[openai:gpt-4o] RISES by ≥ 0.5", "faithfulness[openai:gpt-4o]", "rises", ">=", 0.5, None),
    ],
)
def test_gates_are_read(
    written: str, metric: str, verb: str, operator: str, bound: float, pipeline: str | None
) -> None:
    gate = parse_gate(written)
    assert (gate.metric, gate.verb, gate.pipeline) == (metric, verb, pipeline)
    assert (gate.required.operator, gate.required.bound) == (operator, bound)


@pytest.mark.parametrize("written", ["", "f1", "f1 drops", "f1 jumps by > 1", "f1 drops by < 0.1", "f1 drops by > -1"])
def test_what_is_no_gate_is_told(written: str) -> None:
    with pytest.raises(UsageError, match=r"drops by > 0\.02"):
        parse_gate(written)


def test_a_drop_beyond_the_limit_fails_though_it_is_within_noise(make_source: Any) -> None:
    source = make_source({"base": {"right": [1] * 10}, "new": {"right": [1] * 8 + [0] * 2}})
    found = gated(source, "right drops by > 0.02")
    assert (found.baseline, found.exit_code) == ("base", 100)
    assert found.notes == ("base is the baseline of the gates, since it is the first; --baseline NAME names another",)
    (gate,) = found.gates
    assert (gate.a, gate.b, gate.failed) == ("new", "base", True)
    assert gate.says.startswith("right drops by > 0.02: new against base (the baseline): −0.200 [")
    assert gate.says.endswith(", beyond the limit, though within noise (p 0.500)")
    assert gated(source, "right drops by > 0.2").exit_code == 0  # the limit itself
    assert gated(source, "right drops by >= 0.2").exit_code == 100
    assert gated(source, "right drops by > 0.02", baseline="new").exit_code == 0  # base against new has risen


def test_what_is_worse_goes_by_what_is_better(make_source: Any) -> None:
    source = make_source(
        {"base": {"seconds": [1.0] * 8, "words": [5] * 8}, "new": {"seconds": [2.0] * 8, "words": [6] * 8}}
    )
    assert gated(source, "seconds worsens by > 0.5").exit_code == 100
    assert gated(source, "seconds rises by > 0.5").exit_code == 100
    assert gated(source, "seconds drops by > 0.5").exit_code == 0
    with pytest.raises(UsageError, match="words has no better"):
        gated(source, "words worsens by > 1")


def test_a_gate_may_be_for_one_pipeline(make_source: Any) -> None:
    values = {"base": [1] * 8, "bad": [0] * 8, "good": [1] * 8}
    source = make_source({name: {"right": given} for name, given in values.items()})
    assert gated(source, "good: right drops by > 0.1").exit_code == 0
    assert [gate.failed for gate in gated(source, "right drops by > 0.1").gates] == [True, False]
    with pytest.raises(UnknownNameError, match="--fail-if: unknown pipeline 'ugly'"):
        gated(source, "ugly: right drops by > 0.1")
    with pytest.raises(UnknownNameError, match="--fail-if: unknown metric 'rigth'"):
        gated(source, "rigth drops by > 0.1")


def test_where_nothing_can_be_compared_the_gate_has_failed(make_source: Any) -> None:
    found = gated(make_source({"base": {"right": [1] * 6}, "new": {"right": [None] * 6}}), "right drops by > 0.1")
    assert (found.exit_code, found.gates[0].failed) == (100, True)
    assert found.gates[0].says.endswith("cannot be checked: no row of new is scored (6 skipped)")


def test_no_pipeline_passes_by_leaving_out_what_is_hard(make_source: Any) -> None:
    found = gated(
        make_source({"base": {"right": [1] * 10}, "new": {"right": [1] * 9 + [None]}}), "right drops by > 0.1"
    )
    assert found.exit_code == 3
    assert found.incomplete == "new has no right on 1 of the 10 rows that base has it on"
    assert (
        build_comparison([make_source({"base": {"right": [1] * 10}, "new": {"right": [1] * 9 + [None]}})]).exit_code
        == 0
    )


def test_a_gate_on_a_run_that_is_not_finished_is_not_trusted(make_source: Any) -> None:
    source = make_source({"a": {"right": [1] * 9}, "b": {"right": [1] * 9}}, status="stopped", called="half")
    assert gated(source, "right drops by > 0.1").exit_code == 3
