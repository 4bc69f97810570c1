"""Many votes, one verdict."""

import pytest

from ringtrue.judges.jury import Ballot, NoVerdict, Vote, elect, jury_part, probability_of
from ringtrue.models.types import ModelFailure


def ballots(*labels: str | None) -> list[Ballot]:
    """A ballot each on the whole; ``None`` is one that failed."""
    return [
        Ballot(f"m{n}", {"whole": Vote(label=label)})
        if label
        else Ballot(f"m{n}", failure=ModelFailure("timed_out", "too slow"))
        for n, label in enumerate(labels)
    ]


@pytest.mark.parametrize(
    ("labels", "winner", "share"),
    [
        (["yes"], "yes", None),
        (["yes", "yes"], "yes", 1.0),
        (["yes", "no", "no"], "no", 1 / 3),
        (["no", "yes", "yes"], "yes", 2 / 3),
        (["yes", "yes", None], "yes", 1.0),
    ],
)
def test_more_than_half_of_the_votes_decide(labels: list[str | None], winner: str, share: float | None) -> None:
    vote = elect(ballots(*labels), "whole", "yes")
    assert vote.label == winner
    assert vote.probability == share


@pytest.mark.parametrize("labels", [["yes", "no"], ["a", "b", "c"], ["a", "a", "b", "c"]])
def test_a_tie_is_no_majority(labels: list[str]) -> None:
    with pytest.raises(NoVerdict) as raised:
        elect(ballots(*labels), "whole", None)
    assert raised.value.kind == "no_majority"


def test_a_ballot_that_failed_and_might_have_decided_fails_the_vote() -> None:
    with pytest.raises(ModelFailure, match="too slow"):
        elect(ballots("yes", None), "whole", "yes")
    with pytest.raises(ModelFailure, match="too slow"):
        elect(ballots("yes", "no", None), "whole", "yes")


def test_the_models_own_probabilities_are_averaged_where_all_give_one() -> None:
    votes = [Vote(label="yes", probability=0.9), Vote(label="no", probability=0.2)]
    assert probability_of(votes, "yes") == pytest.approx(0.55)
    assert probability_of([*votes, Vote(label="yes")], "yes") == pytest.approx(2 / 3)


def test_a_jury_tells_flips_and_spread() -> None:
    cast = [
        Ballot("a", {"c1": Vote(label="supported"), "c2": Vote(label="missing")}),
        Ballot("b", {"c1": Vote(label="supported"), "c2": Vote(label="supported")}),
        Ballot("c", {"c1": Vote(label="missing"), "c2": Vote(label="missing")}),
        Ballot("d", failure=ModelFailure("refused", "no")),
    ]
    part = jury_part(cast, [(0.5, "hallucinated"), (1.0, "factual"), (0.0, "hallucinated")], ["c1", "c2"])
    assert part["flip_rate"] == pytest.approx(2 / 6)  # one of three votes on each claim left the commonest
    assert part["spread"] == 1.0
    assert part["voters"][0] == {"voter": "a", "label": "hallucinated", "value": 0.5}
    assert part["voters"][3] == {"voter": "d", "failed": "refused", "message": "no"}


def test_a_jury_without_a_valid_ballot_has_no_numbers() -> None:
    part = jury_part(ballots(None, None), [], ["whole"])
    assert part["flip_rate"] is None
    assert part["spread"] is None
