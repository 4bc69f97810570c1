"""The catalogue: what registration refuses, how metrics are found, written and signed, and what all of them keep."""

import asyncio
import sys
from collections.abc import Iterator
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest

from ringtrue.catalogue import (
    FIELDS,
    Metric,
    Param,
    catalogue,
    find_metric,
    metric,
    missing_field,
    parse_metric,
)
from ringtrue.data.facts import parse_facts
from ringtrue.errors import RingtrueError, Skip, UnknownNameError, UsageError
from ringtrue.types import Passage, Response, Sample, Verdict

SAMPLE = Sample(
    id="1",
    question="When does the shop open?",
    reference=("It opens at 9.", '{"opens": 9}'),
    facts=parse_facts("9<OR>nine"),
    reference_contexts=(Passage(text="Opens at 9.", id="p1"),),
)
RESPONSE = Response(
    answer="The shop opens at 9.",
    contexts=(Passage(text="Opens at 9.", id="p1"),),
    latency_s=0.5,
    input_tokens=100,
    output_tokens=6,
    cost=0.001,
    model="small",
)

PLUGIN = """
from ringtrue import metric


@metric(needs=("answer",), range=(0, None), better=None, source="a test")
def {name}(sample, response):
    '''Number of capitals.'''
    return sum(map(str.isupper, response.answer))
"""


def described(**changed: Any) -> Any:
    return metric(**({"needs": ("answer",), "range": (0, 1), "better": "higher", "source": "a test"} | changed))


@described()
def sample_metric(
    sample: Sample, response: Response, *, depth: int = 1, share: float = 0.5, deep: bool = False
) -> float:
    """First line
    of the summary.

    More of it.
    """
    return depth * share * deep


@pytest.fixture
def fresh_catalogue() -> Iterator[None]:
    catalogue.cache_clear()
    yield
    catalogue.cache_clear()


def install(folder: Path, entries: str, modules: dict[str, str]) -> None:
    """Lay a distribution with these entry points and modules into a folder, as pip would."""
    info = folder / "extra_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: extra-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ringtrue.metrics]\n{entries}\n")
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)


# Registration


def test_a_metric_takes_its_name_and_words_from_the_function() -> None:
    assert sample_metric.name == "sample_metric"
    assert sample_metric.summary == "First line of the summary."
    assert sample_metric.doc == "First line\nof the summary.\n\nMore of it."
    assert sample_metric.params == (Param("depth", int, 1), Param("share", float, 0.5), Param("deep", bool, False))


def test_registration_refuses_a_metric_without_docstring() -> None:
    def silent(sample: Sample, response: Response) -> float:
        return 1.0

    with pytest.raises(UsageError, match="metric 'silent' has no docstring"):
        described()(silent)


def test_registration_refuses_a_metric_without_source() -> None:
    with pytest.raises(UsageError, match="'sample_metric' has no source"):
        described(source=" ")(sample_metric.function)


def test_registration_refuses_a_need_that_is_no_field() -> None:
    with pytest.raises(
        UnknownNameError, match=r"needs of metric 'sample_metric': unknown field 'answers'(.|\n)*answer"
    ):
        described(needs=("answers",))(sample_metric.function)


def test_registration_refuses_a_parameter_that_is_positional_or_has_no_default() -> None:
    def positional(sample: Sample, response: Response, depth: int = 1) -> float:
        """A depth."""
        return depth

    def bare(sample: Sample, response: Response, *, depth: int) -> float:
        """A depth."""
        return depth

    for function in (positional, bare):
        with pytest.raises(UsageError, match=f"'depth' of metric '{function.__name__}'"):
            described()(function)


# Names and writing


@pytest.mark.parametrize(
    "written",
    [
        "f1_over_words(mode=squad)",
        " f1_over_words ( mode = 'squad' ) ",
        "F1-over-words(mode=squad)",
        {"name": "f1_over_words", "mode": "squad"},
        "ringtrue.metrics.words:f1_over_words(mode=squad)",
        find_metric("f1_over_words").bind(mode="squad"),
    ],
    ids=str,
)
def test_a_metric_with_parameters_can_be_written_in_several_ways(written: Any) -> None:
    assert parse_metric(written) == find_metric("f1_over_words").bind(mode="squad")


@pytest.mark.parametrize(
    "written",
    ["f1_over_words", "f1_over_words()", "f1 over words".replace(" ", "-"), {"name": "f1_over_words"}],
    ids=str,
)
def test_a_metric_without_parameters_takes_the_defaults(written: Any) -> None:
    assert parse_metric(written).params == {"mode": "fmeval"}


def test_a_metric_is_read_back_from_how_it_is_written() -> None:
    use = sample_metric.bind(deep=True, depth=3, share=0.5)
    assert str(use) == "sample_metric(deep=true, depth=3)"  # share has its default
    assert str(sample_metric.bind(depth=1)) == "sample_metric"
    rouge = parse_metric("rouge1(stem=true, measure=recall)")
    assert rouge.params == {"measure": "recall", "stem": True}
    assert parse_metric(str(rouge)) == rouge


def test_the_signature_holds_every_parameter_and_the_version() -> None:
    assert sample_metric.bind(depth=3).signature == "sample_metric|deep:false|depth:3|share:0.5|version:1"
    assert sample_metric.bind(depth=1).signature == sample_metric.bind().signature
    assert described(version=2)(sample_metric.function).bind().signature.endswith("|version:2")


def test_a_bound_metric_calls_its_function() -> None:
    assert sample_metric.bind(depth=3, share=1, deep=True)(SAMPLE, RESPONSE) == 3
    assert sample_metric(SAMPLE, RESPONSE, deep=True) == 0.5


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown metric 'recal_over_word'\n.*did you mean .*recall_over_words.*\? known: "
    ):
        parse_metric("recal_over_word")
    with pytest.raises(UnknownNameError, match=r"metric f1_over_words: unknown parameter 'mod'\n.*did you mean mode\?"):
        parse_metric("f1_over_words(mod=squad)")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("f1_over_words(mode=Squad)", "mode cannot be 'Squad'\n  known: fmeval, squad, walkthrough"),
        ("f1_over_words(mode)", "mode cannot be ''"),
        ("f1_over_words(mode=squad", "is no metric\n  write NAME or NAME"),
        ("rouge1(stem=perhaps)", "stem cannot be 'perhaps'\n  give a bool"),
        ("chrf(word_order=two)", "word_order cannot be 'two'\n  known: 0, 1, 2"),
        ({"name": "chrf", "word_order": True}, "word_order cannot be True"),
        ({"mode": "squad"}, "a metric without a name"),
        (len, "is no metric\n  decorate the function"),
        ("no_such_module:metric", "cannot be imported"),
        ("json:dumps", "'json:dumps' is no metric"),
    ],
    ids=str,
)
def test_a_metric_written_wrongly_is_refused_with_the_mend(written: Any, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_metric(written)
    assert said in str(refused.value)


def test_a_whole_number_will_do_for_a_fraction_but_not_the_other_way() -> None:
    assert sample_metric.bind(share=1).signature == sample_metric.bind(share=1.0).signature
    for off in ({"depth": 1.5}, {"share": True}, {"depth": True}, {"deep": 1}):
        with pytest.raises(UsageError, match="cannot be"):
            sample_metric.bind(**off)


def test_a_missing_field_is_named_and_an_empty_list_of_passages_is_known() -> None:
    assert missing_field(("question", "answer"), SAMPLE, Response()) == "answer"
    assert missing_field(("reference",), Sample(id="1"), RESPONSE) == "reference"
    assert missing_field(("contexts",), SAMPLE, Response(contexts=())) is None
    assert missing_field(FIELDS, SAMPLE, RESPONSE) is None


# Installed metrics


def settled(outcome: Any) -> Any:
    """What a metric gives, waited for where it has to be."""

    async def awaited() -> Any:
        return await outcome

    return asyncio.run(awaited()) if isawaitable(outcome) else outcome


@pytest.mark.parametrize("one", catalogue().values(), ids=lambda one: one.name)
def test_every_installed_metric_says_what_it_is_and_keeps_its_range(one: Metric) -> None:
    low, high = one.range
    assert one.summary
    assert one.summary[0].isupper()
    assert one.summary.endswith(".")
    assert one.source.strip()
    assert one.needs
    assert one.better in ("higher", "lower", None)
    assert low is None or high is None or low < high
    assert missing_field(one.needs, SAMPLE, RESPONSE) is None
    if one.kind == "judge":  # without a model it makes nothing up
        with pytest.raises(Skip, match="--judge-model"):
            one(SAMPLE, RESPONSE)
        return
    outcome = settled(one(SAMPLE, RESPONSE))
    value = outcome.value if isinstance(outcome, Verdict) else outcome
    assert isinstance(value, int | float)
    assert low is None or value >= low
    assert high is None or value <= high


@pytest.mark.parametrize("one", catalogue().values(), ids=lambda one: one.name)
def test_every_installed_metric_takes_every_choice_and_reads_itself_back(one: Metric) -> None:
    for param in one.params:
        for choice in param.choices:
            use = one.bind(**{param.name: choice})
            assert parse_metric(str(use)).signature == use.signature
            assert one.kind == "judge" or isinstance(settled(use(SAMPLE, RESPONSE)), int | float | str | Verdict)


def test_the_catalogue_is_sorted_and_names_each_metric_by_its_name() -> None:
    assert list(catalogue()) == sorted(catalogue())
    assert {name: one.name for name, one in catalogue().items()} == {name: name for name in catalogue()}
    assert {"exact_match", "rouge1", "bleu", "chrf", "answer_words", "cost"} <= catalogue().keys()


# Third parties


@pytest.mark.usefixtures("fresh_catalogue")
def test_a_third_party_comes_in_by_its_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        tmp_path,
        "whole = extra_module\nsingle = extra_single:shouting",
        {
            "extra_module": PLUGIN.format(name="capitals") + "from ringtrue.metrics.match import exact_match\n",
            "extra_single": PLUGIN.format(name="shouting") + PLUGIN.format(name="not_declared"),
        },
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert parse_metric("capitals")(SAMPLE, Response(answer="AbC")) == 2
    assert "shouting" in catalogue()
    assert "not_declared" not in catalogue()
    assert "exact_match" in catalogue()  # imported by the third party too, yet one metric


@pytest.mark.usefixtures("fresh_catalogue")
@pytest.mark.parametrize(
    ("entries", "source", "said"),
    [
        (
            "extra = extra_twice",
            PLUGIN.format(name="exact_match"),
            "named 'exact_match', one of extra_twice, one of ringtrue",
        ),
        (
            "extra = extra_broken",
            "import a_module_that_is_nowhere",
            "entry point extra = extra_broken cannot be loaded",
        ),
        ("extra = extra_lacking:gone", "", "entry point extra = extra_lacking:gone cannot be loaded"),
    ],
)
def test_a_third_party_that_is_off_is_named(
    entries: str, source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, entries, {entries.partition(" = ")[2].partition(":")[0]: source})
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RingtrueError, match=said):
        catalogue()


def test_a_module_of_the_users_needs_no_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "users_own_metrics.py").write_text(PLUGIN.format(name="capitals"))
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert find_metric("users_own_metrics:capitals")(SAMPLE, Response(answer="AbC")) == 2
    finally:
        sys.modules.pop("users_own_metrics", None)
