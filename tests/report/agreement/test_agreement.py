"""Judges against people: what is computed, and how it is told."""

import json
from io import StringIO
from random import Random

import pytest
from rich.console import Console
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from ringtrue.report.agreement.agreement import build_agreement
from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.candidates import Candidate, Labels, Person, Said
from ringtrue.report.agreement.found import Agreement, Settings
from ringtrue.report.agreement.markdown import agreement_markdown
from ringtrue.report.agreement.terminal import print_agreement
from ringtrue.types import Response, Sample

BINARY = Labels(names=("no", "yes"), positive="yes")
FEW = Settings(draws=200)


def people(labels: str, raters: list[str] | None = None, clusters: str = "") -> list[Person]:
    """A row for each letter: y, n, or - for none; each text of `raters` is one rater's column."""
    read = {"y": "yes", "n": "no", "-": None}
    return [
        Person(
            id=str(place),
            cluster=clusters[place] if clusters else place,
            label=read[label],
            raters={f"r{number}": read[column[place]] for number, column in enumerate(raters or [labels])},
            sample=Sample(id=str(place), question=f"Q{place}?", reference=("G",), metadata={"topic": "ab"[place % 2]}),
            response=Response(answer=f"A{place}"),
        )
        for place, label in enumerate(labels)
    ]


def judge(*runs: str, name: str = "judge") -> Candidate:
    read = {"y": Said(label="yes"), "n": Said(label="no"), "f": Said(status="failed", error="timed out: 60 s")}
    said = [{str(place): read[one] for place, one in enumerate(run) if one in read} for run in runs]
    return Candidate(name=name, kind="judge", runs=said, signature=f"{name}|version:1", metric="answer_correctness")


def scored(*scores: float | None, name: str = "score", **more: object) -> Candidate:
    run = {str(place): Said(score=one) for place, one in enumerate(scores)}
    return Candidate(name=name, kind="code", runs=[run], scores="value", range=(0.0, 1.0), **more)  # type: ignore[arg-type]


def build(rows: list[Person], *candidates: Candidate, labels: Labels = BINARY, **more: object) -> Agreement:
    return build_agreement(rows, candidates, labels, name="set", fingerprint="f" * 32, settings=FEW, **more)  # type: ignore[arg-type]


def printed(agreement: Agreement, width: int = 100) -> str:
    console = Console(width=width, record=True, file=StringIO())
    print_agreement(agreement, console)
    return console.export_text()


def test_figures_are_those_of_scikit_learn() -> None:
    random = Random(3)
    truth = [random.random() < 0.6 for _ in range(300)]
    scores = [random.gauss(0.6 if one else 0.4, 0.2) for one in truth]
    rows = people("".join("y" if one else "n" for one in truth))
    found = build(rows, scored(*scores)).judges[0]
    said = [score >= 0.5 for score in scores]
    figures = found.figures.figures
    assert figures["kappa"].value == pytest.approx(cohen_kappa_score(truth, said), abs=1e-12)
    assert figures["auc"].value == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert figures["brier"].why == "its scores are no probabilities"
    assert (found.cut, found.cut_from) == (0.5, "not fitted")


def test_everybody_says_yes_so_kappa_is_undefined_and_said_so() -> None:
    # Case S01: chance agreement is 1, so kappa is 0/0; a number would be made up.
    agreement = build(people("yyyyyyyy"), judge("yyyyyyyy"))
    told = agreement_json(agreement)["judges"]["judge"]
    assert (told["agreement"], told["kappa"]) == (1.0, None)
    assert told["why"]["kappa"]
    assert "kappa is undefined" in printed(agreement)
    assert any("all labels are alike" in one for one in agreement.warnings)
    json.dumps(agreement_json(agreement), allow_nan=False)


def test_the_prevalence_paradox_is_warned_of() -> None:
    # Case S01, row 2: p_o = p_e = .875
    told = agreement_json(build(people("yyyyyyyy"), judge("yyyyyyyn")))["judges"]["judge"]
    assert (told["agreement"], told["kappa"]) == (0.875, 0.0)
    skewed = build(people("y" * 19 + "n"), judge("y" * 20))
    assert any("95% of the labels are alike" in one for one in skewed.warnings)


def test_missing_ratings_are_no_category() -> None:
    # Case S03, rows 1 and 2: alpha 1.0 over 3 of 4 units, .5625 over 3 of 5 (krippendorff 0.9.0).
    human = build(people("yynn", ["yyn-", "y-ny", "-yn-"]), judge("yynn")).human
    assert (human.alpha.alpha.value, human.alpha.units) == (1.0, 3)
    human = build(people("yynyy", ["yyny-", "ynn--", "-yn-y"]), judge("yynyy")).human
    assert human.alpha.alpha.value == pytest.approx(0.5625)
    assert human.alpha.units == 3


def test_a_single_rater_leaves_alpha_and_ceiling_undefined() -> None:
    agreement = build(people("ynyn"), judge("ynyy"))
    told = agreement_json(agreement)["human"]
    assert (told["alpha"], told["ceiling"]) == (None, None)
    assert {"alpha", "ceiling"} <= told["why"].keys()
    assert any("one label a row" in one for one in agreement.warnings)


def test_rows_without_a_majority_are_set_aside_and_counted() -> None:
    agreement = build(people("yn--", ["ynyn", "ynny"]), judge("ynyy"))
    assert (agreement.n, agreement.human.unlabelled) == (2, 2)
    assert agreement.judges[0].figures.n == 2
    assert any("2 rows have no label" in one for one in agreement.warnings)


def test_people_who_hardly_agree_are_warned_of() -> None:
    agreement = build(people("yynn", ["yynn", "ynyn"]), judge("yynn"))
    assert any("people hardly agree" in one for one in agreement.warnings)


def test_failed_verdicts_are_counted_and_no_verdicts() -> None:
    agreement = build(people("yynn"), judge("yffn"))
    found = agreement.judges[0]
    assert (found.figures.n, found.failed, found.reasons) == (2, 2, {"timed out: 60 s": 2})
    assert agreement.exit_code == 3
    assert "more than 5% of the verdicts failed: judge (2)" in printed(agreement)


def test_runs_are_pooled_and_their_flips_told() -> None:
    found = build(people("yynn"), judge("yynn", "ynnn", "yynn")).judges[0]
    assert found.figures.figures["agreement"].value == pytest.approx(11 / 12)
    assert found.flip_rate.value == pytest.approx((2 / 3) / 4)  # two of three pairs of runs differ on one of four rows


def test_a_cut_is_fitted_on_dev_rows_and_frozen_on_the_others() -> None:
    rows = people("yynnyn")
    candidate = scored(0.9, 0.3, 0.2, 0.1, 0.25, 0.28)
    found = build(rows[4:], candidate, dev=rows[:4]).judges[0]
    assert (found.cut, found.cut_from) == (0.3, "fitted on dev")
    assert found.figures.n == 2
    assert [one.at for one in found.curve] == [0.1, 0.2, 0.3, 0.9]
    named = build(rows[4:], scored(0.9, 0.3, 0.2, 0.1, 0.25, 0.28, cut=0.26, fixed=True), dev=rows[:4]).judges[0]
    assert (named.cut, named.cut_from) == (0.26, "named")


def test_a_score_of_which_less_is_better_is_turned() -> None:
    found = build(people("yynn"), scored(0.1, 0.2, 0.8, 0.9, lower_is_better=True)).judges[0]
    assert found.figures.figures["agreement"].value == 1.0
    assert found.figures.figures["auc"].value == 1.0
    assert sorted(one.at for one in found.curve) == [0.1, 0.2, 0.8, 0.9]


def test_the_surest_misses_come_first() -> None:
    found = build(people("ynyn"), scored(0.1, 0.95, 0.45, 0.2)).judges[0]
    assert [(one.person.id, one.verdict, one.score) for one in found.misses] == [
        ("1", "yes", 0.95),
        ("0", "no", 0.1),
        ("2", "no", 0.45),
    ]


def test_judges_are_held_against_each_other_on_the_same_rows() -> None:
    agreement = build(people("yyyyynnnnn"), judge("yyyyynnnnn"), judge("yyyynnnnyn", name="other"))
    (pair,) = agreement.comparisons
    assert (pair.mcnemar.only_first, pair.mcnemar.only_second, pair.mcnemar.p) == (2, 0, 0.5)
    assert pair.agreement.figure.value == pytest.approx(0.2)


def test_two_judges_that_say_the_same_differ_in_nothing() -> None:
    # Case S05: no difference, not a crash and not p = .04
    rows = people("yynnynynynyn")
    (pair,) = build(rows, judge("yynnynynynny"), judge("yynnynynynny", name="twin")).comparisons
    assert (pair.kappa.figure.value, pair.mcnemar.p) == (0.0, 1.0)


def test_labels_of_three_kinds_have_no_positive_side() -> None:
    rows = [
        Person(id=str(n), cluster=n, label=one, raters={}, sample=Sample(id=str(n)), response=Response())
        for n, one in enumerate("012012")
    ]
    run = {str(n): Said(label=one) for n, one in enumerate("012011")}
    candidate = Candidate(name="three", kind="stored", runs=[run])
    found = build(rows, candidate, labels=Labels(names=("0", "1", "2")))
    told = agreement_json(found)["judges"]["three"]
    assert told["agreement"] == pytest.approx(5 / 6)
    assert (told["tpr"], told["auc"]) == (None, None)
    assert told["table"] == [[2, 0, 0], [0, 2, 0], [0, 1, 1]]


def test_slices_by_a_field() -> None:
    rows = people("yynnyynn")
    agreement = build_agreement(
        rows, [judge("yynnynyn")], BINARY, name="s", fingerprint="f", settings=Settings(draws=50, by="topic")
    )
    assert {(one.value, one.n) for one in agreement.slices} == {("a", 4), ("b", 4)}
    assert "topic = a (4 rows)" in printed(agreement)


def test_it_is_told_in_a_narrow_terminal_too() -> None:
    agreement = build(people("yynn" * 10), judge("yyny" * 10), scored(*([0.9, 0.4, 0.3, 0.6] * 10)))
    for width in (60, 80, 200):
        text = printed(agreement, width)
        assert text.count("judge ") >= 1
        assert "0.750" in text
        assert "…" not in text.split("Judge against judge")[0]


def test_markdown_holds_the_table() -> None:
    text = agreement_markdown(build(people("yynn"), judge("yyny", name="a|b")))
    assert "| a\\|b | 4 | 0.750" in text


def test_nothing_that_both_judged() -> None:
    found = build(people("yynn"), judge("    ")).judges[0]
    assert (found.figures.n, found.figures.figures["agreement"].value) == (0, None)
