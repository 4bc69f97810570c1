"""Golden facts that the answer holds: FMEval's Factual Knowledge to the bit, and a rule that reads numbers and dates.

FMEval looks for the letters of a fact, so that "12" is found in "2012" and "134,383 million" is not "134.4 billion".
`facts_matched` and `facts_found` look for what it says, see `ringtrue.text.phrases`.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias, cast

from ringtrue.catalogue import Explanation, metric
from ringtrue.data.facts import evaluate, leaves, show_fact, terms
from ringtrue.text.normal import fmeval_normal
from ringtrue.text.phrases import find
from ringtrue.text.reading import read
from ringtrue.types import Facts, Response, Sample

__all__ = ["facts_found", "facts_matched", "factual_knowledge", "factual_knowledge_quasi"]

Operator: TypeAlias = Literal["auto", "OR", "AND"]

_FMEVAL = "fmeval 1.2.3, Factual Knowledge (aws/fmeval)"
_OWN = "ringtrue's own rule: ringtrue.text.phrases"


def _quasi(text: str) -> str:
    return fmeval_normal(text.strip())


def _explained_by(prepared: Callable[[str], str]) -> Callable[..., Explanation]:
    """The pieces that were found, and the groups of alternatives of which none was."""

    def explain(sample: Sample, response: Response, *, operator: Operator = "auto") -> Explanation:
        groups, answer = _groups(_facts(sample).raw, operator), prepared(_answer(response))
        found = [[piece for piece in group if prepared(piece) in answer] for group in groups]
        missing = tuple("<OR>".join(group) for group, held in zip(groups, found, strict=True) if not held)
        return Explanation(matched=tuple(piece for held in found for piece in held), extra=(), missing=missing)

    return explain


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_FMEVAL, explain=_explained_by(str.lower))
def factual_knowledge(sample: Sample, response: Response, *, operator: Operator = "auto") -> float:
    """Whether the answer holds the golden facts letter by letter, case aside (FMEval's exact inclusion).

    The facts are cut as FMEval cuts them: OR at "<OR>" (one piece is enough), AND at "<AND>" (all are needed). Neither
    spaces around a piece nor word boundaries count, and an empty piece is in every answer. ``auto`` takes the operator
    that the facts hold, OR where they hold none; where they hold both, which FMEval cannot, "<AND>" of "<OR>" groups.
    """
    return _score(sample, response, operator, str.lower)


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_FMEVAL, explain=_explained_by(_quasi))
def factual_knowledge_quasi(sample: Sample, response: Response, *, operator: Operator = "auto") -> float:
    """Whether the answer holds the golden facts after FMEval's normalisation (its quasi-exact inclusion).

    Lower case, without ASCII punctuation and articles, hence "1,000" is "1000", but "-3.5%" is in "35". FMEval names it
    factual_knowledge_quasi_exact. `operator` as in `factual_knowledge`.
    """
    return _score(sample, response, operator, _quasi)


def _explain_terms(sample: Sample, response: Response) -> Explanation:
    """The strings that were found, and the terms that do not hold, as written in the grammar."""
    tree, held = _facts(sample).tree, _finder(response)
    matched = tuple(dict.fromkeys(leaf for leaf in leaves(tree) if held(leaf)))
    missing = (term for term in terms(tree) if not evaluate(term, held))
    return Explanation(matched=matched, extra=(), missing=tuple(map(show_fact, missing)))


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_OWN, explain=_explain_terms)
def facts_matched(sample: Sample, response: Response) -> float:
    """Whether the answer states the golden facts, read as words, numbers, units, currencies and dates.

    "134.4 billion" is stated by "$134,383 million", "2023-02-22" by "February 22nd, 2023", "5 km" by "5,000 m"; "12" is
    not by "2012", "12.5 billion" not by "112.5 billion", "-5" not by "5". Nested <AND>, <OR> and parentheses hold.
    """
    return float(evaluate(_facts(sample).tree, _finder(response)))


@metric(needs=("answer", "facts"), range=(0, 1), better="higher", source=_OWN, explain=_explain_terms)
def facts_found(sample: Sample, response: Response) -> float:
    """Share of the golden facts that the answer states, by the rule of facts_matched.

    The facts are the parts that are all needed (those between "<AND>"); alternatives count as one.
    """
    needed, held = terms(_facts(sample).tree), _finder(response)
    return sum(evaluate(term, held) for term in needed) / len(needed)


def _score(sample: Sample, response: Response, operator: Operator, prepared: Callable[[str], str]) -> float:
    answer = prepared(_answer(response))
    groups = _groups(_facts(sample).raw, operator)
    return float(all(any(prepared(piece) in answer for piece in group) for group in groups))


def _groups(raw: str, operator: Operator) -> list[list[str]]:
    """The pieces as FMEval cuts them: of every group one is needed."""
    match operator:
        case "OR":
            return [raw.split("<OR>")]
        case "AND":
            return [[piece] for piece in raw.split("<AND>")]
        case "auto":
            return [group.split("<OR>") for group in raw.split("<AND>")]


def _finder(response: Response) -> Callable[[str], bool]:
    """Says of a fact's string whether the answer states it."""
    answer = read(_answer(response))
    return lambda string: next(find(answer, read(string)), None) is not None


def _facts(sample: Sample) -> Facts:
    return cast(Facts, sample.facts)  # `needs` holds it


def _answer(response: Response) -> str:
    return cast(str, response.answer)  # `needs` holds it
