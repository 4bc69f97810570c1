"""How well the judge of the package, network and rules together, agrees with people, set by set.

    python -m training.evaluate --data DATA --side dev
    python -m training.evaluate --data DATA --side test --why "what this look is for"

Every look at the test side is written to `looks.json` beside this file before anything is computed.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ringtrue.errors import Skip
from ringtrue.judges.local.correctness import answer_correctness
from ringtrue.judges.local.grounding import faithfulness
from ringtrue.models.local.weights import find
from ringtrue.stats.agreement import Verdicts, measure
from ringtrue.stats.figure import Figure
from ringtrue.text.words import words
from ringtrue.types import Passage, Response, Sample
from training.data import Row, read_rows
from training.looks import LOOKS, note_look
from training.scoring import Array

CARD = Path(__file__).parent / "MODEL_CARD.md"
FIGURES = ("auc", "agreement", "kappa", "balanced_accuracy")


def floors(rows: Sequence[Row]) -> Array:
    """Plain word overlap: F1 with the best golden answer; share of an answer's words that stand in the context."""
    return np.array([_floor(row) for row in rows])


def _floor(row: Row) -> float:
    said = Counter(words(row.answer.casefold()))
    if row.task == "support":
        have = set(words(row.context.casefold()))
        return sum(count for word, count in said.items() if word in have) / max(said.total(), 1)
    golden = [Counter(words(reference.casefold())) for reference in row.references]
    return max(2 * (one & said).total() / max(one.total() + said.total(), 1) for one in golden)


def figures(rows: Sequence[Row], scores: Array) -> dict[str, Any]:
    """Each set's figures at the cut of .5, with intervals over questions."""
    table = {}
    floor = floors(rows)
    for name in sorted({row.file for row in rows}):
        places = [place for place, row in enumerate(rows) if row.file == name]
        own = [float(scores[place]) for place in places]
        judges = {
            "judge": Verdicts([[int(score >= 0.5) for score in own]], [own], probable=True),
            "floor": Verdicts([[0] * len(places)], [[float(floor[place]) for place in places]]),
        }
        people = [rows[place].label for place in places]
        clusters = [rows[place].unit for place in places]
        measured = measure(people, judges, (0, 1), clusters=clusters, draws=1000)
        of = measured["judge"].figures
        table[name] = {"task": rows[places[0]].task, "rows": len(places), "questions": len(set(clusters))}
        table[name] |= {one: _shown(of[one]) for one in (*FIGURES, "brier")}
        table[name]["floor_auc"] = _shown(measured["floor"].figures["auc"])
    return table


def _shown(figure: Figure) -> list[float] | None:
    """Value, low, high."""
    if figure.value is None:
        return None
    return [round(one, 3) for one in (figure.value, figure.low, figure.high) if one is not None]


def markdown(table: dict[str, Any]) -> str:
    """The figures as the table of the card."""
    lines = [
        "| set | rows | questions | AUC | floor AUC | agreement | κ | balanced accuracy |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, of in table.items():
        cells = [_cell(of[one]) for one in ("auc", "floor_auc", "agreement", "kappa", "balanced_accuracy")]
        lines.append(" | ".join([f"| {name}", str(of["rows"]), str(of["questions"]), *cells]) + " |")
    return "\n".join(lines)


def _cell(shown: list[float] | None) -> str:
    if shown is None:
        return "–"
    value, *rest = (f"{one:.3f}".replace("0.", ".", 1) for one in shown)
    return f"{value} ({rest[0]}–{rest[1]})" if len(rest) == 2 else value


def facts(described: dict[str, Any], file: Path) -> str:
    """What the file is, as the rows of a table."""
    looks = len(json.loads(LOOKS.read_text(encoding="utf-8"))) if LOOKS.exists() else 0
    rows = {
        "sha256 of judge.onnx": f"`{described['sha256']['judge.onnx']}`",
        "sha256 of tokenizer.json": f"`{described['sha256']['tokenizer.json']}`",
        "size of judge.onnx": f"{file.stat().st_size / 1e6:.1f} MB (16-bit weights, widened when loaded)",
        "steps, minutes of learning": f"{described['steps']}, {described['minutes']}",
        "largest change of a probability from torch to ONNX": f"{described['torch_to_onnx_largest_difference']:.1e}",
        "looks at the test side": str(looks),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def write_in(card: Path, side: str, table: str) -> None:
    """Puts the table between the card's marks for this side."""
    start, end = f"<!-- {side} -->\n", f"<!-- end of {side} -->"
    before, _, rest = card.read_text(encoding="utf-8").partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{card.name} has no place for the {side} side: it needs the marks {start.strip()} and {end}")
    card.write_text(f"{before}{start}{table}\n{end}{after}", encoding="utf-8")


def main() -> None:
    options = _options()
    if options.side == "test":
        if not options.why:
            raise SystemExit("a look at the test side needs its reason: --why TEXT")
        note_look(options.why)
    folder = find("judge")
    described = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
    rows = [row for row in read_rows(options.data) if row.side == options.side]
    found = asyncio.run(_judged(rows))
    scored = [(row, score) for row, score in zip(rows, found, strict=True) if score is not None]
    table = figures([row for row, _ in scored], np.array([score for _, score in scored]))
    sys.stdout.write(f"{len(rows) - len(scored)} rows were skipped\n{markdown(table)}\n")
    if options.card:
        write_in(CARD, options.side, markdown(table))
        write_in(CARD, "facts", facts(described, folder / "judge.onnx"))


async def _judged(rows: Sequence[Row]) -> list[float | None]:
    """What the judge of the package says of each row, many at once; ``None`` where it skips one."""
    at_once = asyncio.Semaphore(64)

    async def judged(row: Row) -> float | None:
        sample = Sample(id=row.id, question=row.question, reference=row.references)
        contexts = (Passage(text=row.context),) if row.task == "support" else None
        judge = answer_correctness if row.task == "correct" else faithfulness
        async with at_once:
            with suppress(Skip):
                return (await judge(sample, Response(answer=row.answer, contexts=contexts))).probability
        return None

    return list(await asyncio.gather(*map(judged, rows)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the rows that people labelled")
    parser.add_argument("--side", choices=("dev", "test"), default="dev")
    parser.add_argument("--why", help="why the test side is looked at")
    parser.add_argument("--card", action="store_true", help="write the table into MODEL_CARD.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
