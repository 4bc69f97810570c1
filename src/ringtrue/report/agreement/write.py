"""An agreement to a file, in the format of its ending."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.found import Agreement
from ringtrue.report.agreement.html import render_agreement
from ringtrue.report.agreement.markdown import agreement_markdown
from ringtrue.report.json_report import dumps
from ringtrue.report.write import check_writable, format_of, write_file

__all__ = ["check_agreement_output", "write_agreement"]

_WHAT = "format of an agreement"
_FORMATS: Mapping[str, Callable[[Agreement], bytes]] = {
    ".json": lambda agreement: dumps(agreement_json(agreement), indent=True) + b"\n",
    ".html": lambda agreement: render_agreement(agreement).encode("utf-8"),
    ".md": lambda agreement: agreement_markdown(agreement).encode("utf-8"),
}


def check_agreement_output(path: Path) -> None:
    """Raise before the judging what `write_agreement` would raise after it."""
    format_of(path, _FORMATS, _WHAT)
    check_writable(path)


def write_agreement(agreement: Agreement, path: Path) -> None:
    """Write an agreement to `path`. Raises UsageError for an unknown ending, OutputError where it cannot be written."""
    write_file(path, [format_of(path, _FORMATS, _WHAT)(agreement)])
