"""What the HTML page shows of one judged Score: its verdict, its parts, and what was asked and said.

Prompts are long and much the same from row to row. So a judge's instructions stand in the page once, a question that
several voters were asked stands once with all their replies, long texts are clipped, and when the page has no room left
it says which file holds the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.report.json_report import dumps
from ringtrue.report.judging.parts import KINDS, ItemsView, VoteView, held_text, items_view, jury_text, vote_view
from ringtrue.report.judging.summary import money_text, seconds_text, tokens_text, usage_figure
from ringtrue.report.plain import count, middle_out, number, one_line, value_text
from ringtrue.types import Score

__all__ = ["Asked", "JudgedView", "Reply", "Told", "Transcript"]

_TEXT = 6_000  # characters of a prompt or a reply
_WHY = 2_000  # characters of a reason


@dataclass(frozen=True, slots=True)
class Told:
    """A judge's instructions, which are the same for every row; `about` says whose they are."""

    number: int
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What one voter replied: `figures` are model, tokens, cost and time; `failure` is why it cannot be used."""

    figures: str
    text: str
    failure: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with the replies to it. `told` are the numbers of the instructions that went before."""

    about: str
    told: Sequence[int]
    prompt: Sequence[tuple[str, str]]
    replies: Sequence[Reply]


@dataclass(frozen=True, slots=True)
class JudgedView:
    """One judged Score. `told` are lines about the whole; `more` says where prompts and replies are that are left out.

    `extra` are parts of a kind that only their metric knows, as JSON.
    """

    title: str
    by: str
    status: str
    verdict: str
    probability: str
    why: str
    items: Sequence[ItemsView]
    votes: Sequence[VoteView]
    jury: str
    told: Sequence[str]
    extra: Sequence[str]
    took: str
    asked: Sequence[Asked]
    more: str


@dataclass(slots=True)
class Transcript:
    """The judged Scores of one page, which has `room` for so many characters of prompts and replies."""

    run: str
    room: int = 4_000_000
    _told: dict[str, Told] = field(default_factory=dict)

    @property
    def told(self) -> Sequence[Told]:
        """The instructions that the questions so far refer to."""
        return list(self._told.values())

    def view(self, score: Score, by: str, positive: str | None = None) -> JudgedView | None:
        """What the page shows of a Score; ``None`` where there is no more than its cell.

        `by` names the pipeline, `positive` is the label whose probability the Score tells, where it is known.
        """
        if not score.parts and not score.exchanges:
            return None
        parts = score.parts or ()
        jury = next((part for part in parts if part.get("kind") == "jury"), {})
        asked, more = self._asked(score.exchanges or ())
        return JudgedView(
            title=score.metric,
            by=by,
            status=score.status,
            verdict=_verdict(score),
            probability=_probable(score, positive),
            why=middle_out((score.rationale if score.status == "scored" else score.error) or "", _WHY),
            items=[view for kind, title in KINDS.items() if (view := items_view(parts, kind, title)).items],
            votes=[vote_view(voter) for voter in jury.get("voters", ())],
            jury=jury_text(jury),
            told=[held_text(part) for part in parts if part.get("kind") == "right"],
            extra=[
                middle_out(dumps(part).decode(), _WHY)
                for part in parts
                if part.get("kind") not in (*KINDS, "jury", "right")
            ],
            took=_took(score.usage),
            asked=asked,
            more=more,
        )

    def _asked(self, exchanges: Sequence[Mapping[str, Any]]) -> tuple[list[Asked], str]:
        """The questions, each with all replies to it, as long as there is room."""
        questions: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for exchange in exchanges:
            key = (str(exchange.get("about", "")), *_messages(exchange))
            questions.setdefault(key, []).append(exchange)
        asked: list[Asked] = []
        for place, same in enumerate(questions.values()):
            if self.room <= 0:
                left = count(len(questions) - place, "question")
                where = f"“ringtrue report {self.run} -o report.json” writes all of them"
                return asked, f"{left} left out with the replies, to keep this page small; {where}."
            asked.append(self._question(same))
        return asked, ""

    def _question(self, same: Sequence[Mapping[str, Any]]) -> Asked:
        about = str(same[0].get("about", ""))
        messages = _messages(same[0])
        view = Asked(
            about=about,
            told=[self._number(about, text) for role, text in messages if role == "system"],
            prompt=[
                ("Prompt" if role == "user" else f"Prompt, as {role}", middle_out(text, _TEXT))
                for role, text in messages
                if role != "system"
            ],
            replies=[_reply(exchange) for exchange in same],
        )
        self.room -= sum(len(text) for _, text in view.prompt) + sum(len(one.text) for one in view.replies)
        return view

    def _number(self, about: str, text: str) -> int:
        """The number of these instructions in the page; they take room when they come up first."""
        if (found := self._told.get(text)) is None:
            found = self._told[text] = Told(len(self._told) + 1, about, middle_out(text, _TEXT))
            self.room -= len(found.text)
        return found.number


def _messages(exchange: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The messages of a question: role and content."""
    return [(str(one.get("role", "")), str(one.get("content", ""))) for one in exchange.get("messages", ())]


def _verdict(score: Score) -> str:
    if score.status != "scored":
        return score.status
    value = "" if score.value is None else value_text(score.value)
    return " ".join(filter(None, (value, one_line(score.label or "", 80))))


def _probable(score: Score, positive: str | None) -> str:
    if score.probability is None:
        return ""
    return number(score.probability) + (f" of “{one_line(positive, 80)}”" if positive else "")


def _took(usage: Mapping[str, Any] | None) -> str:
    """Calls, tokens, cost and time; what is not known is said to be unknown."""
    if usage is None:
        return ""
    if usage.get("cached"):
        return "kept reply: nothing asked, nothing paid"
    names = ("calls", "input_tokens", "output_tokens", "cost", "latency_s")
    calls, tokens_in, tokens_out, cost, seconds = (usage_figure(usage, name) for name in names)
    if calls == 0:
        return "no model was asked"
    told = [
        count(calls, "call") if calls is not None else "",
        f"{tokens_text(tokens_in)} tokens in",
        f"{tokens_text(tokens_out)} out",
        f"cost {money_text(cost)}" if cost is not None else "cost unknown",
        seconds_text(seconds) if seconds is not None else "",
    ]
    return " · ".join(filter(None, told))


def _reply(exchange: Mapping[str, Any]) -> Reply:
    model, by = str(exchange.get("model", "")), exchange.get("replied_by")
    repeat, mass, end = exchange.get("repeat"), exchange.get("label_mass"), exchange.get("finish_reason")
    named = [
        one_line(model, 120),
        f"repeat {repeat + 1}" if repeat else "",
        f"answered by {one_line(str(by), 120)}" if by and by not in model else "",
        _took(exchange.get("usage")),
        f"ended by {one_line(str(end), 40)}" if end not in (None, "stop", "end_turn") else "",
        f"the labels have {number(mass)} of the probability" if mass is not None else "",
    ]
    failure = exchange.get("failure")
    told = f"{str(failure).replace('_', ' ')}: {exchange.get('message', '')}" if failure else ""
    text = exchange.get("reply")
    return Reply(
        figures=" · ".join(filter(None, named)),
        text="" if text is None else middle_out(str(text), _TEXT),
        failure=middle_out(told, _WHY),
    )
