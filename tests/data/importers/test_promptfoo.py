"""promptfoo's tests in YAML and CSV."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.data.importers import import_dataset
from ringtrue.data.load import Loaded
from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Passage

Write = Callable[[str, Any], Path]


def read(write: Write, text: str, name: str = "promptfooconfig.yaml") -> Loaded:
    return import_dataset(write(name, text), "promptfoo")


@pytest.mark.parametrize(
    ("assertion", "facts"),
    [
        ("{type: contains, value: no}", "no"),
        ("{type: icontains, value: 'a<OR>b'}", "a<OR>b"),
        ("{type: contains-any, value: [UK, England]}", AnyOf(("UK", "England"))),
        ("{type: icontains-any, value: 'UK, \"a, b\"'}", AnyOf(("UK", "a, b"))),
        ("{type: contains-all, value: [x, 12]}", AllOf(("x", "12"))),
        ("{type: icontains-all, value: 'x, y'}", AllOf(("x", "y"))),
        ("{type: contains, value: '{{name}}!'}", "Zoë!"),
    ],
)
def test_what_an_answer_must_contain_is_facts(write: Write, assertion: str, facts: Any) -> None:
    loaded = read(write, f"tests:\n  - vars: {{question: q, name: Zoë}}\n    assert: [{assertion}]\n")
    (sample,) = loaded.dataset
    assert sample.facts is not None
    assert sample.facts.tree == facts
    assert sample.reference == ()


def test_a_whole_configuration(write: Write) -> None:
    write(
        "more.csv",
        "question,__expected,__expected2,__metadata:tier,__description\n"
        "q3,contains: z,factuality: it is z,gold,third\n",
    )
    loaded = read(
        write,
        """
prompts: ["{{question}}"]
providers: [{id: some:model}]
defaultTest:
  vars: {lang: de}
  assert: [{type: llm-rubric, value: "is polite about {{question}}"}]
tests:
  - description: first
    vars: {question: q1, context: a passage}
    metadata: {tier: silver}
    assert:
      - {type: equals, value: 007}
      - {type: contains, value: x}
      - {type: contains-any, value: [a, b]}
      - {type: not-contains, value: y}
      - {type: javascript, value: output.length < 3}
      - {type: assert-set, assert: [{type: similar, value: near}]}
  - file://more.csv
""",
    )
    first, third = loaded.dataset
    assert (first.question, first.reference) == ("q1", ("007", "near"))
    assert first.facts is not None
    assert first.facts.tree == AllOf(("x", AnyOf(("a", "b"))))
    assert first.reference_contexts == (Passage(text="a passage"),)
    assert first.metadata == {"description": "first", "lang": "de", "tier": "silver", "rubric": "is polite about q1"}
    assert (third.question, third.reference) == ("q3", ("it is z",))
    assert third.metadata == {"description": "third", "lang": "de", "tier": "gold", "rubric": "is polite about q3"}
    assert loaded.notes == ("assertions not carried over: not-contains (1), javascript (1)",)
    assert loaded.answers is None


@pytest.mark.parametrize(
    ("cell", "reference", "facts"),
    [
        ("Paris", ("Paris",), None),
        ("equals: Paris", ("Paris",), None),
        ("similar(0.8): Paris", ("Paris",), None),
        ("Note: this is text", ("Note: this is text",), None),
        ("contains: Paris", (), "Paris"),
        ("contains-any: Paris,Lutetia", (), AnyOf(("Paris", "Lutetia"))),
        ("is-json", (), None),
        ("fn: output == 1", (), None),
    ],
)
def test_expected_cells_of_a_table(write: Write, cell: str, reference: tuple[str, ...], facts: Any) -> None:
    (sample,) = read(write, f'question,__expected,__prefix\nq,"{cell}",ignored\n', "t.csv").dataset
    assert sample.reference == reference
    assert (sample.facts and sample.facts.tree) == facts
    assert sample.metadata == {}


def test_lists_of_values_make_one_case_each(write: Write) -> None:
    text = """
- vars: {question: [q1, q2], lang: [de, en]}
- vars: {question: [whole, list]}
  options: {disableVarExpansion: true}
"""
    samples = read(write, text, "t.yaml").dataset.samples
    assert [(one.question, one.metadata.get("lang")) for one in samples[:4]] == [
        ("q1", "de"),
        ("q1", "en"),
        ("q2", "de"),
        ("q2", "en"),
    ]
    assert samples[4].question == '["whole", "list"]'


def test_the_one_variable_is_the_question_and_several_are_its_json(write: Write) -> None:
    loaded = read(write, "- vars: {topic: bread}\n- vars: {topic: bread, tone: dry}\n", "t.yaml")
    assert [one.question for one in loaded.dataset] == ["bread", '{"topic": "bread", "tone": "dry"}']
    assert "no question among them" in loaded.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prompts: [a]\n", "no tests in it"),
        ("tests: [[a]]\n", "a test is no mapping"),
        ("tests: file://none.csv\n", "no such file"),
    ],
)
def test_what_is_off_is_told(write: Write, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(write, text)
