"""Bytes to text, the same on every platform: UTF-8 first, byte-order marks, then Windows-1252 with a visible note."""

import codecs
import re

from ringtrue.data.notes import Reading
from ringtrue.errors import DataError

__all__ = ["DAMAGED", "decode"]

# UTF-32 stands first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What `surrogateescape` makes of a byte that is not UTF-8. Row readers leave rows with it out.
DAMAGED = re.compile("[\udc80-\udcff]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f\udc80-\udcff]")
_FOREIGN_WORD = re.compile(rb"[\x80-\xff]{4}")
_NAME_IT = "save the file as UTF-8, or name its encoding with --encoding (for example --encoding cp1252)"
_NAME_ANOTHER = "save the file as UTF-8, or name its encoding with --encoding (for example --encoding shift_jis)"


def decode(data: bytes, reading: Reading) -> str:
    """The text of a file without its byte-order mark.

    With `reading.skip_bad_rows`, a UTF-8 file with a few foreign bytes keeps them as `DAMAGED` characters.
    Raises DataError that names the line, the byte and the option to set.
    """
    if reading.encoding is not None:
        return _strictly(data, reading.encoding, reading).removeprefix("\ufeff")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding, reading, skipped=len(mark))
    if wide := _without_mark(data):
        return _guessed(data, wide, reading, place=1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error, reading)


def _strictly(data: bytes, encoding: str, reading: Reading, *, skipped: int = 0) -> str:
    try:
        return data.decode(encoding)
    except LookupError as error:
        raise reading.error(
            f"unknown encoding {encoding!r}", mend="use a name such as utf-8, cp1252 or utf-16"
        ) from error
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "ignore").count("\n") + 1
        not_utf8 = "neither utf-8 nor" if reading.encoding is None and not skipped else "not"
        what = f"byte 0x{data[error.start]:02x} at offset {error.start + skipped} is {not_utf8} {encoding}"
        mend = _NAME_ANOTHER if encoding == "cp1252" else _NAME_IT
        raise DataError(what, file=reading.name, line=line, mend=mend) from error


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: in text that is mostly Latin, every second byte is zero."""
    sample = data[:4096]
    half = len(sample) // 2
    if half and sample[1::2].count(0) > 0.6 * half and not sample[::2].count(0):
        return "utf-16-le"
    if half and sample[::2].count(0) > 0.6 * half and not sample[1::2].count(0):
        return "utf-16-be"
    return None


def _not_utf8(data: bytes, error: UnicodeDecodeError, reading: Reading) -> str:
    """Windows-1252, unless some of what is beyond ASCII is good UTF-8 (then bytes are damaged) or of another script."""
    line = data.count(b"\n", 0, error.start) + 1
    byte = f"byte 0x{data[error.start]:02x} at offset {error.start}"
    escaped = data.decode("utf-8", "surrogateescape")
    # Two signs of Windows-1252 that happen to be one of UTF-8 are rare, a word of four accented letters is too.
    if 4 * len(_BEYOND_ASCII.findall(escaped)) <= len(DAMAGED.findall(escaped)):
        if _FOREIGN_WORD.search(data):
            raise DataError(f"{byte} is not UTF-8", file=reading.name, line=line, mend=_NAME_ANOTHER)
        return _guessed(data, "cp1252", reading, place=line)
    if reading.skip_bad_rows:
        return escaped.removeprefix("\ufeff")
    raise DataError(f"{byte} is not UTF-8, though the rest is", file=reading.name, line=line, mend=_NAME_IT)


def _guessed(data: bytes, encoding: str, reading: Reading, *, place: int) -> str:
    if reading.strict:
        raise DataError(
            "not UTF-8", file=reading.name, line=place, mend=f"if it is {encoding}, say --encoding {encoding}"
        )
    text = _strictly(data, encoding, reading)
    reading.notes.add(
        f"not UTF-8: read as {encoding} since line {place}; if signs look wrong, name the encoding with --encoding"
    )
    return text.removeprefix("\ufeff")
