"""The page of an agreement: it holds the figures, its texts stay texts, and nothing leaves it."""

import json
import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ringtrue.report.agreement.agreement import build_agreement
from ringtrue.report.agreement.as_json import agreement_json
from ringtrue.report.agreement.candidates import Candidate, Labels, Said
from ringtrue.report.agreement.found import Agreement, Settings
from ringtrue.report.agreement.html import render_agreement
from ringtrue.report.agreement.plain import figure_text
from ringtrue.report.agreement.write import write_agreement
from tests.report.agreement.made import BINARY, HOSTILE, rows

VOID = {"meta", "link", "br", "wbr"}


class Page(HTMLParser):
    """What a browser would make of the page: elements, their attributes, scripts, and the text to read."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif "style" not in self.open:
            self.text += data

    def with_id(self, id: str) -> dict[str, str | None]:
        return next(attributes for _, attributes in self.elements if attributes.get("id") == id)


@pytest.fixture(scope="module")
def page(measured: Agreement) -> str:
    return render_agreement(measured)


@pytest.fixture(scope="module")
def parsed(page: str) -> Page:
    return Page(page)


def read(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_people_come_first_and_with_what_alpha_means(measured: Agreement, parsed: Page) -> None:
    text = read(parsed.text)
    assert text.index("People first") < text.index("Best kappa first")
    assert read(figure_text(measured.human.alpha.alpha)) in text
    assert "1 is full agreement, 0 is chance: people agree well; the labels can be relied on." in text
    assert read(figure_text(measured.human.ceiling.kappa)) in text
    assert "no 40, yes 40" in text


def test_every_judge_stands_with_its_figures_and_its_confusion_matrix(
    measured: Agreement, page: str, parsed: Page
) -> None:
    text = read(parsed.text)
    for one in measured.judges:
        for name in ("agreement", "kappa", "tpr", "tnr"):
            assert figure_text(one.figures.figures[name]) in text, (one.candidate.name, name)
        for n in (n for row in one.figures.table for n in row):
            assert f"<strong>{n:,}</strong>" in page
    assert "over 3 runs" in text
    assert "6 × timed out" in text  # rows 79 and 119, in each of three runs
    assert "fitted on dev" in text


def test_the_curves_say_which_rows_they_are_over(measured: Agreement, parsed: Page) -> None:
    assert read(parsed.text).count("What the judge would be worth with another cut, over 40 dev rows.") == 2
    alone = Page(render_agreement(replace(measured, dev=0)))
    assert "with another cut, over all 80 rows." in read(alone.text)


def test_each_chart_has_its_place_its_words_and_its_numbers(parsed: Page) -> None:
    data = json.loads(parsed.scripts[1])
    assert list(data) == [f"chart-{n}" for n in range(1, 6)]  # kappa, agreement; calibration, cuts; cuts
    labels = [attributes.get("aria-label") for _, attributes in parsed.elements if attributes.get("role") == "img"]
    assert len(labels) == len(data)
    assert all(label and "undefined" not in label for label in labels)
    assert parsed.text.count("as a table") == len(data)
    assert all(parsed.with_id(id)["class"] == "drawing" for id in data)


def test_judge_against_judge_slices_misses_and_how_it_was_made(measured: Agreement, parsed: Page) -> None:
    text = read(parsed.text)
    (compared,) = measured.comparisons
    assert "large – overlap_of_words" in text
    assert f"{compared.mcnemar.only_first} / {compared.mcnemar.only_second}" in text
    assert "large is nearer to people" in text
    assert "topic 0" in text and "topic 1" in text
    miss = measured.judges[0].misses[0]
    assert f"{miss.person.sample.question}" in text and f"{miss.rationale}" in text
    assert "Passages (12)" in text and "2 more are not shown." in text
    assert "200 draws, seed 0" in text and "questions (rows that hang together) and the judges’ runs" in text
    assert "correctness|version:1" in text
    assert "columns guessed: frage → question" in text


def test_no_element_comes_of_the_data(hostile_agreement: Agreement, parsed: Page) -> None:
    hostile = Page(render_agreement(hostile_agreement))
    names = Counter(tag for tag, _ in hostile.elements)
    assert names["script"] == 7  # theme, two of data, three builds, what draws
    assert not names.keys() & {"img", "iframe", "object", "embed", "base"}
    assert hostile.open == []
    assert not [name for _, attributes in hostile.elements for name in attributes if name.startswith("on")]
    text = read(hostile.text)
    for told in ("Question 0?", "Golden 0", "Answer 0", "Passage 0", "Because of 0", "Whether the answer is right."):
        assert read(f"{told} {HOSTILE}") in text, told
    assert {tag for tag, _ in hostile.elements} == {tag for tag, _ in parsed.elements}


def test_data_for_scripts_read_back_equal_and_cannot_end_their_element(hostile_agreement: Agreement) -> None:
    hostile = Page(render_agreement(hostile_agreement))
    assert json.loads(hostile.scripts[0]) == json.loads(json.dumps(agreement_json(hostile_agreement)))
    assert HOSTILE[:10] in json.loads(hostile.scripts[1])["chart-1"]["layer"][-1]["data"]["values"][0]["name"]
    assert not set("<>&") & set(hostile.scripts[0] + hostile.scripts[1])


def test_only_our_own_blocks_run_and_nothing_is_fetched(page: str, parsed: Page) -> None:
    policy = next(a["content"] for _, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy and policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    for script in parsed.scripts[2:]:
        assert f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in policy
    assert policy.count("'sha256-") == len(parsed.scripts) - 2 + 1
    for tag, attributes in parsed.elements:
        assert not attributes.keys() & {"style", "src", "srcset", "action"}, tag
        assert (attributes.get("href") or "#").startswith(("#", "data:")), attributes
    builds = sum(map(len, parsed.scripts[3:6]))
    assert len(page) - builds < 400_000
    ours = page
    for build in parsed.scripts[3:6]:
        ours = ours.replace(build, "")
    assert not re.findall(r"https?://", ours)


def test_a_page_without_charts_is_light(measured: Agreement) -> None:
    page = render_agreement(replace(measured, judges=(), comparisons=(), slices=()))
    assert len(page) < 60_000
    assert "vega" not in page.partition("</style>")[2]
    text = read(Page(page).text)
    assert "No judge was held against people." in text
    assert "There are none." in text


def test_what_is_undefined_is_said_in_a_line() -> None:
    people = [replace(row, label="yes", raters={"ann": "yes"}) for row in rows(6)]
    said = Candidate(name="flat", kind="stored", runs=[{row.id: Said(label="yes") for row in people}])
    silent = Candidate(name="silent", kind="stored", runs=[{}])
    agreement = build_agreement(
        people, [said, silent], BINARY, name="set", fingerprint="f" * 32, settings=Settings(draws=50)
    )
    text = read(Page(render_agreement(agreement)).text)
    assert "flat comes nearest to people: it says what people say on 100 % of 6 rows; kappa, which leaves out" in text
    assert "Kappa is undefined: one category only." in text
    assert "Agreement, Kappa, Precision, Recall, F1, " in text
    assert "are undefined: no rows that both have labelled." in text
    assert "Krippendorff’s alpha is undefined: fewer than two raters." in text
    assert "No calibration curve: it gives no probabilities." in text
    assert "No cuts to sweep: it gives labels, or a single score." in text
    assert "It gave no verdict." in text
    assert "Beware: all labels are alike" in text
    assert "nan" not in text.lower()


def test_labels_of_three_kinds_have_a_matrix_of_three_and_no_positive_side() -> None:
    people = [replace(row, label="abc"[place % 3], raters={}) for place, row in enumerate(rows(9))]
    said = Candidate(name="three", kind="stored", runs=[{row.id: Said(label="a") for row in people}])
    labels = Labels(names=("a", "b", "c"))
    agreement = build_agreement(people, [said], labels, name="set", fingerprint="f" * 32, settings=Settings(draws=50))
    parsed = Page(render_agreement(agreement))
    cells = [str(attributes.get("class")) for tag, attributes in parsed.elements if tag == "td"]
    assert Counter(cell for cell in cells if cell.startswith("l")) == {"l10 same": 1, "l10": 2, "l0": 4, "l0 same": 2}
    assert "TPR is the share" not in read(parsed.text)


def test_the_file_is_written_by_its_ending(measured: Agreement, tmp_path: Path, page: str) -> None:
    write_agreement(measured, tmp_path / "found.html")
    assert (tmp_path / "found.html").read_text(encoding="utf-8") == page
