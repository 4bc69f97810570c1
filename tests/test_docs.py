"""The pages hold what the code says, and every command and example in them runs."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import ringtrue as rt
from ringtrue.app.config import parse_config
from ringtrue.catalogue import catalogue
from scripts.docs import pages, readme

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples/amazon_10q/README.md",
    *ROOT.glob("docs/**/*.md"),
]


@pytest.mark.parametrize("name", ["metrics.md", "commands.md", "fields.md"])
def test_made_pages_are_fresh(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages()[name], "run: make docs"


def test_the_readme_shows_what_the_demo_prints() -> None:
    assert readme(README) == README, "run: make docs"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", text):
        assert not target or (path.parent / target).exists(), target


def test_the_demo_gives_the_published_table(ringtrue: Callable, tmp_path: Path) -> None:
    # Published: factual knowledge of the three pipelines on ten triplets, column means .8, .4, .5.
    result = ringtrue("run", ROOT / "examples/amazon_10q/ringtrue.yaml", "-o", "report.html", "-o", "s.jsonl", "--json")
    assert result.code == 0, result.err
    means = [cells["factual_knowledge"]["mean"] for cells in result.json["summary"].values()]
    assert means == [0.8, 0.4, 0.5]
    zero_rows = {"key-challenge", "principal-office"}
    rows = [yaml.safe_load(line) for line in Path("s.jsonl").read_text(encoding="utf-8").splitlines()]
    facts = [row for row in rows if row["metric"] == "factual_knowledge"]
    assert {row["sample_id"] for row in facts} - {row["sample_id"] for row in facts if row["value"]} == zero_rows
    page = Path("report.html").read_text(encoding="utf-8")
    assert page.count("likely ill-formed") >= 2


def test_the_commands_of_the_readme_run(ringtrue: Callable, write: Callable) -> None:
    write("golden.csv", "question,reference,facts\nCapital of Peru?,The capital is Lima.,Lima\n")
    write("answers.jsonl", [{"question": "Capital of Peru?", "answer": "Lima"}])
    found = [line for block in re.findall(r"```\n(ringtrue .*?)```", README, re.S) for line in block.splitlines()]
    assert found
    for line in found:
        words = [str(ROOT / word) if word.startswith("examples/") else word for word in shlex.split(line)[1:]]
        assert ringtrue(*words).code == 0, line
    for words in (["judge", "list"], ["init", "starter"], ["metrics"], ["run", "starter/ringtrue.yaml"], ["resume"]):
        assert ringtrue(*words).code == 0, words


@pytest.mark.parametrize("page", ["docs/agreement.md", "examples/check_a_judge/README.md"])
def test_the_commands_about_agreement_run(ringtrue: Callable, page: str) -> None:
    folder = ROOT if page.startswith("docs") else (ROOT / page).parent
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(ringtrue agree .*?)```", text, re.S)
    lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines() if "--judge-model" not in line]
    assert len(lines) == 3
    for line in lines:
        words = [
            word.replace("labelled.jsonl", str(folder / "labelled.jsonl")) if word == "labelled.jsonl" else word
            for word in shlex.split(line)[1:]
        ]
        words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
        assert ringtrue(*words).code == 0, line


def test_the_configuration_of_the_readme_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "x")
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.S)
    config = parse_config(yaml.safe_load(block))
    assert list(config.pipelines) == ["base", "app", "api", "fn"]


def test_the_python_of_the_readme_runs(write: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("golden.jsonl", [{"id": "a", "question": "Capital of Peru?", "reference": "Lima", "facts": "Lima"}])
    write("answers.jsonl", [{"id": "a", "answer": "Lima"}])
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    (block,) = [one for one in blocks if "rt.run" in one]
    exec(block, {"my_app": lambda question: "Lima"})
    assert rt.run("golden.jsonl", {"base": "answers.jsonl"}, ["exact_match"]).passed


def test_the_metric_of_the_contributing_guide_is_one() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, object] = {}
    exec(block, names)
    scores = rt.score({"question": "Q?", "reference": "Lima"}, "London", [names["starts_alike"]])  # type: ignore[list-item]
    assert scores["starts_alike"].value == 1.0


def test_every_metric_is_in_the_docs_and_facts_md_is_true() -> None:
    text = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    assert all(f"## {name}\n" in text for name in catalogue())
    rows = re.findall(r"^\| `([^`]+)` \| (\"[^|]+) \| (\"[^|]+) \|$", (ROOT / "docs/facts.md").read_text("utf-8"), re.M)
    assert len(rows) == 16
    for fact, found, missed in rows:
        for answer in re.findall(r'"([^"]+)"', found):
            assert rt.score({"facts": fact}, answer, ["facts_matched"])["facts_matched"].value == 1.0, (fact, answer)
        for answer in re.findall(r'"([^"]+)"', missed):
            assert rt.score({"facts": fact}, answer, ["facts_matched"])["facts_matched"].value == 0.0, (fact, answer)


def test_nothing_of_a_machine_is_in_the_repository() -> None:
    # Put together here, so that this file does not hold them itself.
    banned = re.compile(
        "|".join(["/wo" + "rk/", "/ro" + "ot/", "py" + "pi[.]org", "npm" + "js[.]", "python" + "hosted"])
    )
    places = ("src", "docs", "tests", "examples", "benchmarks", "scripts", "training", ".ci")
    endings = {".py", ".md", ".toml", ".yaml", ".html", ".js", ".css", ".jinja", ".jsonl"}
    for path in (path for place in places for path in (ROOT / place).rglob("*") if path.suffix in endings):
        assert not banned.search(path.read_text(encoding="utf-8")), path


def test_the_commands_of_the_labels_page_run(ringtrue: Callable, write: Callable) -> None:
    text = (ROOT / "docs/labels.md").read_text(encoding="utf-8")
    write("golden.csv", "id,question,reference\nperu,Capital of Peru?,Lima\nchile,Capital of Chile?,Santiago\n")
    write("answers.jsonl", [{"id": "peru", "answer": "Lima"}, {"id": "chile", "answer": "Quito"}])
    for name, content in re.findall(r"`(\w+\.csv)`:\n\n```csv\n(.*?)```", text, re.S):
        write(name, content)
    found = [line for block in re.findall(r"```\n(ringtrue .*?)```", text, re.S) for line in block.splitlines()]
    results = [ringtrue(*shlex.split(line)[1:]) for line in found]
    assert [one.code for one in results] == [0] * len(found)
    assert "read as long: 3 new" in results[1].out
    assert "read as wide: 0 new, 0 changed, 3 as before" in results[3].out
    assert [one["labels"] for one in results[-1].json["labels"]] == [{"no": 1, "yes": 1}, {"yes": 1}]
