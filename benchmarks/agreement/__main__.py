"""`python -m benchmarks.agreement FOLDER`: every judge over every labelled set of a folder, in one table.

A set is a file of labelled rows as `ringtrue agree` reads them. Without a model there are the verdicts that a file
stores, and the rules that need none; with `--judge-model` the claims judge and the baselines by that model too. Cuts
are fitted on half of the questions and measured on the other half.
"""

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from ringtrue.app.agreeing.service import AgreeJob, agree_on, first_rows, guessed_metric
from ringtrue.app.config import ModelConfig
from ringtrue.data.labelled import Labelled, load_labelled
from ringtrue.data.store import Store
from ringtrue.errors import RingtrueError
from ringtrue.report.agreement.found import Agreement, Settings
from ringtrue.report.agreement.markdown import judges_table, people_line

KEYLESS = {
    "answer_correctness": ("containment", "token_f1", "fmeval_recall"),
    "faithfulness": ("answer_words_in_contexts",),
    "context_sufficiency": ("question_words_in_contexts",),
}
BY_MODEL = {
    "answer_correctness": ("claims", "one_call", "statements", "five_star", "five_point", "factuality"),
    "faithfulness": ("faithfulness", "faithfulness_binary"),
    "context_sufficiency": ("context_sufficiency", "context_relevance_binary"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled sets, one .jsonl, .csv or .parquet file each")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="the sets whose names hold this")
    parser.add_argument("--judge", action="append", default=[], help="one more judge, as ringtrue agree takes it")
    parser.add_argument("--judge-model", metavar="PROVIDER:MODEL")
    parser.add_argument("--judge-base-url", metavar="URL")
    parser.add_argument("--runs", type=int, default=1, help="how often a model judges")
    parser.add_argument("--limit", type=int, help="the first labelled rows of each set")
    parser.add_argument("--split", choices=["dev/test", "dev", "test"], default="dev/test")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument(
        "--store", default=".ringtrue/agreement.db", help="where verdicts are kept, so that none is paid twice"
    )
    parser.add_argument("-o", "--output", type=Path, help="the tables as Markdown")
    given = parser.parse_args()
    files = sorted(
        path
        for path in given.folder.iterdir()
        if path.suffix in (".jsonl", ".csv", ".parquet")
        and (not given.only or any(one in path.name for one in given.only))
    )
    if not files:
        sys.exit(f"{given.folder} holds no labelled set")
    lines = ["# Judges against people", ""]
    with Store.open(given.store) as store:
        for path in files:
            try:
                told = measured(path, given, store)
            except RingtrueError as error:
                told = [f"Not measured: {str(error).splitlines()[0].replace(str(path.parent), '')}", ""]
            section = [f"## {path.name.split('.')[0]}", "", *told]
            print("\n".join(section), flush=True)
            lines += section
    if given.output:
        given.output.write_text("\n".join(lines), encoding="utf-8")


def measured(path: Path, given: argparse.Namespace, store: Store) -> list[str]:
    """The lines about one set."""
    labelled = first_rows(load_labelled(path), given.limit)
    metric = guessed_metric(labelled)
    agreement = asyncio.run(agree_on(job_of(labelled, metric, given), store))
    return [
        f"*{metric or 'stored verdicts'}*. {people_line(agreement)}",
        "",
        *warned(agreement),
        *judges_table(agreement),
        "",
    ]


def job_of(labelled: Labelled, metric: str | None, given: argparse.Namespace) -> AgreeJob:
    stored = list(dict.fromkeys(name for row in labelled.rows for name in row.judges))
    two_sided = labelled.labels == ("no", "yes")
    judges = [*stored, *(KEYLESS.get(metric or "", ()) if two_sided else ()), *given.judge]
    model = None
    if given.judge_model:
        model = ModelConfig(model=given.judge_model, base_url=given.judge_base_url)
        judges += BY_MODEL.get(metric or "", ()) if two_sided else ()
    return AgreeJob(
        labelled=labelled if is_split(labelled) else unsplit(labelled),
        metric=metric,
        judges=judges,
        model=model,
        runs=given.runs,
        split=given.split,
        settings=Settings(draws=given.draws),
    )


def is_split(labelled: Labelled) -> bool:
    """Whether the set has sides of its own, and no question on both."""
    by_side = {side: {row.cluster for row in labelled.rows if row.split == side} for side in ("dev", "test")}
    return all(by_side.values()) and not by_side["dev"] & by_side["test"]


def unsplit(labelled: Labelled) -> Labelled:
    """The set without its sides, so that its questions are halved."""
    return replace(labelled, rows=tuple(replace(row, split=None) for row in labelled.rows))


def warned(agreement: Agreement) -> list[str]:
    found = [f"Beware: {one}." for one in agreement.warnings]
    found += [f"Incomplete: {agreement.incomplete}."] if agreement.incomplete else []
    return [line for one in found for line in (one, "")]


if __name__ == "__main__":
    main()
