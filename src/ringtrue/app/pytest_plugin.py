"""The pytest plugin: answers scored in a test suite, and a gate over all of them at its end.

::

    @pytest.mark.ringtrue(dataset="golden.jsonl")           # one test a sample; the path starts from the test's folder
    def test_answer(sample, assert_scores):
        assert_scores(sample, my_app(sample.question), facts_matched=">= 1")

    # pyproject.toml: the means over all tests, checked when the session ends
    [tool.pytest.ini_options]
    ringtrue_thresholds = ["recall_over_words >= 0.6"]

pytest imports this at every start, so it imports nothing of ringtrue but its face, whose names are bound when first
used. Under pytest-xdist the scores travel to the main process with each test's report.
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any

import pytest

import ringtrue as rt

_PROPERTY = "ringtrue"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "ringtrue_thresholds",
        "means over all tests that assert_scores must reach, such as 'facts_matched >= 0.8'",
        type="linelist",
        default=[],
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "ringtrue(dataset, filter=None, limit=None): one test for each sample of a golden dataset"
    )
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist only sends its reports
        config.pluginmanager.register(_Gate(config.getini("ringtrue_thresholds")), "ringtrue-gate")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each sample where the marker names a dataset."""
    marker = metafunc.definition.get_closest_marker("ringtrue")
    if marker is None or "dataset" not in marker.kwargs:
        return
    if "sample" not in metafunc.fixturenames:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid}: take an argument `sample`, the one it is parametrised by"
        )
    path = metafunc.definition.path.parent / marker.kwargs["dataset"]
    options = {key: value for key, value in marker.kwargs.items() if key != "dataset"}
    try:
        samples = list(rt.load_dataset(path, **options))
    except (rt.RingtrueError, TypeError) as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: {error}") from error
    metafunc.parametrize("sample", samples, ids=[one.id for one in samples])


@pytest.fixture
def assert_scores(request: pytest.FixtureRequest) -> Callable[..., dict[str, rt.Score]]:
    """Score one answer and require what the keywords say; the Scores come back by name.

    ``assert_scores(sample, answer, facts_matched=">= 1")``. Metrics with parameters are given in a dict,
    ``{"f1_over_words(mode=squad)": ">= 0.5"}``; `metrics` names further ones that are recorded without a requirement.
    """

    def check(
        sample: Any,
        answer: Any,
        required: Mapping[str, str] | None = None,
        *,
        metrics: Sequence[str] = (),
        **more: str,
    ) -> dict[str, rt.Score]:
        wanted = {**(required or {}), **more}
        scores = rt.score(sample, answer, [*wanted, *metrics])
        found = {name: one.value for name, one in scores.items() if one.value is not None}
        request.node.user_properties.append((_PROPERTY, found))
        if problems := rt.check_scores(scores, wanted):
            pytest.fail("\n".join(["the answer does not hold:", *problems, f"answer: {answer!r}"]), pytrace=False)
        return scores

    return check


class _Gate:
    """Gathers the scores of all tests where their reports arrive, and checks the means when the session ends."""

    def __init__(self, required: Sequence[str]) -> None:
        self._required = required
        self._values: dict[str, list[float]] = {}
        self._problems: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, found in report.user_properties if report.when == "call" else ():
            if name == _PROPERTY and isinstance(found, dict):
                for metric, value in found.items():
                    self._values.setdefault(metric, []).append(value)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._required:
            means = {metric: fsum(values) / len(values) for metric, values in self._values.items()}
            self._problems = rt.check_means(means, self._required)
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._values or self._problems:
            terminalreporter.section("ringtrue")
        for metric, values in sorted(self._values.items()):
            terminalreporter.write_line(f"{metric}: mean {fsum(values) / len(values):.3f} over {len(values)} answers")
        for problem in self._problems:
            terminalreporter.write_line(f"FAILED {problem}", red=True)
