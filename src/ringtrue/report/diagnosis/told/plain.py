"""What every renderer of a diagnosis says alike."""

from ringtrue.report.diagnosis.found import (
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
from ringtrue.report.diagnosis.stages import SIGNS, STAGES, StageName
from ringtrue.report.plain import count, interval_text, number, one_line

__all__ = [
    "UNKNOWN",
    "blind_lines",
    "collapse_line",
    "evidence_lines",
    "excerpt_text",
    "failed_line",
    "finding_line",
    "first_line",
    "headline",
    "moved_lines",
    "share_text",
    "signs_text",
    "stage_title",
    "telling_failures",
]

UNKNOWN = "not known"
_OPEN, _CLOSE = "⟦", "⟧"  # around the place in a passage that matters
_SHOWN = 3


def headline(diagnosis: Diagnosis) -> str:
    """Of which run this is."""
    corpus = "" if diagnosis.corpus is None else f"; corpus of {count(diagnosis.corpus, 'passage')}"
    name = one_line(diagnosis.dataset, 60)
    return f"Diagnosis of run {diagnosis.run}; dataset {name} ({diagnosis.fingerprint[:12]}){corpus}"


def failed_line(one: PipelineDiagnosis) -> str:
    """``A: 12 of 15 answers failed (answer_correctness < 1)``; why none can be said to have, where that is so."""
    name = one_line(one.pipeline, 60)
    if not one.answers:
        return f"{name}: no answer yet"
    if not one.judged:
        return f"{name}: no metric of this run tells which of the {count(one.answers, 'answer')} failed"
    rules = f" ({'; '.join(one.failed_if)})" if one.failed_if else ""
    unjudged = f"; {one.answers - one.judged:,} more could not be judged" if one.answers > one.judged else ""
    return f"{name}: {len(one.failures):,} of {count(one.judged, 'answer')} failed{rules}{unjudged}"


def stage_title(stage: StageName | None) -> str:
    """``embed and index``; a failure without a stage is ``not known``."""
    return UNKNOWN if stage is None else STAGES[stage].title


def share_text(share: StageShare) -> str:
    """``0.75 [0.47, 0.91]``; nothing where no failure is of the stage."""
    figure = share.share
    if not share.n or figure.value is None:
        return ""
    interval = "" if figure.low is None or figure.high is None else f" {interval_text(figure.low, figure.high)}"
    return f"{number(figure.value)}{interval}"


def signs_text(share: StageShare) -> str:
    """What spoke against a stage, and how often by weaker evidence; or why it could not be looked at."""
    if share.unseen:
        return f"not looked at: {share.unseen}"
    told = "; ".join(f"{SIGNS[sign].title} {n:,}" for sign, n in share.signs.items())
    return f"{told}; weaker evidence {share.weak:,}" if share.weak else told


def first_line(one: PipelineDiagnosis) -> str:
    """The first stage to mend in a sentence, or why none is named."""
    if one.first is not None:
        stage = STAGES[one.first.stage]
        return f"Mend first: {stage.title} ({stage.does}). {_capital(one.first.why)}."
    if one.failures:
        return "Not enough is known to name a stage: what would tell stands below."
    if one.judged:
        return "No answer failed: there is nothing to mend by these metrics."
    return "Not enough is known to name a stage: score a metric of the answers, such as answer_correctness."


def telling_failures(one: PipelineDiagnosis, most: int = _SHOWN) -> list[Failure]:
    """Failures of the first stage to mend: different signs first, strong evidence with an excerpt before weak."""
    if one.first is None:
        return list(one.failures[:most])
    own = [failure for failure in one.failures if failure.stage == one.first.stage]
    own.sort(key=lambda failure: (failure.weak, failure.evidence[0].excerpt is None))
    first_of_sign = {failure.evidence[0].sign: failure for failure in reversed(own)}
    fresh = [failure for failure in own if first_of_sign[failure.evidence[0].sign] is failure]
    return [*fresh, *(failure for failure in own if failure not in fresh)][:most]


def evidence_lines(failure: Failure, excerpt: bool = True) -> list[str]:
    """What is said of a failure, and the place in the passage."""
    lines = []
    for one in failure.evidence:
        lines.append(f"{one_line(one.text, 300)}{' (weaker evidence)' if one.weak else ''}")
        if excerpt and one.excerpt is not None:
            lines.append(f"  {_where(one)}{excerpt_text(one.excerpt)}")
    return lines


def excerpt_text(excerpt: Excerpt) -> str:
    """The excerpt with its place between ⟦ and ⟧."""
    text, start, end = excerpt.text, excerpt.start, excerpt.end
    return one_line(f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}", 400)


def finding_line(finding: PassageFinding) -> str:
    """``passages that begin inside a sentence: 34 of 41 retrieved``."""
    where = "retrieved" if finding.source == "retrieved" else "in the corpus"
    return f"{SIGNS[finding.sign].title}: {finding.n:,} of {finding.of:,} {where}"


def collapse_line(one: PipelineDiagnosis) -> str:
    """How much questions share their passages."""
    found = one.collapse
    if found is None:
        return ""
    told = (
        f"{found.questions:,} questions fetched {count(found.distinct, 'distinct passage')}; two of them share "
        f"{found.overlap:.0%} on average (entropy {found.entropy:.1f} bits: as if chosen from {found.effective:.0f})"
    )
    return f"retrieval collapse: {told}" if found.collapsed else told


def blind_lines(one: PipelineDiagnosis) -> list[str]:
    """What could not be looked at, and what would make it possible."""
    return [f"{blind.what}: {blind.needs}" for blind in one.blind]


def moved_lines(moved: Moved) -> list[str]:
    """Before and after in all, then by stage."""
    left = f"; {count(moved.left_out, 'question')} judged on one side only left out" if moved.left_out else ""
    head = f"over {count(moved.questions, 'shared question')}{left}"
    if not moved.questions:
        return [f"{one_line(moved.before, 60)} and {one_line(moved.after, 60)} share no judged question"]
    lines = [f"failed: {_change(moved.failed)}, {head}"]
    lines += [f"{stage_title(one.stage)}: {_change(one)}" for one in moved.stages]
    return lines


def _change(one: StageMoved) -> str:
    low, high, value = one.difference.low, one.difference.high, one.difference.value
    interval = "" if low is None or high is None else f" {interval_text(low, high)}"
    sign = "+" if value is not None and value > 0 else ""
    told = "–" if value is None else f"{sign}{number(value)}{interval}"
    return f"{one.before:.0%} → {one.after:.0%} ({told})"


def _where(one: Evidence) -> str:
    excerpt = one.excerpt
    if excerpt is None:
        return ""
    named = [f"rank {excerpt.rank}" if excerpt.rank else "", one_line(excerpt.name, 60) if excerpt.name else ""]
    told = ", ".join(filter(None, named))
    return f"{told}: " if told else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
