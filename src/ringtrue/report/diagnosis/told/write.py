"""A diagnosis to a file, in the format of its ending."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.errors import UsageError
from ringtrue.report.diagnosis.found import Diagnosis
from ringtrue.report.diagnosis.page.html import render_diagnosis
from ringtrue.report.diagnosis.told.as_json import diagnosis_json
from ringtrue.report.diagnosis.told.markdown import diagnosis_markdown
from ringtrue.report.json_report import dumps
from ringtrue.report.write import check_writable, write_file

__all__ = ["check_diagnosis_output", "write_diagnosis"]

_FORMATS: Mapping[str, Callable[[Diagnosis], bytes]] = {
    ".json": lambda diagnosis: dumps(diagnosis_json(diagnosis), indent=True) + b"\n",
    ".html": lambda diagnosis: render_diagnosis(diagnosis).encode("utf-8"),
    ".md": lambda diagnosis: diagnosis_markdown(diagnosis).encode("utf-8"),
}


def check_diagnosis_output(path: Path) -> None:
    """Raise before the work what `write_diagnosis` would raise after it."""
    _format(path)
    check_writable(path)


def write_diagnosis(diagnosis: Diagnosis, path: Path) -> None:
    """Write a diagnosis to `path`. Raises UsageError for an unknown ending, OutputError where it cannot be written."""
    write_file(path, [_format(path)(diagnosis)])


def _format(path: Path) -> Callable[[Diagnosis], bytes]:
    if (found := _FORMATS.get(path.suffix.lower())) is None:
        what = f"ending {path.suffix!r}" if path.suffix else "no ending"
        raise UsageError(f"{path}: {what} names no format of a diagnosis", mend=f"known endings: {' '.join(_FORMATS)}")
    return found
