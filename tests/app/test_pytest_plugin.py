"""The pytest plugin in real pytest sessions, alone and spread over processes."""

import json

import pytest

SUITE = """
import pytest

@pytest.mark.ringtrue(dataset="golden.jsonl")
def test_answer(sample, assert_scores):
    answers = {"a": "Lima, of course.", "b": "Valparaiso"}
    assert_scores(sample, answers[sample.id], facts_matched=">= 1", metrics=["answer_words"])
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    rows = [
        {"id": "a", "question": "Capital of Peru?", "reference": "Lima", "facts": "Lima"},
        {"id": "b", "question": "Capital of Chile?", "reference": "Santiago", "facts": "Santiago"},
    ]
    (pytester.path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pytester.makepyfile(SUITE)
    return pytester


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_each_sample_is_a_test_and_means_are_shown(suite: pytest.Pytester, spread: tuple[str, ...]) -> None:
    result = suite.runpytest_subprocess(*spread)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*facts_matched: 0 is not >= 1*", "*facts_matched: mean 0.500 over 2 answers*"])


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["alone", "xdist"])
@pytest.mark.parametrize(("gate", "passed"), [("answer_words >= 1", True), ("answer_words >= 9", False)])
def test_a_gate_over_all_tests_decides_the_session(
    suite: pytest.Pytester, spread: tuple[str, ...], gate: str, passed: bool
) -> None:
    suite.makeini(f"[pytest]\nringtrue_thresholds =\n    {gate}\n")
    result = suite.runpytest_subprocess("-k", "a]", *spread)
    assert result.ret == (0 if passed else 1)
    if not passed:
        result.stdout.fnmatch_lines(["*FAILED answer_words: mean 3 is not >= 9*"])


def test_a_missing_dataset_or_argument_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.ringtrue(dataset="none.jsonl")
        def test_answer(sample, assert_scores):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*none.jsonl*"])


def test_the_plugin_makes_no_other_suite_slow(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_heavy():
            assert not {"numpy", "sqlalchemy", "pydantic", "ringtrue.app.api"} & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess("-p", "no:xdist").assert_outcomes(passed=1)
