"""Rubrics from YAML: the built-in ones, a user's, and every mistake told with its place and mend."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from ringtrue.errors import ConfigError, UnknownNameError
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, check_rubric, load_rubric
from ringtrue.judges.rubric import Rubric

FOLDER = Path(str(files("ringtrue.judges").joinpath("rubrics")))

MINE = """\
name: politeness
summary: How polite the answer is.
needs: [question, answer]
role: You are a judge of manners.
task: Decide how polite {answer} is, given {{ question }}.
procedure:
  - Read {answer}.
criteria:
  - Polite means kind words.
edge_cases:
  - when: the answer is empty
    then: it is plain.
labels: {polite: 1, plain: 0.5, rude: 0, unclear: null}
positive: polite
examples:
  - fields: {question: Where is it?, answer: Go away.}
    label: rude
    rationale: It sends the person away.
"""


@pytest.fixture
def rubric_file(tmp_path: Path) -> Callable[[str], Path]:
    def make(text: str) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_built_in_rubrics_pass_the_door_and_come_out_equal(name: str) -> None:
    # They are taken straight in at run time; here the door checks them.
    assert load_rubric(FOLDER / f"{name}.yaml") == builtin_rubric(name)


# Baselines keep to the ways of the judges that they stand for.
OUR_OWN = sorted(name for name in builtin_rubrics() if not name.startswith("baseline_"))


@pytest.mark.parametrize("name", OUR_OWN)
def test_built_in_rubrics_follow_the_four_practices(name: str) -> None:
    rubric = builtin_rubric(name)
    assert rubric.role.startswith("You are ")
    assert len(rubric.procedure) >= 3
    assert len(rubric.criteria) >= len(rubric.labels)
    assert len(rubric.edge_cases) >= 4
    assert all(not one.when.endswith(".") and one.then.endswith(".") for one in rubric.edge_cases)
    for label in rubric.labels:
        assert any(one.lower().startswith(f"{label} means") for one in rubric.criteria), label
    assert rubric.source
    assert rubric.summary.endswith(".")


def test_a_users_rubric_is_read(rubric_file: Callable[[str], Path]) -> None:
    rubric = load_rubric(rubric_file(MINE))
    assert rubric.labels == {"polite": 1.0, "plain": 0.5, "rude": 0.0, "unclear": None}
    assert rubric.bounds == (0.0, 1.0)
    assert rubric.examples[0].fields["answer"] == "Go away."
    assert rubric.unit == "whole"
    assert rubric.version == 1


def test_a_list_of_labels_is_a_category_without_values(rubric_file: Callable[[str], Path]) -> None:
    text = MINE.replace("{polite: 1, plain: 0.5, rude: 0, unclear: null}", "[polite, rude, 3]")
    rubric = load_rubric(rubric_file(text))
    assert rubric.labels == {"polite": None, "rude": None, "3": None}
    assert rubric.bounds == (None, None)


def test_a_cheaper_form_takes_over_what_it_does_not_say(rubric_file: Callable[[str], Path]) -> None:
    text = MINE + "one_call:\n  task: Decide quickly.\n"
    cheaper = load_rubric(rubric_file(text)).one_call
    assert cheaper is not None
    assert (cheaper.task, cheaper.role, cheaper.name) == (
        "Decide quickly.",
        "You are a judge of manners.",
        "politeness",
    )
    assert cheaper.labels["polite"] == 1.0
    assert not cheaper.examples


def changed(old: str, new: str) -> str:
    assert old in MINE
    return MINE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "place", "told", "mend"),
    [
        (changed("needs:", "nedes:"), ":3: nedes", "unknown key 'nedes'", "did you mean needs?"),
        (changed("then: it", "than: it"), ":12: edge_cases.0.than", "unknown key 'than'", "did you mean then?"),
        (changed("    label: rude", "    lable: rude"), ":17: examples.0.lable", "unknown key 'lable'", "label?"),
        (changed("answer]", "anwser]"), ":3: needs.1", "unknown field 'anwser'", "did you mean answer?"),
        (changed("answer]", "metadata.]"), ":3: needs.1", "unknown field 'metadata.'", "metadata.KEY"),
        (changed("{answer} is", "{anser} is"), ":5: task", "unknown placeholder {anser}", r"write \{anser}"),
        (changed("Read {answer}", "Read {reference}"), ":7: procedure.0", "not shown", "add reference to needs"),
        (changed("kind words", "{x.y}"), ":9: criteria.0", "unknown placeholder {x.y}", "known: answer, question"),
        (changed("    label: rude", "    label: Rude"), ":17: examples.0.label", "unknown label 'Rude'", "rude"),
        (changed("{question: Where", "{query: Where"), ":16: examples.0.fields.query", "unknown field", "question"),
        (changed("positive: polite", "positive: nice"), ":14: positive", "unknown label 'nice'", "polite"),
        (changed("rude: 0,", "rude: 0, Rude: 0,"), ":13: labels", "differ in case", "rename one"),
        (changed("{polite: 1, plain: 0.5, rude: 0, unclear: null}", "{polite: 1}"), ":13: labels", "two labels", ""),
        (changed("rude: 0,", "rude: bad,"), ":13: labels.rude", "'bad': input should be a valid number", ""),
        (changed("name: politeness", "name: po lite"), ":1: name", "'po lite' is no name", "letters"),
        (changed("role: You are a judge of manners.\n", ""), "mine.yaml", "'role' is missing", "needed are: name"),
        (changed("positive: polite", "range: [0, 0.5]"), ":13: labels.polite", "1 is outside 0 to 0.5", "mend"),
        (changed("positive: polite", "range: [1, 0]"), ":14: range", "1 is above 0", "LEAST"),
        (changed("positive: polite", "unit: chapters"), ":14: unit", "'chapters'", ""),
        (changed("positive: polite", "unit: claims"), ": claims_of", "goes with unit: claims", "claims_of: answer"),
        (changed("positive: polite", "unit: passages"), ":14: unit", "contexts", "add contexts to needs"),
        (changed("positive: polite", "unit: guidelines"), ":14: unit", "metadata.guidelines", "add it"),
        (changed("positive: polite", "split: any"), ":14: split", "positive", "positive: LABEL"),
        (changed("positive: polite", "evidence: contexts"), ":14: evidence", "need that field", "add contexts"),
        (changed("positive: polite", "evidence: answer"), ":14: evidence", "judge item by item", "passages, claims"),
        (changed("positive: polite", "overall: [a, b]"), ":14: overall", "", "positive: LABEL"),
        (changed("positive: polite", "no_contexts: rude"), ":14: no_contexts", "not shown", "add contexts"),
        (changed("positive: polite", "positive: polite\nopposite_of: refuse"), ":15: opposite_of", "refuse", "refusal"),
        (changed("needs: [question, answer]", "needs: []"), ":3: needs", "shown no field", "known: question"),
        (MINE + "one_call:\n  tsk: x\n", ":20: one_call.tsk", "unknown key 'tsk'", "task"),
        (MINE + "one_call:\n  task: '{foo}'\n", ":20: one_call.task", "unknown placeholder {foo}", ""),
    ],
)
def test_a_mistake_is_told_with_line_key_and_mend(
    text: str, place: str, told: str, mend: str, rubric_file: Callable[[str], Path]
) -> None:
    path = rubric_file(text)
    with pytest.raises(ConfigError) as raised:
        load_rubric(path)
    message = raised.value.message
    assert message.startswith(str(path))
    assert place in message
    assert told in message
    assert mend in (raised.value.mend or "")


def test_golden_claims_need_a_golden_field(rubric_file: Callable[[str], Path]) -> None:
    with pytest.raises(ConfigError, match=r"golden claims need facts or a reference"):
        load_rubric(rubric_file(changed("positive: polite", "unit: claims\nclaims_of: golden")))


def test_an_example_of_items_shows_one(rubric_file: Callable[[str], Path]) -> None:
    text = changed("positive: polite", "unit: claims\nclaims_of: answer")
    with pytest.raises(ConfigError, match="an example shows one claim"):
        load_rubric(rubric_file(text))
    load_rubric(rubric_file(text.replace("answer: Go away.}", "claim: It is near.}")))


def test_a_missing_or_unreadable_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_rubric(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("name: é".encode("latin-1"))
    with pytest.raises(ConfigError, match="cannot be read"):
        load_rubric(tmp_path / "latin.yaml")


def test_an_unknown_built_in_judge_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean faithfulness"):
        builtin_rubric("faithfullness")


def test_a_rubric_made_in_python_is_checked_too() -> None:
    rubric = Rubric(name="x", summary="X.", needs=("answer",), role="R", task="T {foo}", labels={"a": 1.0, "b": 0.0})
    with pytest.raises(ConfigError, match=r"^mine: task: unknown placeholder \{foo\}"):
        check_rubric(rubric, where="mine")


def test_literal_braces_work_in_a_rubric(rubric_file: Callable[[str], Path]) -> None:
    # J09 of the field cases: a rubric that asks for JSON in its own words.
    text = MINE.replace(
        "task: Decide how polite {answer} is, given {{ question }}.",
        'task: |\n  Judge {answer}. Return {"verdict": "yes"} or {"verdict": "no"}; keep \\{name} and {4; 8}.',
    )
    assert load_rubric(rubric_file(text)).task.startswith('Judge {answer}. Return {"verdict"')


def test_the_hash_stands_for_what_changes_a_verdict(rubric_file: Callable[[str], Path]) -> None:
    first = load_rubric(rubric_file(MINE))
    told = load_rubric(
        rubric_file(changed("How polite the answer is.", "Manners.") + "source: somewhere\nabout: text\n")
    )
    assert told.hash == first.hash
    for old, new in [("kind words", "kinder words"), ("0.5", "0.6"), ("rude: 0", "rude: 0.1"), ("Go away.", "Go.")]:
        assert load_rubric(rubric_file(changed(old, new))).hash != first.hash
    swapped = changed("{polite: 1, plain: 0.5,", "{plain: 0.5, polite: 1,")
    assert load_rubric(rubric_file(swapped)).hash != first.hash  # the order decides where one item has several verdicts
