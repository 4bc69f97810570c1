"""A page in a headless browser, from its file: what it logs, what it asks for, what it has become.

`RINGTRUE_TEST_BROWSER` names the browser, else it is looked for; `RINGTRUE_TEST_AXE` is the path of axe-core's
`axe.min.js`, which is of no use to anything but these tests and is not among what they install.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

__all__ = ["HOSTILE", "look", "needs_browser", "stays_text"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FOUND = re.compile(r'<pre id="found-by-the-test">(.*?)</pre>', re.DOTALL)
_LOOK = """<script>%s</script>
<script>addEventListener("load", async () => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  await new Promise((done) => setTimeout(done, 1500));
  const found = {
    asked: performance.getEntriesByType("resource").map((one) => one.name),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    handlers: [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some((a) => /^on/i.test(a.name)))
      .length,
    links: [...document.querySelectorAll("a[href]")].map((one) => one.getAttribute("href")),
    images: document.images.length,
    title: document.title,
    drawn: document.querySelectorAll('[data-drawn] svg').length,
    places: document.querySelectorAll('.drawing').length,
    axe: window.axe ? (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html.slice(0, 200)]) : null,
  };
  const place = document.createElement("pre");
  place.id = "found-by-the-test";
  place.textContent = encodeURIComponent(JSON.stringify(found));
  document.body.append(place);
});
</script></body>"""


# What an answer may hold, and a page has to show as text.
HOSTILE = (
    "<script>document.title='owned'</script> </script> <img src=x onerror=\"document.title='owned'\"> "
    "[a link](javascript:document.title='owned') <a href=\"javascript:document.title='owned'\">a link</a>"
)


@dataclass(frozen=True, slots=True)
class Looked:
    """`logged` are the browser's lines about the page as it is; `found` is what a script of ours saw of it."""

    logged: str
    found: dict[str, Any]


def browser() -> str | None:
    return os.environ.get("RINGTRUE_TEST_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


needs_browser = pytest.mark.skipif(browser() is None, reason=f"no browser: RINGTRUE_TEST_BROWSER, {', '.join(NAMES)}")


def stays_text(page: str, folder: Path) -> Looked:
    """Fail unless the page, opened from its file, logs, asks for and runs nothing, and axe has nothing against it."""
    seen = look(page, folder)
    assert not seen.logged
    assert not seen.found["asked"]
    assert not seen.found["handlers"]
    assert not seen.found["images"]
    assert all(link.startswith("#") for link in seen.found["links"])
    assert "owned" not in seen.found["title"].split(" – ringtrue")[-1]
    assert seen.found["drawn"] == seen.found["places"]
    assert seen.found["wide"] <= 0
    assert seen.found["axe"] in ([], None)
    return seen


def look(page: str, folder: Path, *, width: int = 1280) -> Looked:
    """Open the page twice: as it is, for what is logged; and with a script of ours and no policy, for all the rest."""
    _, logged = _dumped(page, folder / "page.html", width)
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page, count=1)
    assert bare != page
    dumped, _ = _dumped(_LOOK.replace("%s", _axe()).join(bare.rsplit("</body>", 1)), folder / "looked.html", width)
    found = _FOUND.search(dumped)
    assert found, dumped[-2000:]
    return Looked(logged, json.loads(unquote(found[1])))


def _axe() -> str:
    """The source of axe-core; nothing where it is not there."""
    path = os.environ.get("RINGTRUE_TEST_AXE")
    return Path(path).read_text("utf-8") if path else ""


def _dumped(page: str, file: Path, width: int) -> tuple[str, str]:
    program = browser()
    assert program
    file.write_text(page, encoding="utf-8")
    words = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--user-data-dir={file.parent / 'profile'}",
        f"--window-size={width},900",
        "--virtual-time-budget=10000",
        "--dump-dom",
        file.as_uri(),
    ]
    run = subprocess.run([program, *words], capture_output=True, text=True, check=True, timeout=300)
    return run.stdout, "\n".join(line for line in run.stderr.splitlines() if "CONSOLE" in line)
