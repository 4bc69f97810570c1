r"""Cells of our CSV and TSV files, so written that a spreadsheet shows text and runs nothing.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return may be taken for a formula. It gets one
apostrophe in front, unless the whole cell is a plain number, percentage or phone number. The reader takes one
apostrophe away where it stands (with others, maybe) before such a character and nowhere else, so that every text comes
back as it was, and the apostrophes of other people's files stay (``'tis``, ``'90s``).
"""

import re

__all__ = ["guard_cell", "unguard_cell"]

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\u00a0\u202f]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?")
_PHONE = re.compile(r"\+\d[\d .()]*")  # no hyphen or slash: a spreadsheet would do the sum


def guard_cell(text: str) -> str:
    """`text` as a cell that no spreadsheet takes for a formula."""
    if not _RISKY.match(text) or _NUMBER.fullmatch(text) or _PHONE.fullmatch(text):
        return text
    return "'" + text


def unguard_cell(text: str) -> str:
    """The text that `guard_cell` made the cell of."""
    return text[1:] if text[:1] == "'" and _GUARDED.match(text) else text
