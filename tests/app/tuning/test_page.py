"""The commands of the page on tuning run as they stand there, with a scripted model in the place of the one named."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ringtrue as package
from ringtrue.app.tuning.examples import LONGEST
from ringtrue.judges.loading import load_rubric

PAGE = (Path(package.__file__).parents[2] / "docs/tuning.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(ringtrue: Callable[..., Any], data: Path) -> None:
    found = [line for block in re.findall(r"```\n(ringtrue .*?)```", PAGE, re.S) for line in block.splitlines()]
    assert len(found) == 3
    for line in found:
        words = shlex.split(line.replace("openai:gpt-4o-mini", "python:tuning_models:shy"))[1:]
        result = ringtrue(*words)
        assert result.code == 0, result.err
    assert load_rubric("mine.yaml").cut
    assert load_rubric("taught.yaml").cut
    assert f"{LONGEST:,} characters" in PAGE
