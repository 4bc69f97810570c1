"""A diagnosis as one JSON object: what `ringtrue diagnose --json` prints, and what a page is made of."""

from dataclasses import asdict
from typing import Any

from ringtrue.report.diagnosis.found import (
    Collapse,
    Diagnosis,
    Evidence,
    Excerpt,
    Failure,
    Moved,
    PassageFinding,
    PipelineDiagnosis,
    StageMoved,
    StageShare,
)
from ringtrue.report.diagnosis.stages import SIGNS, STAGES
from ringtrue.stats.figure import Figure

__all__ = ["diagnosis_json"]


def diagnosis_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """Plain values. What is not known is null."""
    return {
        "run": diagnosis.run,
        "dataset": {"name": diagnosis.dataset, "fingerprint": diagnosis.fingerprint},
        "corpus": diagnosis.corpus,
        "pipelines": {one.pipeline: _pipeline(one) for one in diagnosis.pipelines},
        "moved": [_moved(one) for one in diagnosis.moved],
        "thresholds": asdict(diagnosis.thresholds),
        "notes": list(diagnosis.notes),
    }


def _pipeline(one: PipelineDiagnosis) -> dict[str, Any]:
    first = one.first
    return {
        "answers": one.answers,
        "judged": one.judged,
        "failed": len(one.failures),
        "failed_if": list(one.failed_if),
        "unknown": one.unknown,
        "first": None if first is None else {"stage": first.stage, "why": first.why, "remedies": list(first.remedies)},
        "stages": [_share(share) for share in one.stages],
        "failures": [_failure(failure) for failure in one.failures],
        "passages": [_finding(finding) for finding in one.findings],
        "collapse": None if one.collapse is None else _collapse(one.collapse),
        "not_looked_at": [{"what": blind.what, "needs": blind.needs} for blind in one.blind],
    }


def _share(share: StageShare) -> dict[str, Any]:
    return {
        "stage": share.stage,
        "title": STAGES[share.stage].title,
        "n": share.n,
        "weaker": share.weak,
        **_figure("share", share.share),
        "signs": dict(share.signs),
        "not_looked_at": share.unseen,
    }


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "id": failure.sample_id,
        "repeat": failure.repeat,
        "question": failure.question,
        "failed_by": list(failure.failed_by),
        "stage": failure.stage,
        "evidence": [_evidence(one) for one in failure.evidence],
    }


def _evidence(one: Evidence) -> dict[str, Any]:
    place = {} if one.excerpt is None else {"passage": _excerpt(one.excerpt)}
    return {"sign": one.sign, "text": one.text, "weaker": one.weak, **place}


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    return {
        "text": excerpt.text,
        "mark": [excerpt.start, excerpt.end],
        "id": excerpt.name,
        "rank": excerpt.rank,
    }


def _finding(finding: PassageFinding) -> dict[str, Any]:
    return {
        "sign": finding.sign,
        "stage": SIGNS[finding.sign].stage,
        "title": SIGNS[finding.sign].title,
        "source": finding.source,
        "n": finding.n,
        "of": finding.of,
        "examples": [_excerpt(one) for one in finding.examples],
    }


def _collapse(found: Collapse) -> dict[str, Any]:
    return {
        "collapsed": found.collapsed,
        "questions": found.questions,
        "distinct": found.distinct,
        "overlap": found.overlap,
        "entropy": found.entropy,
        "effective": found.effective,
        "commonest": [_excerpt(one) for one in found.commonest],
    }


def _moved(moved: Moved) -> dict[str, Any]:
    return {
        "before": moved.before,
        "after": moved.after,
        "questions": moved.questions,
        "left_out": moved.left_out,
        "failed": _stage_moved(moved.failed),
        "stages": [{"stage": one.stage, **_stage_moved(one)} for one in moved.stages],
    }


def _stage_moved(one: StageMoved) -> dict[str, Any]:
    return {"before": one.before, "after": one.after, **_figure("difference", one.difference)}


def _figure(name: str, figure: Figure) -> dict[str, Any]:
    ci = None if figure.low is None or figure.high is None else [figure.low, figure.high]
    return {name: figure.value, "ci": ci, **({"why": figure.why} if figure.why else {})}
