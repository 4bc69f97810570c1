"""Who is held against whom: baselines, several runs, shared rows, signatures."""

from typing import Any

import pytest

from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Comparison
from ringtrue.types import Sample

OLD, NEW = "20261101-120000-aaaa", "20261201-120000-bbbb"


def pairs(found: Comparison) -> list[tuple[str, str]]:
    return [(one.a, one.b) for one in found.pairs]


def run(make_source: Any, *names: str, **given: Any) -> Any:
    return make_source({name: {"right": [0, 1, 1, 0, 1, 1, 0, 1]} for name in names}, **given)


def test_of_one_run_every_two_pipelines_are_compared_or_each_with_the_baseline(make_source: Any) -> None:
    source = run(make_source, "a", "b", "c")
    assert pairs(build_comparison([source])) == [("a", "b"), ("a", "c"), ("b", "c")]
    found = build_comparison([source], baseline="b")
    assert (pairs(found), found.baseline) == ([("a", "b"), ("c", "b")], "b")
    assert pairs(build_comparison([source], pipelines=["c", "a"])) == [("c", "a")]


def test_of_two_runs_pipelines_of_one_name_are_told_apart_and_the_first_run_is_the_baseline(make_source: Any) -> None:
    old, new = run(make_source, "rag", id=OLD, called="baseline", tags=("baseline",)), run(make_source, "rag", id=NEW)
    found = build_comparison([old, new])
    assert (pairs(found), found.baseline) == ([(f"rag@{NEW}", "rag@baseline")], "baseline")
    assert pairs(build_comparison([old, new], baseline=f"rag@{NEW}")) == [("rag@baseline", f"rag@{NEW}")]
    assert pairs(build_comparison([old, new], baseline=NEW)) == [("rag@baseline", f"rag@{NEW}")]


def test_of_two_runs_without_a_common_name_all_is_held_against_the_first(make_source: Any) -> None:
    found = build_comparison([run(make_source, "a", "b", id=OLD), run(make_source, "c", id=NEW)])
    assert pairs(found) == [("c", "a"), ("c", "b")]


def test_a_pipeline_that_one_run_lacks_is_named(make_source: Any) -> None:
    found = build_comparison(
        [run(make_source, "a", id=OLD, called="old"), run(make_source, "a", "b", id=NEW, called="new")]
    )
    assert pairs(found) == [("a@new", "a@old")]
    assert found.notes == ("in one run only, so not compared: b (--baseline PIPELINE does)",)


def test_only_rows_that_did_not_change_are_shared_and_that_is_said(make_source: Any) -> None:
    before = [Sample(id=f"s{n}", question=f"Question {n}?", reference=("x",)) for n in range(8)]
    after = [
        *(Sample(id=f"s{n}", question=f"Question {n}?", reference=("y" if n == 2 else "x",)) for n in range(7)),
        Sample(id="new", question="Other?"),
    ]
    old = run(make_source, "a", id=OLD, called="old", samples=before)
    new = run(make_source, "a", id=NEW, called="new", samples=after[::-1])  # the order of rows does not matter
    found = build_comparison([old, new])
    assert (found.rows, found.pairs[0].n) == (6, 6)
    assert found.warnings == (
        "The runs are over different datasets: 6 rows shared of 8 of old and 8 of new. Only these count.",
        "1 golden row changed between the runs and left out: s2",
    )


def test_runs_that_share_no_row_are_refused(make_source: Any) -> None:
    old = run(make_source, "a", id=OLD, samples=[Sample(id=f"s{n}", question="Q?") for n in range(8)])
    new = run(make_source, "a", id=NEW, samples=[Sample(id=f"s{n}", question="Q!") for n in range(8)])
    with pytest.raises(UsageError, match=r"share no row .*8 ids are the same, but not what stands there"):
        build_comparison([old, new])


def test_metrics_that_were_made_otherwise_are_refused_unless_allowed(make_source: Any) -> None:
    old, new = run(make_source, "a", id=OLD), run(make_source, "a", id=NEW, signatures={"right": "right|version:2"})
    with pytest.raises(
        UsageError, match=r"right was not made in the same way(.|\n)*right\|version:2(.|\n)*--allow-sig"
    ):
        build_comparison([old, new])
    found = build_comparison([old, new], allow_mismatch=True)
    assert found.notes == ("right was not made in the same way in the runs: part of its difference may come of that",)


def test_metrics_that_not_every_run_has_are_left_out_and_named(make_source: Any) -> None:
    old = make_source({"a": {"right": [1] * 6, "f1": [0.5] * 6}}, id=OLD)
    new = make_source({"a": {"right": [1] * 6, "words": [3] * 6}}, id=NEW)
    found = build_comparison([old, new])
    assert [one.label for one in found.metrics] == ["right"]
    assert found.notes == ("not in every run, so not compared: f1, words",)
    with pytest.raises(UnknownNameError, match="unknown metric 'f1'"):
        build_comparison([old, new], metrics=["f1"])


def test_an_unfinished_run_is_a_warning(make_source: Any) -> None:
    found = build_comparison([run(make_source, "a", "b", status="interrupted", called="half")])
    assert found.warnings == ("Run half is interrupted, not finished: only what was scored so far is compared.",)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"baseline": "z"}, "unknown pipeline or run 'z'"),
        ({"pipelines": ["a", "z"]}, "unknown pipeline 'z'"),
        ({"pipelines": ["a"]}, "there is one pipeline only: a"),
        ({"metrics": ["wrong"]}, "unknown metric 'wrong'"),
    ],
)
def test_names_that_are_not_there_are_told(make_source: Any, given: dict[str, Any], error: str) -> None:
    with pytest.raises((UsageError, UnknownNameError), match=error):
        build_comparison([run(make_source, "a", "b")], **given)


def test_one_run_is_not_held_against_itself(make_source: Any) -> None:
    with pytest.raises(UsageError, match="old and new are one run"):
        build_comparison([run(make_source, "a", called="old"), run(make_source, "a", called="new")])


def test_a_baseline_that_several_runs_have_must_be_told_apart(make_source: Any) -> None:
    sources = [run(make_source, "a", id=OLD, called="old"), run(make_source, "a", id=NEW, called="new")]
    with pytest.raises(UsageError, match=r"several runs have it(.|\n)*a@old, a@new"):
        build_comparison(sources, baseline="a")
