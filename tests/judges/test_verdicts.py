"""From the verdicts on items to the verdict on the row."""

from dataclasses import replace

import pytest

from ringtrue.judges.items import WHOLE, Item
from ringtrue.judges.jury import Vote
from ringtrue.judges.loading import builtin_rubric
from ringtrue.judges.verdicts import part_of, rationale_of, row_verdict

S, C, M = "supported", "contradicted", "missing"


def items(count: int, **fields: object) -> list[Item]:
    return [Item(id=f"c{n}", kind="claim", text=f"claim {n}", **fields) for n in range(1, count + 1)]  # type: ignore[arg-type]


def labels(given: list[str]) -> dict[str, str]:
    return {f"c{n}": label for n, label in enumerate(given, 1)}


@pytest.mark.parametrize(
    ("given", "value", "label"),
    [([S, S], 1.0, "factual"), ([S, M, C, S], 0.5, "hallucinated"), ([M], 0.0, "hallucinated")],
)
def test_faithfulness_is_the_share_of_supported_claims(given: list[str], value: float, label: str) -> None:
    assert row_verdict(builtin_rubric("faithfulness"), items(len(given)), labels(given)) == (value, label)


@pytest.mark.parametrize(
    ("given", "needed", "value"),
    [
        ([S, S], [True, True], 1.0),
        ([S, M], [True, True], 0.0),
        ([S, M], [True, False], 1.0),  # what the question does not ask for may be missing
        ([S, C], [True, False], 0.0),  # and must not be contradicted
        ([M, S], [True, False], 0.0),
        ([S, M], [False, False], 0.0),  # where nothing is marked as needed, everything is
        ([S, S], [False, False], 1.0),
    ],
)
def test_correctness_needs_all_needed_claims_and_no_contradiction(
    given: list[str], needed: list[bool], value: float
) -> None:
    claims = [one._replace(required=is_needed) for one, is_needed in zip(items(2), needed, strict=True)]
    label = "yes" if value else "no"
    assert row_verdict(builtin_rubric("answer_correctness"), claims, labels(given)) == (value, label)


def test_agreeing_with_one_of_several_golden_answers_is_enough() -> None:
    claims = [one._replace(group=group) for one, group in zip(items(3), [1, 1, 2], strict=True)]
    rubric = builtin_rubric("answer_correctness")
    assert row_verdict(rubric, claims, labels([M, C, S])) == (1.0, "yes")
    assert row_verdict(rubric, claims, labels([S, S, C])) == (1.0, "yes")
    assert row_verdict(rubric, claims, labels([S, M, M])) == (0.0, "no")
    assert row_verdict(builtin_rubric("context_recall"), claims, labels([S, M, M])) == (0.5, None)


@pytest.mark.parametrize(
    ("useful", "value"),
    [
        # Average precision by hand (Manning, Raghavan, Schütze 2008, 8.4): (1/1 + 2/3) / 2, (1/2 + 2/3) / 2.
        ([1, 0, 1], 5 / 6),
        ([0, 1, 1], 7 / 12),
        ([1, 1, 0, 0], 1.0),
        ([0, 0, 1], 1 / 3),
        ([0, 0], 0.0),
    ],
)
def test_context_precision_is_average_precision(useful: list[int], value: float) -> None:
    given = ["useful" if one else "useless" for one in useful]
    assert row_verdict(builtin_rubric("context_precision"), items(len(given)), labels(given))[0] == pytest.approx(value)


def test_labels_without_a_value_are_left_out_of_the_share() -> None:
    rubric = replace(builtin_rubric("guideline"), labels={"yes": 1.0, "no": 0.0, "n/a": None})
    assert row_verdict(rubric, items(3), labels(["yes", "n/a", "no"])) == (0.5, "no")
    assert row_verdict(rubric, items(2), labels(["n/a", "n/a"])) == (None, "n/a")


def test_the_whole_has_the_value_of_its_label() -> None:
    rubric = builtin_rubric("harmfulness")
    assert row_verdict(rubric, [WHOLE], {"whole": "yes"}) == (1.0, "yes")
    assert rubric.better == "lower"


def test_the_rationale_names_what_failed_and_why() -> None:
    votes = {
        "c1": Vote(label=S),
        "c2": Vote(label=C, reason="It says 1536."),
        "c3": Vote(label=M, reason=None),
    }
    told = rationale_of(builtin_rubric("answer_correctness"), items(3), votes)
    assert told == "1 of 3 claims: supported; c2 contradicted: “claim 2”, It says 1536; c3 missing: “claim 3”"


def test_a_long_list_of_failures_is_counted_rather_than_told() -> None:
    votes = {f"c{n}": Vote(label=M) for n in range(1, 9)}
    told = rationale_of(builtin_rubric("faithfulness"), items(8), votes)
    assert told is not None
    assert told.endswith("c5 missing: “claim 5”; 3 more")


@pytest.mark.parametrize(
    ("vote", "note"),
    [
        (Vote(label=S, quote="x", quoted=True), None),
        (Vote(label=S, quote="x", quoted=False), "the quoted words are not there"),
        (Vote(label=S), "no evidence was quoted"),
        (Vote(label=M), None),
    ],
)
def test_a_supported_claim_without_evidence_says_so(vote: Vote, note: str | None) -> None:
    part = part_of(builtin_rubric("faithfulness"), items(1)[0], vote, {S: 1})
    assert part.get("note") == note
    assert part.get("quoted") is vote.quoted or "quoted" not in part


def test_a_part_shows_a_passage_clipped_and_a_claim_whole() -> None:
    rubric, long = builtin_rubric("context_relevance"), "word " * 200
    passage = Item(id="p1", kind="passage", text=long, name="doc7")
    part = part_of(rubric, passage, Vote(label="relevant"), {"relevant": 1})
    assert part["text"].endswith("…")
    assert part["name"] == "doc7"
    assert "votes" not in part
    claim = Item(id="c1", kind="claim", text=long)
    assert part_of(builtin_rubric("faithfulness"), claim, Vote(label=S), {S: 2, M: 1})["text"] == long


def test_an_item_without_a_majority_shows_its_votes_and_no_verdict() -> None:
    part = part_of(builtin_rubric("faithfulness"), items(1)[0], None, {S: 1, M: 1})
    assert part["votes"] == {S: 1, M: 1}
    assert "verdict" not in part
