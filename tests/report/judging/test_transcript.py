"""What is shown of a judged Score: nothing of what was said is lost but what is said to be left out."""

from collections.abc import Mapping
from typing import Any

import pytest

from ringtrue.report.judging.parts import ItemView, items_view
from ringtrue.report.judging.transcript import JudgedView, Transcript
from ringtrue.report.report import Report
from ringtrue.types import Score

RUN = "20261130-120000-abcd"


def scored(**fields: Any) -> Score:
    given = {"sample_id": "s", "pipeline": "p", "repeat": 0, "metric": "m", "status": "scored", "signature": "m"}
    return Score(**(given | fields))


def asked(system: str, user: str, reply: str = "yes", **more: Any) -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    return {"about": "m", "model": "python:one", "messages": messages, "reply": reply} | more


def shown(transcript: Transcript, *exchanges: Mapping[str, Any], **fields: Any) -> JudgedView:
    view = transcript.view(scored(exchanges=exchanges, **fields), "base")
    assert view is not None
    return view


def item(**part: Any) -> ItemView:
    (view,) = items_view([{"kind": "claim", "id": "c1", "text": "It is so."} | part], "claim", "Claims").items
    return view


def test_instructions_stand_in_the_page_once() -> None:
    transcript = Transcript(RUN)
    first = shown(transcript, asked("Be strict.", "Row 1?"), asked("List claims.", "Row 1."))
    second = shown(transcript, asked("Be strict.", "Row 2?"))
    assert [one.text for one in transcript.told] == ["Be strict.", "List claims."]
    assert [one.told for one in (*first.asked, *second.asked)] == [[1], [2], [1]]
    assert [one.prompt for one in second.asked] == [[("Prompt", "Row 2?")]]


def test_a_jurys_question_stands_once_with_all_replies() -> None:
    exchanges = [asked("Be strict.", "Row 1?", reply, model=f"python:{reply}") for reply in ("yes", "no", "maybe")]
    (one,) = shown(Transcript(RUN), *exchanges).asked
    assert [reply.text for reply in one.replies] == ["yes", "no", "maybe"]
    assert [reply.figures.split(" ")[0] for reply in one.replies] == ["python:yes", "python:no", "python:maybe"]


def test_a_reply_says_model_tokens_money_and_time(judged: Report) -> None:
    view = Transcript(RUN).view(judged.rows[0].scores["base", 0]["faithfulness"], "base")
    assert view is not None
    first, second, third = view.asked[0].replies
    assert first.figures == (
        "python:small · answered by small-2 · 1 call · 100 tokens in · 10 out · cost $0.0100 · 0.20 s · ended by length"
    )
    assert "cost unknown" in second.figures
    assert "the labels have 0.900 of the probability" in second.figures
    assert (third.text, third.failure) == ("", "rate limited: slow down </script>")
    assert view.took == "3 calls · 100 tokens in · 10 out · cost unknown · 1.5 s"
    kept = Transcript(RUN).view(judged.rows[2].scores["base", 0]["faithfulness"], "base")
    assert kept is not None
    assert kept.asked[0].replies[0].figures == "python:small · kept reply: nothing asked, nothing paid"


def test_when_the_page_is_full_it_names_the_file_that_holds_the_rest() -> None:
    transcript = Transcript(RUN, room=50)
    first = shown(transcript, asked("Be strict.", "x" * 60), asked("Other.", "y"))
    second = shown(transcript, asked("Third.", "z"), parts=({"kind": "claim", "id": "c1", "text": "t"},))
    assert len(first.asked) == 1
    assert first.more == (
        "1 question left out with the replies, to keep this page small; "
        f"“ringtrue report {RUN} -o report.json” writes all of them."
    )
    assert (second.asked, [one.title for one in second.items]) == ([], ["Claims"])
    assert [one.text for one in transcript.told] == ["Be strict."]


def test_the_middle_of_a_long_prompt_is_left_out_and_counted() -> None:
    (one,) = shown(Transcript(RUN), asked("s", "a" * 5_000 + "b" * 5_000)).asked
    ((_, text),) = one.prompt
    assert text == "a" * 4_000 + "\n… (4,000 characters left out here) …\n" + "b" * 2_000


@pytest.mark.parametrize(
    ("part", "found", "doubtful"),
    [
        ({"evidence": "so", "quoted": True, "found_in": "p2"}, "found in p2", False),
        ({"evidence": "so", "quoted": True}, "found word for word", False),
        ({"evidence": "so", "quoted": False}, "not found word for word", True),
        ({"verdict": "yes", "note": "no evidence was quoted"}, "no evidence was quoted", True),
        ({"verdict": "no"}, "", False),
    ],
)
def test_evidence_says_whether_it_is_there(part: dict[str, Any], found: str, doubtful: bool) -> None:
    view = item(**part)
    assert (view.found, view.doubtful) == (found, doubtful)


@pytest.mark.parametrize(
    ("part", "notes"),
    [
        ({"source": "It is so."}, ""),
        ({"source": "so it is", "in_source": True}, "from “so it is”"),
        ({"source": "so", "in_source": False}, "from “so”, which are not there word for word"),
        ({"required": False, "group": 2}, "of golden answer 2; extra: not needed"),
        ({"whose": "answer", "group": 1}, "of the answer"),
        ({"whose": "reference", "group": 2}, "of the golden answer"),
    ],
)
def test_a_claim_says_where_it_comes_from(part: dict[str, Any], notes: str) -> None:
    assert item(**part).notes == notes


def test_a_claim_on_which_the_jury_has_no_majority_says_so() -> None:
    view = item(votes={"missing": 1, "supported": 1})
    assert (view.verdict, view.value, view.votes) == ("no majority", "", "missing 1, supported 1")


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"verdict": "no", "right": True}, "Held against other, which says no: right."),
        ({"verdict": "no", "reason": "why", "right": False}, "Held against other, which says no (why): wrong."),
        ({"unknown": "truncated"}, "Held against other: cannot be said, truncated."),
    ],
)
def test_a_verdict_is_held_against_another(part: dict[str, Any], told: str) -> None:
    assert list(shown(Transcript(RUN), parts=({"kind": "right", "judge": "other", **part},)).told) == [told]


def test_parts_that_only_their_metric_knows_are_shown_as_they_are() -> None:
    assert list(shown(Transcript(RUN), parts=({"kind": "mine", "n": 1},)).extra) == ['{"kind":"mine","n":1}']


def test_a_probability_says_of_what_where_that_is_known() -> None:
    score = scored(label="no", probability=0.25, parts=({"kind": "jury", "voters": []},))
    told = [Transcript(RUN).view(score, "base", positive) for positive in ("yes", None)]
    assert [one.probability for one in told if one] == ["0.250 of “yes”", "0.250"]


def test_a_score_with_nothing_behind_it_has_no_view_of_its_own() -> None:
    assert Transcript(RUN).view(scored(value=1.0), "base") is None
