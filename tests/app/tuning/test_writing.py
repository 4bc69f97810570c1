"""A rubric that is written reads back as the very same one."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from ringtrue.app.tuning.writing import check_rubric_output, rubric_yaml, write_rubric
from ringtrue.errors import OutputError, UsageError
from ringtrue.judges.loading import builtin_rubric, builtin_rubrics, load_rubric, plain_rubric
from ringtrue.judges.marked_yaml import read_marked
from ringtrue.judges.rubric import Example
from ringtrue.stats.platt import Platt

PLAIN = builtin_rubric("answer_relevance")


@pytest.mark.parametrize("name", sorted(builtin_rubrics()))
def test_every_built_in_rubric_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    rubric = builtin_rubric(name)
    write_rubric(rubric, tmp_path / "one.yaml", ["A comment", "of two lines"])
    found = load_rubric(tmp_path / "one.yaml")
    assert (found, found.hash) == (rubric, rubric.hash)


@example("0", "\x85", 0.0, 1.0, 0.0)
@example("one\n\u2028two", "\r\n", 0.0, 1.0, 0.0)
@given(st.text(min_size=1), st.text(), st.floats(0, 1), st.floats(0.001, 1e6), st.floats(-1e6, 1e6))
def test_any_text_and_number_comes_back(answer: str, reason: str, cut: float, slope: float, intercept: float) -> None:
    shown = Example(fields={"question": "Why?", "answer": answer}, label="relevant", rationale=reason)
    rubric = replace(PLAIN, examples=(shown,), cut=cut, calibration=Platt(slope, intercept))
    content, _ = read_marked(rubric_yaml(rubric, ["made\nfor tests"]), "test")
    calibration = Platt(**content.pop("calibration"))
    found = replace(plain_rubric(content), calibration=calibration)
    assert (found, found.hash) == (rubric, rubric.hash)


def test_other_readers_of_yaml_see_yes_as_a_text() -> None:
    text = rubric_yaml(builtin_rubric("context_sufficiency"))
    assert yaml.safe_load(text)["labels"] == {"yes": 1, "no": 0}


def test_a_file_that_would_not_be_a_rubric_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no name of a rubric file"):
        check_rubric_output(Path("mine.txt"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        write_rubric(PLAIN, tmp_path / "file" / "mine.yaml")
