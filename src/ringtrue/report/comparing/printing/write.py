"""A comparison to a file, in the format of its ending."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ringtrue.report.comparing.found import Comparison
from ringtrue.report.comparing.page.html import render_comparison
from ringtrue.report.comparing.printing.as_json import comparison_json
from ringtrue.report.comparing.printing.markdown import comparison_markdown
from ringtrue.report.json_report import dumps
from ringtrue.report.write import check_writable, format_of, write_file

__all__ = ["check_comparison_output", "write_comparison"]

_WHAT = "format of a comparison"
_FORMATS: Mapping[str, Callable[[Comparison], bytes]] = {
    ".json": lambda found: dumps(comparison_json(found), indent=True) + b"\n",
    ".html": lambda found: render_comparison(found).encode("utf-8"),
    ".md": lambda found: comparison_markdown(found).encode("utf-8"),
}


def check_comparison_output(path: Path) -> None:
    """Raise before the work what `write_comparison` would raise after it."""
    format_of(path, _FORMATS, _WHAT)
    check_writable(path)


def write_comparison(found: Comparison, path: Path) -> None:
    """Write `found` to `path`, whole or not at all. Raises UsageError for an unknown ending, OutputError."""
    write_file(path, (format_of(path, _FORMATS, _WHAT)(found),))
