"""The sentences for people who decide: they claim no more than the intervals allow."""

from dataclasses import replace

import pytest

from ringtrue.report.agreement.found import Agreement
from ringtrue.report.agreement.page.words import alpha_words, best_first, errors_words, percent, verdict, winner
from ringtrue.stats.figure import Figure


def with_kappa(agreement: Agreement, kappa: Figure) -> Agreement:
    """The agreement with this kappa for its first judge alone."""
    first = agreement.judges[0]
    figures = replace(first.figures, figures={**first.figures.figures, "kappa": kappa})
    return replace(agreement, judges=[replace(first, figures=figures)], comparisons=())


def test_the_verdict_names_the_best_and_whom_it_is_surely_ahead_of(measured: Agreement) -> None:
    said = " ".join(verdict(measured))
    assert said.startswith("large comes nearest to people: it says what people say on ")
    assert "It is surely nearer to people than overlap_of_words." in said
    assert "not told apart from overlap_of_words" not in said


@pytest.mark.parametrize(
    ("low", "value", "high", "said"),
    [
        (0.1, 0.2, 0.3, "That is less than one rater against"),
        (0.1, 0.2, 0.999, "That cannot be told apart from one rater against"),
        (0.998, 0.999, 0.9995, "That is more than one rater against"),
    ],
)
def test_a_judge_is_held_against_the_ceiling_by_its_interval(
    measured: Agreement, low: float, value: float, high: float, said: str
) -> None:
    assert any(one.startswith(said) for one in verdict(with_kappa(measured, Figure(value, low, high))))


def test_without_a_ceiling_it_says_so(measured: Agreement) -> None:
    none = Figure(None, why="fewer than two raters")
    human = replace(measured.human, ceiling=replace(measured.human.ceiling, kappa=none, agreement=none))
    assert "What one person reaches against the others is not known." in verdict(replace(measured, human=human))


def test_a_difference_that_only_one_test_finds_is_none(measured: Agreement) -> None:
    (one,) = measured.comparisons
    assert winner(one) == "large"
    assert winner(replace(one, holm=0.05)) is None
    wide = replace(one.kappa, figure=Figure(0.2, -0.1, 0.5))
    assert winner(replace(one, kappa=wide)) is None
    turned = replace(one.kappa, figure=Figure(-0.2, -0.5, -0.1))
    assert winner(replace(one, kappa=turned)) == "overlap_of_words"
    assert any(
        line == "It is not told apart from overlap_of_words: the difference may be chance."
        for line in verdict(replace(measured, comparisons=[replace(one, holm=0.05)]))
    )


def test_which_way_a_judge_errs(measured: Agreement) -> None:
    first = measured.judges[0]
    figures = replace(first.figures, figures={**first.figures.figures, "tpr": Figure(0.85), "tnr": Figure(0.998)})
    said = errors_words(replace(first, figures=figures), ("no", "yes"))
    assert said == "It says yes to 0.2 % of the rows that people call no, and no to 15 % of those that they call yes."
    assert errors_words(first, ("a", "b", "c")) == ""


@pytest.mark.parametrize(
    ("alpha", "said"),
    [(0.81, "people agree well; the"), (0.7, "tentative conclusions (0.8"), (0.3, "people agree too little")],
)
def test_alpha_is_told_by_krippendorffs_marks(measured: Agreement, alpha: float, said: str) -> None:
    human = replace(measured.human, alpha=replace(measured.human.alpha, alpha=Figure(alpha)))
    assert said in alpha_words(human)


def test_judges_of_undefined_kappa_come_last(measured: Agreement) -> None:
    first, second = measured.judges
    figures = replace(first.figures, figures={**first.figures.figures, "kappa": Figure(None, why="one label")})
    assert best_first(replace(measured, judges=[replace(first, figures=figures), second]))[0] is second


@pytest.mark.parametrize(
    ("share", "text"), [(0.834, "83 %"), (1.0, "100 %"), (0.996, "99.6 %"), (0.004, "0.4 %"), (0.0, "0 %")]
)
def test_nothing_is_rounded_to_all_or_to_nothing(share: float, text: str) -> None:
    assert percent(share) == text
