"""The page in a real browser: every chart is drawn under the page's own policy, and hostile texts do nothing.

Slow tests. They fail, and are not skipped, where there is no browser, so that nobody loses them without knowing.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ringtrue.report.agreement.found import Agreement
from ringtrue.report.agreement.html import render_agreement

pytestmark = pytest.mark.slow

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def browser() -> str:
    found = os.environ.get("RINGTRUE_TEST_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail(f"no browser: install one of {', '.join(NAMES)}, or set RINGTRUE_TEST_BROWSER to its path")
    return found


def drawn(page: str, folder: Path) -> tuple[str, str]:
    """What the browser has made of the page, without its scripts and styles; and what it logged."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    words = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}",
        "--window-size=1280,900",
        "--virtual-time-budget=20000",
        "--dump-dom",
        file.as_uri(),
    ]
    run = subprocess.run([browser(), *words], capture_output=True, text=True, check=True, timeout=300)
    made = re.sub(r"<(script|style).*?</\1>", "", run.stdout, flags=re.S)
    return made, "\n".join(line for line in run.stderr.splitlines() if "CONSOLE" in line)


def test_every_chart_is_drawn_and_nothing_is_refused_or_run(hostile_agreement: Agreement, tmp_path: Path) -> None:
    page, logged = drawn(render_agreement(hostile_agreement), tmp_path)
    assert not logged  # a script or style that was refused, an error, a warning of Vega-Lite
    assert "data-failed" not in page
    assert page.count("data-drawn") == 5  # kappa, agreement; calibration, cuts; cuts
    assert len(re.findall(r'<svg [^>]*class="marks"', page)) == 5
    assert "<title>Judges against people: golden" in page  # scripts of the data would have changed it


def test_a_chart_that_cannot_be_drawn_says_where_its_numbers_are(measured: Agreement, tmp_path: Path) -> None:
    whole = render_agreement(measured)
    page, _ = drawn(whole.replace('"layer":[', '"nothing":[', 1), tmp_path)
    assert (page.count("data-failed"), page.count("data-drawn")) == (1, 4)
    assert page.count("This chart could not be drawn. Its numbers stand in the table.") == 1


def test_what_the_policy_does_not_name_is_refused(measured: Agreement, tmp_path: Path) -> None:
    whole = render_agreement(measured)
    page, logged = drawn(whole.replace("</main>", "</main><script>document.title='owned'</script>"), tmp_path)
    assert "Content Security Policy" in logged
    assert "<title>Judges against people: golden" in page
