"""`python -m benchmarks [--rows N]`: every claim about speed, with what it is measured against, in one run."""

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from rouge_score import rouge_scorer

import ringtrue as rt
from benchmarks.naive import seven_scores
from benchmarks.rows import make_rows
from ringtrue.catalogue import parse_metric
from ringtrue.engine.batch import score_rows

SEVEN = (
    "recall_over_words",
    "precision_over_words",
    "f1_over_words",
    "exact_match",
    "quasi_exact_match",
    "factual_knowledge",
    "factual_knowledge_quasi",
)
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="rows a measurement")
    rows = make_rows(parser.parse_args().rows)
    print(f"{'what':<46}{'measured':>14}{'wanted':>12}")
    start_up()
    overhead(rows)
    seven_fmeval_scores(rows)
    rouge(make_rows(500, paragraphs=3))


def start_up() -> None:
    """CPU seconds of whole processes."""
    report(
        "ringtrue --help, CPU s",
        cpu_of([str(Path(sys.executable).with_name("ringtrue")), "--help"]),
        "<= 0.25",
        "{:.3f}",
    )
    report("import ringtrue, CPU s", cpu_of([sys.executable, "-c", "import ringtrue"]), "<= 0.08", "{:.3f}")


def seven_fmeval_scores(rows: list[Any]) -> None:
    """The batch door against FMEval's protocol written plainly, with equal values."""
    uses = [parse_metric(name) for name in SEVEN]
    columns = score_rows(rows, uses)
    for place, (sample, response) in enumerate(rows):
        assert {name: columns[name].values[place] for name in SEVEN} == seven_scores(sample, response)
    ours = lambda: score_rows(rows, uses)  # noqa: E731
    plain = lambda: [seven_scores(sample, response) for sample, response in rows]  # noqa: E731
    report("seven FMEval scores, times the plain protocol", ratio(plain, ours), ">= 6", "{:.1f} x")


def rouge(rows: list[Any]) -> None:
    """ROUGE-1, -2 and -L against google's rouge-score, with equal values, on texts as long as summaries are."""
    uses = [parse_metric(name) for name in ("rouge1", "rouge2", "rougel")]
    theirs = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    columns = score_rows(rows, uses)
    for place, (sample, response) in enumerate(rows):
        wanted = theirs.score(sample.reference[0], response.answer)
        assert [columns[name].values[place] for name in ("rouge1", "rouge2", "rougel")] == [
            wanted[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")
        ]
    ours = lambda: score_rows(rows, uses)  # noqa: E731
    plain = lambda: [theirs.score(sample.reference[0], response.answer) for sample, response in rows]  # noqa: E731
    report("ROUGE-1, -2, -L of 90 words, times rouge-score", ratio(plain, ours), ">= 50", "{:.1f} x")


def overhead(rows: list[Any]) -> None:
    """A whole run with a store in a file, less the metric itself: what a record costs beside its scoring."""
    dataset = [sample for sample, _ in rows]
    answers = [response for _, response in rows]
    metric = parse_metric("exact_match")

    def whole() -> None:
        with tempfile.TemporaryDirectory() as folder:
            rt.run(dataset, {"base": answers}, ["exact_match"], store=Path(folder) / "ringtrue.db")

    def bare() -> None:
        for sample, response in rows:
            metric(sample, response)

    cost = (min(timed(whole, 3 * ROUNDS)) - min(timed(bare))) / len(rows)  # what else the machine does only ever adds
    report("overhead of a run, CPU ms a record", cost * 1000, "<= 0.05", "{:.4f}")


def ratio(slow: Callable[[], object], fast: Callable[[], object]) -> float:
    """How many times less CPU, the median of rounds in turn."""
    ratios = []
    for _ in range(ROUNDS):
        (one,), (other,) = timed(slow, 1), timed(fast, 1)
        ratios.append(one / other)
    return median(ratios)


def timed(work: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """CPU seconds: what else runs on the machine counts less than in wall time."""
    spent = []
    for _ in range(rounds):
        began = process_time()
        work()
        spent.append(process_time() - began)
    return spent


def cpu_of(command: list[str]) -> float:
    """CPU seconds of a process, the least of several runs: what else the machine does only ever adds."""
    spent = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def report(what: str, value: float, wanted: str, shape: str) -> None:
    print(f"{what:<46}{shape.format(value):>14}{wanted:>12}", flush=True)


if __name__ == "__main__":
    main()
