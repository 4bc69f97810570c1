r"""The grammar of golden facts: the smallest strings that a right answer must hold.

::

    facts   := anyof ( "<AND>" anyof )*          all are needed
    anyof   := operand ( "<OR>" operand )*       one is enough; <OR> binds tighter than <AND>
    operand := "(" facts ")" | text              a parenthesis groups only around a whole operand that holds an operator
    text    := any characters; before "<", "(" or ")" a "\" makes this plain, and "\\" is a plain backslash

Spaces around operands are trimmed. In JSON and YAML a nested list says the same: the outer list is <AND>, a list in it
<OR>, and so on by turns; a string in a list is in the grammar too. Operators are upper case, as FMEval's are. Nothing
else separates facts, a comma least of all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import regex

from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Fact, Facts

__all__ = ["evaluate", "format_facts", "leaves", "parse_facts", "show_fact", "terms"]

# A run of backslashes means itself unless "<", "(" or ")" follows it.
_TOKEN = regex.compile(
    r"(?P<mark><OR>|<AND>|[()])|(?P<escaped>(?:\\\\)*+\\[<()])|(?P<plain>\\++(?![<()])|[^\\<()]++|<)|(?P<slashes>\\++)"
)
_ESCAPED = regex.compile(r"(\\*+)(<OR>|<AND>|[<()])")
_OPERATORS = ("<OR>", "<AND>")
_DEEPEST = 50


def parse_facts(value: str | Sequence[Any]) -> Facts:
    """Read facts from a string in the grammar, or from a nested list.

    An empty alternative (``UK<OR>``) would match every answer, so it is left out of the tree and counted in `dropped`.
    Raises DataError where nothing is left, or a list holds what is no text.
    """
    dropped: list[str] = []
    if isinstance(value, str):
        plain = "(" not in value and ")" not in value and "\\" not in value
        tree = _parse_plain(value, dropped) if plain else _parse(value, dropped)
    else:
        tree = _from_list(value, AllOf, dropped)
    if tree is None:
        raise DataError(
            "no facts in it", field="facts", mend="leave the field out, or write the words that must appear"
        )
    raw = value if isinstance(value, str) else format_facts(tree)
    return Facts(raw=raw, tree=tree, dropped=len(dropped))


def _parse_plain(text: str, dropped: list[str]) -> Fact | None:
    """As `_parse`, several times faster: nearly all facts hold neither a parenthesis nor a backslash."""
    groups = [[_leaf(["\0" + piece], dropped) for piece in part.split("<OR>")] for part in text.split("<AND>")]
    return _flat(AllOf, [_flat(AnyOf, group) for group in groups])


def format_facts(fact: Fact) -> str:
    """Write a fact tree in the grammar; `parse_facts` reads the same tree back."""
    match fact:
        case AllOf(items):
            return _join(items, AllOf)
        case AnyOf(items):
            return _join(items, AnyOf)
        case str():
            return _escape(fact)


def show_fact(fact: Fact) -> str:
    """A fact for people to read: a string as it is, without escapes, a tree in the grammar."""
    return fact if isinstance(fact, str) else format_facts(fact)


def evaluate(fact: Fact, found: Callable[[str], bool]) -> bool:
    """Whether the tree holds, given what each string in it says."""
    match fact:
        case AllOf(items):
            return all(evaluate(item, found) for item in items)
        case AnyOf(items):
            return any(evaluate(item, found) for item in items)
        case str():
            return found(fact)


def leaves(fact: Fact) -> tuple[str, ...]:
    """All strings of the tree, left to right."""
    return (fact,) if isinstance(fact, str) else tuple(leaf for item in fact.items for leaf in leaves(item))


def terms(fact: Fact) -> tuple[Fact, ...]:
    """The parts that are all needed: the items of an outermost <AND>, or the one fact itself."""
    return fact.items if isinstance(fact, AllOf) else (fact,)


def _tokens(text: str) -> list[str]:
    """Operators and parentheses as they are; text with a leading NUL, so that neither is taken for the other."""
    return [piece[0] if piece.lastgroup == "mark" else "\0" + _text_of(piece) for piece in _TOKEN.finditer(text)]


def _text_of(piece: regex.Match[str]) -> str:
    """A piece of text without its escapes: a run of backslashes before "<", "(" or ")" is halved."""
    if piece.lastgroup == "plain":
        return piece[0]
    rest = piece[0].lstrip("\\")
    return "\\" * ((len(piece[0]) - len(rest)) // 2) + rest


@dataclass(frozen=True, slots=True)
class _Written:
    """Tokens, the closing parenthesis of each opening one that has one, and of each place the next token not blank."""

    tokens: list[str]
    pairs: dict[int, int]
    ahead: list[int]


def _parse(text: str, dropped: list[str]) -> Fact | None:
    tokens = _tokens(text)
    pairs: dict[int, int] = {}
    opened: list[int] = []
    ahead = [len(tokens)] * (len(tokens) + 1)
    for index, token in enumerate(tokens):
        if token == "(":
            opened.append(index)
        elif token == ")" and opened:
            pairs[opened.pop()] = index
    for index in range(len(tokens) - 1, -1, -1):
        ahead[index] = index if tokens[index].removeprefix("\0").strip() else ahead[index + 1]
    return _facts(_Written(tokens, pairs, ahead), 0, len(tokens), dropped, _DEEPEST)


def _facts(written: _Written, start: int, end: int, dropped: list[str], depth: int) -> Fact | None:
    """The tree that the tokens from `start` to `end` hold; `depth` more parentheses may nest in it."""
    if depth < 0:
        raise DataError(f"nested deeper than {_DEEPEST} parentheses", field="facts", mend="write it with fewer")
    groups: list[list[Fact | None]] = [[]]
    while start <= end:
        first = min(written.ahead[start], end)
        close = _group_end(written, first, end)
        if close is None:
            stop = next((index for index in range(first, end) if written.tokens[index] in _OPERATORS), end)
            groups[-1].append(_leaf(written.tokens[start:stop], dropped))
        else:
            stop = min(written.ahead[close + 1], end)
            groups[-1].append(_facts(written, first + 1, close, dropped, depth - 1))
        if written.tokens[stop : stop + 1] == ["<AND>"] and stop < end:
            groups.append([])
        start = stop + 1
    return _flat(AllOf, [_flat(AnyOf, group) for group in groups])


def _group_end(written: _Written, first: int, end: int) -> int | None:
    """Where the parenthesis at `first` closes, if it groups: it is the whole operand and holds an operator."""
    tokens, close = written.tokens, written.pairs.get(first, end)
    if close >= end:
        return None
    after = min(written.ahead[close + 1], end)
    whole = after == end or tokens[after] in _OPERATORS
    return close if whole and any(token in _OPERATORS for token in tokens[first:close]) else None


def _leaf(tokens: list[str], dropped: list[str]) -> str | None:
    text = "".join(token.removeprefix("\0") for token in tokens).strip()
    if not text:
        dropped.append(text)
    return text or None


def _flat(kind: type[AnyOf] | type[AllOf], items: Sequence[Fact | None]) -> Fact | None:
    """One item stands for itself; a tree of the same kind inside is laid flat; what was empty is gone."""
    flat: list[Fact] = []
    for item in items:
        if item is not None:
            flat.extend(item.items if isinstance(item, kind) else (item,))
    return kind(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def _from_list(value: Any, kind: type[AnyOf] | type[AllOf], dropped: list[str], depth: int = _DEEPEST) -> Fact | None:
    match value:
        case str():
            return _parse(value, dropped)
        case bool() | None:
            pass
        case int() | float():
            return str(value)
        case list() | tuple() if depth:
            inner = AnyOf if kind is AllOf else AllOf
            return _flat(kind, [_from_list(item, inner, dropped, depth - 1) for item in value])
        case list() | tuple():
            raise DataError(f"nested deeper than {_DEEPEST} lists", field="facts", mend="write it with fewer")
    raise DataError(
        f"facts hold {value!r}, which is no text",
        field="facts",
        mend="give a string such as 'A<OR>B', or nested lists of strings",
    )


def _join(items: Sequence[Fact], kind: type[AnyOf] | type[AllOf]) -> str:
    """Items with the operator between them."""
    texts = [
        f"({_doubled(format_facts(item))})" if kind is AnyOf and isinstance(item, AllOf) else format_facts(item)
        for item in items
    ]
    return ("<OR>" if kind is AnyOf else "<AND>").join([*map(_doubled, texts[:-1]), texts[-1]])


def _doubled(text: str) -> str:
    """Backslashes at the end doubled, since a "<" or ")" follows."""
    return text + "\\" * (len(text) - len(text.rstrip("\\")))


def _escape(text: str) -> str:
    """A string as written: operators and parentheses that do not pair are escaped, backslashes before them doubled."""
    loose = _loose_parentheses(text)

    def escaped(found: regex.Match[str]) -> str:
        slashes, mark = found.groups()
        plain = mark == "<" or (mark in "()" and found.start(2) not in loose)
        return slashes * 2 + ("" if plain else "\\") + mark

    return _ESCAPED.sub(escaped, text)


def _loose_parentheses(text: str) -> set[int]:
    loose: set[int] = set()
    opened: list[int] = []
    for found in regex.finditer(r"[()]", text):
        if found[0] == "(":
            opened.append(found.start())
        elif opened:
            opened.pop()
        else:
            loose.add(found.start())
    return loose | set(opened)
