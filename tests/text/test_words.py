"""Words and sentences of any script, and text for one line."""

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.text.words import LONG, clip, count_words, is_unspaced, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 退款!", ("it", "s", "退", "款")),
        ("snake_case 10,000", ("snake", "case", "10", "000")),
        ("Naïve CAFÉ", ("naïve", "café")),
        ("cafe\u0301", ("café",)),  # canonically equal to "café"
        ("한국어 단어", ("한국어", "단어")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("สวัสดี", ("ส", "วั", "ส", "ดี")),
        ("サーバーA", ("サ", "ー", "バ", "ー", "a")),  # the prolonged sound mark does not cling to what follows
        ("မြန်။", ("မြ", "န်")),  # the script's own marks are no words
        ("ភាសា។", ("ភា", "សា")),
        ("می‌خواهم", ("می‌خواهم",)),  # the joiner inside a Persian word
        ("I ❤️ 👩‍💻 you", ("i", "you")),  # marks and joiners of emoji are no words
        ("", ()),
        ("?! …", ()),
    ],
)
def test_words_of_any_script(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected
    assert count_words(text) == len(expected)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_has_the_same_words_beside_other_scripts(text: str) -> None:
    assert words(text) == words(f"{text} é")[:-1]


def test_a_long_text_has_the_same_words() -> None:
    assert words("Tea, é! " * LONG) == ("tea", "é") * LONG


@pytest.mark.parametrize(
    ("text", "expected"),
    [("退款 ok", True), ("ไทย", True), ("ー", True), ("한국어", False), ("plain", False), ("café", False)],
)
def test_unspaced_scripts_are_known(text: str, expected: bool) -> None:
    assert is_unspaced(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opens at 6 p.m. Mondays too. Come!", ("It opens at 6 p.m. Mondays too.", "Come!")),
        ("Mr. Roe met J. Doe. They ran 3.5 km.", ("Mr. Roe met J. Doe.", "They ran 3.5 km.")),
        ("Really?! Yes... No", ("Really?!", "Yes...", "No")),
        ("ok. but no", ("ok. but no",)),  # no new beginning
        ('He said "No." Then (she left.) Ok', ('He said "No."', "Then (she left.)", "Ok")),
        ("It costs 5. 10 are left.", ("It costs 5.", "10 are left.")),
        ("一。二！三？四", ("一。", "二！", "三？", "四")),
        ("「はい。」と言った。", ("「はい。」", "と言った。")),
        ("كيف؟ نعم. لا", ("كيف؟", "نعم.", "لا")),
        ("क है। ख है॥ ग", ("क है।", "ख है॥", "ग")),
        ("က။ ခ", ("က။", "ခ")),
        ("one\n\n two \nMr.\nthree", ("one", "two", "Mr.", "three")),
        ("  ", ()),
    ],
)
def test_sentences_of_any_script(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


@given(
    st.lists(st.sampled_from(["a", "B", " ", ". ", "p.m.", "Mr.", "\n", "!", '"', "。", "」", "5", "…"])).map("".join)
)
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("hostile", "count"),
    [
        ('."' * 50_000, 1),
        ("." + "\"'" * 50_000, 1),
        ("。" + "」" * 100_000, 1),
        (" " * 200_000, 0),
        ("x. " * 50_000, 1),
        ("Yes. " * 50_000, 50_000),
    ],
)
def test_sentences_of_hostile_text_take_linear_time(hostile: str, count: int) -> None:
    # Going back over the text from every mark would take minutes here.
    assert len(sentences(hostile)) == count


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("two\n  lines", 20, "two lines"),
        ("exact", 5, "exact"),
        ("a longer line", 9, "a longer…"),
        ("word and", 6, "word…"),
        ("red \x1b[31mtext\x07 \u202ekcab", 40, "red [31mtext kcab"),  # nothing that a terminal would obey
        (" " * 500 + "late", 5, "…"),
        ("", 5, ""),
    ],
)
def test_clip_fits_text_on_one_line(text: str, length: int, expected: str) -> None:
    assert clip(text, length) == expected


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_clip_never_exceeds_its_length(text: str, length: int) -> None:
    clipped = clip(text, length)
    assert len(clipped) <= length
    assert not any(category(character) == "Cc" for character in clipped)
