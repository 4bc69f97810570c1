"""An agreement to a file, in the format of its ending."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.errors import UsageError
from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.found import Agreement
from ringtrue.report.agreement.html import render_agreement
from ringtrue.report.agreement.markdown import agreement_markdown
from ringtrue.report.json_report import dumps
from ringtrue.report.write import check_writable, write_file

__all__ = ["check_agreement_output", "write_agreement"]

_FORMATS: Mapping[str, Callable[[Agreement], bytes]] = {
    ".json": lambda agreement: dumps(agreement_json(agreement), indent=True) + b"\n",
    ".html": lambda agreement: render_agreement(agreement).encode("utf-8"),
    ".md": lambda agreement: agreement_markdown(agreement).encode("utf-8"),
}


def check_agreement_output(path: Path) -> None:
    """Raise before the judging what `write_agreement` would raise after it."""
    _format(path)
    check_writable(path)


def write_agreement(agreement: Agreement, path: Path) -> None:
    """Write an agreement to `path`. Raises UsageError for an unknown ending, OutputError where it cannot be written."""
    write_file(path, [_format(path)(agreement)])


def _format(path: Path) -> Callable[[Agreement], bytes]:
    if (found := _FORMATS.get(path.suffix.lower())) is None:
        what = f"ending {path.suffix!r}" if path.suffix else "no ending"
        raise UsageError(f"{path}: {what} names no format of an agreement", mend=f"known endings: {' '.join(_FORMATS)}")
    return found
