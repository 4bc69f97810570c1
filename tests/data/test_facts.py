"""The grammar of golden facts: every rule of its docstring, and that writing and reading are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.data.facts import _parse, _parse_plain, evaluate, format_facts, leaves, parse_facts, show_fact, terms
from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Fact, Facts


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        ("tin", "tin"),
        ("  tin \n", "tin"),
        ("tin<OR>zinc", AnyOf(("tin", "zinc"))),
        ("tin <OR> zinc", AnyOf(("tin", "zinc"))),
        ("tin<AND>zinc", AllOf(("tin", "zinc"))),
        ("tin<OR>lead<AND>zinc", AllOf((AnyOf(("tin", "lead")), "zinc"))),
        ("tin<AND>lead<OR>zinc", AllOf(("tin", AnyOf(("lead", "zinc"))))),
        ("(tin<AND>lead)<OR>zinc", AnyOf((AllOf(("tin", "lead")), "zinc"))),
        ("zinc <OR> ( tin <AND> lead )", AnyOf(("zinc", AllOf(("tin", "lead"))))),
        ("((tin<OR>a)<AND>lead)<OR>zinc", AnyOf((AllOf((AnyOf(("tin", "a")), "lead")), "zinc"))),
        ("(tin<OR>zinc)", AnyOf(("tin", "zinc"))),
        ("tin<OR>(zinc<OR>lead)", AnyOf(("tin", "zinc", "lead"))),
        ("1,000, 2,000", "1,000, 2,000"),  # a comma separates nothing
        ("tin<or>zinc", "tin<or>zinc"),
        ("x < y", "x < y"),
    ],
)
def test_operators_and_groups_are_read(written: str, tree: Fact) -> None:
    assert parse_facts(written) == Facts(raw=written, tree=tree)


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        ("f(x)", "f(x)"),
        ("(tin)", "(tin)"),  # a parenthesis without an operator is text
        ("(tin) and zinc", "(tin) and zinc"),
        ("(tin<OR>zinc) alloy", AnyOf(("(tin", "zinc) alloy"))),  # nor does one around a part of an operand group
        ("alloy (tin<OR>zinc)", AnyOf(("alloy (tin", "zinc)"))),
        (":-)<OR>:-(", AnyOf((":-)", ":-("))),
        ("(tin<OR>zinc", AnyOf(("(tin", "zinc"))),
    ],
)
def test_other_parentheses_are_text(written: str, tree: Fact) -> None:
    assert parse_facts(written).tree == tree


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        (r"a \<OR> b", "a <OR> b"),
        (r"a \<AND> b<OR>c", AnyOf(("a <AND> b", "c"))),
        (r"a\\<OR>b", AnyOf(("a\\", "b"))),
        (r"a\\\<OR>b", r"a\<OR>b"),
        (r"a\\\\<OR>b", AnyOf((r"a\\", "b"))),
        (r"\(a<OR>b\)", AnyOf(("(a", "b)"))),
        (r"(a<AND>b\))<OR>c", AnyOf((AllOf(("a", "b)")), "c"))),
        (r"(a<AND>b\\)<OR>c", AnyOf((AllOf(("a", "b\\")), "c"))),
        (r"C:\temp\new", r"C:\temp\new"),  # elsewhere a backslash is a backslash
        (r"C:\\temp", r"C:\\temp"),
        ("a\\", "a\\"),
        (r"\<b>", "<b>"),
    ],
)
def test_backslashes_escape_operators_and_parentheses(written: str, tree: Fact) -> None:
    assert parse_facts(written).tree == tree


@pytest.mark.parametrize(
    ("written", "tree", "dropped"),
    [
        ("UK<OR>", "UK", 1),
        ("<OR>UK", "UK", 1),
        ("UK<OR><OR>England", AnyOf(("UK", "England")), 1),
        ("tin<AND> <AND>zinc<OR>", AllOf(("tin", "zinc")), 2),
        ("(<OR>)<AND>tin", "tin", 2),
    ],
)
def test_empty_alternatives_are_left_out_and_counted(written: str, tree: Fact, dropped: int) -> None:
    assert parse_facts(written) == Facts(raw=written, tree=tree, dropped=dropped)


@pytest.mark.parametrize("nothing", ["", "  ", "<OR>", "<AND><OR>", [], [[]], [""]])
def test_facts_without_any_string_are_an_error(nothing: object) -> None:
    with pytest.raises(DataError, match="no facts in it"):
        parse_facts(nothing)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("nested", "tree"),
    [
        (["tin", "zinc"], AllOf(("tin", "zinc"))),
        ([["tin", "zinc"]], AnyOf(("tin", "zinc"))),
        ([["tin", "lead"], "zinc"], AllOf((AnyOf(("tin", "lead")), "zinc"))),
        ([["tin", ["lead", "zinc"]]], AnyOf(("tin", AllOf(("lead", "zinc"))))),
        (["tin<OR>lead", "zinc"], AllOf((AnyOf(("tin", "lead")), "zinc"))),
        (["1,000", 7, 2.5], AllOf(("1,000", "7", "2.5"))),
        (("tin", " "), "tin"),
    ],
)
def test_nested_lists_say_the_same(nested: list[object], tree: Fact) -> None:
    facts = parse_facts(nested)
    assert facts.tree == tree
    assert parse_facts(facts.raw).tree == tree


@pytest.mark.parametrize("value", [None, True, {"a": 1}])
def test_what_is_no_text_in_a_list_is_named(value: object) -> None:
    with pytest.raises(DataError, match=r"facts hold .* which is no text"):
        parse_facts(["tin", value])


@pytest.mark.parametrize("deep", ["(a<OR>" * 60 + "b" + ")" * 60, "(" * 60 + "a<OR>b" + ")" * 60])
def test_too_deep_parentheses_are_an_error_for_people(deep: str) -> None:
    with pytest.raises(DataError, match="nested deeper than 50 parentheses"):
        parse_facts(deep)


def test_too_deep_lists_are_an_error_for_people() -> None:
    deep: list[object] = ["a"]
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(DataError, match="nested deeper than 50 lists"):
        parse_facts(deep)


def test_long_facts_are_read() -> None:
    assert len(leaves(parse_facts("tin<OR>" * 20_000 + "zinc").tree)) == 20_001
    assert parse_facts("(" * 20_000).tree == "(" * 20_000
    assert parse_facts("\\" * 20_000).tree == "\\" * 20_000


TEXTS = (
    st.lists(
        st.sampled_from(["<OR>", "<AND>", "\\", "(", ")", "<", "\0", "a", "tin", " ", "\n", "é"]),
        min_size=1,
        max_size=6,
    )
    .map("".join)
    .map(str.strip)
    .filter(bool)
)


def trees(depth: int, kind: type[AnyOf] | type[AllOf]) -> st.SearchStrategy[Fact]:
    """Trees as the grammar makes them: two items or more, kinds by turns, strings stripped."""
    other = AllOf if kind is AnyOf else AnyOf
    item = TEXTS | trees(depth - 1, other) if depth else TEXTS
    return st.lists(item, min_size=2, max_size=3).map(lambda items: kind(tuple(items)))


TREES = st.one_of(TEXTS, *(trees(depth, kind) for depth in (0, 1, 2) for kind in (AnyOf, AllOf)))


@given(TREES)
def test_every_tree_can_be_written_and_read_back(tree: Fact) -> None:
    written = format_facts(tree)
    assert parse_facts(written) == Facts(raw=written, tree=tree)


@given(st.lists(st.sampled_from(["<OR>", "<AND>", "(", ")", "\\", "\\<", "a", "b c", " "])).map("".join))
def test_reading_twice_changes_nothing(written: str) -> None:
    try:
        facts = parse_facts(written)
    except DataError:
        return
    assert parse_facts(format_facts(facts.tree)).tree == facts.tree


@given(st.lists(st.sampled_from(["<OR>", "<AND>", "a", " ", "\0", "b c", "<", "\n", "É"]), max_size=12).map("".join))
def test_the_quick_way_for_plain_facts_reads_them_as_the_grammar_does(written: str) -> None:
    quick: list[str] = []
    whole: list[str] = []
    assert _parse_plain(written, quick) == _parse(written, whole)
    assert len(quick) == len(whole)


def test_a_tree_is_evaluated_by_its_strings() -> None:
    tree = parse_facts("tin<OR>lead<AND>(zinc<AND>gold)<OR>iron").tree
    assert evaluate(tree, {"lead", "zinc", "gold"}.__contains__)
    assert evaluate(tree, {"tin", "iron"}.__contains__)
    assert not evaluate(tree, {"lead", "zinc"}.__contains__)
    assert not evaluate(tree, {"iron"}.__contains__)


def test_strings_and_needed_parts_come_left_to_right() -> None:
    tree = parse_facts("tin<OR>lead<AND>zinc").tree
    assert leaves(tree) == ("tin", "lead", "zinc")
    assert terms(tree) == (AnyOf(("tin", "lead")), "zinc")
    assert terms("tin") == ("tin",)


def test_people_see_a_string_without_its_escapes() -> None:
    assert show_fact("a <OR> b") == "a <OR> b"
    assert show_fact(AnyOf(("a <OR> b", "c"))) == r"a \<OR> b<OR>c"
