"""The report as JSON: the object that ``--json`` prints, and the ``.json`` file with every row."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from ringtrue.data.records import response_record, sample_record
from ringtrue.data.scalars import json_ready
from ringtrue.report.agreement.corrected import PassRate, pass_rates
from ringtrue.report.judging.summary import Judged, Judging, judging
from ringtrue.report.plain import finite
from ringtrue.report.readings.readings import Place, Readings, read_report
from ringtrue.report.readings.told import readings_json
from ringtrue.report.report import Cell, Report, ReportRow, ThresholdResult
from ringtrue.types import Score

__all__ = ["dumps", "full_json", "score_record", "summary_json"]

# A terminal obeys some of these, and some readers take others for line ends; JSON says them by their code as well.
_ESCAPED = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
_RARE = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")


def summary_json(report: Report) -> dict[str, Any]:
    """The object that ``--json`` prints. It holds JSON values only: a number that is not known is null, never NaN.

    ``readings`` says what combinations of metrics mean. ``judging`` is there where a model was asked, ``pass_rates``
    where a metric was measured against people.
    """
    return _summary(report, read_report(report))


def _summary(report: Report, readings: Readings) -> dict[str, Any]:
    judged = judging(report)
    return {
        "run": report.run.id,
        "status": report.run.status,
        "dataset": {
            "name": report.dataset.name,
            "fingerprint": report.dataset.fingerprint,
            "n": len(report.dataset),
        },
        "summary": {
            pipeline: {label: _cell(cell) for label, cell in cells.items()}
            for pipeline, cells in report.summary.items()
        },
        **({"judging": _judging(judged)} if judged else {}),
        **({"pass_rates": rates} if (rates := [_pass_rate(one) for one in pass_rates(report)]) else {}),
        "readings": readings_json(readings),
        "thresholds": [_threshold(result) for result in report.thresholds],
        "exit_code": report.exit_code,
        "notes": list(report.run.notes),
    }


def _pass_rate(one: PassRate) -> dict[str, Any]:
    corrected = one.corrected
    return {
        "pipeline": one.pipeline,
        "metric": one.metric,
        "n": one.rows,
        "observed": one.observed,
        "corrected": corrected.value,
        "corrected_ci": None if corrected.low is None else [corrected.low, corrected.high],
        "why": corrected.why,
        "calibration": asdict(one.calibration),
    }


def full_json(report: Report) -> dict[str, Any]:
    """What the ``.json`` file holds: the summary, what each metric is, and every row with its Scores.

    Those of judges hold all that was asked and replied (``exchanges``), as it was sent; no other output has it whole.
    """
    readings = read_report(report)
    return _summary(report, readings) | {
        "metrics": {
            label: {
                "signature": use.signature,
                "summary": use.metric.summary,
                "range": [finite(bound) for bound in use.metric.range],
                "better": use.metric.better,
                "unit": use.metric.unit,
                "source": use.metric.source,
            }
            for label, use in report.metrics.items()
        },
        "rows": [_row(row, readings.by_place) for row in report.rows],
    }


def score_record(score: Score) -> dict[str, Any]:
    """One Score as one line of a ``.jsonl`` file says it: a judge's with its parts and usage, without its exchanges."""
    detail = {
        **({"parts": [dict(part) for part in score.parts]} if score.parts else {}),
        **({"usage": dict(score.usage)} if score.usage is not None else {}),
    }
    return {
        "sample_id": score.sample_id,
        "pipeline": score.pipeline,
        "repeat": score.repeat,
        "metric": score.metric,
        "value": finite(score.value),
        "label": score.label,
        "probability": finite(score.probability),
        "rationale": score.rationale,
        "status": score.status,
        "error": score.error,
        "source": score.source,
        "at": score.at,
        "signature": score.signature,
        **detail,
    }


def dumps(value: Mapping[str, Any], *, indent: bool = False) -> bytes:
    """`value` as UTF-8 JSON. Control characters and half surrogate pairs are escaped, so nothing is lost or obeyed."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None)
    except TypeError:  # a half surrogate pair, a key that is no text, or a foreign type in metadata
        text = json.dumps(json_ready(value), ensure_ascii=False, allow_nan=False, indent=2 if indent else None)
        data = text.encode("utf-8", "backslashreplace")  # which writes a half pair as JSON escapes it
    return data.decode().translate(_ESCAPED).encode() if _RARE.search(data) else data


def _cell(cell: Cell) -> dict[str, Any]:
    low, high = finite(cell.low), finite(cell.high)
    return {
        "mean": finite(cell.mean),
        "ci": None if low is None or high is None else [low, high],
        "scored": cell.scored,
        "skipped": cell.skipped,
        "failed": cell.failed,
        **({"labels": dict(cell.labels)} if cell.labels else {}),
        **({"reasons": dict(cell.reasons)} if cell.reasons else {}),
    }


def _judging(judged: Judging) -> dict[str, Any]:
    return {
        "total": _judged(judged.total),
        "metrics": {label: _judged(one) for label, one in judged.metrics.items()},
    }


def _judged(judged: Judged) -> dict[str, Any]:
    return asdict(judged) | {"models": list(judged.models)}


def _threshold(result: ThresholdResult) -> dict[str, Any]:
    return {
        "metric": result.metric,
        "pipeline": result.pipeline,
        "where": result.where,
        "require": result.require,
        "mean": finite(result.mean),
        "scored": result.scored,
        "passed": result.passed,
    }


def _row(row: ReportRow, readings: Mapping[Place, Sequence[str]]) -> dict[str, Any]:
    keys = dict.fromkeys((*row.responses, *row.scores))
    return sample_record(row.sample) | {
        "responses": [
            {
                "pipeline": pipeline,
                "repeat": repeat,
                **(response_record(row.responses[pipeline, repeat]) if (pipeline, repeat) in row.responses else {}),
                "scores": {label: _detail(score) for label, score in row.scores.get((pipeline, repeat), {}).items()},
                **({"readings": list(found)} if (found := readings.get((row.sample.id, pipeline, repeat))) else {}),
            }
            for pipeline, repeat in keys
        ],
    }


def _detail(score: Score) -> dict[str, Any]:
    """A Score without what its place in the file says already, and without what it has not; its value always."""
    placed = ("sample_id", "pipeline", "repeat", "metric")
    record = {
        key: value
        for key, value in score_record(score).items()
        if key not in placed and (value is not None or key == "value")
    }
    return record | ({"exchanges": [dict(exchange) for exchange in score.exchanges]} if score.exchanges else {})
