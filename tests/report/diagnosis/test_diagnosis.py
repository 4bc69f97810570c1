"""The whole: shares with intervals, bad input in clear words, before and after, renderers."""

import json
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ringtrue.report.diagnosis.diagnosis import diagnose
from ringtrue.report.diagnosis.found import Diagnosis
from ringtrue.report.diagnosis.moved import moved_between
from ringtrue.report.diagnosis.passages.checks import check_passages
from ringtrue.report.diagnosis.stages import ORDER, SIGNS, STAGES
from ringtrue.report.diagnosis.thresholds import Thresholds
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.markdown import diagnosis_markdown
from ringtrue.report.diagnosis.told.terminal import print_diagnosis
from ringtrue.report.json_report import dumps
from ringtrue.types import Passage
from tests.report.diagnosis.made import SKIPPED, diagnosed, report_of, row

WHOLE = "The office in Braga opens at nine. It closes at five."


def generation(n: int, start: int = 0, **more: Any) -> list[dict[str, Any]]:
    return [
        row(f"G{one}?", contexts=[WHOLE], answer_correctness=0, context_sufficiency=1, **more)
        for one in range(start, start + n)
    ]


def retrieval(n: int) -> list[dict[str, Any]]:
    return [
        row(f"R{one}?", contexts=[f"{WHOLE} It is house number {one}."], answer_correctness=0, context_sufficiency=0)
        for one in range(n)
    ]


def printed(diagnosis: Diagnosis, width: int = 100) -> str:
    out = StringIO()
    print_diagnosis(diagnosis, Console(file=out, width=width))
    return out.getvalue()


def test_every_sign_belongs_to_a_stage_and_every_stage_has_signs_and_remedies() -> None:
    assert {sign.stage for sign in SIGNS.values()} == set(ORDER) == set(STAGES)
    assert all(stage.remedies for stage in STAGES.values())


def test_shares_are_of_the_failures_with_a_known_stage_with_wilson_intervals() -> None:
    found = diagnosed([*retrieval(6), *generation(2), row("U?", facts_matched=0)])
    shares = {one.stage: one for one in found.stages}
    retrieve = shares["retrieve"]
    assert (retrieve.n, retrieve.share.value, found.unknown) == (6, 0.75, 1)
    # Wilson's interval of 6 of 8: statsmodels proportion_confint(6, 8, method="wilson")
    assert (retrieve.share.low, retrieve.share.high) == pytest.approx((0.409275, 0.928521), abs=1e-6)
    assert found.first is not None
    assert "The stage of 1 more is not known" in found.first.why


def test_repeats_of_a_question_count_once() -> None:
    rows = [one | {"repeat": n} for n in range(3) for one in generation(2)]
    found = diagnosed(rows)
    (share,) = [one for one in found.stages if one.n]
    assert (share.n, share.share.value) == (6, 1.0)
    assert share.share.low == pytest.approx(0.342, abs=1e-3)  # of two questions, not of six answers


@pytest.mark.parametrize(
    ("rows", "judged", "failed", "line"),
    [
        ([row("Q?", answer_correctness=1)], 1, 0, "No answer failed"),
        ([row("Q?", answer_correctness=0)], 1, 1, "Not enough is known to name a stage"),
        ([row("Q?", answer_correctness=SKIPPED)], 0, 0, "score a metric of the answers"),
        (generation(12), 12, 12, "Mend first: generate"),
        ([row("Q?", answer=None, error="timed out")], 1, 1, "Not enough is known"),
        (
            [row("Q?", contexts=[("id-1", None)], golden=[("id-2", None)], answer_correctness=0)],
            1,
            1,
            "Mend first: retrieve",
        ),
        ([row("Q?", contexts=[("id-1", None)], answer_correctness=0)], 1, 1, "Not enough is known"),
    ],
    ids=[
        "one right",
        "one wrong",
        "nothing scored",
        "all failed alike",
        "no answer",
        "ids alone",
        "ids without golden",
    ],
)
def test_thin_and_odd_input_is_told_in_words(rows: Any, judged: int, failed: int, line: str) -> None:
    diagnosis = diagnose(report_of({"app": rows}))
    (found,) = diagnosis.pipelines
    assert (found.judged, len(found.failures)) == (judged, failed)
    assert line in printed(diagnosis)
    assert line in diagnosis_markdown(diagnosis)


def test_no_contexts_says_what_to_record() -> None:
    text = printed(diagnose(report_of({"app": [row("Q?", answer_correctness=0)]})))
    assert "everything before the prompt: record the retrieved passages (contexts) with the answers" in text
    ids = printed(diagnose(report_of({"app": [row("Q?", contexts=[("id-1", None)], answer_correctness=0)]})))
    assert "of which only ids are known: record their texts" in ids


def test_all_zero_rows_of_several_pipelines_are_golden_data() -> None:
    rows = [row("A?", factual_knowledge=0), row("B?", factual_knowledge=1)]
    other = [row("A?", factual_knowledge=0), row("B?", factual_knowledge=0)]
    one, two = diagnose(report_of({"one": rows, "two": other})).pipelines
    assert [failure.stage for failure in one.failures] == ["golden"]
    assert {failure.sample_id: failure.stage for failure in two.failures} == {"A?": "golden", "B?": None}
    alone = diagnosed(rows)
    assert [failure.stage for failure in alone.failures] == [None]
    assert any("second pipeline" in blind.needs for blind in alone.blind)


def test_the_binary_form_of_a_judge_stands_in_for_it() -> None:
    found = diagnosed([row("Q?", contexts=[WHOLE], faithfulness_binary=0, context_relevance_binary=0)])
    assert [failure.stage for failure in found.failures] == ["retrieve"]
    assert found.failures[0].failed_by == ["faithfulness < 1"]


def test_before_and_after_over_shared_questions() -> None:
    before = diagnosed([*retrieval(6), *generation(2), row("only before?", answer_correctness=1)])
    fixed = [row(f"R{n}?", contexts=[WHOLE], answer_correctness=1) for n in range(6)]
    after = diagnosed([*fixed, *generation(2)])
    moved = moved_between(before, after, names=("A", "B"))
    assert (moved.questions, moved.left_out) == (8, 1)
    assert (moved.failed.before, moved.failed.after, moved.failed.difference.value) == (1.0, 0.25, -0.75)
    by_stage = {one.stage: one for one in moved.stages}
    assert (by_stage["retrieve"].before, by_stage["retrieve"].after) == (0.75, 0.0)
    assert by_stage["generate"].difference.value == 0
    # Student's t, 7 degrees, of six differences of -1 and two of 0: -0.75 ± 2.364624 × 0.163663
    assert by_stage["retrieve"].difference.low == pytest.approx(-1.0)
    assert by_stage["retrieve"].difference.high == pytest.approx(-0.363, abs=1e-3)
    assert list(by_stage) == ["retrieve", "generate"]


def test_before_and_after_without_a_shared_question() -> None:
    moved = moved_between(diagnosed(generation(2)), diagnosed(generation(2, start=5)), names=("A", "B"))
    assert (moved.questions, moved.failed.difference.value) == (0, None)


def test_json_holds_what_a_page_needs_and_no_nan() -> None:
    report = report_of({"app": [*retrieval(3), *generation(1)]})
    told = json.loads(dumps(diagnosis_json(diagnose(report, corpus=[Passage(text=WHOLE, id="w")]))))
    app = told["pipelines"]["app"]
    assert (told["run"], told["corpus"], app["failed"], app["first"]["stage"]) == ("run-1", 1, 4, "retrieve")
    assert [one["stage"] for one in app["stages"]] == list(ORDER)
    assert app["failures"][0]["evidence"][0]["sign"] == "lacking"
    assert told["thresholds"]["rank"] == 3


def test_hostile_texts_stay_text() -> None:
    text = (
        "uests </script><img src=x onerror=alert(1)> \x1b[31m red. And [a link](javascript:x) that goes on and on and"
    )
    rows = [
        row(f"Q{n} <script>?", contexts=[("<b>", f"{text} {n}")], answer_correctness=0, context_sufficiency=0)
        for n in range(4)
    ]
    diagnosis = diagnose(report_of({"app": rows}))
    assert diagnosis.pipelines[0].first.stage == "chunk"  # type: ignore[union-attr]
    assert "\x1b" not in printed(diagnosis)
    page = diagnosis_markdown(diagnosis)
    assert "<script" not in page
    assert "<img" not in page
    assert "[a link](" not in page


@given(st.lists(st.text(max_size=120), max_size=12))
def test_any_text_can_be_a_passage(texts: list[str]) -> None:
    given_passages = [Passage(text=text, id=str(place)) for place, text in enumerate(texts)]
    checked = check_passages(given_passages, Thresholds())
    assert checked.total == len(texts)
    for (_, text), found in checked.flaws.items():
        assert all(0 <= start <= end <= len(text) for start, end in found.values())
    rows = [
        row(f"Q{n}?", contexts=given_passages[: n + 1], reference=text or None, answer_correctness=0)
        for n, text in enumerate(texts)
    ]
    if rows:
        diagnosis = diagnose(report_of({"app": rows}), corpus=given_passages)
        printed(diagnosis)
        dumps(diagnosis_json(diagnosis))
        assert all(one.stage is None or one.evidence for one in diagnosis.pipelines[0].failures)


def test_the_page_has_the_tables_of_the_code() -> None:
    from pathlib import Path

    from scripts.diagnosis import filled

    page = (Path(__file__).parents[3] / "docs/diagnosis.md").read_text(encoding="utf-8")
    assert filled(page) == page, "run: make docs"
    assert all(sign.title in page for sign in SIGNS.values())
