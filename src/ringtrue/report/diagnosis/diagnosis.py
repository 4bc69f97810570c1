"""The diagnosis of a run: a pure function of its report, and of the corpus where that is given."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ringtrue.data.passages.match import By
from ringtrue.report.diagnosis.blind import blind_of, unseen_of
from ringtrue.report.diagnosis.collapse import collapse_of
from ringtrue.report.diagnosis.found import Diagnosis, Failure, FirstStage, PipelineDiagnosis, StageShare
from ringtrue.report.diagnosis.passages.checks import check_passages
from ringtrue.report.diagnosis.rows.attribute import attribute
from ringtrue.report.diagnosis.rows.case import FACTS, Around, Case, make_case
from ringtrue.report.diagnosis.rows.corpus import Corpus, open_corpus
from ringtrue.report.diagnosis.rows.failing import FailedIf, default_rules, failed_by
from ringtrue.report.diagnosis.stages import ORDER, SIGNS, STAGES
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.report.plain import count
from ringtrue.report.readings.readings import share_of, value_of
from ringtrue.report.report import Report
from ringtrue.types import Passage, Response, Sample

__all__ = ["diagnose"]

_BINARY = "_binary"  # the one-call form of a judge stands in for it where that was not scored


def diagnose(
    report: Report,
    *,
    pipelines: Sequence[str] | None = None,
    corpus: Sequence[Passage] | None = None,
    thresholds: Thresholds | None = None,
    failed_if: Sequence[FailedIf] = (),
) -> Diagnosis:
    """Find the first failing stage of every answer that failed, pipeline by pipeline (all, where none is named).

    `failed_if` are rules of the user's instead of those that go by the metrics of the run.
    """
    cuts = thresholds or Thresholds()
    opened = None if corpus is None else open_corpus(corpus, cuts)
    names = report.pipelines if pipelines is None else pipelines
    return Diagnosis(
        run=report.run.id,
        dataset=report.dataset.name,
        fingerprint=report.dataset.fingerprint,
        corpus=None if corpus is None else len(corpus),
        pipelines=[_pipeline(report, name, opened, cuts, failed_if) for name in names],
        thresholds=cuts,
    )


def _pipeline(
    report: Report, name: str, corpus: Corpus | None, cuts: Thresholds, rules: Sequence[FailedIf]
) -> PipelineDiagnosis:
    answers = [
        (row.sample, repeat, response, row.scores.get((name, repeat), {}))
        for row in report.rows
        for (own, repeat), response in row.responses.items()
        if own == name
    ]
    around = _around(report, [(sample, response) for sample, _, response, _ in answers], corpus, cuts, rules)
    cases = [make_case(sample, response, repeat, scores, around) for sample, repeat, response, scores in answers]
    judged = [(case, why) for case in cases if (why := failed_by(case, rules)) is not None]
    failures = [_failure(case, why) for case, why in judged if why]
    scored = {metric for case in cases for metric in case.values}
    stages = _stages(failures, cases)
    findings = around.checked.findings("retrieved")
    if corpus is not None:
        findings += corpus.checked.findings("corpus")
    return PipelineDiagnosis(
        pipeline=name,
        questions=list(dict.fromkeys(case.sample.id for case, _ in judged)),
        answers=len(cases),
        judged=len(judged),
        failed_if=[rule.text for rule in rules] or default_rules(scored, cuts),
        failures=failures,
        stages=stages,
        first=_first(stages, sum(one.stage is None for one in failures), cuts),
        findings=findings,
        collapse=around.collapse,
        blind=blind_of(cases, report),
    )


def _around(
    report: Report,
    answers: Sequence[tuple[Sample, Response]],
    corpus: Corpus | None,
    cuts: Thresholds,
    rules: Sequence[FailedIf],
) -> Around:
    labels: dict[str, str] = {}
    for label, use in report.metrics.items():
        labels.setdefault(use.metric.name, label)
    for name in [one for one in labels if one.endswith(_BINARY)]:
        labels.setdefault(name.removesuffix(_BINARY), labels[name])
    labels |= {rule.name: rule.name for rule in rules if rule.name in report.metrics}
    fetched = {sample.id: response.contexts for sample, response in reversed(answers) if response.contexts}
    return Around(
        cuts=cuts,
        labels=labels,
        checked=check_passages((one for _, response in answers for one in response.contexts or ()), cuts),
        corpus=corpus,
        collapse=collapse_of(fetched.values(), cuts, len(corpus.passages) if corpus else None),
        by=_by(answers, corpus),
        ill_formed=_ill_formed(report, labels),
        pipelines=len(report.pipelines),
    )


def _by(answers: Iterable[tuple[Sample, Response]], corpus: Corpus | None) -> By:
    """How passages are compared: not by ids where those of golden and retrieved passages have nothing in common.

    Ids that another way of cutting the documents has given would say that nothing was ever found.
    """
    golden, fetched = set(), set(corpus.ids if corpus else ())
    texts = True
    for sample, response in answers:
        golden |= {one.id for one in sample.reference_contexts or ()}
        fetched |= {one.id for one in response.contexts or () if one.id}
        texts = texts and all(one.text for one in (*(sample.reference_contexts or ()), *(response.contexts or ())))
    return "text" if texts and not golden & fetched else "auto"


def _ill_formed(report: Report, labels: Mapping[str, str]) -> frozenset[str]:
    """The samples whose facts no pipeline has; none where there is one pipeline, which cannot tell."""
    label = next((labels[name] for name in FACTS if name in labels), None)
    if label is None or len(report.pipelines) < 2:
        return frozenset()
    found = []
    for row in report.rows:
        values = {key: value_of(scores.get(label)) for key, scores in row.scores.items()}
        scored = {name for (name, _), value in values.items() if value is not None}
        if scored == set(report.pipelines) and not any(values.values()):
            found.append(row.sample.id)
    return frozenset(found)


def _failure(case: Case, why: Sequence[str]) -> Failure:
    stage, evidence = attribute(case, why)
    return Failure(
        sample_id=case.sample.id,
        repeat=case.repeat,
        question=case.sample.question,
        failed_by=why,
        stage=stage,
        evidence=evidence,
    )


def _stages(failures: Sequence[Failure], cases: Sequence[Case]) -> list[StageShare]:
    known = [one for one in failures if one.stage is not None]
    shares = []
    for stage in ORDER:
        own = [one for one in known if one.stage == stage]
        by_sample: dict[str, list[bool]] = {}
        for one in known:
            by_sample.setdefault(one.sample_id, []).append(one.stage == stage)
        signs = Counter(one.evidence[0].sign for one in own)
        shares.append(
            StageShare(
                stage=stage,
                n=len(own),
                weak=sum(one.weak for one in own),
                share=share_of(by_sample),
                signs=dict(signs.most_common()),
                unseen=None if own else unseen_of(stage, cases),
            )
        )
    return shares


def _first(stages: Sequence[StageShare], unknown: int, cuts: Thresholds) -> FirstStage | None:
    """The leftmost stage with its share of the failures; the one with most of them where none has it."""
    total = sum(one.n for one in stages)
    if not total:
        return None
    most = max(stages, key=lambda one: one.n)
    first = next((one for one in stages if one.n >= cuts.stage_share * total), most)
    signs = [f"{SIGNS[sign].title} ({n})" for sign, n in first.signs.items()]
    why = f"{first.n} of {count(total, 'failure')} with a known stage: {'; '.join(signs)}"
    later = [one for one in stages if one.n > first.n]
    if later:
        named = ", ".join(f"{STAGES[one.stage].title} {one.n}" for one in later)
        why += f". More fail later ({named}), but errors cascade: the leftmost comes first"
    if first.weak == first.n:
        why += ". All of it is weaker evidence"
    if unknown:
        why += f". The stage of {unknown} more is not known"
    return FirstStage(first.stage, why, STAGES[first.stage].remedies)
