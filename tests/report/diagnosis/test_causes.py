"""Runs with one plain cause each: the diagnosis names it, and finds none where there is none."""

from typing import Any

import pytest

from ringtrue.report.diagnosis.found import Failure, PipelineDiagnosis
from tests.report.diagnosis.made import diagnosed, row

# A list of questions and answers of an invented shop.
FAQ = {
    "How long does a refund take?": (
        "A refund takes nine working days after the parcel has reached our store.",
        "nine working days",
    ),
    "What does express delivery cost?": (
        "Express delivery costs 7.90 euros and is free from 120 euros on.",
        "7.90 euros",
    ),
    "Can I change the delivery address?": (
        "You can change the address until six in the evening of the day of your order.",
        "six in the evening",
    ),
    "How do I reset my password?": (
        "Choose the link below the form and open the letter that we send within ten minutes.",
        "ten minutes",
    ),
    "Are gift cards valid for ever?": (
        "Gift cards are valid for thirty months from the day on which they were bought.",
        "thirty months",
    ),
    "Where is the warehouse?": (
        "The warehouse stands in Braga beside the old tram depot, and visitors are welcome.",
        "Braga",
    ),
    "Which lamps can be dimmed?": (
        "All lamps of the Nordlys series can be dimmed with the dial that comes with them.",
        "Nordlys",
    ),
    "How is a broken vase replaced?": (
        "Send us a photograph within five days, and a new vase leaves us on the next morning.",
        "photograph",
    ),
}
ENTRIES = [f"{question}\n{answer}" for question, (answer, _) in FAQ.items()]
TEXT = "\n\n".join(ENTRIES)
# Version A of a chunker: after every 60 characters. Version B: each question with its answer.
CUT = [TEXT[start : start + 60] for start in range(0, len(TEXT), 60)]
WRONG = "We cannot say that for sure."


def words_in_common(question: str, text: str) -> int:
    return len(set(question.lower().strip("?").split()) & set(text.lower().split()))


def fetch(question: str, chunks: list[str], k: int = 3) -> list[tuple[str, str]]:
    """The k chunks that share most words with the question."""
    ranked = sorted(range(len(chunks)), key=lambda place: (-words_in_common(question, chunks[place]), place))
    return [(f"c-{place}", chunks[place]) for place in ranked[:k]]


def faq_rows(chunks: list[str], *, right: bool, **values: Any) -> list[dict[str, Any]]:
    return [
        row(
            question,
            answer=answer if right else WRONG,
            reference=answer,
            facts=fact,
            contexts=fetch(question, chunks),
            **values,
        )
        for question, (answer, fact) in FAQ.items()
    ]


def others(question: str, n: int = 3) -> list[tuple[str, str]]:
    """Whole entries about something else, other ones for each question."""
    place = next(place for place, entry in enumerate(ENTRIES) if entry.startswith(question))
    return [(f"e-{one % len(ENTRIES)}", ENTRIES[one % len(ENTRIES)]) for one in range(place + 1, place + 1 + n)]


def own(question: str) -> tuple[str, str]:
    place = list(FAQ).index(question)
    return f"e-{place}", ENTRIES[place]


def stages(found: PipelineDiagnosis) -> set[str | None]:
    return {one.stage for one in found.failures}


def first(found: PipelineDiagnosis) -> str | None:
    return found.first.stage if found.first else None


def signs(found: PipelineDiagnosis) -> set[str]:
    return {one.evidence[0].sign for one in found.failures}


def all_but(**values: Any) -> list[dict[str, Any]]:
    return [
        row(question, answer=WRONG, contexts=others(question), reference=answer, facts=fact, **values)
        for question, (answer, fact) in FAQ.items()
    ]


# --- the decisive case -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corpus", [None, CUT, ENTRIES], ids=["no corpus", "the chunks", "the documents"])
@pytest.mark.parametrize(
    "values",
    [
        {"answer_correctness": 0, "context_relevance": 0},
        {"answer_correctness": 0, "context_relevance": 1 / 3, "context_sufficiency": 0},
        {"faithfulness": 0, "context_relevance": 0},
        {"context_relevance": 0},
        {"facts_matched": 0, "context_recall": 0.2},
    ],
    ids=lambda values: "+".join(values),
)
def test_cutting_every_n_characters_is_blamed_on_chunk_not_on_retrieval(values: Any, corpus: Any) -> None:
    found = diagnosed(faq_rows(CUT, right=False, **values), **({"corpus": corpus} if corpus else {}))
    assert len(found.failures) == len(FAQ)
    assert first(found) == "chunk"
    assert stages(found) == {"chunk"}
    assert all(one.evidence[0].excerpt for one in found.failures)


def test_each_question_with_its_answer_leaves_chunk_clean() -> None:
    good = diagnosed(faq_rows(ENTRIES, right=True, answer_correctness=1, context_relevance=1), corpus=ENTRIES)
    assert (good.failures, good.first, good.findings) == ([], None, [])
    bad = diagnosed(all_but(answer_correctness=0, context_relevance=0), corpus=[own(question) for question in FAQ])
    assert stages(bad) == {"retrieve"}
    assert {evidence.sign for one in bad.failures for evidence in one.evidence} == {"lacking", "not_fetched"}


# --- one cause each --------------------------------------------------------------------------------------------------


def test_a_question_that_was_fetched_without_its_answer() -> None:
    chunks = [piece for entry in ENTRIES for piece in entry.split("\n")]
    found = diagnosed(faq_rows(chunks, right=False, answer_correctness=0, context_sufficiency=0))
    assert (first(found), "question_without_answer" in signs(found)) == ("chunk", True)
    evidence = found.failures[0].evidence[0]
    assert evidence.excerpt is not None
    assert evidence.excerpt.text[evidence.excerpt.start : evidence.excerpt.end] == "How long does a refund take?"


@pytest.mark.parametrize(
    ("chunks", "facts", "sign"),
    [
        (
            ["The tram costs 4.20 euros.", "That holds on weekdays alone.", "The museum is closed."],
            "4.20 euros<AND>weekdays",
            "split",
        ),
        (
            [
                "The tram runs all night. Its fare is",
                "4.20 euros on weekdays. Children pay half.",
                "The museum is closed.",
            ],
            "fare is 4.20 euros",
            "ends_inside",
        ),
    ],
    ids=["between sentences", "inside a sentence"],
)
def test_an_answer_that_is_split_over_neighbours(chunks: list[str], facts: str, sign: str) -> None:
    given = [(f"p-{n}", text) for n, text in enumerate(chunks)]
    one = row("What does the tram cost?", facts=facts, contexts=given[::2], facts_matched=0, context_recall=0)
    found = diagnosed([one], corpus=given)
    assert (first(found), signs(found)) == ("chunk", {sign})
    (split,) = [evidence for evidence in found.failures[0].evidence if evidence.sign == "split"]
    assert "‖" in split.excerpt.text  # type: ignore[union-attr]


def test_copies_that_crowd_the_right_passage_out() -> None:
    rows = [
        row(question, reference=answer, contexts=[others(question)[0]] * 4, answer_correctness=0, context_sufficiency=0)
        for question, (answer, _) in FAQ.items()
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"copy"}, "chunk")


def test_spoiled_characters_are_parsing() -> None:
    spoiled = [entry.replace(" ", " Ã¼ ", 4) for entry in ENTRIES]
    rows = [
        row(question, reference=answer, contexts=[spoiled[place]], answer_correctness=0, context_sufficiency=0)
        for place, (question, (answer, _)) in enumerate(FAQ.items())
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"mojibake"}, "parse")


def test_passages_without_text_are_parsing() -> None:
    rows = [
        row(question, reference=answer, contexts=["", " ", "–"], answer_correctness=0, context_sufficiency=0)
        for question, (answer, _) in FAQ.items()
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"empty"}, "parse")


def test_a_table_that_fell_apart_is_parsing() -> None:
    table = "| item | price | stock |\n| lamp 12 |\n7 | 40 | 3 | 9 |\n| vase |"
    rows = [
        row(question, reference=answer, contexts=[table], answer_correctness=0, context_sufficiency=0)
        for question, (answer, _) in FAQ.items()
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"broken_table"}, "parse")


def test_a_document_that_is_not_in_the_corpus() -> None:
    rows = [
        row(
            "Who built the lighthouse?",
            reference="Teodora Lindqvist built it.",
            facts="Lindqvist",
            contexts=ENTRIES[:3],
            facts_matched=0,
        )
    ]
    assert signs(diagnosed(rows, corpus=ENTRIES)) == {"not_in_corpus"}
    assert signs(diagnosed(rows)) == {"lacking"}


def test_a_golden_passage_that_is_not_in_the_index() -> None:
    rows = [
        row(question, contexts=others(question), golden=[own(question)], answer_correctness=0)
        for question in list(FAQ)[:3]
    ]
    found = diagnosed(rows, corpus=[(f"e-{n}", ENTRIES[n]) for n in range(3, 8)])
    assert (signs(found), first(found)) == ({"not_indexed"}, "index")


def test_a_golden_passage_that_was_not_fetched() -> None:
    rows = [row(question, contexts=others(question), golden=[own(question)], answer_correctness=0) for question in FAQ]
    assert (stages(diagnosed(rows)), signs(diagnosed(rows))) == (
        {"retrieve"},
        {"lacking"},
    )


def test_nothing_was_retrieved() -> None:
    rows = [row(question, contexts=[], reference=answer, answer_correctness=0) for question, (answer, _) in FAQ.items()]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"nothing"}, "retrieve")


def test_the_same_passages_for_every_question() -> None:
    rows = [
        row(
            question,
            contexts=[own("Where is the warehouse?"), own("Which lamps can be dimmed?")],
            reference=answer,
            answer_correctness=0,
            context_sufficiency=0,
        )
        for question, (answer, _) in list(FAQ.items())[:5]
    ]
    found = diagnosed(rows)
    assert signs(found) == {"collapse"}
    assert found.collapse is not None
    assert (found.collapse.overlap, found.collapse.distinct) == (1.0, 2)
    assert found.collapse.effective == pytest.approx(2)  # two passages, equally often


def test_a_small_corpus_is_no_collapse() -> None:
    two = [own("Where is the warehouse?"), own("Which lamps can be dimmed?")]
    rows = [
        row(question, contexts=two, reference=answer, answer_correctness=0, context_sufficiency=0)
        for question, (answer, _) in list(FAQ.items())[:5]
    ]
    found = diagnosed(rows, corpus=[*two, own("How do I reset my password?")])
    assert "collapse" not in signs(found)


def test_the_right_passage_far_down() -> None:
    rows = [
        row(question, contexts=[*others(question, 4), own(question)], golden=[own(question)], answer_correctness=0)
        for question in FAQ
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"ranked_low"}, "rerank")
    judged = [
        row(
            question,
            contexts=[*others(question, 4), own(question)],
            answer_correctness=0,
            context_sufficiency=1,
            context_precision=0.2,
        )
        for question in FAQ
    ]
    assert signs(diagnosed(judged)) == {"ranked_low"}


def test_a_refusal_although_the_passage_is_there() -> None:
    rows = [
        row(
            question,
            answer="I cannot help.",
            contexts=[own(question)],
            reference=answer,
            answer_correctness=0,
            context_sufficiency=1,
            refusal=1,
        )
        for question, (answer, _) in FAQ.items()
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"refused"}, "prompt")


def test_an_answer_that_makes_things_up() -> None:
    rows = [
        row(question, contexts=[own(question)], answer_correctness=0, context_sufficiency=1, faithfulness=0.5)
        for question in FAQ
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"unfaithful"}, "generate")


def test_a_wrong_answer_from_cut_passages_that_sufficed_is_generation() -> None:
    found = diagnosed(faq_rows(CUT, right=False, answer_correctness=0, context_sufficiency=1))
    assert (stages(found), first(found)) == ({"generate"}, "generate")
    assert {"begins_inside", "ends_inside"} & {one.sign for one in found.findings}


def test_a_wrong_answer_beside_the_right_passage_by_words_alone_is_weaker_evidence() -> None:
    rows = [
        row(
            question,
            answer=WRONG,
            contexts=[own(question), *others(question, 2)],
            reference=answer,
            facts=fact,
            facts_matched=0,
        )
        for question, (answer, fact) in FAQ.items()
    ]
    found = diagnosed(rows)
    assert (signs(found), first(found)) == ({"incorrect"}, "generate")
    assert all(one.weak for one in found.failures)
    assert "weaker evidence" in found.first.why  # type: ignore[union-attr]


def test_an_answer_beside_the_question() -> None:
    rows = [
        row(question, contexts=[own(question)], answer_relevance=0, faithfulness=1, context_sufficiency=1)
        for question in FAQ
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"off"}, "generate")


def test_no_answer_although_passages_were_retrieved() -> None:
    rows = [row(question, answer=None, error="out of memory", contexts=[own(question)]) for question in FAQ]
    assert signs(diagnosed(rows)) == {"no_answer"}
    without = [row(question, answer=None, error="connection refused") for question in FAQ]
    found = diagnosed(without)
    assert (stages(found), found.first) == ({None}, None)
    assert "connection refused" in found.failures[0].evidence[0].text


def test_right_in_another_form() -> None:
    from ringtrue.report.diagnosis.rows.failing import FailedIf

    rule = FailedIf("json_match", "json_match < 1", lambda value: value < 1)
    rows = [row(question, contexts=[own(question)], json_match=0, answer_correctness=1) for question in FAQ]
    assert (signs(diagnosed(rows, failed_if=[rule])), first(diagnosed(rows, failed_if=[rule]))) == ({"form"}, "format")


def test_an_answer_that_was_cut_off() -> None:
    answer = (
        "The return begins in the app. " * 7
        + "After that you bring the parcel to the next counter of the post and then"
    )
    rows = [
        row(question, answer=answer, contexts=[own(question)], answer_correctness=0, context_sufficiency=1)
        for question in FAQ
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"stopped"}, "format")


def test_facts_that_a_right_answer_lacks_are_golden_data() -> None:
    rows = [
        row(
            question,
            contexts=[own(question)],
            facts="an odd string",
            factual_knowledge=0,
            answer_correctness=1,
            faithfulness=1,
        )
        for question in FAQ
    ]
    assert (signs(diagnosed(rows)), first(diagnosed(rows))) == ({"facts_only"}, "golden")


# --- no cause, or none that can be known -----------------------------------------------------------------------------


def test_right_answers_need_no_mending_whatever_their_passages_look_like() -> None:
    found = diagnosed(faq_rows(CUT, right=True, answer_correctness=1, faithfulness=1))
    assert (found.failures, found.first) == ([], None)
    assert found.findings


def test_where_nothing_tells_no_stage_is_named() -> None:
    rows = [row(question, contexts=None, facts=fact, facts_matched=0) for question, (_, fact) in FAQ.items()]
    found = diagnosed(rows)
    assert (stages(found), found.first, found.unknown) == ({None}, None, len(FAQ))
    assert any("contexts" in one.needs for one in found.blind)


def test_without_a_metric_that_tells_nothing_is_said_to_have_failed() -> None:
    found = diagnosed([row(question, contexts=[own(question)], answer_words=12) for question in FAQ])
    assert (found.judged, found.failures, found.first) == (0, [], None)


WHOLE_PASSAGES = [
    "- returns within fourteen days\n- refunds within nine\n- no fee for members",
    "## Delivery and returns",
    "| item | price |\n|---|---|\n| lamp | 40 |\n| vase | 12 |",
    "refund(order_id)\n    order = find(order_id)\n    order.total = 0",
    "退款需要九个工作日。快递在七天内送达。",
    "يستغرق رد المبلغ تسعة أيام عمل. هل الشحن مجاني؟ نعم.",
    "14 days after the purchase the right of return ends.",
    "“Nobody pays for returns,” says the manager of the shop.",
    "iPhone cases are sold by our partner in Braga.",
    "Opening hours\nMonday to Friday: 9 to 18\nSaturday: 10 to 14",
]


def test_lists_tables_code_headings_and_other_scripts_are_not_cut() -> None:
    rows = [
        row(f"Question number {n} about something?", contexts=[text], answer_correctness=0, context_sufficiency=0)
        for n, text in enumerate(WHOLE_PASSAGES)
    ]
    found = diagnosed(rows)
    assert stages(found) == {"retrieve"}
    assert not {"begins_inside", "ends_inside", "question_without_answer"} & {one.sign for one in found.findings}


def test_one_odd_passage_among_many_is_not_the_cause() -> None:
    # One cut passage among nine distinct ones: below the fifth from which cutting is at fault.
    rows = all_but(answer_correctness=0, context_sufficiency=0)
    rows[0] = row(
        "How long does a refund take?",
        contexts=[("odd", "days after that. It ends then."), *others("How long does a refund take?", 7)],
        answer_correctness=0,
        context_sufficiency=0,
    )
    assert stages(diagnosed(rows)) == {"retrieve"}


def failures_by_id(found: PipelineDiagnosis) -> dict[str, Failure]:
    return {one.sample_id: one for one in found.failures}


def test_the_leftmost_stage_with_a_fifth_of_the_failures_comes_first() -> None:
    questions = list(FAQ)
    generate = [
        row(question, contexts=[own(question)], answer_correctness=0, context_sufficiency=1) for question in questions
    ]
    retrieve = [
        row(f"{question} #{n}", contexts=others(question), answer_correctness=0, context_sufficiency=0)
        for n, question in enumerate(questions)
    ]
    assert first(diagnosed([*generate, *retrieve[:2]])) == "retrieve"  # 2 of 10
    found = diagnosed([*generate, *retrieve[:1]])  # 1 of 9
    assert first(found) == "generate"
    assert {one.stage: one.n for one in found.stages if one.n} == {"retrieve": 1, "generate": 8}


def test_judges_beat_words_and_golden_passages_beat_judges() -> None:
    question = "Where is the warehouse?"
    answer, fact = FAQ[question]
    by_words = row(question, contexts=[own(question)], reference=answer, facts=fact, facts_matched=0)
    by_judge = row(
        question, contexts=[own(question)], reference=answer, facts=fact, facts_matched=0, context_sufficiency=0
    )
    by_golden = row(
        question, contexts=[own(question)], golden=[own(question)], facts=fact, facts_matched=0, context_sufficiency=0
    )
    assert [first(diagnosed([one])) for one in (by_words, by_judge, by_golden)] == ["generate", "retrieve", "generate"]


def test_ids_of_another_cutting_say_nothing_and_texts_are_compared() -> None:
    question = "Where is the warehouse?"
    answer = FAQ[question][0]
    one = row(question, contexts=[("chunk-9", f"Visitors. {answer}")], golden=[("faq-5", answer)], answer_correctness=0)
    assert first(diagnosed([one])) == "generate"


def test_a_right_retrieval_of_nothing_is_not_blamed() -> None:
    one = row("Who is the king of the moon?", contexts=[], golden=[], answer_correctness=1)
    assert diagnosed([one]).failures == []
    wrong = row("Who is the king of the moon?", contexts=[], golden=[], answer_correctness=0)
    assert stages(diagnosed([wrong])) == {None}
