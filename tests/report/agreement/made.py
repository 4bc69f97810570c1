"""Labelled rows and judges made by hand, with or without a text that tries to break out of the page."""

from collections.abc import Callable
from random import Random

from ringtrue.report.agreement.candidates import Candidate, Labels, Person, Said
from ringtrue.types import Passage, Response, Sample

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><!-- {{ 7*7 }}"
BINARY = Labels(names=("no", "yes"), positive="yes")


def rows(n: int, *, text: str = "", start: int = 0) -> list[Person]:
    """Rows of two a question, half of them yes; three raters, of whom the last now and then differs."""
    found = []
    for place in range(start, start + n):
        label = "yes" if place % 2 else "no"
        other = "no" if label == "yes" else "yes"
        found.append(
            Person(
                id=f"row-{place}{text}",
                cluster=place // 2,
                label=label,
                raters={f"ann{text}": label, "bob": label, "cleo": other if place % 7 == 0 else label},
                sample=Sample(
                    id=f"row-{place}",
                    question=f"Question {place}? {text}",
                    reference=(f"Golden {place} {text}",),
                    metadata={"topic": f"topic {place % 2} {text}"},
                ),
                response=Response(
                    answer=f"Answer {place} {text}", contexts=(Passage(text=f"Passage {place} {text}"),) * 12
                ),
            )
        )
    return found


def judge(people: list[Person], wrong: Callable[[int], bool], *, text: str = "", runs: int = 1) -> Candidate:
    """A judge with probabilities and rationales that is wrong where `wrong` says so; it fails on every 40th row."""
    random = Random(5)
    said: list[dict[str, Said]] = []
    for _ in range(runs):
        run = {}
        for place, row in enumerate(people):
            yes = (row.label == "yes") is not wrong(place)
            sure = 0.5 + random.random() / 2
            run[row.id] = (
                Said(status="failed", error=f"timed out {text}\ntrace")
                if place % 40 == 39
                else Said(
                    label="yes" if yes else "no",
                    score=sure if yes else 1 - sure,
                    rationale=f"Because of {place} {text}",
                )
            )
        said.append(run)
    return Candidate(
        name=f"large{text}",
        kind="judge",
        runs=said,
        scores="probability",
        signature=f"correctness{text}|version:1",
        metric="answer_correctness",
        summary=f"Whether the answer is right. {text}",
    )


def rule(people: list[Person], *, text: str = "") -> Candidate:
    """A baseline with scores of which a cut is made."""
    random = Random(7)
    run = {row.id: Said(score=random.gauss(0.6 if row.label == "yes" else 0.4, 0.2)) for row in people}
    return Candidate(
        name=f"overlap_of_words{text}", kind="code", runs=[run], scores="value", baseline=True, summary="Words shared."
    )
