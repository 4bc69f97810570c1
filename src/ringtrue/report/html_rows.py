"""What the HTML page shows of each sample: its answers with the matched words marked, and its scores side by side."""

import re
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum

from ringtrue.catalogue import Explanation, MetricUse
from ringtrue.data.records import sample_record
from ringtrue.report.facts_table import FACTS_METRICS, FactsTable
from ringtrue.report.json_report import dumps
from ringtrue.report.judging.transcript import JudgedView, Transcript
from ringtrue.report.plain import number, one_line, value_text, visible
from ringtrue.report.report import Report, ReportRow
from ringtrue.types import Passage, Response, Sample, Score

__all__ = ["AnswerView", "Piece", "RowView", "WordsView", "marked_pieces", "row_views", "worst_first"]

ANSWER = 20_000  # characters of an answer that the page shows
LONG = 600  # from which it may have to be scrolled
PASSAGE = 4_000
WORDS = 120  # words of a list of matched, extra or missing ones

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_TWINS = _PUNCTUATION | dict.fromkeys(map(ord, "‘’‚‛“”„‟′″‐‑–−"))
_INNER = re.compile(r"\w+(?:.*\w)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer; `kind` is ``fact``, ``word`` or nothing."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class WordsView:
    """What some metrics say of the words: matched, extra, missing, each with how many more there are."""

    labels: str
    matched: str
    extra: str
    missing: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One pipeline's answer, at one repeat. `figures` are latency, tokens, cost and model."""

    name: str
    pieces: Sequence[Piece]
    left_out: int
    long: bool
    error: str | None
    figures: str
    passages: Sequence["PassageView"] | None
    words: Sequence[WordsView]


@dataclass(frozen=True, slots=True)
class PassageView:
    """One passage: its place or id, its retrieval score, its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One score as a cell: what stands there, why, and (as tooltip) how it was made."""

    text: str
    status: str
    why: str
    signature: str


@dataclass(frozen=True, slots=True)
class RowView:
    """One sample with everything the page shows of it. `marks` are the leading metric's values by pipeline."""

    sample: Sample
    question: str
    references: Sequence[str]
    facts: str
    passages: Sequence[PassageView] | None
    metadata: str
    marks: Sequence[tuple[str, str]]
    flags: str
    answers: Sequence[AnswerView]
    heads: Sequence[str]
    scores: Sequence[tuple[str, Sequence[ScoreView | None]]]
    judged: Sequence[JudgedView]


def row_views(
    report: Report, rows: Iterable[ReportRow], lead: str | None, facts: FactsTable | None, transcript: Transcript
) -> list[RowView]:
    """The views of `rows`. `lead` is the metric whose values stand beside each question."""
    ill_formed = {row.sample.id for row in facts.rows if row.ill_formed} if facts else set()
    return [_row_view(report, row, lead, row.sample.id in ill_formed, transcript) for row in rows]


def worst_first(report: Report) -> list[ReportRow]:
    """The rows, those with failures first, then by the mean of what the metrics with two bounds say of them."""
    return sorted(report.rows, key=lambda row: _goodness(report, row))


def marked_pieces(text: str, words: Iterable[str], facts: Iterable[str] = ()) -> list[Piece]:
    """Cut `text` at the words and facts in it; a fact stands out against the words it is made of.

    Words are compared as the metrics do it: lower case, no punctuation. Neighbours are one piece, calmer to read.
    """
    kinds = [""] * len(text)
    for kind, spans in (("word", _words(text, frozenset(words))), ("fact", _phrases(text, facts))):
        for start, end in spans:
            kinds[start:end] = [kind] * (end - start)
    for at in range(1, len(text) - 1):
        if text[at] == " " and not kinds[at] and kinds[at - 1] == kinds[at + 1]:
            kinds[at] = kinds[at - 1]
    runs = groupby(range(len(text)), key=kinds.__getitem__)
    return [Piece("".join(text[at] for at in run), kind) for kind, run in runs]


def _phrases(text: str, facts: Iterable[str]) -> Iterable[tuple[int, int]]:
    for fact in facts:
        if fact.strip():
            yield from (found.span() for found in re.finditer(re.escape(fact.strip()), text, re.IGNORECASE))


def _words(text: str, wanted: frozenset[str]) -> Iterable[tuple[int, int]]:
    if not wanted:
        return
    for chunk in re.finditer(r"\S+", text):
        lowered = chunk.group().lower()
        if {lowered, lowered.translate(_PUNCTUATION), lowered.translate(_TWINS)} & wanted:
            inner = _INNER.search(chunk.group())
            start, end = inner.span() if inner else (0, len(chunk.group()))
            yield chunk.start() + start, chunk.start() + end
        elif not lowered.isascii():  # scripts without spaces: a character is a word
            yield from ((chunk.start() + at, chunk.start() + at + 1) for at, c in enumerate(lowered) if c in wanted)


def _row_view(report: Report, row: ReportRow, lead: str | None, ill_formed: bool, transcript: Transcript) -> RowView:
    keys = list(dict.fromkeys((*row.responses, *row.scores)))
    heads = [_named(report, key) for key in keys]
    scores = [(label, [_score_view(row.scores.get(key, {}).get(label)) for key in keys]) for label in report.metrics]
    marks = [(name, _lead_mark(row, name, lead)) for name in report.pipelines] if lead else []
    statuses = {score.status for by_metric in row.scores.values() for score in by_metric.values()}
    flags = [
        "zero" if ill_formed else "",
        "differs" if len({mark for _, mark in marks}) > 1 else "",
        "failed" if "failed" in statuses or any(one.error for one in row.responses.values()) else "",
        "skipped" if "skipped" in statuses else "",
    ]
    record = sample_record(row.sample)
    return RowView(
        sample=row.sample,
        question=row.sample.question or "(no question)",
        references=[text[:ANSWER] for text in row.sample.reference],
        facts=row.sample.facts.raw if row.sample.facts else "",
        passages=_passages(row.sample.reference_contexts),
        metadata=dumps(record["metadata"]).decode()[:PASSAGE] if "metadata" in record else "",
        marks=marks,
        flags=" ".join(filter(None, flags)),
        answers=[_answer_view(report, row, key) for key in keys if key in row.responses],
        heads=heads,
        scores=scores,
        judged=_judged(report, row, dict(zip(keys, heads, strict=True)), transcript),
    )


def _judged(
    report: Report, row: ReportRow, heads: Mapping[tuple[str, int], str], transcript: Transcript
) -> list[JudgedView]:
    """What there is to see of the judges' Scores, metric by metric."""
    given = [(row.scores.get(key, {}).get(label), head) for label in report.judges for key, head in heads.items()]
    views = [
        transcript.view(score, head, report.metrics[score.metric].metric.positive)
        for score, head in given
        if score is not None
    ]
    return [view for view in views if view is not None]


def _named(report: Report, key: tuple[str, int]) -> str:
    return f"{key[0]} (repeat {key[1] + 1})" if report.run.repeats > 1 or key[1] else key[0]


def _lead_mark(row: ReportRow, pipeline: str, lead: str) -> str:
    found = [scores[lead] for (name, _), scores in row.scores.items() if name == pipeline and lead in scores]
    values = [score.value for score in found if score.value is not None]
    if values:
        return value_text(fsum(values) / len(values))
    labels = dict.fromkeys(score.label for score in found if score.label)
    return ", ".join(one_line(label, 20) for label in labels if label) or "–"


def _answer_view(report: Report, row: ReportRow, key: tuple[str, int]) -> AnswerView:
    response = row.responses[key]
    told = _explanations(report.metrics, row, key)
    text = visible((response.answer or "")[:ANSWER])
    words = {word for explanation, labels in told for word in explanation.matched if not _about_facts(report, labels)}
    facts = {fact for explanation, labels in told for fact in explanation.matched if _about_facts(report, labels)}
    return AnswerView(
        name=_named(report, key),
        pieces=marked_pieces(text, words, facts),
        left_out=max(len(response.answer or "") - ANSWER, 0),
        long=len(text) > LONG,
        error=response.error,
        figures=_figures(response),
        passages=_passages(response.contexts),
        words=[
            WordsView(", ".join(labels), *(_listed(part) for part in (one.matched, one.extra, one.missing)))
            for one, labels in told
        ],
    )


def _explanations(
    metrics: Mapping[str, MetricUse], row: ReportRow, key: tuple[str, int]
) -> list[tuple[Explanation, list[str]]]:
    """What each scored metric tells of the words; metrics that tell the same share it."""
    told: dict[Explanation, list[str]] = {}
    for label, use in metrics.items():
        score = row.scores.get(key, {}).get(label)
        if score is not None and score.status == "scored":
            explanation = use.explain(row.sample, row.responses[key])
            if explanation is not None:
                told.setdefault(explanation, []).append(label)
    return list(told.items())


def _about_facts(report: Report, labels: Sequence[str]) -> bool:
    return report.metrics[labels[0]].metric.name in FACTS_METRICS


def _listed(words: Sequence[str]) -> str:
    more = f" … and {len(words) - WORDS:,} more" if len(words) > WORDS else ""
    return " · ".join(one_line(word, 200) for word in words[:WORDS]) + more


def _figures(response: Response) -> str:
    parts = [
        f"{number(response.latency_s)} s" if response.latency_s is not None else "",
        f"{response.input_tokens:,} tokens in" if response.input_tokens is not None else "",
        f"{response.output_tokens:,} tokens out" if response.output_tokens is not None else "",
        f"${number(response.cost)}" if response.cost is not None else "",
        one_line(response.model, 80) if response.model else "",
    ]
    return " · ".join(filter(None, parts))


def _passages(passages: Sequence[Passage] | None) -> list[PassageView] | None:
    if passages is None:
        return None
    return [
        PassageView(
            name=" · ".join(
                filter(
                    None,
                    [f"{place}.", one_line(one.id, 120) if one.id else "", _retrieval(one.score)],
                )
            ),
            text=_clipped(one.text) if one.text is not None else "(only the id was recorded)",
        )
        for place, one in enumerate(passages, 1)
    ]


def _retrieval(score: float | None) -> str:
    return "" if score is None else f"retrieval score {number(score)}"


def _clipped(text: str) -> str:
    left = len(text) - PASSAGE
    return visible(text[:PASSAGE]) + (f" … ({left:,} more characters)" if left > 0 else "")


def _score_view(score: Score | None) -> ScoreView | None:
    if score is None:
        return None
    why = score.error if score.status != "scored" else score.rationale
    text = score.status if score.status != "scored" else score.label or ""
    if score.status == "scored" and score.value is not None:
        text = f"{value_text(score.value)} {text}".strip()
    if score.probability is not None:
        text += f" (p {number(score.probability)})"
    by = "" if score.source == "code" else f" · {score.source}"
    return ScoreView(text=text, status=score.status, why=_clipped(why or ""), signature=score.signature + by)


def _goodness(report: Report, row: ReportRow) -> tuple[int, float]:
    failed, values = 0, []
    for by_metric in row.scores.values():
        for label, score in by_metric.items():
            failed += score.status == "failed"
            metric = report.metrics[label].metric
            low, high = metric.range
            if score.value is not None and low is not None and high is not None and high > low and metric.better:
                share = (score.value - low) / (high - low)
                values.append(share if metric.better == "higher" else 1 - share)
    failed += sum(response.error is not None for response in row.responses.values())
    return -failed, fsum(values) / len(values) if values else 1.0
