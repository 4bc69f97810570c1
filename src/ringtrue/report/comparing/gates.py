"""Gates on a comparison: ``answer_correctness drops by > 0.02`` fails where a pipeline falls behind the baseline so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.comparing.found import Compared, GateResult
from ringtrue.report.comparing.sides import Source
from ringtrue.report.comparing.words import difference_text, p_text, pair_title
from ringtrue.report.plain import one_line
from ringtrue.report.thresholds import Requirement, parse_requirement

__all__ = ["Gate", "check_gates", "incomplete", "parse_gate"]

_GATE = re.compile(
    r"\s*(?:(?P<pipeline>[^:<>=≤≥()]+):\s+)?(?P<metric>\S.*?)\s+(?P<verb>\w+)\s+by\s*(?P<require>[<>=≤≥].*|[\d.].*)",
    re.DOTALL,
)
_VERBS = {
    "drops": "drops", "drop": "drops", "falls": "drops", "rises": "rises", "rise": "rises", "grows": "rises",
    "worsens": "worsens", "worsen": "worsens",
}  # fmt: skip
_MOST_MISSING = 0.05  # share of the baseline's rows that a side may lack


@dataclass(frozen=True, slots=True)
class Gate:
    """When to fail: `metric` ``drops``, ``rises`` or ``worsens`` by what is `required`, of `pipeline` or of any."""

    written: str
    metric: str
    verb: str
    required: Requirement
    pipeline: str | None = None


def parse_gate(written: str) -> Gate:
    """Read ``answer_correctness drops by > 0.02``, ``new: latency_s worsens by >= 10%``. Raises UsageError.

    Without an operator, ``>`` is meant. A percentage is its hundredth.
    """
    found = _GATE.fullmatch(written)
    mend = "write METRIC drops by > 0.02; or rises by, or worsens by, which goes by what is better"
    if found is None or found["verb"].lower() not in _VERBS:
        raise UsageError(f"--fail-if {written!r} cannot be read", mend=mend)
    asked = found["require"] if found["require"][0] in "<>=≤≥" else f"> {found['require']}"
    required = parse_requirement(asked)
    if required.operator not in (">", ">=") or required.bound < 0:
        raise UsageError(f"--fail-if {written!r}: by how much it may move is an upper limit from 0 on", mend=mend)
    return Gate(" ".join(written.split()), found["metric"], _VERBS[found["verb"].lower()], required, found["pipeline"])


def check_gates(gates: Sequence[Gate], pairs: Sequence[Compared], metrics: Sequence[str]) -> list[GateResult]:
    """Hold each gate against each pair that it is about; b is the baseline. Raises UnknownNameError, UsageError."""
    return [_check(gate, one) for gate in gates for one in _about(gate, pairs, metrics)]


def incomplete(sources: Sequence[Source], pairs: Sequence[Compared], gates: Sequence[GateResult]) -> str | None:
    """Why the gates cannot be trusted: a run is not finished, or a side lacks rows that the baseline has.

    A pipeline must not pass by leaving out what is hard.
    """
    if not gates:
        return None
    open_runs = [one.called for one in sources if one.report.run.status != "finished"]
    if open_runs:
        return f"run {one_line(open_runs[0], 60)} is not finished"
    gated = {(gate.metric, gate.a, gate.b) for gate in gates}
    for one in pairs:
        lacking, had = one.unpaired.only_b, one.n + one.unpaired.only_b
        if (one.metric, one.a, one.b) in gated and one.n and lacking > _MOST_MISSING * had:
            return (
                f"{one_line(one.a, 60)} has no {one.metric} on {lacking:,} of the {had:,} rows that {one.b} has it on"
            )
    return None


def _about(gate: Gate, pairs: Sequence[Compared], metrics: Sequence[str]) -> list[Compared]:
    label = next((one for one in metrics if one == gate.metric), None) or next(
        (one for one in metrics if _fold(one) == _fold(gate.metric)), None
    )
    if label is None:
        raise UnknownNameError("metric", gate.metric, metrics, where="--fail-if")
    of_metric = [one for one in pairs if one.metric == label]
    if gate.verb == "worsens" and of_metric and of_metric[0].better is None:
        raise UsageError(f"--fail-if {gate.written!r}: {label} has no better", mend="write drops by, or rises by")
    if gate.pipeline is None:
        return of_metric
    found = [one for one in of_metric if gate.pipeline in (one.a, one.a.rpartition("@")[0])]
    if not found:
        raise UnknownNameError("pipeline", gate.pipeline, [one.a for one in of_metric], where="--fail-if")
    return found


def _check(gate: Gate, one: Compared) -> GateResult:
    value = one.difference.value
    held = f"{gate.written}: {pair_title(one.a, one.b)} (the baseline)"
    if value is None:
        says = f"{held} cannot be checked: {one.difference.why}"
        return GateResult(written=gate.written, metric=one.metric, a=one.a, b=one.b, failed=True, says=says)
    down = gate.verb == "drops" or (gate.verb == "worsens" and one.better == "higher")
    failed = gate.required.holds(-value if down else value)
    noise = ""
    if failed and one.p is not None and (one.p_adjusted or 0.0) >= 0.05:
        noise = f", beyond the limit, though within noise ({p_text(one.p_adjusted)})"
    says = f"{held}: {difference_text(one.difference)}{noise}"
    return GateResult(written=gate.written, metric=one.metric, a=one.a, b=one.b, failed=failed, says=says)


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_")
