"""A comparison in a terminal, as JSON, as Markdown and in files."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from ringtrue.errors import UsageError
from ringtrue.report.comparing.comparison import build_comparison
from ringtrue.report.comparing.found import Comparison, Settings
from ringtrue.report.comparing.gates import parse_gate
from ringtrue.report.comparing.printing.as_json import comparison_json
from ringtrue.report.comparing.printing.markdown import comparison_markdown
from ringtrue.report.comparing.printing.terminal import print_comparison
from ringtrue.report.comparing.printing.write import check_comparison_output, write_comparison
from ringtrue.report.json_report import dumps
from ringtrue.types import Response, Sample

HOSTILE = "<script>alert(1)</script>|\x1b[31mred"


def printed(found: Comparison, *, width: int = 80, terminal: bool = False) -> str:
    out = io.StringIO()
    print_comparison(found, Console(file=out, width=width, force_terminal=terminal))
    return out.getvalue()


@pytest.fixture(scope="module")
def found(make_source: Any) -> Comparison:
    """Everything at once: three pipelines, one of a hostile name, slices, repeats, gaps, margins, gates, costs."""
    rng = random.Random(1)
    samples = [Sample(id=f"s{n}", question=f"Q{n}?", metadata={"lang": ["de", HOSTILE][n % 2]}) for n in range(12)]

    def values(lift: float) -> dict[str, list[Any]]:
        right = [float(rng.random() < 0.4 + lift) for _ in range(23)]
        return {"right": [*right, None], "seconds": [rng.random() - lift for _ in range(24)], "tone": ["civil"] * 24}

    source = make_source(
        {"base": values(0), HOSTILE: values(0.5), "new": values(0.1)},
        samples=samples,
        repeats=2,
        response=lambda name, n: Response(answer="x", latency_s=n / 10, cost=0.001 if name == "new" else None),
    )
    settings = Settings(slices=("lang",), margins={"": 0.1})
    return build_comparison([source], gates=[parse_gate("new: right drops by > 0.3")], settings=settings)


def test_it_fits_into_80_columns_and_a_pipe_is_plain(found: Comparison) -> None:
    text = printed(found)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    start = text.index("\nmetric")
    tables = text[start : text.index("\nDifference:")] + text[text.index("\nBeside") : text.index("\nRepeats")]
    assert max(map(cell_len, tables.split("\n"))) <= 80
    assert max(map(cell_len, printed(found, terminal=True).replace("\x1b[1m", "").split("\n"))) < 200


def test_every_part_is_there(found: Comparison) -> None:
    text = printed(found)
    assert text.startswith("3 pipelines over 12 questions of golden, run 20261201-120000-aaaa; baseline: base\n")
    for part in ("Gates", "What is shown", "Good enough?", "Beside quality", "Repeats", "Not compared", "Notes"):
        assert f"\n{part}\n" in text, part
    assert "new against base (12 rows)" not in text  # tone has no rows: then each metric says its own
    assert ", by lang\n" in text
    assert "(small)" in text
    assert "corrected: for 4 tests (Holm); * where that is below 0.05" in text
    assert "tone (" in text
    assert "the metric gives words, which have no mean" in text


def test_the_means_of_both_sides_stand_where_there_is_room(found: Comparison) -> None:
    assert " first " in printed(found, width=110)
    assert " first " not in printed(found, width=80).partition("Difference:")[0]


def test_the_json_has_the_promised_shape_and_no_nan(found: Comparison) -> None:
    told = json.loads(dumps(comparison_json(found)))
    one = told["pairs"][0]
    promised = {"metric", "a", "b", "n", "difference", "ci", "p", "p_adjusted", "effect_size"}
    assert promised | {"minimum_detectable", "wins", "ties", "losses"} <= set(one)
    assert len(one["ci"]) == 2
    words = next(each for each in told["pairs"] if each["metric"] == "tone")
    assert [words[key] for key in ("difference", "ci", "p", "effect_size", "minimum_detectable", "wins")] == [None] * 6
    assert words["why"]["difference"] == "the metric gives words, which have no mean"
    assert (told["baseline"], told["rows"], told["questions"], told["exit_code"]) == ("base", 12, 12, found.exit_code)
    assert told["repeats"][0]["pass_at"]["2"]["value"] is not None
    assert {one["side"] for one in told["beside"]} == {"base", HOSTILE, "new"}


def test_markdown_escapes_what_comes_from_the_data(found: Comparison) -> None:
    text = comparison_markdown(found)
    assert "<script>" not in text
    assert "\x1b" not in text
    lines = [line for line in text.split("\n") if line.startswith(("| base", "| new"))]
    assert lines
    assert text.startswith("## ringtrue: comparison\n")


def test_files_go_by_their_ending(found: Comparison, tmp_path: Path) -> None:
    for name in ("c.json", "c.md"):
        check_comparison_output(tmp_path / name)
        write_comparison(found, tmp_path / name)
    assert json.loads((tmp_path / "c.json").read_text("utf-8")) == json.loads(dumps(comparison_json(found)))
    assert (tmp_path / "c.md").read_text("utf-8") == comparison_markdown(found)
    with pytest.raises(UsageError, match=r"'\.csv' names no format of a comparison"):
        check_comparison_output(tmp_path / "c.csv")
    with pytest.raises(UsageError, match="no ending"):
        write_comparison(found, tmp_path / "c")


def test_what_nobody_measured_is_not_shown(make_source: Any) -> None:
    text = printed(build_comparison([make_source({"a": {"right": [1] * 7}, "b": {"right": [0] * 7}})]))
    assert "Beside quality" not in text
    assert "corrected" not in text  # one test needs no correction
    assert "a against b (7 rows)" in text


def test_minus_is_a_minus_and_zero_has_none(make_source: Any) -> None:
    values = {"a": {"words": [1] * 7 + [40]}, "b": {"words": [2] * 7 + [2]}}
    text = printed(build_comparison([make_source(values)]))
    assert "−" in text
    assert "−0," not in text
    assert "-0" not in text
