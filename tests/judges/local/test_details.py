import pytest

from ringtrue.judges.local.details import Difference, as_stated, differences, told


def kinds(claim: str, source: str, **more: str) -> list[str]:
    return [one.kind for one in differences(claim, source, **more)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Sales came to $134.4 billion.", "Net sales were $134,383 million in the quarter."),
        ("It was signed on 22 February 2023.", "They signed it on Feb. 22nd, 2023."),
        ("It was signed in 2023.", "They signed it on Feb. 22nd, 2023."),
        ("The path is 5,000 metres long.", "The path is 5 km long."),
        ("The USA has 50 states.", "The United States of America has fifty states."),
        ("The American author W. Penn wrote it.", "William Penn, who lived in America, wrote it."),
        ("Acme's owner came.", "The owner of Acme came."),
        ("She is one of the best.", "She is good."),
        ("It does not open on Mondays.", "On Mondays it doesn't open."),
        ("Prices rose, then fell.", "Prices rose and later fell."),
        ("", "Anything."),
        ("Anything goes here.", ""),
    ],
)
def test_the_same_in_other_words_is_no_difference(claim: str, source: str) -> None:
    assert differences(claim, source) == ()


@pytest.mark.parametrize(
    ("claim", "source", "kind", "said", "instead"),
    [
        (
            "Sales came to $170.0 billion.",
            "Net sales were $134,383 million.",
            "number",
            "170.0 billion",
            "134,383 million",
        ),
        ("It opened on 3 May 1999.", "It opened on May 4, 1999.", "date", "3 May 1999", "May 4, 1999"),
        ("It opens at 10:30.", "It opens at 9:30.", "number", "10:30", "9:30"),
        ("It was led by John Smith.", "It was led by Jane Smith.", "name", "John Smith", "Jane Smith"),
        ("It was led by Ann Lee.", "It was led by somebody else.", "name", "Ann Lee", None),
        ("The museum does not open on holidays.", "The museum does open on holidays.", "negation", "not", None),
        ("Net sales rose in the north.", "Net sales fell in the north.", "opposite", "rose", "fell"),
        ("All guests pay the fee.", "Some guests pay the fee.", "opposite", "all", "some"),
    ],
)
def test_each_kind_of_difference_is_named_with_what_the_text_says_instead(
    claim: str, source: str, kind: str, said: str, instead: str | None
) -> None:
    (found,) = differences(claim, source)
    assert (found.kind, found.said, found.instead) == (kind, said, instead)


def test_not_and_opposites_count_only_where_the_text_is_about_the_same() -> None:
    assert kinds("The museum opened early.", "Nobody swims in the lake, which closes late.") == []


def test_not_is_looked_for_in_the_evidence_alone() -> None:
    source = "The shop sells red bicycles. It does not sell cars."
    assert kinds("The shop sells red bicycles.", source) == ["negation"]
    assert kinds("The shop sells red bicycles.", source, evidence="The shop sells red bicycles.") == []


def test_a_name_of_the_question_need_not_be_in_the_text() -> None:
    assert kinds("The mayor of Lowbridge is Ann Lee.", "Its mayor is Ann Lee.", known="Who leads Lowbridge?") == []
    assert kinds("The mayor of Lowbridge is Ann Lee.", "Its mayor is Ann Lee.") == ["name"]


def test_the_word_that_begins_a_sentence_is_no_name() -> None:
    assert kinds("Bicycles are sold here.", "The shop sells bikes.") == []


def test_differences_are_told_in_words() -> None:
    found = [Difference("number", "170.0 billion", "134.4 billion"), Difference("name", "Ann Lee")]
    assert told(found, "the answer", "the reference") == (
        "the answer says “170.0 billion”, the reference “134.4 billion”; the reference does not hold “Ann Lee”"
    )
    assert told([], "the answer", "the reference") is None


@pytest.mark.parametrize(
    ("claim", "source", "said"),
    [
        ("Sales came to $134,383 million in all.", "134.4 billion", "Sales came to $134.4 billion in all."),
        ("It opened on 3 May 1999.", "May 3rd, 1999", "It opened on May 3rd, 1999."),
        ("The path has 5,000 metres.", "It is 5 km long.", "The path has 5 km."),
        ("The path has 5,000 metres.", "It is 6 km long.", "The path has 5,000 metres."),
        ("Ann has two cats.", "Ann has 2 cats.", "Ann has 2 cats."),
        ("", "5 km", ""),
    ],
)
def test_equal_numbers_and_dates_get_the_words_of_the_source(claim: str, source: str, said: str) -> None:
    assert as_stated(claim, source) == said
