"""Instructions proposed by DSPy's COPRO, with a scripted model; and how they become a rubric."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue.app.tuning.instructions import text_of, with_text
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, check_rubric, load_rubric

Call = Callable[..., Any]

JUDGE = "answer_correctness(mode=one_call)"
RUBRIC = builtin_rubric("answer_relevance")


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_task_and_criteria_go_into_one_text_and_come_back(name: str) -> None:
    rubric = builtin_rubric(name)
    found = with_text(rubric, text_of(rubric))
    assert found.task.split() == rubric.task.split()
    assert [one.split() for one in found.criteria] == [one.split() for one in rubric.criteria]


def test_a_proposal_without_criteria_has_none_and_one_without_a_task_keeps_it() -> None:
    assert with_text(RUBRIC, "Judge it.\nBe fair.") == replace(RUBRIC, task="Judge it. Be fair.", criteria=())
    assert with_text(RUBRIC, "* Be fair.") == replace(RUBRIC, criteria=("Be fair.",))


def test_braces_of_a_proposal_never_make_a_rubric_that_cannot_be_used() -> None:
    found = with_text(RUBRIC, 'Compare {answer} with {context}, and reply {"verdict": …} for {{ question }}.')
    assert found.task == 'Compare {answer} with \\{context}, and reply {"verdict": …} for {{ question }}.'
    check_rubric(found)


@pytest.fixture
def dspy() -> None:
    pytest.importorskip("dspy", reason="needs ringtrue[optimize]: make test-slow")


@pytest.mark.slow
@pytest.mark.usefixtures("dspy")
@pytest.mark.filterwarnings("default")
def test_the_best_proposal_becomes_the_rubric(ringtrue: Call, data: Path) -> None:
    words = ("--judge-model", "python:tuning_models:willing", "--by", "instructions", "--trials", 4)
    result = ringtrue("judge", "tune", JUDGE, data, *words, "-o", "mine.yaml", "--json")
    assert result.code == 0, result.err
    assert (result.json["after"]["kappa"], result.json["helped"]) == (1.0, True)
    assert "the best of 2 proposals" in result.json["steps"][0]["says"]
    rubric = load_rubric("mine.yaml")
    assert rubric.task == "Accept a right answer in any tongue."
    assert rubric.criteria == ("Yes means that it is right.",)


@pytest.mark.slow
@pytest.mark.usefixtures("dspy")
@pytest.mark.filterwarnings("default")
def test_a_budget_holds_for_proposals_and_verdicts_alike(ringtrue: Call, data: Path) -> None:
    words = ("--judge-model", "python:tuning_models:willing", "--by", "instructions", "--max-calls", 100)
    result = ringtrue("judge", "tune", JUDGE, data, *words)
    assert result.code == 3
    assert "all 100 calls" in result.err


@pytest.mark.slow
@pytest.mark.usefixtures("dspy")
@pytest.mark.filterwarnings("default")
def test_a_model_that_proposes_nothing_is_an_error_and_no_traceback(ringtrue: Call, data: Path) -> None:
    words = ("--judge-model", "python:tuning_models:mute", "--by", "instructions")
    result = ringtrue("judge", "tune", JUDGE, data, *words)
    assert result.code == 1
    assert "no words today" in result.err
