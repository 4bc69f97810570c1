"""Run every step of the walk-through offline, and write docs/faq-rag.md from what came out.

python examples/faq_rag/walkthrough.py            # write the page; a minute or two
python examples/faq_rag/walkthrough.py --check    # say whether the page is what a fresh run gives
"""

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/faq-rag.md"
TEMPLATE = Path(__file__).with_name("walkthrough.md")

RUN = "ringtrue run examples/faq_rag/ringtrue.yaml -o faq-report.html -o faq.json"
CHUNKS = "python examples/faq_rag/retrieval.py {version} > chunks-{version}.jsonl"
DIAGNOSE = {
    version: f"ringtrue diagnose --pipeline {version} --corpus chunks-{chunks}.jsonl"
    for version, chunks in (("A", "A"), ("B", "B"), ("C", "B"))
}
COMPARED = ("answer_correctness", "factual_knowledge", "context_relevance_binary", "recall_at_k")
COMPARE = "ringtrue compare --pipelines A,B,C --baseline A " + " ".join(f"-m {name}" for name in COMPARED)
MOVED = "ringtrue diagnose --pipeline A --pipeline B"


@dataclass(frozen=True)
class Walk:
    """What the steps gave: `shown` are commands' outputs by command, `told` the same as JSON."""

    shown: dict[str, str]
    told: dict[str, Any]
    rows: list[dict[str, Any]]


def main(words: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        made = page(walk(Path(folder)))
    if "--check" not in words:
        PAGE.write_text(made, encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}")
        return 0
    there = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    differs = list(difflib.unified_diff(there.splitlines(), made.splitlines(), "page", "fresh run", lineterm=""))
    print("\n".join(differs) or f"{PAGE.relative_to(ROOT)} is what a fresh run gives")
    return int(bool(differs))


def walk(folder: Path) -> Walk:
    """Run all steps in a folder of their own."""
    shown, told = {RUN: _ringtrue(RUN, folder)}, {}
    for version in "AB":
        text = _python([str(Path(__file__).with_name("retrieval.py")), version], folder)
        (folder / f"chunks-{version}.jsonl").write_text(text, encoding="utf-8")
    for command in (COMPARE, MOVED, *DIAGNOSE.values()):
        shown[command] = _ringtrue(f"{command} -o told.json", folder)
        told[command] = _json(folder / "told.json")
    return Walk(shown, told, _json(folder / "faq.json")["rows"])


def page(found: Walk) -> str:
    """The walk-through with the outputs and figures of the run put in."""
    texts = {
        "run": _block(RUN, found.shown[RUN].split("\n\nChecked against people")[0]),
        "example": _example(found),
        "diagnose_a": _diagnosed(found, "A"),
        "diagnose_b": _diagnosed(found, "B"),
        "diagnose_c": _first(found, "C"),
        "first_a": _first(found, "A"),
        "first_b": _first(found, "B"),
        "compare": _block(COMPARE, found.shown[COMPARE].split("\n\nBeside quality")[0]),
        "moved": _block(MOVED, "…\n" + _from(found.shown[MOVED], "Before and after")),
        "missed": _missed(found),
        "questions": str(len(found.rows)),
        "entries": str(found.told[DIAGNOSE["B"]]["corpus"]),
        "sources": "\n".join(f"- [{one.name}](../examples/faq_rag/{one.name})" for one in _sources()),
    }
    for version in "ABC":
        for name in {name for row in found.rows for name in _of(row, version)["scores"]}:
            texts[f"{name}.{version}"] = _share(mean(found, version, name))
    text = TEMPLATE.read_text(encoding="utf-8")
    return re.sub(r"\{\{ (\S+) \}\}", lambda match: texts[match[1]], text)


def mean(found: Walk, version: str, name: str) -> float:
    """A version's mean of a metric."""
    values = [_of(row, version)["scores"][name]["value"] for row in found.rows]
    scored = [one for one in values if one is not None]
    return sum(scored) / len(scored)


def first_stage(found: Walk, version: str) -> str | None:
    """The stage that the diagnosis says to mend first."""
    first = found.told[DIAGNOSE[version]]["pipelines"][version]["first"]
    return first and str(first["stage"])


def _first(found: Walk, version: str) -> str:
    first = found.told[DIAGNOSE[version]]["pipelines"][version]["first"]
    return f"**{first['stage']}** ({first['why']})" if first else "none: no answer failed"


def _diagnosed(found: Walk, version: str) -> str:
    command = DIAGNOSE[version]
    told = found.shown[command].split("\n\nCould not be looked at")[0]
    return _block(f"{CHUNKS.format(version=version)}\n$ {command}", told)


def _example(found: Walk) -> str:
    """The first question that A gets wrong by its cutting and B gets right: what was fetched, what was answered."""
    failures = found.told[DIAGNOSE["A"]]["pipelines"]["A"]["failures"]
    cut = {one["id"] for one in failures if one["stage"] == "chunk"}
    row = next(one for one in found.rows if one["id"] in cut and _of(one, "B")["scores"]["factual_knowledge"]["value"])
    lines = [f"“{row['question']}” Golden answer: “{row['reference']}”", ""]
    for version in "AB":
        given = _of(row, version)
        lines += [f"- **{version}** answers: “{_flat(given['answer'])}” Its first passages:"]
        lines += [f"  - `{one['id']}` “{_flat(one['text'])}”" for one in given["contexts"][:2]]
    return "\n".join(lines)


def _missed(found: Walk) -> str:
    """How often the judge of relevance saw nothing though the golden passage was fetched whole."""
    right = [_of(row, version)["scores"] for row in found.rows for version in "BC"]
    right = [one for one in right if one["recall_at_k"]["value"] == 1]
    return f"{sum(one['context_relevance_binary']['value'] == 0 for one in right)} of {len(right)}"


def _of(row: dict[str, Any], version: str) -> dict[str, Any]:
    return next(one for one in row["responses"] if one["pipeline"] == version)


def _sources() -> list[Path]:
    names = ("corpus.md", "golden.jsonl", "retrieval.py", "generator.py", "pipelines.py", "ringtrue.yaml")
    return [Path(__file__).with_name(name) for name in names]


def _block(command: str, text: str) -> str:
    return f"```\n$ {command}\n{text.strip()}\n```"


def _from(text: str, start: str) -> str:
    return text[text.index(start) :]


def _share(value: float) -> str:
    return f"{value:.1%}".replace(".0%", "%").replace("%", " %")


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _ringtrue(command: str, folder: Path) -> str:
    words = [str(ROOT / one) if one.startswith("examples/") else one for one in command.split()[1:]]
    told = _python(["-c", "from ringtrue.app.cli import main; main()", *words], folder)
    told = re.sub(r"\d{8}-\d{6}-[0-9a-f]{4}", "RUN", told)
    lines = [line.rstrip() for line in told.splitlines() if not line.startswith("wrote ")]
    return "\n".join(lines).strip()


def _python(words: list[str], folder: Path) -> str:
    """What a Python program prints, in a folder of its own and at the width of a page."""
    settings = {"COLUMNS": "110", "PYTHONIOENCODING": "utf-8", "RINGTRUE_STORE": str(folder / "runs.db")}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | settings, capture_output=True, encoding="utf-8"
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
