"""ROUGE, BLEU and chrF: equal to their reference implementations where these speak, and right in any script."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from ringtrue.catalogue import Metric
from ringtrue.metrics.overlap import bleu, chrf, rouge1, rouge2, rougel, rougelsum
from ringtrue.text.words import LONG
from ringtrue.types import Response, Sample

ROUGES = {"rouge1": rouge1, "rouge2": rouge2, "rougeL": rougel, "rougeLsum": rougelsum}
THAI, HINDI, ARABIC, KOREAN = "ยินดีต้อนรับ", "दुकान सुबह ९ बजे खुलती है।", "المتجر مفتوح الآن", "가게는 오전 9시에 연다."


def row(answer: str, *references: str) -> tuple[Sample, Response]:
    return Sample(id="1", reference=references), Response(answer=answer)


WORDS = ["cats", "running", "ran", "the", "quickly", "happily", "5", "well-known", "it's", "tin", "relational"]
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), max_size=4).map("\n".join)


@given(LINES, LINES, st.booleans())
def test_rouge_equals_rouge_score_for_ascii_text(reference: str, answer: str, stem: bool) -> None:
    expected = RougeScorer(list(ROUGES), use_stemmer=stem).score(reference, answer)
    for kind, metric in ROUGES.items():
        found = [
            metric(*row(answer, reference), measure=measure, stem=stem) for measure in ("precision", "recall", "f1")
        ]
        assert tuple(found) == tuple(expected[kind]), kind


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("Caf\u00e9 tables are running well", "caf\u00e9 table runs well"),  # a letter beyond ASCII
        ("“Tables” — it’s running…", "it's the table that runs"),  # marks only
    ],
)
def test_words_beyond_ascii_count_whole_and_english_ones_are_stemmed_as_ever(answer: str, reference: str) -> None:
    # The same words, with ASCII in place of what rouge-score cannot read.
    plain = [text.replace("\u00e9", "e").replace("’", "'") for text in (reference, answer)]
    expected = RougeScorer(["rouge1", "rougeL"], use_stemmer=True).score(*plain)
    assert rouge1(*row(answer, reference), stem=True) == expected["rouge1"].fmeasure
    assert rougel(*row(answer, reference), stem=True) == expected["rougeL"].fmeasure


@pytest.mark.parametrize("metric", [rouge1, rouge2, rougel, rougelsum, bleu, chrf], ids=lambda metric: metric.name)
@pytest.mark.parametrize("text", [THAI, HINDI, ARABIC, KOREAN, "店は九時に開く。", "two words"])
def test_identical_text_is_a_whole_match_in_any_script(metric: Metric, text: str) -> None:
    assert metric(*row(text, text)) == metric.range[1]


def test_a_script_without_spaces_is_compared_letter_by_letter() -> None:
    # 8 and 6 letters; shared in order: 店 九 时 开 (4), of them 九时 a pair.
    answer, reference = "店早上九时开", "那家店九时才开门"
    assert rouge1(*row(answer, reference), measure="precision") == pytest.approx(4 / 6)
    assert rouge1(*row(answer, reference), measure="recall") == pytest.approx(4 / 8)
    assert rouge1(*row(answer, reference)) == pytest.approx(8 / 14)
    assert rouge2(*row(answer, reference)) == pytest.approx(2 / 12)
    assert rougel(*row(answer, reference)) == pytest.approx(8 / 14)


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("Dogs may not enter. It opens at 9 a.m. on weekdays.", "It opens at 9 a.m. on weekdays. Dogs may not enter."),
        ("狗不得入内。九点开门。", "九点开门。狗不得入内。"),
    ],
)
def test_only_rougelsum_forgives_the_order_of_sentences(answer: str, reference: str) -> None:
    assert rouge1(*row(answer, reference)) == 1.0
    assert rougel(*row(answer, reference)) < 1.0
    assert rougelsum(*row(answer, reference)) == 1.0


def test_rouge_takes_the_best_reference_by_the_measure_asked_for() -> None:
    sample, response = row("b c d e x", "b c d e f g h", "x")
    best = {measure: rouge1(sample, response, measure=measure) for measure in ("precision", "recall", "f1")}
    assert best == pytest.approx({"precision": 0.8, "recall": 1.0, "f1": 2 / 3})


@pytest.mark.parametrize("metric", [rouge1, rougelsum], ids=lambda metric: metric.name)
def test_rouge_of_a_long_answer(metric: Metric) -> None:
    assert metric(*row("tin " * LONG + "lead", "lead oak"), measure="recall") == 0.5


@pytest.mark.parametrize(
    ("answer", "references", "tokenize", "same_as"),
    [
        ("The shop opens at 9, not 10.", ("The shop opens at 9.", "At 9 the shop opens."), "auto", "13a"),
        ("Café “Tin” ist offen.", ("Das Café „Tin“ ist offen.",), "auto", "13a"),
        ("Café “Tin” ist offen.", ("Das Café „Tin“ ist offen.",), "intl", "intl"),
        ("店は九時に開く", ("店は九時から開く",), "auto", "char"),
        ("It is 九時.", ("It is nine.",), "auto", "char"),
        ("It is nine.", ("It is nine.", "九時だ"), "auto", "char"),
        ("tin", ("lead", "tin oak"), "char", "char"),
    ],
)
def test_bleu_is_sacrebleus_sentence_score(
    answer: str, references: tuple[str, ...], tokenize: str, same_as: str
) -> None:
    expected = BLEU(tokenize=same_as, effective_order=True).sentence_score(answer, references).score
    assert bleu(*row(answer, *references), tokenize=tokenize) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("word_order", [0, 1, 2])
def test_chrf_is_sacrebleus_sentence_score(word_order: int) -> None:
    answer, references = "The shop opens at nine.", ("It opens at nine", "The shops open at 9.")
    expected = CHRF(word_order=word_order).sentence_score(answer, references).score
    assert chrf(*row(answer, *references), word_order=word_order) == expected


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_values_stay_in_range_for_any_text(answer: str, reference: str) -> None:
    for metric in (*ROUGES.values(), bleu, chrf):
        assert 0.0 <= metric(*row(answer, reference)) <= metric.range[1]


def test_importing_the_metrics_loads_no_library_of_scorers() -> None:
    code = "import sys, ringtrue.metrics.overlap; sys.exit(bool({'sacrebleu', 'rouge_score_rs'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_sacrebleu_does_not_keep_every_text() -> None:
    for number in range(700):
        bleu(*row(f"answer {number}", "one reference"))
    assert Tokenizer13a.__call__.cache_info().currsize < 600
    bleu(*row("long " * LONG, "one reference"))
    assert Tokenizer13a.__call__.cache_info().currsize == 0


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [("👍", "👍", 1.0), ("👍 🎉", "👍🎉", 1.0), ("👍🎉", "👍👎", 0.5), ("👍", "yes 👍", 0.0), ("yes", "👍", 0.0)],
)
def test_texts_without_words_are_compared_sign_by_sign(answer: str, reference: str, expected: float) -> None:
    for metric in (rouge1, rougel, rougelsum):
        assert metric(*row(answer, reference)) == expected
