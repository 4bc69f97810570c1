"""Datasets from files and from Python."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ringtrue.data.load import Loaded, dataset_of, load_dataset
from ringtrue.errors import DataError
from ringtrue.types import AllOf, AnyOf, Passage, Response, Sample

Write = Callable[[str, Any], Path]


def texts(loaded: Loaded) -> dict[str, tuple[str, ...]]:
    return {sample.id: sample.reference for sample in loaded.dataset}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "\ufeffquestion,reference\r\nHow hot is 20 °C?,Mild\r\nHow cold?,Icy\r\n"),
        ("b.csv", '\ufeff"question","reference"\r\n"How hot is 20 °C?","Mild"\r\n"How cold?","Icy"\r\n'),
        (
            "c.jsonl",
            '\ufeff{"question":"How hot is 20 °C?","reference":"Mild"}\n{"question":"How cold?","reference":"Icy"}\n',
        ),
        (
            "d.json",
            '\ufeff[{"question":"How hot is 20 °C?","reference":"Mild"},{"question":"How cold?","reference":"Icy"}]',
        ),
        ("e.yaml", "\ufeff- {question: How hot is 20 °C?, reference: Mild}\n- {question: How cold?, reference: Icy}\n"),
        ("f.tsv", "\ufeffquestion\treference\nHow hot is 20 °C?\tMild\nHow cold?\tIcy\n"),
        ("g.csv", "question,reference\nHow hot is 20 °C?,Mild\nHow cold?,Icy\n".encode("utf-16")),
    ],
)
def test_a_byte_order_mark_is_no_part_of_a_name(write: Write, name: str, content: str | bytes) -> None:
    loaded = load_dataset(write(name, content))
    assert [(one.question, one.reference) for one in loaded.dataset] == [
        ("How hot is 20 °C?", ("Mild",)),
        ("How cold?", ("Icy",)),
    ]
    assert loaded.notes == ()
    assert loaded.mapping == {}
    assert loaded.answers is None
    assert loaded.dataset.name == name[0]


def test_windows_quotes_and_euros_are_right_and_noted(write: Write) -> None:
    text = "id,question,reference\r\nw1,What is it?,It’s “€40” – once\r\n"
    loaded = load_dataset(write("w.csv", text.encode("cp1252")))
    assert texts(loaded) == {"w1": ("It’s “€40” – once",)}
    assert "read as cp1252 since line 2" in loaded.notes[0]


def test_lists_that_pandas_wrote(write: Write) -> None:
    frame = pd.DataFrame(
        {
            "user_input": ["When?", "Who?", "Where?", "What?"],
            "reference_contexts": [["Hours\n\xa0Mon\xa06:30", 'the guard\'s "hut"'], ["only one"], [], None],
            "reference": ["At 6:30.", "Adults.", "Unknown.", "A list."],
            "persona": ["Guest", None, None, ""],
        }
    )
    frame.loc[3, "reference_contexts"] = "__import__('os').system('touch pwned')"
    path = write("t.csv", frame.to_csv(index=False))
    loaded = load_dataset(path)
    contexts = [tuple(one.text for one in sample.reference_contexts or ()) for sample in loaded.dataset]
    assert contexts == [
        ("Hours\n\xa0Mon\xa06:30", 'the guard\'s "hut"'),
        ("only one",),
        (),
        ("__import__('os').system('touch pwned')",),
    ]
    assert [sample.metadata for sample in loaded.dataset] == [{"persona": "Guest"}, {}, {}, {}]
    assert not (path.parent / "pwned").exists()


def test_an_empty_list_is_known_and_an_empty_cell_is_not(write: Write) -> None:
    loaded = load_dataset(write("c.csv", "question,reference_contexts\na,[]\nb,\n"))
    assert [sample.reference_contexts for sample in loaded.dataset] == [(), None]


@pytest.mark.parametrize("ending", ["yaml", "yml"])
def test_yaml_scalars_are_the_text_that_is_written(write: Write, ending: str) -> None:
    written = ["no", "2024-01-15", "007", "12:30", "3.10", "NO", "1_000", "Off", "0o17", "1e3"]
    rows = "".join(
        f"  - {{id: y{n}, question: q, answer: {text}, reference: {text}}}\n" for n, text in enumerate(written)
    )
    loaded = load_dataset(
        write(f"s.{ending}", f"items:\n{rows}  - {{id: none, question: q, answer: ~, reference: }}\n")
    )
    assert [reference for (reference,) in list(texts(loaded).values())[:-1]] == written
    assert texts(loaded)["none"] == ()
    assert loaded.answers is not None
    assert [loaded.answers[f"y{n}", 0].answer for n in range(len(written))] == written
    assert loaded.answers["none", 0] == Response()


VALUES: list[tuple[str, str | None]] = [
    ("42", "42"),
    ("0", "0"),
    ("true", "true"),
    ("false", "false"),
    ("3.0", "3.0"),
    ('["Lyon"]', "Lyon"),
    ("[0]", "0"),
    ('{"total": 5, "unit": "kg"}', '{"total": 5, "unit": "kg"}'),
    ('"Lyon"', "Lyon"),
    ('" Lyon "', " Lyon "),
    ("12345678901234567890123", "12345678901234567890123"),
    ("null", None),
    ('""', None),
    ('" \\n"', None),
    ("NaN", None),
    ("[]", None),
    ("[null]", None),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_json_values_where_text_belongs(write: Write, value: str, text: str | None) -> None:
    line = f'{{"id": "m", "question": "q", "answer": {value}, "reference": {value}}}\n'
    loaded = load_dataset(write("m.jsonl", line + '{"id": "other", "question": "q", "answer": "a"}\n'))
    assert loaded.dataset.samples[0].reference == (() if text is None else (text,))
    assert loaded.answers is not None
    assert loaded.answers["m", 0].answer == text


def test_an_answer_that_is_a_list_or_an_object_is_noted(write: Write) -> None:
    rows = [
        {"question": "q", "answer": ["a", "b"]},
        {"question": "r", "answer": {"x": "é"}},
        {"question": "s", "answer": 1},
    ]
    loaded = load_dataset(write("a.jsonl", rows))
    assert loaded.answers is not None
    assert [one.answer for one in loaded.answers.values()] == ['["a", "b"]', '{"x": "é"}', "1"]
    assert "answers that are no text but a list or an object: their JSON is taken: 2 (lines 1 and 2)" in loaded.notes


def test_several_references(write: Write) -> None:
    rows = [{"question": "a", "references": ["x", 2, None]}, {"question": "b", "references": "one <AND> text"}]
    assert list(texts(load_dataset(write("r.jsonl", rows))).values()) == [("x", "2"), ("one <AND> text",)]
    cells = 'question,ground_truths\na,"[\'x\', \'y\']"\nb,"[""x"", ""y""]"\nc,[1]\nd,"x, y"\ne,x;y\n'
    assert list(texts(load_dataset(write("r.csv", cells))).values()) == [
        ("x", "y"),
        ("x", "y"),
        ("[1]",),
        ("x, y",),
        ("x;y",),
    ]


def test_facts_in_the_grammar_and_as_lists(write: Write) -> None:
    rows = [
        {"question": "a", "facts": "x<OR>y"},
        {"question": "b", "facts": ["x", ["y", 2]]},
        {"question": "c", "facts": 7},
    ]
    trees = [one.facts and one.facts.tree for one in load_dataset(write("f.jsonl", rows)).dataset]
    assert trees == [AnyOf(("x", "y")), AllOf(("x", AnyOf(("y", "2")))), "7"]
    cells = "question,facts\na,x<OR>y\nb,\"['x', ['y', 'z']]\"\nc,\"1,000\"\nd,[1]\n"
    trees = [one.facts and one.facts.tree for one in load_dataset(write("f.csv", cells)).dataset]
    assert trees == [AnyOf(("x", "y")), AllOf(("x", AnyOf(("y", "z")))), "1,000", "[1]"]


_EMPTY_WORDS = (
    "references of articles or punctuation only, where FMEval's F1 is 0 (f1_over_words with mode: squad keeps them)"
)
_PLAIN_OR = (
    "references that hold <OR> are read as one answer; if they are FMEval's target_output, "
    "say --map reference=reference,facts"
)


def test_odd_facts_and_references_are_noted(write: Write) -> None:
    rows = [
        {"question": "a", "facts": "UK<OR>", "reference": "the!"},
        {"question": "b", "facts": "<OR>", "reference": "A<OR>B"},
        {"question": "c", "facts": {"x": 1}, "reference": "an apple"},
    ]
    loaded = load_dataset(write("n.jsonl", rows))
    assert [one.facts and one.facts.tree for one in loaded.dataset] == ["UK", None, None]
    assert loaded.notes == (
        f"{_EMPTY_WORDS}: 1 (line 1)",
        "facts with an empty alternative, which would match every answer: it is left out: 1 (line 1)",
        f"{_PLAIN_OR}: 1 (line 2)",
        "facts that cannot be read are left out (no facts in it): 1 (line 2)",
        "facts that cannot be read are left out (facts hold {'x': 1}, which is no text): 1 (line 3)",
    )


def test_an_fmeval_file_runs_unchanged(write: Write) -> None:
    rows = [
        {
            "model_input": "Where?",
            "target_output": "UK<OR> England<OR>GB",
            "model_output": "In England",
            "category": "geo",
        }
    ]
    loaded = load_dataset(write("fmeval.jsonl", rows))
    (sample,) = loaded.dataset
    assert sample.reference == ("UK", " England", "GB")
    assert sample.facts is not None
    assert (sample.facts.raw, sample.facts.tree) == ("UK<OR> England<OR>GB", AnyOf(("UK", "England", "GB")))
    assert sample.metadata == {"category": "geo"}
    assert loaded.mapping == {"model_input": "question", "target_output": "reference,facts", "model_output": "answer"}
    assert loaded.answers == {(sample.id, 0): Response(answer="In England")}


def test_everything_a_pipeline_may_record(write: Write) -> None:
    row = {
        "id": 7, "question": "q", "answer": "a", "retrieved_contexts": [{"doc_id": 1, "content": "c", "score": 0.5}],
        "latency_ms": 1500, "usage": {"prompt_tokens": 10, "completion_tokens": "4"}, "cost": 0.25, "model_name": "m",
        "trace_id": "t", "error": "cut off", "topic": "x",
    }  # fmt: skip
    loaded = load_dataset(write("p.jsonl", [row]))
    assert loaded.answers == {
        ("7", 0): Response(
            answer="a", contexts=(Passage(text="c", id="1", score=0.5),), latency_s=1.5, input_tokens=10,
            output_tokens=4, cost=0.25, model="m", trace_id="t", error="cut off",
        )
    }  # fmt: skip
    assert loaded.dataset.samples[0].metadata == {"topic": "x"}


def test_numbers_that_are_none_are_noted_not_invented(write: Write) -> None:
    rows = [{"question": "q", "answer": "a", "latency": "fast", "prompt_tokens": 1.5, "cost": -1}]
    loaded = load_dataset(write("p.jsonl", rows))
    assert loaded.answers is not None
    assert list(loaded.answers.values()) == [Response(answer="a")]
    assert loaded.notes[:3] == (
        "latency_s that is no number is left out: 1 (line 1)",
        "input_tokens that is no whole number is left out: 1 (line 1)",
        "cost that is no number is left out: 1 (line 1)",
    )


def test_missing_ids_are_derived_from_content(write: Write) -> None:
    rows = [
        {"question": "q", "reference": "r"},
        {"question": "other", "reference": "r"},
        {"id": "own", "question": "q"},
    ]
    first, second, third = (one.id for one in load_dataset(write("i.jsonl", rows)).dataset)
    assert first.startswith("q-")
    assert len(first) == 12
    assert len({first, second, third}) == 3
    assert third == "own"
    turned = [one.id for one in load_dataset(write("j.jsonl", [{**rows[1], "tag": 1}, rows[0]])).dataset]
    assert turned == [second, first]


def test_rows_that_are_the_same_get_ids_of_their_own(write: Write) -> None:
    loaded = load_dataset(write("i.csv", "question,reference\nq,r\nq,r\nq,r\n"))
    first, second, third = (one.id for one in loaded.dataset)
    assert (second, third) == (f"{first}-2", f"{first}-3")
    assert loaded.notes == ("rows with the same question and golden answer, told apart as -2, -3 …: 2 (lines 3 and 4)",)


@pytest.mark.parametrize("second", ["1", "2"], ids=["equal", "different"])
def test_an_id_that_stands_twice_is_told_with_both_lines(write: Write, second: str) -> None:
    path = write(
        "d.jsonl", [{"id": "a", "question": "1"}, {"id": "b", "question": "1"}, {"id": "a", "question": second}]
    )
    with pytest.raises(
        DataError, match=r"d\.jsonl:3: the id 'a' stands twice: lines 1 and 3(.|\n)*--skip-bad-rows keeps the first"
    ):
        load_dataset(path)
    loaded = load_dataset(path, skip_bad_rows=True)
    assert [(one.id, one.question) for one in loaded.dataset] == [("a", "1"), ("b", "1")]
    assert loaded.notes == ("bad rows left out, their id stood before: 1 (line 3)",)


def test_a_repeat_column_says_that_the_same_sample_was_answered_again(write: Write) -> None:
    rows = [{"id": "a", "question": "q", "reference": "r", "answer": f"try {n}", "repeat": n} for n in (1, 2, 3)]
    loaded = load_dataset(write("r.jsonl", rows))
    assert len(loaded.dataset) == 1
    assert loaded.answers is not None
    assert {key: one.answer for key, one in loaded.answers.items()} == {
        ("a", 0): "try 1",
        ("a", 1): "try 2",
        ("a", 2): "try 3",
    }
    with pytest.raises(DataError, match="the id 'a' stands twice"):
        load_dataset(write("s.jsonl", [*rows, {"id": "a", "question": "another", "answer": "x", "repeat": 4}]))


def test_rows_without_a_value_are_left_out(write: Write) -> None:
    loaded = load_dataset(write("e.csv", "question,reference\na,b\n,\n , \nc,d\n"))
    assert [one.question for one in loaded.dataset] == ["a", "c"]
    assert loaded.notes == ("rows without any value left out: 2 (lines 3 and 4)",)


def test_metadata_come_from_other_columns_and_from_the_object(write: Write) -> None:
    rows = [{"question": "q", "lang": "de", "level": 0, "none": None, "metadata": {"level": 2, "nothing": None}}]
    assert load_dataset(write("m.jsonl", rows)).dataset.samples[0].metadata == {
        "lang": "de",
        "level": 2,
        "nothing": None,
    }
    loaded = load_dataset(write("m.csv", 'question,metadata,note\nq,"{""level"": 2}",\nr,plain,x\n'))
    assert [one.metadata for one in loaded.dataset] == [{"level": 2}, {"note": "x", "metadata": "plain"}]
    loaded = load_dataset(write("m.yaml", '- {question: q, year: 2024, code: "2024", v: 3.10, metadata: {ok: true}}\n'))
    assert loaded.dataset.samples[0].metadata == {"year": 2024, "code": "2024", "v": "3.10", "ok": True}


def test_chats_are_asked_by_what_the_user_said_last(write: Write) -> None:
    parts = [{"type": "text", "text": "And"}, {"type": "image_url"}, {"type": "text", "text": "now?"}]
    chats = [
        [{"role": "system", "content": "s"}, {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        [{"role": "user", "content": parts}],
        [{"type": "human", "content": "first"}, {"type": "ai", "content": "x"}, {"type": "human", "content": "last"}],
    ]
    loaded = load_dataset(write("c.jsonl", [{"messages": chat, "reference": "r"} for chat in chats]))
    assert [one.question for one in loaded.dataset] == ["a", "And\nnow?", "last"]


def test_cells_that_a_delimiter_parts_are_lists_unless_strict(write: Write) -> None:
    path = write("l.csv", "question,reference_contexts\nq,one|two\nr,at 6; not at 9\n")
    loaded = load_dataset(path)
    assert [len(one.reference_contexts or ()) for one in loaded.dataset] == [2, 1]
    assert loaded.notes == ("reference_contexts in one cell, cut at bars or semicolons: 1 (line 2)",)
    assert [len(one.reference_contexts or ()) for one in load_dataset(path, strict=True).dataset] == [1, 1]


def test_ids_of_passages_beside_their_texts(write: Write) -> None:
    rows = [
        {
            "question": "q",
            "reference_contexts": ["a", "b"],
            "reference_context_ids": ["1", "2"],
            "retrieved_context_ids": ["9"],
        },
        {"question": "r", "reference_contexts": ["a", "b"], "reference_context_ids": ["1"], "response": "x"},
    ]
    loaded = load_dataset(write("i.jsonl", rows))
    first, second = loaded.dataset
    assert first.reference_contexts == (Passage(text="a", id="1"), Passage(text="b", id="2"))
    assert second.reference_contexts == (Passage(text="a"), Passage(text="b"))
    assert loaded.answers is not None
    assert loaded.answers[first.id, 0].contexts == (Passage(text=None, id="9"),)
    assert "reference_context_ids that do not fit the number of passages are left out: 1 (line 2)" in loaded.notes


def test_a_file_whose_answers_may_be_golden_is_noted(write: Write) -> None:
    path = write("qa.csv", "question,answer\nq,a\n")
    loaded = load_dataset(path)
    assert "if it holds golden answers, say --map answer=reference" in loaded.notes[0]
    mapped = load_dataset(path, mapping={"answer": "reference"})
    assert mapped.dataset.samples[0].reference == ("a",)
    assert mapped.answers is None


def test_a_file_without_any_golden_column_is_told(write: Write) -> None:
    with pytest.raises(
        DataError,
        match=r"no column holds questions, golden answers or facts; columns: Frage, Soll\n.*--map Frage=question",
    ):
        load_dataset(write("x.csv", "Frage,Soll\na,b\n"))


def test_a_file_of_bad_rows_only_is_told(write: Write) -> None:
    with pytest.raises(DataError, match=r"no usable row \(bad rows left out, not JSON: 2 \(lines 1 and 2\)\)"):
        load_dataset(write("x.jsonl", "a\nb\n"), skip_bad_rows=True)


def test_text_is_never_changed(write: Write) -> None:
    odd = " two  spaces\r\nU+2028:\u2028 end\t"
    loaded = load_dataset(
        write("t.jsonl", [{"id": "a", "question": odd, "answer": odd, "reference": odd, "facts": odd}])
    )
    (sample,) = loaded.dataset
    assert sample.question == odd
    assert sample.reference == (odd,)
    assert sample.facts is not None
    assert sample.facts.raw == odd
    assert loaded.answers is not None
    assert loaded.answers["a", 0].answer == odd


def test_hostile_cells_come_back_from_a_guarded_table(write: Write) -> None:
    text = 'id,question,answer\nh3,q,"\'=HYPERLINK(""http://x"",""y"")"\nh4,q,-41.27%\nh5,q,+49 30 555 0100\n'
    loaded = load_dataset(write("h.csv", text))
    assert loaded.answers is not None
    assert [one.answer for one in loaded.answers.values()] == [
        '=HYPERLINK("http://x","y")',
        "-41.27%",
        "+49 30 555 0100",
    ]


def test_the_same_content_has_the_same_fingerprint_in_every_format(write: Write) -> None:
    rows = [{"id": "1", "question": "q", "reference": "r", "facts": "a<OR>b"}, {"id": "2", "question": "s"}]
    paths = [
        write("a.jsonl", rows),
        write("b.json", json.dumps({"data": rows})),
        write("c.csv", "id,question,reference,facts\n1,q,r,a<OR>b\n2,s,,\n"),
        write("d.yaml", "- {id: 1, question: q, reference: r, facts: a<OR>b}\n- {id: 2, question: s}\n"),
    ]
    pq.write_table(pa.Table.from_pylist(rows), paths[0].with_suffix(".parquet"))
    prints = {load_dataset(path).dataset.fingerprint for path in [*paths, paths[0].with_suffix(".parquet")]}
    assert len(prints) == 1


def test_a_name_is_the_callers_the_files_or_the_file_names(write: Write) -> None:
    path = write("gold.json", json.dumps({"name": "prices", "version": 2, "samples": [{"question": "q"}]}))
    assert load_dataset(path).dataset.name == "prices"
    assert load_dataset(path).dataset.version == "2"
    assert load_dataset(path, name="mine").dataset.name == "mine"
    log = write("log.json", json.dumps({"name": "other", "version": 2, "eval": {}, "samples": [{"question": "q"}]}))
    assert (load_dataset(log).dataset.name, load_dataset(log).dataset.version) == ("log", None)


def test_a_dataset_from_python() -> None:
    rows = [{"question": "a", "ground_truth": "x", "n": 1}, {"question": "b", "ground_truth": None, "n": 2}]
    plain = dataset_of(rows).dataset
    assert [one.reference for one in plain] == [("x",), ()]
    for same in (
        pd.DataFrame(rows),
        pa.Table.from_pylist(rows),
        {name: [row[name] for row in rows] for name in rows[0]},
        iter(rows),
    ):
        assert dataset_of(same).dataset == plain
    assert dataset_of(plain.samples, name="dataset").dataset == plain


def test_a_frame_with_missing_values_and_numbers_as_names() -> None:
    frame = pd.DataFrame({"question": ["a", "b"], "reference": ["x", float("nan")], 0: [1.5, float("nan")]})
    first, second = dataset_of(frame).dataset
    assert (first.reference, first.metadata) == (("x",), {"0": 1.5})
    assert (second.reference, second.metadata) == ((), {})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "there are no rows"),
        ([1], "a int where a row belongs"),
        ([{"a": 1}], "no column holds questions"),
        ([Sample(id="a"), Sample(id="a")], "item 2: id that stands twice: 'a'"),
        ([Sample(id="a"), {"question": "q"}], "item 2: a dict among Samples"),
        (
            [{"id": "a", "question": "q"}, {"id": "a", "question": "r"}],
            "item 2: the id 'a' stands twice: items 1 and 2",
        ),
    ],
)
def test_odd_rows_from_python_are_told(rows: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        dataset_of(rows)
