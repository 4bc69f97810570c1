"""`make docs`: write the pages that are made from the code, so that no list is kept by hand."""

import subprocess
import sys
import tempfile
from pathlib import Path

from ringtrue.app.cli import COMMANDS
from ringtrue.catalogue import Metric, catalogue
from ringtrue.data.aliases import FIELDS, PEER_NAMES
from scripts.diagnosis import filled

DOCS = Path(__file__).parent.parent / "docs"
MADE = "<!-- Made by `make docs` from the code. -->\n"


README = DOCS.parent / "README.md"


def main() -> None:
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
    page = DOCS / "diagnosis.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")


def readme(text: str) -> str:
    """The README with the demo's output as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", str(DOCS.parent / "examples/amazon_10q/ringtrue.yaml"), "--store", ":memory:"]
        told = _ringtrue([*words, "-o", f"{folder}/report.html"]).partition("wrote ")[0].rstrip()
    before, _, rest = text.partition("<!-- demo -->")
    return f"{before}<!-- demo -->\n```\n{told}\n```\n<!-- /demo -->{rest.partition('<!-- /demo -->')[2]}"


def pages() -> dict[str, str]:
    """Every made page by its name in docs/."""
    return {"metrics.md": metrics_page(), "commands.md": commands_page(), "fields.md": fields_page()}


def metrics_page() -> str:
    parts = [MADE, "# Metrics\n", "`ringtrue metrics` lists them, `ringtrue metrics NAME` explains one.\n"]
    parts += ["| metric | what it says | range | better |", "|---|---|---|---|"]
    parts += [f"| [{one.name}](#{one.name}) | {one.summary} | {_range(one)} | {one.better or ''} |" for one in _all()]
    parts += ["", *map(_section, _all())]
    return "\n".join(parts)


def commands_page() -> str:
    parts = [MADE, "# Commands\n"]
    for name in ("", *COMMANDS):
        words = ["ringtrue", *([name] if name else []), "--help"]
        parts += [f"## {' '.join(words[:-1])}\n", f"```\n{_ringtrue(words[1:])}\n```\n"]
    return "\n".join(parts)


def fields_page() -> str:
    parts = [MADE, "# Fields of a dataset\n"]
    parts += [
        "Names are read without regard to case, spaces, underscores, hyphens and dots. `--map column=field` goes",
        "before any of these, `--strict` accepts the first column alone. Other columns become metadata.\n",
        "| field | also read |",
        "|---|---|",
    ]
    parts += [f"| `{field}` | {', '.join(f'`{one}`' for one in PEER_NAMES.get(field, ()))} |" for field in FIELDS]
    parts += [
        "",
        "`target_output` is FMEval's: it is read as `reference` (split at `<OR>`) and as `facts`. A column `context`",
        "(or `documents`, `docs`, `passages`, `chunks`) holds retrieved passages beside answers, else golden ones.",
    ]
    return "\n".join([*parts, ""])


def _all() -> list[Metric]:
    return list(catalogue().values())


def _section(metric: Metric) -> str:
    lines = [f"## {metric.name}\n", metric.doc, ""]
    lines += [f"- needs: {', '.join(metric.needs)}", f"- range: {_range(metric)}", f"- source: {metric.source}"]
    for param in metric.params:
        choices = f" ({', '.join(f'`{one}`' for one in param.choices)})" if param.choices else ""
        lines.append(f"- `{param.name}`: default `{param.default}`{choices}")
    lines.append(f"- signature: `{metric.bind().signature}`\n")
    return "\n".join(lines)


def _range(metric: Metric) -> str:
    low, high = metric.range
    return f"{low:g}–{high:g}" if high is not None else f"from {low:g} {metric.unit}".strip()


def _ringtrue(words: list[str]) -> str:
    code = "from ringtrue.app.cli import main; main()"
    environment = {"COLUMNS": "100", "PATH": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, check=True, env=environment, encoding="utf-8"
    )
    return done.stdout.strip()


if __name__ == "__main__":
    main()
