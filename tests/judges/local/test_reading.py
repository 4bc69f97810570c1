import pytest

from ringtrue.judges.local.reading import claims_of, declines, evidence_in


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know.",
        "I don’t know.",
        "I'm sorry, but I can't help with that.",
        "N/A",
        "Unknown",
        "The provided context does not mention the price.",
        "The passages don't say when it opens.",
        "There is no information about this in the documents.",
        "I could not find any information about it.",
        "As an AI language model, I do not have access to prices.",
        "It's not possible to answer this question without more context.",
        "Unfortunately, I cannot answer this.",
        "The answer cannot be determined from the passages.",
        "I looked at all the pages. We were unable to find the price.",
    ],
)
def test_what_declines(answer: str) -> None:
    assert declines(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "He could not find the way home.",
        "None of them won.",
        "The unknown soldier.",
        "No information was lost in the crash.",
        "Paris. I do not have more details about it.",
        "She did not know him.",
        "The price is not included in the table.",
        "As an AI language model, I do not have access to news. However, as of 2021 the winner was Ann Lee.",
        "It costs 5 euros. It has many rooms. The garden is open. I cannot say how many people come.",
        "",
    ],
)
def test_what_does_not_decline(answer: str) -> None:
    assert not declines(answer)


def test_claims_are_sentences_without_politeness_and_refusals() -> None:
    text = "Sure, here is what I found. Paris is the capital. I could not find its size. I hope this helps!"
    (claim,) = claims_of(text, group=2, first=4)
    assert (claim.id, claim.text, claim.group) == ("c4", "Paris is the capital.", 2)


def test_a_bare_word_is_a_claim_only_where_there_is_no_sentence() -> None:
    assert [one.text for one in claims_of("Paris")] == ["Paris"]
    assert [one.text for one in claims_of("Capital\nParis is the capital.")] == ["Paris is the capital."]
    assert claims_of("I do not know.") == []


def test_the_evidence_is_the_sentence_that_shares_most() -> None:
    text = "It rains a lot. The tower is 300 metres high. Many people see the tower."
    assert evidence_in(text, "The tower is 300 metres high") == "The tower is 300 metres high."
    assert evidence_in(text, "Nothing fits") is None
