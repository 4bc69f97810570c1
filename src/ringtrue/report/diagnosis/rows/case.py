"""All that is known of one answer, gathered once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.data.passages.match import By, Found, Incomparable, find_golden
from ringtrue.report.diagnosis.found import Collapse
from ringtrue.report.diagnosis.passages.checks import Checked
from ringtrue.report.diagnosis.rows.corpus import Corpus
from ringtrue.report.diagnosis.rows.texts import question_words
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.report.readings.readings import value_of
from ringtrue.text.normal import squad_words
from ringtrue.types import Passage, Response, Sample, Score

__all__ = ["Around", "Case", "make_case"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What all answers of a pipeline share. `labels` is the metric label of the run by the metric's name."""

    cuts: Thresholds
    labels: Mapping[str, str]
    checked: Checked
    corpus: Corpus | None
    collapse: Collapse | None
    by: By
    ill_formed: frozenset[str]
    pipelines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One answer: `values` by metric name where scored; `golden` is how its passages meet the golden ones."""

    sample: Sample
    response: Response
    repeat: int
    values: Mapping[str, float]
    scores: Mapping[str, Score]
    golden: Found | None
    around: Around

    @property
    def contexts(self) -> Sequence[Passage] | None:
        return self.response.contexts

    @property
    def texts(self) -> list[str]:
        """The retrieved texts, as far as they are known."""
        return [one.text for one in self.contexts or () if one.text]

    @property
    def facts(self) -> float | None:
        """The value of the first facts metric that was scored."""
        return next((self.values[name] for name in FACTS if name in self.values), None)

    @property
    def nearest(self) -> int | None:
        """The place of the passage that shares most words with the question: the one that should hold the answer."""
        asked = question_words(self.sample)
        shared = [len(asked & set(squad_words(one.text or ""))) for one in self.contexts or ()]
        return shared.index(max(shared)) if any(shared) else None

    @property
    def relevant(self) -> float | None:
        """How many of the passages are relevant, by context_relevance."""
        value = self.values.get("context_relevance")
        if value is None or not self.contexts:
            return None
        parts = [one for one in self.scores["context_relevance"].parts or () if one.get("kind") == "passage"]
        told = [float(one["value"]) for one in parts if one.get("value") is not None]
        return (
            sum(one >= 0.5 for one in told) if told else round(value * len(self.contexts), 1)
        )  # a share of 0.33 is one of three


FACTS = ("factual_knowledge", "facts_matched", "factual_knowledge_quasi")


def make_case(sample: Sample, response: Response, repeat: int, scores: Mapping[str, Score], around: Around) -> Case:
    """Gather what is known of one answer. `scores` are by metric label."""
    named = {name: scores[label] for name, label in around.labels.items() if label in scores}
    values = {name: value for name, one in named.items() if (value := value_of(one)) is not None}
    return Case(
        sample=sample,
        response=response,
        repeat=repeat,
        values=values,
        scores=named,
        golden=_golden(sample, response, around.by),
        around=around,
    )


def _golden(sample: Sample, response: Response, by: By) -> Found | None:
    if not sample.reference_contexts or response.contexts is None:
        return None
    try:
        return find_golden(response.contexts, sample.reference_contexts, by)
    except Incomparable:
        return None
