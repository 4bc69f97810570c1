"""What draws the charts is what was published, and can be inlined."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

import ringtrue.report.charts.bundle as bundle
from ringtrue.report.charts.bundle import BUILDS, charts_data, drawing_scripts

VENDOR = Path(bundle.__file__).parent / "vendor"
README = (VENDOR / "README.md").read_text(encoding="utf-8")
# Lines of the README's table: file, package with its version, SHA-256.
TABLE = dict(re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})` \|$", README, re.M))


def test_the_readme_knows_every_build() -> None:
    assert TABLE.keys() == {path.name for path in VENDOR.glob("*.js")} == {f"{name}.min.js" for name in BUILDS}


@pytest.mark.parametrize("name", BUILDS)
def test_the_builds_are_those_of_the_readme(name: str) -> None:
    content = (VENDOR / f"{name}.min.js").read_bytes()
    assert sha256(content).hexdigest() == TABLE[f"{name}.min.js"]
    version = re.search(rf"\| {name} ([0-9.]+),", README)
    assert version and f'"{version[1]}"'.encode() in content
    assert (VENDOR / f"LICENSE-{name}.txt").read_text(encoding="utf-8").startswith("Copyright (c)")


def test_the_scripts_can_stand_in_a_page_and_begin_with_their_licences() -> None:
    scripts = drawing_scripts()
    assert len(scripts) == len(BUILDS) + 1
    for script in scripts:
        assert not re.search(r"</script|<script|<!--|sourceMappingURL|\r|\0", script, re.I)
    comment, _, code = scripts[0].partition("*/")
    assert comment.count("Interactive Data Lab") >= 3
    assert "d3-array" in comment and "vega-interpreter" in comment
    assert code.startswith("\n!function")


def test_no_charts_have_no_data() -> None:
    assert charts_data([]) == "{}"
