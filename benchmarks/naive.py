"""FMEval's protocol written down plainly, score by score, as one would from its description: the yardstick."""

import string

from ringtrue.types import Response, Sample

ARTICLES = ("a", "an", "the")
PUNCTUATION = set(string.punctuation)


def normalise(text: str) -> str:
    kept = "".join(letter for letter in text.lower() if letter not in PUNCTUATION)
    return " ".join(word for word in kept.split(" ") if word != "" and word not in ARTICLES)


def words(text: str) -> set[str]:
    return set(normalise(text.strip()).split())


def precision(target: str, output: str) -> float:
    told, wanted = words(output), words(target)
    return len(told & wanted) / len(told) if told else 0.0


def recall(target: str, output: str) -> float:
    told, wanted = words(output), words(target)
    return len(told & wanted) / len(wanted) if wanted else 0.0


def f1(target: str, output: str) -> float:
    p, r = precision(target, output), recall(target, output)
    return 0.0 if p == 0 or r == 0 else 1 / (0.5 / p + 0.5 / r)


def exact(target: str, output: str) -> float:
    return float(output.strip() == target.strip())


def quasi_exact(target: str, output: str) -> float:
    return float(normalise(output.strip()) == normalise(target.strip()))


def fact(target: str, output: str) -> float:
    return float(target.lower() in output.lower())


def quasi_fact(target: str, output: str) -> float:
    return float(normalise(target.strip()) in normalise(output.strip()))


def seven_scores(sample: Sample, response: Response) -> dict[str, float]:
    """The seven scores of one row, each the best over its targets."""
    answer, facts = response.answer or "", (sample.facts.raw if sample.facts else "").split("<OR>")
    over_references = {
        "recall_over_words": recall,
        "precision_over_words": precision,
        "f1_over_words": f1,
        "exact_match": exact,
        "quasi_exact_match": quasi_exact,
    }
    over_facts = {"factual_knowledge": fact, "factual_knowledge_quasi": quasi_fact}
    return {
        name: max(rule(target, answer) for target in sample.reference) for name, rule in over_references.items()
    } | {name: max(rule(target, answer) for target in facts) for name, rule in over_facts.items()}
