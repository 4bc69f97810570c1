"""Comparisons: what is paired, how it is tested, what is said where nothing can be."""

import random
from typing import Any

import pytest

from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Compared, Comparison, Settings
from ringtrue.stats.comparing.effect import Tally
from ringtrue.types import Response, Sample


def only(found: Comparison) -> Compared:
    (one,) = found.pairs
    return one


def test_verdicts_are_compared_by_mcnemars_test(make_source: Any) -> None:
    # The published table: of ten questions four are right in the first only, none in the second only.
    first, second = [1] * 8 + [0] * 2, [1] * 4 + [0] * 6
    one = only(build_comparison([make_source({"p1": {"right": first}, "p2": {"right": second}})]))
    assert (one.a, one.b, one.n, one.questions, one.mean_a, one.mean_b) == ("p1", "p2", 10, 10, 0.8, 0.4)
    assert (one.test, one.p, one.p_adjusted, one.outcome) == ("exact McNemar", 0.125, 0.125, "none")
    assert one.difference.value == pytest.approx(0.4)
    assert one.tally == Tally(4, 6, 0)
    assert one.detectable.value == pytest.approx(0.673, abs=1e-3)
    assert one.effect_name == "Cohen's h"
    assert one.verdict == (
        "no difference shown (p 0.125, although the interval leaves 0 out); "
        "10 questions can only show a difference of 0.673 or more"
    )


def test_a_difference_that_is_shown_is_told_from_the_winners_side(make_source: Any) -> None:
    source = make_source({"old": {"right": [0] * 20}, "new": {"right": [1] * 12 + [0] * 8}})
    one = only(build_comparison([source]))
    assert (one.outcome, one.p) == ("b", pytest.approx(2 / 2**12))
    assert one.difference.value == pytest.approx(-0.6)
    assert one.verdict.startswith("new is better than old by 0.600 [0.")
    assert one.verdict.endswith(", p < 0.001")


def test_where_lower_is_better_wins_count_the_other_way(make_source: Any) -> None:
    rng = random.Random(1)
    slow = [2 + rng.random() for _ in range(12)]
    one = only(build_comparison([make_source({"slow": {"seconds": slow}, "fast": {"seconds": [1.0] * 12}})]))
    assert one.difference.value is not None
    assert one.difference.value > 1
    assert (one.tally, one.outcome, one.test) == (Tally(0, 0, 12), "b", "sign-flip permutation")
    assert one.verdict.startswith("fast is better than slow by ")
    assert "(lower is better)" in one.verdict


def test_where_no_direction_is_better_nobody_wins(make_source: Any) -> None:
    one = only(build_comparison([make_source({"a": {"words": range(10, 22)}, "b": {"words": [3] * 12}})]))
    assert (one.tally, one.outcome) == (None, "a")
    assert "a is higher than b by " in one.verdict


def test_graded_values_may_be_tested_by_ranks(make_source: Any) -> None:
    rng = random.Random(2)
    source = make_source({name: {"f1": [rng.random() for _ in range(15)]} for name in "ab"})
    ranked = only(build_comparison([source], settings=Settings(graded="wilcoxon")))
    assert ranked.test == "Wilcoxon signed-rank"
    assert ranked.p != only(build_comparison([source])).p


def test_holm_corrects_over_all_pairs_and_metrics(make_source: Any) -> None:
    rng = random.Random(3)
    values = {
        name: {"f1": [rng.random() for _ in range(9)], "right": [rng.randint(0, 1) for _ in range(9)]} for name in "abc"
    }
    found = build_comparison([make_source(values)])
    assert [(one.metric, one.a, one.b) for one in found.pairs] == [
        (metric, a, b) for metric in ("f1", "right") for a, b in ("ab", "ac", "bc")
    ]
    least = min(found.pairs, key=lambda one: one.p or 0)
    assert least.p is not None
    assert least.p_adjusted == pytest.approx(min(1.0, 6 * least.p))


def test_repeats_count_once_and_are_told(make_source: Any) -> None:
    # Six questions of two repeats: the rows are 6, not 12, and their means are compared.
    source = make_source({"a": {"right": [1, 1, 1, 0] * 3}, "b": {"right": [0, 0, 0, 1] * 3}}, repeats=2)
    found = build_comparison([source])
    one = only(found)
    assert (one.n, one.questions, one.mean_a, one.mean_b) == (6, 6, 0.75, 0.25)
    assert (one.test, one.tally) == ("sign-flip permutation", Tally(3, 3, 0))
    told = found.repeated[0]
    assert (told.side, told.metric, told.most) == ("a", "right", 2)
    assert [told.pass_at[k].value for k in (1, 2)] == [0.75, 1.0]
    assert (told.all_of[2].value, told.agreeing.value) == (0.5, 0.5)


def test_rows_of_one_question_hang_together(make_source: Any) -> None:
    samples = [Sample(id=f"s{n}", question=f"Question {n // 2}?") for n in range(12)]
    source = make_source({"a": {"right": [1] * 12}, "b": {"right": [0] * 12}}, samples=samples)
    one = only(build_comparison([source]))
    assert (one.n, one.questions, one.p) == (12, 6, 2 / 2**6)
    apart = only(build_comparison([source], settings=Settings(cluster_by="row")))
    assert (apart.questions, apart.p) == (12, 2 / 2**12)


def test_one_question_for_all_rows_is_a_warning(make_source: Any) -> None:
    samples = [Sample(id=f"s{n}", question="Sum this up.") for n in range(8)]
    source = make_source({"a": {"right": [1] * 8}, "b": {"right": [0] * 8}}, samples=samples)
    assert "--cluster-by row" in build_comparison([source]).warnings[0]
    apart = build_comparison([source], settings=Settings(cluster_by="row"))
    assert (apart.warnings, only(apart).outcome) == ((), "a")


def test_only_rows_with_both_values_are_paired_and_the_others_counted(make_source: Any) -> None:
    a = [1, 1, 1, None, ("failed", "timed out"), 1, 1, 1]
    b = [0, 0, None, 0, None, 0, 0, 0]
    found = build_comparison([make_source({"a": {"right": a}, "b": {"right": b}})])
    one = only(found)
    assert (one.n, one.unpaired.only_a, one.unpaired.only_b, one.unpaired.neither) == (5, 1, 1, 1)
    assert (one.unpaired.failed_a, one.unpaired.skipped_a, one.unpaired.skipped_b) == (1, 1, 2)
    assert one.detectable.value is None  # five questions


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ([("failed", "boom")] * 7, [1.0] * 7, "no row of a is scored (7 failed)"),
        ([1.0] * 7, [None] * 7, "no row of b is scored (7 skipped)"),
        ([1.0, None], [None, 1.0], "no row is scored on both sides"),
        ([1.0], [0.0], "one question cannot be tested"),
    ],
)
def test_what_is_not_defined_says_why(make_source: Any, a: list[Any], b: list[Any], why: str) -> None:
    one = only(build_comparison([make_source({"a": {"f1": a}, "b": {"f1": b}})], settings=Settings(margins={"": 0.1})))
    assert (one.outcome, one.p, one.p_adjusted, one.difference.low, one.non_inferior) == ("undefined",) + (None,) * 4
    assert one.verdict == f"not defined, because {why}"


def test_words_have_no_difference(make_source: Any) -> None:
    one = only(build_comparison([make_source({"a": {"tone": ["civil"] * 7}, "b": {"tone": ["curt"] * 7}})]))
    assert one.verdict == "not defined, because the metric gives words, which have no mean"


def test_all_equal_is_no_difference_with_an_honest_interval(make_source: Any) -> None:
    one = only(build_comparison([make_source({"a": {"right": [1] * 10}, "b": {"right": [1] * 10}})]))
    assert (one.difference.value, one.p, one.outcome) == (0.0, 1.0, "none")
    assert one.difference.high == pytest.approx(0.3085, abs=1e-4)
    assert one.verdict.startswith("no difference: both have the same value on 10 questions")


def test_a_margin_says_whether_the_cheaper_one_is_good_enough(make_source: Any) -> None:
    rng = random.Random(4)
    dear = [rng.random() for _ in range(200)]
    cheap = [value - 0.01 + rng.gauss(0, 0.05) for value in dear]
    source = make_source({"cheap": {"f1": cheap, "seconds": cheap}, "dear": {"f1": dear, "seconds": dear}})

    def told(**margins: float) -> list[tuple[str, float | None, bool | None]]:
        settings = Settings(margins=margins)
        found = build_comparison([source], baseline="dear", settings=settings)
        return [(one.metric, one.margin, one.non_inferior) for one in found.pairs]

    assert told(**{"": 0.05}) == [("f1", 0.05, True), ("seconds", None, None)]  # seconds have no such margin
    assert told(f1=0.001) == [("f1", 0.001, False), ("seconds", None, None)]
    assert told(seconds=0.001) == [("f1", None, None), ("seconds", 0.001, True)]  # fewer seconds are better
    one = build_comparison([source], baseline="dear", settings=Settings(margins={"": 0.05})).pairs[0]
    assert one.verdict.endswith("cheap is non-inferior to dear within 0.05")


def test_slices_have_their_rows_counted_and_small_ones_named(make_source: Any) -> None:
    samples = [
        Sample(
            id=f"s{n}",
            question=f"Question {n}?",
            metadata={"lang": "de"} if n < 25 else {"lang": "en"} if n < 30 else {},
        )
        for n in range(31)
    ]
    source = make_source({"a": {"right": [1] * 31}, "b": {"right": [0, 1] * 15 + [0]}}, samples=samples)
    one = only(build_comparison([source], settings=Settings(slices=("metadata.lang",))))
    assert [(each.value, each.n, each.small) for each in one.slices] == [
        ("de", 25, False),
        ("en", 5, True),
        (None, 1, True),
    ]
    assert one.slices[0].difference.value == pytest.approx(13 / 25)
    assert one.slices[2].difference.low is None


def test_cost_and_latency_stand_beside_and_unknown_stays_unknown(make_source: Any) -> None:
    def response(name: str, n: int) -> Response:
        if name == "b":
            return Response(answer="x", cost=0.01 if n else None)
        return Response(answer="x", latency_s=float(n), input_tokens=100, output_tokens=n, cost=0.02)

    source = make_source({"a": {"right": [1] * 5}, "b": {"right": [1] * 5}}, response=response)
    a, b = build_comparison([source]).beside
    assert (a.p50_s, a.p95_s, a.input_tokens, a.output_tokens) == (2.0, pytest.approx(3.8), 100.0, 2.0)
    assert (a.cost, a.mean_cost) == (pytest.approx(0.1), pytest.approx(0.02))
    assert (b.p50_s, b.input_tokens, b.cost, b.priced, b.mean_cost) == (None, None, None, 4, pytest.approx(0.01))


def test_the_same_runs_give_the_same_comparison(make_source: Any) -> None:
    rng = random.Random(5)
    values = {name: {"f1": [rng.random() for _ in range(40)]} for name in "ab"}
    first, second = (build_comparison([make_source(values)]) for _ in range(2))
    assert first == second
    other = build_comparison([make_source(values)], settings=Settings(seed=1))
    assert only(other).difference != only(first).difference
