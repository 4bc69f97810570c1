"""Placeholders are filled with data, and data is never read for placeholders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigError, PipelineError
from ringtrue.pipelines.templates import check_template, fill_json, fill_text
from ringtrue.types import Sample

SAMPLE = Sample(id="q1", question="Wo ist „Köln“?", metadata={"n": 3, "tags": ["a", "b"], "ok": True, "none": None})


def test_every_string_of_a_template_is_filled() -> None:
    template = {"messages": [{"role": "user", "content": "Q: {{ question }} ({{id}})"}], "k": 5, "stream": False}
    assert fill_json(template, SAMPLE) == {
        "messages": [{"role": "user", "content": "Q: Wo ist „Köln“? (q1)"}],
        "k": 5,
        "stream": False,
    }


def test_a_placeholder_alone_keeps_the_type_of_its_value() -> None:
    template = {
        "n": "{{ metadata.n }}",
        "tags": "{{ metadata.tags }}",
        "ok": "{{metadata.ok}}",
        "none": "{{ metadata.none }}",
    }
    assert fill_json(template, SAMPLE) == {"n": 3, "tags": ["a", "b"], "ok": True, "none": None}
    assert fill_text("n={{ metadata.n }} ok={{ metadata.ok }}", SAMPLE) == "n=3 ok=true"


@given(st.text())
def test_any_question_stands_in_the_request_as_it_is(question: str) -> None:
    sample = Sample(id="q1", question=question)
    assert fill_json({"q": ["{{ question }}"]}, sample) == {"q": [question]}


@given(st.text(min_size=1).filter(lambda text: not text.isspace()))
def test_any_question_stands_inside_other_text_as_it_is(question: str) -> None:
    assert fill_text("<{{ question }}|{{ id }}>", Sample(id="q1", question=question)) == f"<{question}|q1>"


def test_what_is_filled_in_is_not_filled_again() -> None:
    sample = Sample(id="{{ question }}", question="{{ id }} and {{ metadata.key }}", metadata={"key": "{{ id }}"})
    assert fill_text("{{ question }}/{{ metadata.key }}/{{ id }}", sample) == (
        "{{ id }} and {{ metadata.key }}/{{ id }}/{{ question }}"
    )


@pytest.mark.parametrize("name", ["questions", "question | tojson", "metadata", "metadata.", "sample.id", ""])
def test_an_unknown_placeholder_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^body\.messages\[0\]\.content: unknown placeholder") as caught:
        check_template({"messages": [{"content": f"{{{{ {name} }}}}"}]}, "body")
    assert "known: {{ question }}" in str(caught.value)


def test_single_braces_are_text() -> None:
    template = {"q": "{question} {} }} {{ open"}
    check_template(template, "body")
    assert fill_json(template, SAMPLE) == template


def test_missing_metadata_is_an_error_that_names_what_is_there() -> None:
    with pytest.raises(
        PipelineError, match="sample 'q1' has no metadata 'tier' for the request; it has: n, tags, ok, none"
    ):
        fill_json("{{ metadata.tier }}", SAMPLE)


def test_nothing_is_never_written_into_a_text() -> None:
    with pytest.raises(PipelineError, match=r"sample 'q1' has nothing to put for \{\{ metadata.none \}\}"):
        fill_text("tier: {{ metadata.none }}", SAMPLE)
