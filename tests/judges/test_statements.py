"""The baseline that holds the claims of answer and golden answer against each other."""

import pytest

from ringtrue.errors import Skip
from ringtrue.types import Response, Sample
from tests.judges.scripted import Scripted, judged, verdicts


def claims(*texts: str) -> dict[str, object]:
    return {"claims": [{"source": text, "claim": text, "kind": "essential"} for text in texts]}


def row(*references: str) -> tuple[Sample, Response]:
    return Sample(id="1", question="Q?", reference=references), Response(answer="The answer.")


@pytest.mark.parametrize(
    ("labels", "value"),
    [
        # claims 1 and 2 are the answer's, 3 and 4 the golden answer's
        (("supported", "supported", "supported", "supported"), 1.0),
        (("supported", "unsupported", "supported", "supported"), 2 / 3),  # TP 1, FP 1, FN 0
        (("supported", "unsupported", "supported", "unsupported"), 0.5),  # TP 1, FP 1, FN 1
        (("unsupported", "unsupported", "unsupported", "supported"), 0.0),
    ],
)
def test_the_value_is_f1_over_the_claims_of_both_sides(labels: tuple[str, ...], value: float) -> None:
    found = verdicts(**{f"c{place}": label for place, label in enumerate(labels, 1)})
    model = Scripted(claims("one", "two"), claims("three", "four"), found)
    verdict = judged("baseline_statements", model, *row("The golden answer."))
    assert verdict.value == pytest.approx(value)
    assert verdict.label is None
    assert [part["whose"] for part in verdict.parts or ()] == ["answer", "answer", "reference", "reference"]
    assert "Claim c1 (of the answer):" in model.prompts[-1]
    assert "Claim c4 (of the reference answer):" in model.prompts[-1]


def test_of_several_golden_answers_the_best_counts() -> None:
    found = verdicts(c1="supported", c2="unsupported", c3="supported")
    model = Scripted(claims("one"), claims("two"), claims("three"), found)
    assert judged("baseline_statements", model, *row("A.", "B.")).value == 1.0


def test_an_answer_without_a_claim_has_none_that_is_right() -> None:
    model = Scripted(claims(), claims("two"), verdicts(c1="unsupported"))
    assert judged("baseline_statements", model, *row("A.")).value == 0.0


def test_two_texts_without_a_claim_are_skipped() -> None:
    with pytest.raises(Skip, match="no claim"):
        judged("baseline_statements", Scripted(claims()), *row("A."))
