"""Bytes to text, the same everywhere."""

import codecs

import pytest

from ringtrue.data.formats.decode import decode
from ringtrue.data.notes import Reading
from ringtrue.errors import DataError

TEXT = 'id,note\n1,"It’s “€40” – paid"\n'


def notes(reading: Reading) -> str:
    return " ".join(reading.notes.lines("line"))


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
    ids=["utf-8", "utf-8 marked", "utf-16", "utf-16 big", "utf-32", "utf-32 big"],
)
def test_unicode_is_read_without_its_mark_and_without_a_note(data: bytes) -> None:
    reading = Reading(name="f")
    assert decode(data, reading) == TEXT
    assert notes(reading) == ""


def test_windows_1252_is_read_with_a_note_that_names_the_line() -> None:
    reading = Reading(name="f.csv", unit="line")
    assert decode(TEXT.encode("cp1252"), reading) == TEXT
    assert "read as cp1252 since line 2" in notes(reading)
    assert "--encoding" in notes(reading)


def test_windows_1252_that_looks_like_utf8_in_one_place_is_still_windows_1252() -> None:
    text = "« CAFÉ\u00a0», déjà, où, là"  # É and a fixed space are two bytes of one good UTF-8 character
    assert decode(text.encode("cp1252"), Reading(name="f")) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_read_with_a_note(encoding: str) -> None:
    reading = Reading(name="f")
    assert decode("question,reference\nWho?,Zoë\n".encode(encoding), reading) == "question,reference\nWho?,Zoë\n"
    assert f"read as {encoding}" in notes(reading)


def test_a_byte_that_windows_1252_lacks_is_told_with_its_place() -> None:
    with pytest.raises(DataError, match=r"f\.csv:2: byte 0x81 at offset 5 is neither utf-8 nor cp1252") as error:
        decode(b"a\nbb\xe9\x81\n", Reading(name="f.csv"))
    assert "--encoding" in str(error.value)


def test_a_foreign_byte_in_good_utf8_is_told_not_guessed() -> None:
    with pytest.raises(DataError, match=r"f:3: byte 0x92 at offset 12 is not UTF-8, though the rest is"):
        decode("é ü\nö ß\n".encode() + b"\x92", Reading(name="f"))


def test_one_good_sign_beside_one_foreign_byte_is_no_windows_1252() -> None:
    with pytest.raises(DataError, match="f:2: byte 0x92 at offset 3 is not UTF-8"):
        decode("é\n".encode() + b"\x92", Reading(name="f"))


@pytest.mark.parametrize(
    ("text", "encoding"), [("日本の首都", "shift_jis"), ("北京是首都", "gb18030"), ("Москва", "cp1251")]
)
def test_words_of_another_script_are_not_taken_for_windows_1252(text: str, encoding: str) -> None:
    with pytest.raises(DataError, match=r"is not UTF-8(.|\n)*--encoding"):
        decode(f"question,reference\nWhere?,{text}\n".encode(encoding), Reading(name="f"))


def test_a_foreign_byte_in_good_utf8_can_be_skipped_with_its_row() -> None:
    reading = Reading(name="f", skip_bad_rows=True)
    assert decode("é ü\n".encode() + b"\x92", reading) == "é ü\n\udc92"


def test_the_named_encoding_goes_before_any_guess() -> None:
    assert decode("naïve".encode(), Reading(name="f", encoding="latin-1")) == "naÃ¯ve"
    assert decode("日本".encode("shift_jis"), Reading(name="f", encoding="shift_jis")) == "日本"
    assert decode(codecs.BOM_UTF8 + b"a", Reading(name="f", encoding="utf-8")) == "a"


def test_a_named_encoding_that_does_not_fit_is_told() -> None:
    with pytest.raises(DataError, match="f:2: byte 0xe9 at offset 2 is not utf-8"):
        decode(b"a\n\xe9", Reading(name="f", encoding="utf-8"))


@pytest.mark.parametrize("encoding", ["nosuch", "base64"])
def test_an_unknown_encoding_is_told(encoding: str) -> None:
    with pytest.raises(DataError, match=f"unknown encoding '{encoding}'"):
        decode(b"a", Reading(name="f", encoding=encoding))


def test_strict_does_not_guess_an_encoding() -> None:
    with pytest.raises(DataError, match=r"f:1: not UTF-8(.|\n)*--encoding cp1252"):
        decode(b"\xe9", Reading(name="f", strict=True))
