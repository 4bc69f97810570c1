r"""The grammar of golden facts: the smallest strings that a right answer must hold.

::

    facts   := anyof ( "<AND>" anyof )*          all are needed
    anyof   := operand ( "<OR>" operand )*       one is enough; <OR> binds tighter than <AND>
    operand := "(" facts ")" | text              a parenthesis groups only around a whole operand that holds an operator
    text    := any characters; before a "<", "\<" is a plain "<" and "\\" a plain backslash

Spaces around operands are trimmed. In JSON and YAML a nested list says the same: the outer list is <AND>, a list in it
<OR>, and so on by turns; a string in a list is in the grammar too. Operators are upper case, as FMEval's are. Nothing else separates facts, a comma least of all.
"""

from collections.abc import Callable, Sequence
from typing import Any

import regex

from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Fact, Facts

__all__ = ["evaluate", "format_facts", "leaves", "parse_facts", "terms"]

_TOKEN = regex.compile(r"(?:\\\\)*\\<|(?:\\\\)+(?=<)|<OR>|<AND>|[()]|[^\\<()]+|.", regex.DOTALL)
_ESCAPED = regex.compile(r"(\\*)(<OR>|<AND>|<)")
_OPERATORS = ("<OR>", "<AND>")


def parse_facts(value: str | Sequence[Any]) -> Facts:
    """Read facts from a string in the grammar, or from a nested list.

    An empty alternative (``UK<OR>``) would match every answer, so it is left out of the tree and counted in `dropped`.
    Raises DataError where nothing is left, or a list holds what is no text.
    """
    dropped: list[str] = []
    tree = _parse(_tokens(value), dropped) if isinstance(value, str) else _from_list(value, AllOf, dropped)
    if tree is None:
        raise DataError(
            "no facts in it", field="facts", mend="leave the field out, or write the words that must appear"
        )
    raw = value if isinstance(value, str) else format_facts(tree)
    return Facts(raw=raw, tree=tree, dropped=len(dropped))


def format_facts(fact: Fact) -> str:
    """Write a fact tree in the grammar; `parse_facts` reads the same tree back."""
    match fact:
        case AllOf(items):
            return _join(items, AllOf)
        case AnyOf(items):
            return _join(items, AnyOf)
        case str():
            return _escape(fact)


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
    """Operators and parentheses as they are; text pieces with a leading NUL, so that neither can be taken for the other."""
    return [piece if piece in ("(", ")", *_OPERATORS) else "\0" + piece for piece in _TOKEN.findall(text)]


def _parse(tokens: list[str], dropped: list[str]) -> Fact | None:
    anyof = [
        _flat(AnyOf, [_operand(piece, dropped) for piece in _split(part, "<OR>")]) for part in _split(tokens, "<AND>")
    ]
    return _flat(AllOf, anyof)


def _operand(tokens: list[str], dropped: list[str]) -> Fact | None:
    tokens = _trim(tokens)
    if _is_group(tokens):
        return _parse(tokens[1:-1], dropped)
    return _text("".join(map(_plain, tokens)), dropped)


def _text(text: str, dropped: list[str]) -> str | None:
    if not (stripped := text.strip()):
        dropped.append(text)
    return stripped or None


def _plain(token: str) -> str:
    """The text of a token: a run of backslashes before "<" is halved."""
    text = token.lstrip("\0")
    run = len(text) - len(text.lstrip("\\"))
    escapes = text.startswith("\\") and (text.endswith("<") or (len(text) > 1 and run == len(text)))
    return "\\" * (run // 2) + text[run:] if escapes else text


def _trim(tokens: list[str]) -> list[str]:
    start, end = 0, len(tokens)
    while start < end and not tokens[start].strip("\0").strip():
        start += 1
    while end > start and not tokens[end - 1].strip("\0").strip():
        end -= 1
    return tokens[start:end]


def _is_group(tokens: list[str]) -> bool:
    """Whether the tokens are one parenthesis around something that holds an operator."""
    if len(tokens) < 3 or tokens[0] != "(" or tokens[-1] != ")":
        return False
    depths = _depths(tokens)
    return depths is not None and all(depth > 0 for depth in depths[:-1]) and any(t in _OPERATORS for t in tokens)


def _depths(tokens: list[str]) -> list[int] | None:
    """Depth after each token, or None where parentheses do not pair."""
    depth, depths = 0, []
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth < 0:
            return None
        depths.append(depth)
    return depths if depth == 0 else None


def _split(tokens: list[str], operator: str) -> list[list[str]]:
    """Cut at `operator` outside groups. A parenthesis that does not pair, or opens inside text, is text."""
    parts: list[list[str]] = [[]]
    index = 0
    while index < len(tokens):
        if (tokens[index] == "(" and not _trim(parts[-1])) or (tokens[index] == "(" and _after_operator(parts[-1])):
            end = _group_end(tokens, index)
            parts[-1].extend(tokens[index:end])
            index = end
            continue
        if tokens[index] == operator:
            parts.append([])
        else:
            parts[-1].append(tokens[index])
        index += 1
    return parts


def _after_operator(tokens: list[str]) -> bool:
    trimmed = _trim(tokens)
    return bool(trimmed) and trimmed[-1] in _OPERATORS


def _group_end(tokens: list[str], start: int) -> int:
    """Index after the group that opens at `start`, or after the parenthesis alone where it opens none."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index] == "(") - (tokens[index] == ")")
        if depth == 0:
            rest = _trim(tokens[index + 1 :])
            closed = not rest or rest[0] in (*_OPERATORS, ")")
            return index + 1 if closed and _is_group(tokens[start : index + 1]) else start + 1
    return start + 1


def _flat(kind: type[AnyOf] | type[AllOf], items: Sequence[Fact | None]) -> Fact | None:
    """One item stands for itself; a tree of the same kind inside is laid flat; what was empty is gone."""
    flat: list[Fact] = []
    for item in items:
        if item is not None:
            flat.extend(item.items if isinstance(item, kind) else (item,))
    return kind(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def _from_list(value: Any, kind: type[AnyOf] | type[AllOf], dropped: list[str]) -> Fact | None:
    match value:
        case str():
            return _parse(_tokens(value), dropped)
        case bool() | None:
            pass
        case int() | float():
            return str(value)
        case list() | tuple():
            inner = AnyOf if kind is AllOf else AllOf
            return _flat(kind, [_from_list(item, inner, dropped) for item in value])
    raise DataError(
        f"facts hold {value!r}, which is no text",
        field="facts",
        mend="give a string such as 'A<OR>B', or nested lists of strings",
    )


def _join(items: Sequence[Fact], kind: type[AnyOf] | type[AllOf]) -> str:
    """Items with the operator between them; backslashes at an item's end are doubled, since a "<" follows."""
    texts = [
        f"({format_facts(item)})" if kind is AnyOf and isinstance(item, AllOf) else format_facts(item) for item in items
    ]
    ends = [text + "\\" * (len(text) - len(text.rstrip("\\"))) for text in texts[:-1]]
    return ("<OR>" if kind is AnyOf else "<AND>").join([*ends, texts[-1]])


def _escape(text: str) -> str:
    def doubled(found: regex.Match[str]) -> str:
        slashes, mark = found.groups()
        return slashes * 2 + ("\\" if mark in _OPERATORS else "") + mark

    return _ESCAPED.sub(doubled, text)
