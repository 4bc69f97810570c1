"""Pass rates put right by what was measured of their judges, and judges of which nothing was."""

from collections.abc import Iterator
from dataclasses import dataclass

from ringtrue.catalogue import MetricUse
from ringtrue.report.agreement.plain import figure_text
from ringtrue.report.plain import count, joined, number, one_line
from ringtrue.report.report import Report
from ringtrue.stats.figure import Figure
from ringtrue.stats.prevalence import corrected_rate
from ringtrue.types import Calibration, Score

__all__ = ["PassRate", "corrected_lines", "pass_rates", "unchecked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """The share of a pipeline's `rows` that a judge passes, `observed` and as people would see it (`corrected`)."""

    pipeline: str
    metric: str
    rows: int
    observed: float
    corrected: Figure
    calibration: Calibration


def pass_rates(report: Report) -> list[PassRate]:
    """For each pipeline and each metric that was measured against people's labels, by pipeline."""
    found = []
    for pipeline in report.pipelines if report.calibrations else ():
        for label, calibration in report.calibrations.items():
            use = report.metrics[label]
            scores = [
                score
                for row in report.rows
                for (name, _), by_metric in row.scores.items()
                if name == pipeline and (score := by_metric.get(label)) and score.status == "scored"
            ]
            if scores:
                found.append(_rate(pipeline, label, scores, use, calibration))
    return found


def unchecked(report: Report) -> list[str]:
    """The judges that scored something and were never measured against people."""
    return [
        label
        for label, use in report.metrics.items()
        if use.metric.kind == "judge"
        and label not in report.calibrations
        and any(cells[label].scored for cells in report.summary.values())
    ]


def corrected_lines(report: Report) -> Iterator[str]:
    """What a person should read beside the means, a line each; nothing where no judge is among the metrics."""
    for one in pass_rates(report):
        measured = one.calibration
        passed = f"passes {number(one.observed)} of {count(one.rows, 'answer')}"
        known = one.corrected.value is not None
        people = f"people would pass {figure_text(one.corrected)}" if known else "that cannot be corrected"
        why = f" ({one.corrected.why})" if one.corrected.why else ""
        yield f"{one_line(one.pipeline, 60)}: {one.metric} {passed}; {people}{why}, {_measured(measured)}"
    if names := unchecked(report):
        yield f"Never checked against people: {joined(names)}. How far they can be trusted tells: ringtrue agree"


def _measured(one: Calibration) -> str:
    shares = [
        f"{name} {number(right / all)}"
        for name, right, all in (
            ("TPR", one.true_positives, one.positives),
            ("TNR", one.true_negatives, one.negatives),
        )
        if all
    ]
    return f"by {', '.join(shares)} on {count(one.rows, 'label')} of {one_line(one.dataset, 40)}, {one.at[:10]}"


def _rate(pipeline: str, label: str, scores: list[Score], use: MetricUse, calibration: Calibration) -> PassRate:
    passed = sum(_passes(score, use, calibration.cut) for score in scores)
    return PassRate(
        pipeline=pipeline,
        metric=label,
        rows=len(scores),
        observed=passed / len(scores),
        corrected=corrected_rate(
            passed,
            len(scores),
            true_positives=calibration.true_positives,
            positives=calibration.positives,
            true_negatives=calibration.true_negatives,
            negatives=calibration.negatives,
        ),
        calibration=calibration,
    )


def _passes(score: Score, use: MetricUse, cut: float | None) -> bool:
    """Whether the judge says the positive label, or a value that reaches the cut that it was measured with."""
    if use.metric.positive is not None and score.label is not None:
        return score.label == use.metric.positive
    if score.value is None:
        return False
    at = 0.5 if cut is None else cut
    return score.value <= at if use.metric.better == "lower" else score.value >= at
