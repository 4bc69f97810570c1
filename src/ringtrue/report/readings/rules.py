"""The readings as data: which values together mean what, and what to do. Nothing else knows their thresholds.

A rule speaks of roles (`ROLES`) rather than of metrics, since several metrics can play one. FMEval's normalisation
leaves a bare id such as "10317750796" the word that it shares with "10,317,750,796", so that "no golden word" has to be
a small recall and cannot be a recall of 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

__all__ = ["LEGEND", "ROLES", "RULES", "Condition", "Outcome", "Rule", "rule_text", "with_settings"]

Operator: TypeAlias = Literal["=", "≥", "≤", "<"]

# Who plays a role: the first of these metrics that a run has.
ROLES: Mapping[str, tuple[str, ...]] = {
    "facts": ("factual_knowledge", "facts_matched", "factual_knowledge_quasi"),
    "recall": ("recall_over_words",),
    "precision": ("precision_over_words",),
    "refusal": ("refusal",),
    "sufficiency": ("context_sufficiency",),
    "correctness": ("answer_correctness",),
    "similarity": ("answer_similarity",),
}
_YES_NO = ("refusal", "sufficiency", "correctness")

LEGEND = "Recall is closeness to the golden answer, precision is conciseness, F1 is both."


@dataclass(frozen=True, slots=True)
class Condition:
    """The value of a role, held against a cut."""

    role: str
    operator: Operator
    cut: float

    def holds(self, value: float) -> bool:
        match self.operator:
            case "=":
                return value == self.cut
            case "≥":
                return value >= self.cut
            case "≤":
                return value <= self.cut
            case "<":
                return value < self.cut

    @property
    def text(self) -> str:
        """``recall ≥ 0.7``, ``refusal = yes``."""
        named = ("no", "yes")[int(self.cut)] if self.operator == "=" and self.role in _YES_NO else f"{self.cut:g}"
        return f"{self.role} {self.operator} {named}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reading turns out to be where one more metric was scored."""

    name: str
    title: str
    when: Condition
    remedy: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One reading: it is made where all conditions hold.

    `across` says that they have to hold for every pipeline of the run. `outcomes` settle what the reading leaves open,
    the first one that holds.
    """

    name: str
    title: str
    when: tuple[Condition, ...]
    meaning: str
    remedy: str
    across: bool = False
    outcomes: tuple[Outcome, ...] = ()


RULES: tuple[Rule, ...] = (
    Rule(
        "likely_hallucinated_fact",
        "likely hallucinated fact",
        (Condition("facts", "=", 0), Condition("recall", "≥", 0.7)),
        "the answer says nearly what the golden answer says, but not its fact",
        "look at the fact in the answer, and check its faithfulness",
    ),
    Rule(
        "accidental_fact_match",
        "accidental fact match",
        (Condition("facts", "=", 1), Condition("recall", "≤", 0.1)),
        "the fact is in an answer that shares next to nothing with the golden answer",
        "the fact string is too simple for an id, a telephone number or a date: make it longer, or use facts_matched",
    ),
    Rule(
        "other_words_or_miss",
        "right answer in other words, or retrieval miss",
        (Condition("facts", "=", 0), Condition("recall", "<", 0.7)),
        "the answer is far from the golden answer and lacks its fact",
        "score answer_correctness (or answer_similarity) and refusal, which tell the one from the other",
        outcomes=(
            Outcome("refused", "refused", Condition("refusal", "=", 1), "look at retrieval: ringtrue diagnose"),
            Outcome(
                "right_in_other_words",
                "right in other words",
                Condition("correctness", "=", 1),
                "add what the answer says to the facts as a variant (<OR>)",
            ),
            Outcome("wrong", "wrong", Condition("correctness", "=", 0), "find the stage at fault: ringtrue diagnose"),
            Outcome(
                "alike",
                "likely right in other words (by answer_similarity alone, which is weaker)",
                Condition("similarity", "≥", 0.85),
                "read the answer, then add it as a variant (<OR>)",
            ),
        ),
    ),
    Rule(
        "verbose",
        "verbose",
        (Condition("recall", "≥", 0.7), Condition("precision", "<", 0.4)),
        "the answer says what the golden answer says, and much else",
        "ask for short answers in the prompt; or the golden answer is too short",
    ),
    Rule(
        "refused_though_sufficient",
        "refused though the context sufficed",
        (Condition("refusal", "=", 1), Condition("sufficiency", "=", 1)),
        "the passages hold the answer, and the application declined",
        "the prompt is too strict: say when to answer, and show an example",
    ),
    Rule(
        "answered_though_insufficient",
        "answered though the context did not suffice",
        (Condition("refusal", "=", 0), Condition("sufficiency", "=", 0)),
        "the passages do not hold the answer, and the application answered all the same",
        "a grounding instruction: answer from the passages alone, and say so where they do not tell",
    ),
    Rule(
        "ill_formed_triplet",
        "ill-formed triplet",
        (Condition("facts", "=", 0),),
        "no pipeline has the fact, which speaks against the question or its facts rather than against them all",
        "mend the golden data: one question with one answer, and facts that hold every right way to say it",
        across=True,
    ),
)


def rule_text(rule: Rule) -> str:
    """``facts = 0 and recall ≥ 0.7``."""
    return " and ".join(one.text for one in rule.when) + (" for every pipeline" if rule.across else "")


def with_settings(settings: Mapping[str, Mapping[str, float] | bool]) -> tuple[Rule, ...]:
    """The rules as a configuration has them: cuts by role, or a reading switched off (``False``)."""
    return tuple(
        _set(rule, settings.get(rule.name, True)) for rule in RULES if settings.get(rule.name, True) is not False
    )


def _set(rule: Rule, cuts: Mapping[str, float] | bool) -> Rule:
    if isinstance(cuts, bool):
        return rule

    def cut(one: Condition) -> Condition:
        return replace(one, cut=cuts.get(one.role, one.cut)) if one.operator != "=" else one

    outcomes = tuple(replace(one, when=cut(one.when)) for one in rule.outcomes)
    return replace(rule, when=tuple(map(cut, rule.when)), outcomes=outcomes)
