"""Each reading at and beside its cuts; what cannot be looked at says why; per row and in total."""

import json
from pathlib import Path
from typing import Any

import pytest

import ringtrue as rt
from ringtrue.report.json_report import full_json, summary_json
from ringtrue.report.markdown import markdown
from ringtrue.report.readings.readings import Readings, read_report
from ringtrue.report.readings.rules import RULES, rule_text, with_settings
from ringtrue.report.readings.told import reading_lines
from ringtrue.report.report import Report
from tests.report.diagnosis.made import SKIPPED, report_of, row

EXAMPLE = Path(__file__).parents[3] / "examples/amazon_10q"


def read(**values: Any) -> set[str]:
    """The readings of one answer."""
    return {one.rule.name for one in read_report(report_of({"app": [row("Q?", **values)]})).found}


def names(readings: Readings) -> list[str]:
    return [one.rule.name for one in readings.found]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"factual_knowledge": 0, "recall_over_words": 0.7}, {"likely_hallucinated_fact"}),
        ({"factual_knowledge": 0, "recall_over_words": 0.69}, {"other_words_or_miss"}),
        ({"factual_knowledge": 1, "recall_over_words": 0.1}, {"accidental_fact_match"}),
        ({"factual_knowledge": 1, "recall_over_words": 0.11}, set()),
        ({"recall_over_words": 0.7, "precision_over_words": 0.39}, {"verbose"}),
        ({"recall_over_words": 0.7, "precision_over_words": 0.4}, set()),
        ({"recall_over_words": 0.69, "precision_over_words": 0.1}, set()),
        ({"refusal": "yes", "context_sufficiency": "yes"}, {"refused_though_sufficient"}),
        ({"refusal": 1, "context_sufficiency": 0}, set()),
        ({"refusal": "no", "context_sufficiency": "no"}, {"answered_though_insufficient"}),
        ({"refusal": 0, "context_sufficiency": 1}, set()),
        ({"facts_matched": 0, "recall_over_words": 0.2}, {"other_words_or_miss"}),
    ],
)
def test_each_reading_at_its_cuts(values: Any, found: set[str]) -> None:
    assert read(**values) == found


def test_a_bare_id_shares_a_word_with_the_golden_answer_and_is_an_accidental_match_all_the_same() -> None:
    golden = "There were 10,317,750,796 shares of Amazon's common stock outstanding as of July 21, 2023."
    sample = {"question": "How many?", "reference": golden, "facts": "10317750796"}
    scores = rt.score(sample, "10317750796", ["factual_knowledge", "recall_over_words"])
    values = {name: one.value for name, one in scores.items()}
    assert 0 < (values["recall_over_words"] or 0) <= 0.1
    assert read(**values) == {"accidental_fact_match"}


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, "open"),
        ({"refusal": 1, "answer_correctness": 0}, "refused"),
        ({"refusal": 0, "answer_correctness": 1}, "right in other words"),
        ({"answer_correctness": 0, "answer_similarity": 0.95}, "wrong"),
        ({"answer_similarity": 0.85}, "likely right in other words (by answer_similarity alone, which is weaker)"),
        ({"answer_similarity": 0.84}, "open"),
    ],
)
def test_other_words_or_a_miss_is_settled_where_it_can_be(more: Any, outcome: str) -> None:
    values = {"factual_knowledge": 0, "recall_over_words": 0.2, **more}
    (found,) = [
        one
        for one in read_report(report_of({"app": [row("Q?", **values)]})).found
        if one.rule.name == "other_words_or_miss"
    ]
    assert dict(found.outcomes) == {outcome: 1}


def test_all_zero_rows_need_two_pipelines() -> None:
    rows = [row("A?", factual_knowledge=0), row("B?", factual_knowledge=1)]
    alone = read_report(report_of({"one": rows}))
    (unseen,) = [one for one in alone.not_looked if one.rule.name == "ill_formed_triplet"]
    assert "one pipeline alone" in (unseen.why or "")
    both = read_report(
        report_of({"one": rows, "two": [row("A?", factual_knowledge=0), row("B?", factual_knowledge=0)]})
    )
    (found,) = both.found
    assert (found.rule.name, found.looked, {place[0] for place in found.places}) == ("ill_formed_triplet", 2, {"A?"})
    unscored = [row("A?", factual_knowledge=SKIPPED), row("B?", factual_knowledge=SKIPPED)]
    (unseen,) = [one for one in read_report(report_of({"one": rows, "two": unscored})).not_looked if one.rule.across]
    assert unseen.why == "no question was scored for every pipeline"


def test_what_cannot_be_looked_at_says_why() -> None:
    readings = read_report(report_of({"app": [row("Q?", recall_over_words=0.9, precision_over_words=SKIPPED)]}))
    why = {one.rule.name: one.why for one in readings.not_looked}
    assert len(why) == len(RULES)
    assert why["verbose"] == "no answer of app was scored by recall_over_words and precision_over_words"
    assert (why["accidental_fact_match"] or "").startswith("the run has no factual_knowledge or facts_matched")
    assert why["refused_though_sufficient"] == "the run has no refusal and no context_sufficiency"
    assert all(line.startswith("not looked at: ") for line in reading_lines(readings))


def test_a_skipped_or_failed_score_is_no_zero() -> None:
    report = report_of(
        {
            "app": [
                row("A?", facts_matched=SKIPPED, recall_over_words=0.9),
                row("B?", facts_matched=0, recall_over_words=0.9),
            ]
        }
    )
    (found,) = read_report(report).found
    assert (found.looked, found.places) == (1, [("B?", "app", 0)])


def test_repeats_count_once_in_the_share() -> None:
    rows = [
        row("A?", repeat=n, recall_over_words=0.9, precision_over_words=value) for n, value in enumerate([0.1, 0.9])
    ]
    rows += [row("B?", repeat=n, recall_over_words=0.9, precision_over_words=0.9) for n in range(2)]
    (found,) = read_report(report_of({"app": rows})).found
    assert (len(found.places), found.looked, found.share.value) == (1, 4, 0.25)


def test_cuts_can_be_set_and_readings_switched_off() -> None:
    rules = with_settings(
        {"verbose": {"precision": 0.2}, "ill_formed_triplet": False, "likely_hallucinated_fact": True}
    )
    texts = {rule.name: rule_text(rule) for rule in rules}
    assert texts["verbose"] == "recall ≥ 0.7 and precision < 0.2"
    assert texts["likely_hallucinated_fact"] == "facts = 0 and recall ≥ 0.7"
    assert "ill_formed_triplet" not in texts
    assert "verbose" not in {rule.name for rule in with_settings({"verbose": False})}


def test_each_rule_names_what_it_means_and_what_to_do() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) == 7
    assert all(rule.meaning and rule.remedy and rule.when for rule in RULES)


@pytest.fixture
def report() -> Report:
    one = [row("A?", factual_knowledge=0, recall_over_words=0.9), row("B?", factual_knowledge=1, recall_over_words=0.9)]
    two = [row("A?", factual_knowledge=0, recall_over_words=0.2), row("B?", factual_knowledge=1, recall_over_words=0.9)]
    return report_of({"one": one, "two": two})


def test_reports_show_them_in_total_and_for_each_answer(report: Report) -> None:
    told = {(one["name"], one["pipeline"]): one for one in summary_json(report)["readings"]}
    assert told["likely_hallucinated_fact", "one"]["n"] == 1
    assert told["likely_hallucinated_fact", "one"]["ids"] == ["A?"]
    assert told["likely_hallucinated_fact", "one"]["rule"] == "facts = 0 and recall ≥ 0.7"
    assert told["likely_hallucinated_fact", "two"]["n"] == 0
    assert "not_looked_at" in told["verbose", None]
    rows = full_json(report)["rows"]
    assert [one.get("readings") for row in rows for one in row["responses"]] == [
        ["likely_hallucinated_fact", "ill_formed_triplet"],
        ["other_words_or_miss", "ill_formed_triplet"],
        None,
        None,
    ]
    text = markdown(report)
    assert "### Readings" in text
    assert "| ill-formed triplet | all pipelines | 1 of 2 questions" in text
    assert "Recall is closeness to the golden answer" in text


def test_the_two_all_zero_rows_of_the_example_are_ill_formed_triplets(ringtrue: Any) -> None:
    told = ringtrue("run", EXAMPLE / "ringtrue.yaml", "-o", "r.json", "--json").json["readings"]
    (found,) = [one for one in told if one["name"] == "ill_formed_triplet"]
    assert (found["n"], found["looked"], set(found["ids"])) == (2, 10, {"key-challenge", "principal-office"})
    full = json.loads(Path("r.json").read_text(encoding="utf-8"))
    marked = {
        row["id"]
        for row in full["rows"]
        if all("ill_formed_triplet" in one.get("readings", ()) for one in row["responses"])
    }
    assert marked == {"key-challenge", "principal-office"}
    shown = ringtrue("report").out
    assert (
        "ill-formed triplet (facts = 0 for every pipeline): 2 of 10 questions (key-challenge and principal-office)"
        in shown
    )
