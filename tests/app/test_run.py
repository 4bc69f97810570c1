"""`ringtrue run` as a person calls it: two files, a config, one file with answers in it; outputs and gates."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = [
    {"id": "a", "question": "Capital of Peru?", "reference": "Lima", "facts": "Lima", "metadata": {"lang": "en"}},
    {"id": "b", "question": "Hauptstadt von Chile?", "reference": "Santiago", "facts": "Santiago"},
    {"id": "c", "question": "Capital of Fiji?"},
]
ANSWERS = [
    {"id": "a", "answer": "Lima"},
    {"id": "b", "answer": "Valparaiso"},
    {"id": "c", "answer": "Suva"},
]


def test_two_files_need_no_config(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    result = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--json")
    assert result.code == 0
    found = result.json
    assert found["dataset"]["name"] == "golden"
    assert found["dataset"]["n"] == 3
    cell = found["summary"]["base"]["exact_match"]
    assert (cell["mean"], cell["scored"], cell["skipped"], cell["failed"]) == (0.5, 2, 1, 0)
    assert cell["ci"][0] < 0.5 < cell["ci"][1]
    assert found["exit_code"] == 0


def test_a_table_is_printed_with_how_many_rows_stand_behind_a_mean(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    result = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl")
    assert result.code == 0
    assert "exact_match" in result.out
    assert "2 of 3" in result.out
    assert "no reference" in result.out


def test_a_file_with_answers_is_dataset_and_pipeline_in_one(ringtrue: Callable, write: Callable) -> None:
    write("fm.jsonl", [{"model_input": "Capital?", "target_output": "UK<OR>England", "model_output": "In england."}])
    result = ringtrue("run", "--dataset", "fm.jsonl", "--json")
    summary = result.json["summary"]["answers"]
    assert summary["factual_knowledge"]["mean"] == 1.0
    assert summary["recall_over_words"]["mean"] == 1.0
    assert "model_input → question" in result.err


def test_named_pipelines_leave_the_datasets_own_answers_out_and_say_so(ringtrue: Callable, write: Callable) -> None:
    write("golden.csv", "id,question,answer\na,Capital of Peru?,Lima\n"), write("answers.jsonl", ANSWERS[:1])
    result = ringtrue("run", "--dataset", "golden.csv", "--pipeline", "base=answers.jsonl", "--json")
    assert list(result.json["summary"]) == ["base"]
    told = " ".join(result.json["notes"])
    assert "--map answer=reference" in told
    mapped = ringtrue(
        "run", "--dataset", "golden.csv", "--map", "answer=reference", "--pipeline", "base=answers.jsonl", "--json"
    )
    assert mapped.json["summary"]["base"]["exact_match"]["mean"] == 1.0


def test_a_config_says_it_all_and_the_command_line_goes_over_it(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    write(
        "project/ringtrue.yaml",
        """
dataset: {path: ../golden.jsonl, filter: "reference"}
pipelines: {base: ../answers.jsonl}
metrics: [exact_match, {name: f1_over_words, mode: squad}]
thresholds: {exact_match: ">= 0.4"}
report: [out/report.html, scores.jsonl]
""",
    )
    result = ringtrue("run", "project/ringtrue.yaml", "--json")
    assert result.code == 0, result.err
    assert result.json["dataset"]["n"] == 2
    assert list(result.json["summary"]["base"]) == ["exact_match", "f1_over_words"]
    assert [gate["passed"] for gate in result.json["thresholds"]] == [True]
    assert Path("project/out/report.html").exists()
    assert len(Path("project/scores.jsonl").read_text().splitlines()) == 4
    over = ringtrue(
        "run", "project/ringtrue.yaml", "--metric", "exact_match", "--limit", "1", "-o", "one.json", "--json"
    )
    assert over.json["dataset"]["n"] == 1
    assert list(over.json["summary"]["base"]) == ["exact_match"]
    assert json.loads(Path("one.json").read_text())["summary"] == over.json["summary"]


def test_a_config_in_the_folder_is_found(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    write("ringtrue.yaml", "dataset: golden.jsonl\npipelines: {base: answers.jsonl}\n")
    assert ringtrue("run", "--json").code == 0
    assert ringtrue("validate").out.endswith("All is well.\n")


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        ("{exact_match: '>= 0.5'}", 0),
        ("{exact_match: '> 0.5'}", 100),
        ("{exact_match: {base: '>= 0.5'}}", 0),
        ("[{metric: exact_match, where: \"metadata.lang == 'en'\", require: '>= 1'}]", 0),
        ("[{metric: exact_match, where: \"id == 'b'\", require: '>= 1'}]", 100),
        ("{answer_words: '<= 1'}", 0),
    ],
)
def test_a_gate_decides_the_exit_code(ringtrue: Callable, write: Callable, gates: str, code: int) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    write("ringtrue.yaml", f"dataset: golden.jsonl\npipelines: {{base: answers.jsonl}}\nthresholds: {gates}\n")
    result = ringtrue("run", "--json")
    assert result.code == code, result.err
    assert result.json["exit_code"] == code


def test_a_gate_on_the_command_line(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    run = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--threshold")
    assert ringtrue(*run, "exact_match >= 0.5").code == 0
    assert ringtrue(*run, "base: exact_match>=0.6").code == 100


def test_too_many_failed_scores_make_the_run_incomplete(ringtrue: Callable, write: Callable) -> None:
    rows = [*ANSWERS[:2], {"id": "c", "error": "HTTP 500"}]
    write("golden.jsonl", GOLDEN), write("answers.jsonl", rows)
    run = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--json")
    result = ringtrue(*run)
    assert result.code == 3
    assert result.json["summary"]["base"]["answer_words"]["failed"] == 1
    assert ringtrue(*run, "--max-failed", "1").code == 0


def test_repeats_in_a_recorded_file_are_scored_each(ringtrue: Callable, write: Callable) -> None:
    rows = [{"id": "a", "answer": text, "repeat": place} for place, text in enumerate(["Lima", "Lima", "Cusco"])]
    write("golden.jsonl", GOLDEN[:1]), write("answers.jsonl", rows)
    result = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--json")
    assert result.json["summary"]["base"]["exact_match"]["scored"] == 3
    assert result.json["summary"]["base"]["exact_match"]["mean"] == pytest.approx(2 / 3)


def test_a_stored_run_is_shown_again_and_listed(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    first = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--json").json
    again = ringtrue("report", "--json").json
    assert again == first
    listed = ringtrue("runs", "--json").json
    assert [one["id"] for one in listed] == [first["run"]]
    assert first["run"] in ringtrue("runs").out
    assert ringtrue("report", first["run"][:13], "-o", "again.md").code == 0
    assert "exact" in Path("again.md").read_text()
    assert ringtrue("report", "nothing").code == 2


def test_every_output_format_is_written(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    endings = ("json", "jsonl", "csv", "parquet", "md", "xml", "html")
    wanted = [word for ending in endings for word in ("-o", f"out/report.{ending}")]
    assert ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", *wanted).code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == sorted(f"report.{ending}" for ending in endings)
    lines = Path("out/report.jsonl").read_text().splitlines()
    assert set(json.loads(lines[0])) == {
        "sample_id",
        "pipeline",
        "repeat",
        "metric",
        "value",
        "label",
        "probability",
        "rationale",
        "status",
        "error",
        "source",
        "at",
        "signature",
    }


def test_the_csv_report_is_a_dataset_with_answers(ringtrue: Callable, write: Callable) -> None:
    hostile = [{"id": "h", "question": "Sum?", "reference": "-41.27%", "answer": "-41.27%"}]
    hostile += [{"id": "i", "question": "Link?", "reference": "=SUM(A1)", "answer": '=HYPERLINK("http://x.invalid")'}]
    write("golden.jsonl", hostile)
    ringtrue("run", "--dataset", "golden.jsonl", "-o", "out.csv")
    again = ringtrue("run", "--dataset", "out.csv", "--metric", "exact_match", "--json")
    assert again.json["summary"]["answers"]["exact_match"]["mean"] == 0.5, again.err


def test_a_command_pipeline_and_a_function_run_live(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN[:2])
    write("run_app.py", "def answer(question):\n    return 'Lima' if 'Peru' in question else 'Santiago'\n")
    write("app.py", "import json, sys\nprint('Lima' if 'Peru' in json.load(sys.stdin)['question'] else 'Rome')\n")
    write(
        "ringtrue.yaml",
        "dataset: golden.jsonl\npipelines:\n  fn: {target: 'run_app:answer'}\n  app: {command: [python3, app.py]}\n"
        "metrics: [exact_match, latency_s]\nrun: {repeats: 2}\n",
    )
    result = ringtrue("run", "--json")
    assert result.code == 0, result.err
    summary = result.json["summary"]
    assert summary["fn"]["exact_match"]["mean"] == 1.0
    assert summary["app"]["exact_match"]["mean"] == 0.5
    assert summary["app"]["exact_match"]["scored"] == 4
    assert summary["app"]["latency_s"]["mean"] > 0


def test_a_pipeline_cannot_pass_a_gate_by_leaving_out_what_is_hard(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN[:2]), write("answers.jsonl", ANSWERS[:1])
    run = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "--metric", "exact_match")
    assert ringtrue(*run).code == 0
    assert ringtrue(*run, "--threshold", "exact_match >= 0.9").code == 3
    assert ringtrue(*run, "--threshold", "exact_match >= 0.9", "--max-failed", "0.5").code == 0


def test_a_named_metric_that_scores_nothing_is_incomplete(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", [{"id": "a", "question": "Q?", "referense": "Lima"}]), write("answers.jsonl", ANSWERS[:1])
    run = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl")
    assert ringtrue(*run, "--metric", "exact_match").code == 3
    assert ringtrue(*run).code == 0
    wrong = ringtrue(*run, "--map", "refernce=reference")
    assert (wrong.code, "referense" in wrong.err) == (1, True)


def test_no_report_is_written_over_what_the_run_reads(ringtrue: Callable, write: Callable) -> None:
    golden, answers = write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    run = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl")
    before = golden.read_bytes(), answers.read_bytes()
    for name in ("golden.jsonl", "answers.jsonl", "./x/../answers.jsonl"):
        result = ringtrue(*run, "-o", name)
        assert (result.code, "is read by this run" in result.err) == (2, True)
    assert (golden.read_bytes(), answers.read_bytes()) == before


def test_an_import_does_not_write_over_a_file_unasked(ringtrue: Callable, write: Callable) -> None:
    write("fm.jsonl", [{"model_input": "Q?", "target_output": "Lima"}])
    mine = write("golden.jsonl", GOLDEN)
    before = mine.read_bytes()
    refused = ringtrue("dataset", "import", "--from", "fmeval", "fm.jsonl")
    assert (refused.code, "--force" in refused.err, mine.read_bytes() == before) == (2, True, True)
    assert ringtrue("dataset", "import", "--from", "fmeval", "fm.jsonl", "--force").code == 0
    assert "Lima" in ringtrue("dataset", "show", "golden.jsonl").out
    assert "golden" in ringtrue("dataset", "fingerprint", "golden.jsonl").out


def test_what_an_application_prints_does_not_spoil_the_json(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN[:2])
    write(
        "noisy_app.py", "print('loading')\n\ndef answer(question):\n    print('asked', question)\n    return 'Lima'\n"
    )
    result = ringtrue("run", "--dataset", "golden.jsonl", "--pipeline", "fn=noisy_app:answer", "--json")
    assert result.json["summary"]["fn"]["exact_match"]["mean"] == 0.5


def test_two_pipelines_of_one_name_are_refused(ringtrue: Callable, write: Callable) -> None:
    write("golden.jsonl", GOLDEN), write("answers.jsonl", ANSWERS)
    twice = ("--pipeline", "base=answers.jsonl") * 2
    result = ringtrue("run", "--dataset", "golden.jsonl", *twice)
    assert (result.code, "two pipelines are named 'base'" in result.err) == (2, True)


def test_a_reader_that_stops_reading_is_no_error(write: Callable, tmp_path: Path) -> None:
    write("golden.jsonl", GOLDEN[:2]), write("answers.jsonl", ANSWERS[:2])
    command = f"{sys.executable} -c 'from ringtrue.app.cli import main; main()' run --json -o out.xml"
    command += " --dataset golden.jsonl --pipeline base=answers.jsonl"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | true"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.xml").exists()


def test_many_runs_may_begin_at_once_on_a_new_store(write: Callable, tmp_path: Path) -> None:
    write("golden.jsonl", GOLDEN[:2]), write("answers.jsonl", ANSWERS[:2])
    words = ("run", "--dataset", "golden.jsonl", "--pipeline", "base=answers.jsonl", "-q")
    command = [sys.executable, "-c", "from ringtrue.app.cli import main; main()", *words]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    told = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0] * 4, told


def test_the_version_is_told(ringtrue: Callable) -> None:
    assert ringtrue("--version").out.startswith("ringtrue ")
    unknown = ringtrue("rnu")
    assert (unknown.code, "did you mean run" in unknown.err) == (2, True)
