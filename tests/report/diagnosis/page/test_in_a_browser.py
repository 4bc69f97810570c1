"""The diagnosis in a real browser, and what it shows of a run."""

import re
from pathlib import Path

from ringtrue.report.diagnosis.diagnosis import diagnose
from ringtrue.report.diagnosis.found import Diagnosis
from ringtrue.report.diagnosis.page.html import render_diagnosis
from ringtrue.report.diagnosis.told.write import write_diagnosis
from ringtrue.types import Passage
from tests.report.browsing import HOSTILE, needs_browser, stays_text
from tests.report.diagnosis.made import report_of, row

WHOLE = f"The office in Braga opens at nine. {HOSTILE} It closes at five."
CUT = "opens at nine in the morning, and on Fridays it is shut before th"


def found() -> Diagnosis:
    """Six failures of chunking, four of generation, one that is right; markup wherever there is text."""
    rows = [
        row(f"C{n}? {HOSTILE}", id=f"c{n}{HOSTILE}", contexts=[(f"p{HOSTILE}", f"{CUT} {n}")], answer_correctness=0)
        for n in range(6)
    ]
    rows += [
        row(f"G{n}?", answer=HOSTILE, contexts=[WHOLE], answer_correctness=0, context_sufficiency=1) for n in range(4)
    ]
    rows += [row("R?", contexts=[WHOLE], answer_correctness=1)]
    return diagnose(report_of({"app": rows, f"b {HOSTILE}": rows[6:]}), corpus=[Passage(id=HOSTILE, text=WHOLE)])


def test_the_page_has_every_stage_from_left_to_right_and_marks_the_first_to_mend() -> None:
    page = render_diagnosis(found())
    chain = page.split('<ol class="chain"')[1].split("</ol>")[0]
    titles = re.findall(r'<span class="stage">(.*?)</span>', chain)
    assert titles == [
        "parse", "chunk", "embed and index", "retrieve", "rerank", "prompt", "generate", "format", "golden data",
    ]  # fmt: skip
    assert chain.count("mend first") == 1
    assert "mend first" in next(part for part in chain.split("<li ") if ">chunk<" in part)
    assert '<mark class="fact">' in page
    assert page.count("What usually helps") == 2


def test_a_file_that_ends_in_html_is_the_page(tmp_path: Path) -> None:
    diagnosis = found()
    write_diagnosis(diagnosis, tmp_path / "d.html")
    assert (tmp_path / "d.html").read_text("utf-8") == render_diagnosis(diagnosis)


def test_a_run_without_any_failure_has_a_page_too() -> None:
    page = render_diagnosis(diagnose(report_of({"app": [row("R?", contexts=[WHOLE], answer_correctness=1)]})))
    assert "No answer failed: there is nothing to mend by these metrics." in page
    assert '<ol class="chain"' not in page


@needs_browser
def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    stays_text(render_diagnosis(found()), tmp_path)
