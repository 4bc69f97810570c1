"""The report as JUnit XML, which continuous integration shows: one test suite a pipeline.

Its test cases are the thresholds (a failure where one is not passed) and the rows (an error where a Score failed,
skipped where none could be given). The values of a row are its properties and its output.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import fsum
from xml.etree import ElementTree as ET

from ringtrue.report.plain import finite, one_line, value_text, visible
from ringtrue.report.report import Report, ReportRow
from ringtrue.report.thresholds import threshold_text
from ringtrue.types import Response, Score

__all__ = ["junit_xml"]

_CLIP = 120  # characters of a question in a test case's name
_ANSWER = 2000  # characters of an answer in its output


def junit_xml(report: Report) -> bytes:
    """UTF-8 XML that any XML reader reads back: control characters are shown by their pictures."""
    root = ET.Element("testsuites", _texts(name="ringtrue"))
    for pipeline in report.pipelines:
        suite = ET.SubElement(root, "testsuite", _texts(name=pipeline, timestamp=report.run.started.rstrip("Z")))
        _properties(suite, {"run": report.run.id, "dataset": report.dataset.name, "status": report.run.status})
        suite.extend(_threshold_cases(report, pipeline))
        suite.extend(_row_cases(report, pipeline))
        _count(suite)
    _count(root)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _threshold_cases(report: Report, pipeline: str) -> Iterator[ET.Element]:
    for result in report.thresholds:
        if result.pipeline == pipeline:
            where = f" where {result.where}" if result.where else ""
            case = _case(f"{pipeline}.thresholds", f"{result.metric} {result.require}{where}")
            if not result.passed:
                _told(case, "failure", threshold_text(result), "threshold")
            yield case


def _row_cases(report: Report, pipeline: str) -> Iterator[ET.Element]:
    for row in report.rows:
        given = {repeat for name, repeat in (*row.responses, *row.scores) if name == pipeline}
        wanted = range(report.run.repeats if report.run.status != "finished" else not given)
        for repeat in sorted(given.union(wanted)):
            yield _row_case(report, row, pipeline, repeat)


def _row_case(report: Report, row: ReportRow, pipeline: str, repeat: int) -> ET.Element:
    response, scores = row.responses.get((pipeline, repeat)), row.scores.get((pipeline, repeat), {})
    question = f": {one_line(row.sample.question, _CLIP)}" if row.sample.question else ""
    again = f" (repeat {repeat + 1})" if report.run.repeats > 1 or repeat else ""
    seconds = response.latency_s if response else None
    case = _case(pipeline, f"{row.sample.id}{question}{again}", seconds)
    if scores:
        _properties(case, {label: _said(score) for label, score in scores.items()})
    failed: dict[str, list[str]] = {}
    for label, score in scores.items():
        if score.status == "failed":
            failed.setdefault(score.error or "failed", []).append(label)
    if response is None and not scores:
        _told(case, "error", f"no answer in this run, which is {report.run.status}", "missing")
    elif failed or (response and response.error):
        reasons = [response.error] if response and response.error else []
        reasons += [f"{', '.join(labels)}: {why}" for why, labels in failed.items()]
        _told(case, "error", "\n".join(reasons), "failed")
    elif scores and all(score.status == "skipped" for score in scores.values()):
        _told(case, "skipped", "\n".join(dict.fromkeys(score.error or "skipped" for score in scores.values())))
    _output(case, response, scores.values())
    return case


def _output(case: ET.Element, response: Response | None, scores: Iterable[Score]) -> None:
    """The answer, then why each verdict was given, where that is known."""
    lines = [] if response is None or response.answer is None else [response.answer[:_ANSWER]]
    if lines and response and response.answer and len(response.answer) > _ANSWER:
        lines.append(f"… ({len(response.answer):,} characters in all)")
    lines += [f"{score.metric}: {score.rationale}" for score in scores if score.rationale]
    if lines:
        ET.SubElement(case, "system-out").text = visible("\n".join(lines))


def _said(score: Score) -> str:
    if score.status != "scored":
        return f"{score.status}: {score.error}" if score.error else score.status
    return score.label or ("" if score.value is None else value_text(score.value))


def _case(classname: str, name: str, seconds: float | None = None) -> ET.Element:
    return ET.Element("testcase", _texts(classname=classname, name=name, time=f"{finite(seconds) or 0:.3f}"))


def _told(case: ET.Element, kind: str, why: str, named: str = "") -> None:
    """A ``failure``, ``error`` or ``skipped`` with its reason: the first line as the message, all of it as the text."""
    attributes = {"message": why.split("\n", 1)[0]} | ({"type": named} if named else {})
    ET.SubElement(case, kind, _texts(**attributes)).text = visible(why)


def _properties(parent: ET.Element, values: Mapping[str, str]) -> None:
    inside = ET.SubElement(parent, "properties")
    for name, value in values.items():
        ET.SubElement(inside, "property", _texts(name=name, value=value))


def _count(suite: ET.Element) -> None:
    cases = list(suite.iter("testcase"))
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    suite.set("tests", str(len(cases)))
    for name, kind in kinds.items():
        suite.set(name, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("time", f"{fsum(float(case.get('time', '0')) for case in cases):.3f}")


def _texts(**attributes: str) -> dict[str, str]:
    return {name: visible(value) for name, value in attributes.items()}
