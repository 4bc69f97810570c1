"""A rubric with a cut: the label is the probability's, calibrated where the rubric says how, and never a guess."""

from dataclasses import replace
from pathlib import Path

import pytest

from ringtrue.errors import ConfigError
from ringtrue.judges.asking import JudgeFailure
from ringtrue.judges.catalogue import judge_metric
from ringtrue.judges.loading import builtin_rubric, check_rubric, load_rubric
from ringtrue.judges.rubric import Rubric
from ringtrue.models.types import ModelFailure
from ringtrue.stats.platt import Platt
from tests.judges.scripted import Scripted, judged, row, whole

PLAIN = builtin_rubric("answer_relevance")


def cut_at(cut: float, calibration: Platt | None = None) -> Rubric:
    return replace(PLAIN, cut=cut, calibration=calibration)


@pytest.mark.parametrize(("probability", "label", "value"), [(0.3, "relevant", 1), (0.29, "irrelevant", 0)])
def test_the_label_is_the_cuts_whatever_the_model_says(probability: float, label: str, value: float) -> None:
    model = Scripted(whole("irrelevant"), probabilities={"relevant": probability, "irrelevant": 1 - probability})
    verdict = judged(cut_at(0.3), model, *row())
    assert (verdict.label, verdict.value, verdict.probability) == (label, value, probability)
    assert verdict.parts == (
        {"kind": "cut", "verdict": "irrelevant", "probability": probability, "calibrated": probability, "cut": 0.3},
    )


def test_the_probability_is_the_calibrated_one() -> None:
    model = Scripted(whole("irrelevant"), probabilities={"relevant": 0.1, "irrelevant": 0.9})
    verdict = judged(cut_at(0.5, Platt(1.0, 2.5)), model, *row())
    # log-odds of 0.1 are -2.197; with 2.5 added they are 0.303, which is .575
    assert verdict.probability == pytest.approx(0.5751, abs=1e-4)
    assert verdict.label == "relevant"
    assert verdict.parts is not None
    assert verdict.parts[0]["probability"] == 0.1


def test_without_a_probability_there_is_no_verdict() -> None:
    with pytest.raises(JudgeFailure, match="no probability of 'relevant' was given") as raised:
        judged(cut_at(0.3), Scripted(whole("relevant")), *row())
    assert raised.value.kind == "no_probability"
    assert "logprobs" in str(raised.value.mend)
    assert raised.value.exchanges


def test_repeats_give_the_probability_by_their_votes_also_in_a_tie() -> None:
    said = [whole("relevant"), whole("irrelevant"), whole("irrelevant"), whole("relevant")]
    verdict = judged(cut_at(0.5), Scripted(*said), *row(), repeats=4)
    assert (verdict.label, verdict.probability) == ("relevant", 0.5)
    verdict = judged(cut_at(0.6), Scripted(*said), *row(), repeats=4)
    assert (verdict.label, verdict.value) == ("irrelevant", 0)


def test_a_vote_that_failed_is_missing_from_the_probability_so_that_there_is_none() -> None:
    said = [whole("relevant"), ModelFailure("refused", "no"), whole("relevant")]
    with pytest.raises(JudgeFailure, match="refused"):
        judged(cut_at(0.5), Scripted(*said), *row(), repeats=3)


def test_where_nothing_was_retrieved_nobody_is_asked_and_no_probability_is_needed() -> None:
    rubric = replace(builtin_rubric("context_sufficiency"), split="never", cut=0.5)
    model = Scripted(whole("sufficient"))
    assert judged(rubric, model, *row(contexts=[])).label == rubric.no_contexts
    assert not model.requests


def test_cut_and_calibration_are_in_the_signature_and_provenance_is_not() -> None:
    rubrics = [PLAIN, cut_at(0.3), cut_at(0.4), cut_at(0.3, Platt(1, 0)), cut_at(0.3, Platt(1, 1))]
    signatures = [judge_metric(one, [Scripted()]).bind().signature for one in rubrics]
    assert len(set(signatures)) == len(rubrics)
    assert replace(PLAIN, provenance={"seed": 1}).hash == PLAIN.hash


@pytest.mark.parametrize(
    ("rubric", "told"),
    [
        (replace(PLAIN, calibration=Platt(1, 0)), "calibration: goes with a cut"),
        (replace(PLAIN, cut=1.5), "1.5 is no probability"),
        (replace(PLAIN, cut=float("nan")), "nan is no probability"),
        (replace(PLAIN, positive=None, cut=0.5), "parts two labels"),
        (replace(PLAIN, labels={"relevant": 1, "irrelevant": 0, "partly": 0.5}, cut=0.5), "parts two labels"),
        (replace(builtin_rubric("faithfulness"), cut=0.5), "this one judges item by item"),
        (replace(builtin_rubric("context_sufficiency"), cut=0.5), "write split: never"),
        (cut_at(0.5, Platt(0, 1)), "slope has to be above 0"),
        (cut_at(0.5, Platt(1, float("inf"))), "both have to be finite"),
    ],
)
def test_a_cut_that_does_not_fit_is_told(rubric: Rubric, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_rubric(rubric)
    assert told in str(raised.value)


FILE = """\
name: mine
summary: Mine.
needs: [answer]
role: You are one.
task: Is {answer} right?
labels: {right: 1, wrong: 0}
positive: right
cut: 0.4
calibration: {slope: 2, intercept: -0.5}
provenance: {seed: 0, after: {kappa: 0.7}}
"""


def test_a_file_may_hold_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(FILE, encoding="utf-8")
    found = load_rubric(path)
    assert (found.cut, found.calibration) == (0.4, Platt(2, -0.5))
    assert found.provenance == {"seed": 0, "after": {"kappa": 0.7}}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("intercept: -0.5", "intercpt: -0.5", "mine.yaml:9: calibration.intercpt: unknown key 'intercpt'"),
        (", intercept: -0.5", "", "mine.yaml:9: calibration: 'intercept' is missing"),
        ("slope: 2", "slope: -2", "mine.yaml:9: calibration: slope has to be above 0"),
        ("cut: 0.4", "cut: high", "mine.yaml:8: cut: 'high'"),
    ],
)
def test_a_slip_in_the_file_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_rubric(path)
    assert told in str(raised.value)
