"""The HTML page: nothing in the data becomes an element, nothing leaves the page, all is there without scripts."""

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from ringtrue.report.html import render_html
from ringtrue.report.html_rows import Piece, marked_pieces, worst_first
from ringtrue.report.json_report import summary_json
from ringtrue.report.pages.page import island
from ringtrue.report.report import Report
from ringtrue.types import Passage, Response, Sample

SCRIPT = "Write </script><img src=x onerror=\"document.title='owned'\"> then <!-- a note"


class Page(HTMLParser):
    """What a browser would make of the page: elements, their attributes, the texts in them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br", "input", "col", "line", "rect", "circle", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def text(self, *tags: str) -> str:
        """All text, or that which stands directly in elements of these names, in the page's order."""
        return "".join(text for tag, text in self.texts if not tags or tag in tags)


@pytest.fixture
def page(hostile: Report) -> str:
    return render_html(hostile)


def test_no_element_comes_of_the_data(hostile: Report, page: str) -> None:
    parsed = Page(page)
    names = Counter(tag for tag, _ in parsed.elements)
    assert names["script"] == 2  # the summary's data and our own few lines
    assert names["style"] == 1
    assert not names.keys() & {"img", "iframe", "object", "embed", "base", "i", "b"}
    assert not parsed.comments
    assert not [name for _, attributes in parsed.elements for name in attributes if name.startswith("on")]
    assert parsed.open == []


def test_the_title_is_ours_and_hostile_texts_stand_as_text(hostile: Report, page: str) -> None:
    parsed = Page(page)
    assert parsed.text("title") == "golden – ringtrue report"
    assert SCRIPT in parsed.text("div", "mark")
    assert "How do I | close `a` script </title><script>alert(1)</script>?" in parsed.text("dd")
    assert '<img src=x onerror="alert(2)">' in parsed.text("bdi")
    assert "退款多久到账？" in parsed.text()
    assert "</script><img" not in page


def test_control_characters_are_shown(page: str) -> None:
    parsed = Page(page)
    assert "␛[31mERROR␛[0m code ␇ and vertical␋tab" in parsed.text("div", "mark")
    assert "Show the red ␛[1m prompt" in parsed.text("dd")
    assert "ERROR␇" in parsed.text("dd")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", page)
    page.encode("utf-8")


def test_the_page_asks_for_nothing(page: str) -> None:
    parsed = Page(page)
    for tag, attributes in parsed.elements:
        assert not attributes.keys() & {"srcset", "action", "formaction", "data", "poster", "ping", "style"}, tag
        assert "src" not in attributes
        assert attributes.get("href") in (None, "#rows", "data:,")
    styles = parsed.text("style")
    assert "url(" not in styles
    assert "@import" not in styles


def test_only_our_own_style_and_script_may_run(page: str) -> None:
    parsed = Page(page)
    policy = next(one["content"] for tag, one in parsed.elements if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    ours = page[page.rindex("<script>") + 8 : page.rindex("</script>")]
    for kind, text in (("style", parsed.text("style")), ("script", ours)):
        digest = b64encode(sha256(text.encode("utf-8")).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_the_summary_in_the_page_parses_back_equal(hostile: Report, page: str) -> None:
    raw = page[page.index('id="summary-data">') + 18 : page.index("</script>")]
    assert not set(raw) & set("<>&\u2028\u2029")
    assert json.loads(raw) == json.loads(json.dumps(summary_json(hostile)))
    assert raw == island(summary_json(hostile))


@pytest.mark.parametrize("which", ["hostile", "judged"])
def test_it_is_read_by_people_of_all_kinds(request: pytest.FixtureRequest, which: str) -> None:
    parsed = Page(render_html(request.getfixturevalue(which)))
    assert ("html", {"lang": "en"}) in parsed.elements
    heads = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch("h[1-6]", tag)]
    assert heads[0] == 1
    assert heads.count(1) == 1
    assert all(deeper <= before + 1 for before, deeper in pairwise(heads))
    tables = [tag for tag, _ in parsed.elements if tag in ("table", "caption")]
    assert tables == ["table", "caption"] * (len(tables) // 2)  # each says what it is
    assert all("scope" in attributes for tag, attributes in parsed.elements if tag == "th")
    identifiers = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))


def test_every_part_is_there_without_scripts(hostile: Report, page: str) -> None:
    text = " ".join(Page(page).text().split())
    for part in (
        "2 pipelines × 4 samples × 4 metrics; dataset golden",
        "3 of 4 answers, 95 % interval [0.30, 0.95]",
        "0 of 3 answers (1 not scored), 95 % interval",
        "The 95 % interval of plain overlaps with that of <img",
        "1 of 3 failed.",
        "1 row with 0 for every pipeline: likely ill-formed.",
        "plain: f1_over_words: skipped 1: 1 × no reference",
        "columns guessed: <b>Frage</b> → question",
        "What f1_over_words means <b>here</b>.",
        "0123456789abcdef0123456789abcdef",
        "latency_s|version:1",
    ):
        assert part in text, part


def test_scores_say_their_status_and_how_they_were_made(page: str) -> None:
    cells = [attributes for tag, attributes in Page(page).elements if tag == "td" and "title" in attributes]
    assert Counter(one["class"] for one in cells if one.get("class") in ("scored", "skipped", "failed")) == {
        "scored": 26,
        "skipped": 2,
        "failed": 4,
    }
    assert {one["title"] for one in cells if one.get("class") == "scored"} == {
        *("factual_knowledge|version:1", "f1_over_words|version:1", "latency_s|version:1", "tone|version:1")
    }


def test_words_are_marked_and_listed(make_report: Any) -> None:
    sample = Sample(id="s", question="q", reference=("Net sales were $134.4 billion.",))
    answers = {("a", 0): Response(answer="Net sales: $99 billion")}
    text = render_html(make_report({"a": {"f1_over_words": [0.5]}}, samples=[sample], answers=answers))
    assert '<mark class="word">Net</mark> sales: $99 <mark class="word">billion</mark>' in text
    assert "<dt>Matched</dt><dd>net · billion</dd>" in text
    assert "<dt>Missing</dt><dd>sales · were · $1344</dd>" in text
    assert "<dt>Extra</dt><dd>sales: · $99</dd>" in text


def test_words_of_an_unscored_row_are_not_explained(make_report: Any) -> None:
    text = render_html(make_report({"a": {"f1_over_words": [None]}}))
    assert "<dt>Matched</dt>" not in text


@pytest.mark.parametrize(
    ("text", "words", "facts", "pieces"),
    [
        ("The cat, sat.", {"cat", "sat"}, (), [("The ", ""), ("cat", "word"), (", ", ""), ("sat", "word"), (".", "")]),
        ("Net Sales rose", {"net", "sales"}, (), [("Net Sales", "word"), (" rose", "")]),
        ("It’s $134.4!", {"its", "1344"}, (), [("It’s", "word"), (" $", ""), ("134.4", "word"), ("!", "")]),
        ("is 158 Million", {"is"}, ("158 million",), [("is", "word"), (" ", ""), ("158 Million", "fact")]),
        ("共七个工作日。", {"七", "工"}, (), [("共", ""), ("七", "word"), ("个", ""), ("工", "word"), ("作日。", "")]),
        ("a.b (c)", set(), ("A.B (C)",), [("a.b (c)", "fact")]),
        ("nothing", set(), ("",), [("nothing", "")]),
        ("", {"a"}, ("b",), []),
    ],
)  # fmt: skip
def test_matched_words_and_facts_are_found_in_the_text(
    text: str, words: set[str], facts: tuple[str, ...], pieces: list[tuple[str, str]]
) -> None:
    found = marked_pieces(text, words, facts)
    assert found == [Piece(*piece) for piece in pieces]
    assert "".join(piece.text for piece in found) == text


def test_long_answers_are_clipped_with_a_note(make_report: Any) -> None:
    answers = {("a", 0): Response(answer="x" * 5_000_000)}
    text = render_html(make_report({"a": {"latency_s": [1]}}, answers=answers))
    assert len(text) < 100_000
    assert "4,980,000 more characters are not shown here" in text


def test_passages_and_figures_are_shown(make_report: Any) -> None:
    passages = (Passage(text="<b>Net</b> sales", id="p&1", score=0.83), Passage(text=None, id="p2"))
    answers = {
        ("a", 0): Response(answer="x", contexts=passages, latency_s=1.5, input_tokens=1200, cost=0.002, model="m")
    }
    text = render_html(make_report({"a": {"latency_s": [1.5]}}, answers=answers))
    assert '<blockquote dir="auto">&lt;b&gt;Net&lt;/b&gt; sales</blockquote>' in text
    assert "1. · p&amp;1 · retrieval score 0.830" in text
    assert "(only the id was recorded)" in text
    assert "1.500 s · 1,200 tokens in · $0.002 · m" in text
    nothing = render_html(make_report({"a": {"latency_s": [1]}}, answers={("a", 0): Response(answer="x", contexts=())}))
    assert "Retrieved passages (0)" in nothing


def test_of_many_rows_the_worst_are_shown_and_the_rest_counted(make_report: Any) -> None:
    report = make_report({"a": {"f1_over_words": [0.9, 0.2, ("failed", "boom"), 0.5]}}, max_failed=1)
    assert [row.sample.id for row in worst_first(report)] == ["s3", "s2", "s4", "s1"]
    text = render_html(report, max_rows=2)
    assert text.count('<details class="row"') == 2
    assert "2 more rows not shown" in text
    assert "ringtrue report 20261130-120000-abcd -o rows.json" in text
    assert "more rows not shown" not in render_html(report, max_rows=4)


def test_a_report_without_rows_or_metrics_renders(make_report: Any) -> None:
    assert "There are no rows." in render_html(make_report({"a": {}}))


def test_repeats_are_told_apart(make_report: Any) -> None:
    text = render_html(make_report({"a": {"factual_knowledge": [1, 0]}}, repeats=2))
    assert "<bdi>a (repeat 1)</bdi>" in text
    assert "<bdi>a (repeat 2)</bdi>" in text


def test_an_unfinished_run_warns(make_report: Any) -> None:
    assert "The run is interrupted, not finished" in render_html(
        make_report({"a": {"tone": ["x"]}}, status="interrupted")
    )


def test_nothing_that_a_judge_said_becomes_an_element(judged: Report) -> None:
    page = render_html(judged)
    parsed = Page(page)
    names = Counter(tag for tag, _ in parsed.elements)
    assert (names["script"], names["style"], parsed.comments, parsed.open) == (2, 1, [], [])
    assert not names.keys() & {"img", "iframe", "object", "embed", "base", "i", "b"}
    for tag, said in (
        ("th", "Claim one. "),
        ("q", "quoted "),
        ("pre", "Is it so? "),
        ("pre", "no "),
        ("dd", "1 of 2 "),
    ):
        assert said + SCRIPT in parsed.text(tag)
    assert "Because. ␛[31mERROR␛[0m code ␇" in parsed.text("td")
    assert f"python:large {SCRIPT}" in parsed.text("th")
    assert "</script><img" not in page


def test_what_the_judges_cost_stands_in_a_table(judged: Report) -> None:
    text = " | ".join(piece for _, piece in Page(render_html(judged)).texts if piece.strip())
    assert "What the judges cost" in text
    assert (
        "faithfulness | python:small, python:large, python:other | 3 | 4 | 1 | 200 | 20 | unknown, at least $0.0200 | "
        "0.40 s | 1.0 s | 25 % | 1.000 | bad label 1; votes lost: rate limited 1"
    ) in text
    assert "coherence | python:small | 4 | 4 | – | 400 | 40 | $0.00048 | 0.50 s | 0.50 s | – | – | – |" in text
    assert "All judges | 7 | 8 | 1 | 600 | 60 | unknown, at least $0.0205 |" in text


def test_a_judged_score_shows_claims_votes_prompts_and_replies(judged: Report) -> None:
    text = " ".join(Page(render_html(judged)).text().split())
    for part in (
        "from “words of the answer”, which are not there word for word",
        "votes: supported 2, missing 1",
        "found in p2",
        "! not found word for word",
        "of the golden answer; extra: not needed",
        "Votes flip rate 25 %, spread 1",
        "rate limited: slow down </script>",
        "Reply of python:small · answered by small-2 · 1 call",
        "faithfulness failed base Whybad label: python:small: 'maybe'",
        "Held against context_sufficiency, which says no: right.",
        '{"kind":"own"}',
    ):
        assert part in text, part


def test_instructions_stand_once_and_every_question_refers_to_them(judged: Report) -> None:
    parsed = Page(render_html(judged))
    assert parsed.text("pre").count("Instructions that are long.") == 1
    links = [attributes["href"] for tag, attributes in parsed.elements if tag == "a"]
    assert Counter(links) == {"#rows": 1, "#told-1": 7}
    assert ("pre", {"id": "told-1", "dir": "auto"}) in parsed.elements


def test_a_run_without_judges_says_nothing_of_them(page: str) -> None:
    assert "judges cost" not in page
    assert "judges said" not in page
