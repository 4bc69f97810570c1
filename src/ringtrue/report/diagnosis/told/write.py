"""A diagnosis to a file, in the format of its ending."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.report.diagnosis.found import Diagnosis
from ringtrue.report.diagnosis.page.html import render_diagnosis
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.markdown import diagnosis_markdown
from ringtrue.report.json_report import dumps
from ringtrue.report.write import check_writable, format_of, write_file

__all__ = ["check_diagnosis_output", "write_diagnosis"]

_WHAT = "format of a diagnosis"
_FORMATS: Mapping[str, Callable[[Diagnosis], bytes]] = {
    ".json": lambda diagnosis: dumps(diagnosis_json(diagnosis), indent=True) + b"\n",
    ".html": lambda diagnosis: render_diagnosis(diagnosis).encode("utf-8"),
    ".md": lambda diagnosis: diagnosis_markdown(diagnosis).encode("utf-8"),
}


def check_diagnosis_output(path: Path) -> None:
    """Raise before the work what `write_diagnosis` would raise after it."""
    format_of(path, _FORMATS, _WHAT)
    check_writable(path)


def write_diagnosis(diagnosis: Diagnosis, path: Path) -> None:
    """Write a diagnosis to `path`. Raises UsageError for an unknown ending, OutputError where it cannot be written."""
    write_file(path, [format_of(path, _FORMATS, _WHAT)(diagnosis)])
