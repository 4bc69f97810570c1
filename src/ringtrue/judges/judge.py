"""From one row to its verdict: the questions are asked, the votes counted, and all that was said is kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ringtrue.errors import Skip
from ringtrue.judges.asking import JudgeFailure, JudgeSkip, Log, Place, Voter, together
from ringtrue.judges.claims import claims_in, listed_claims, told_apart
from ringtrue.judges.evidence import find_quote
from ringtrue.judges.items import (
    WHOLE,
    Item,
    Question,
    guidelines_in,
    passages_in,
    questions_about,
    questions_of,
    shown_fields,
)
from ringtrue.judges.jury import Ballot, Combining, NoVerdict, Vote, elect, jury_part, probability_of
from ringtrue.judges.prompts.render import Block, Prompt, blocks_of, item_heading
from ringtrue.judges.prompts.shape import schema_of
from ringtrue.judges.rubric import Rubric
from ringtrue.judges.verdicts import by_cut, part_of, rationale_of, row_verdict
from ringtrue.models.probabilities import require_label_mass
from ringtrue.models.types import Completion, ModelFailure
from ringtrue.types import Response, Sample, Verdict

__all__ = ["Judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A rubric ready to be asked of its voters.

    `beside` is the judge that this one's verdict is held against, `step` where its questions stand in the record.
    `schemas` are those of replies by the ids asked about, made once, since the model layer knows them by identity.
    """

    rubric: Rubric
    prompt: Prompt
    voters: tuple[Voter, ...]
    combine: Combining = "majority"
    least_label_mass: float = 0.0
    beside: "Judge | None" = None
    step: int = 0
    schemas: dict[tuple[str, ...], Mapping[str, Any]] = field(default_factory=dict)

    async def verdict(self, sample: Sample, response: Response, max_chars: int) -> Verdict:
        """The verdict on one row with all that was asked for it. Raises JudgeFailure or JudgeSkip."""
        log = Log()
        try:
            found = await self.judged(sample, response, max_chars, log)
        except ModelFailure as failure:
            raise JudgeFailure(failure.kind, failure.message, log, mend=failure.mend) from failure
        except NoVerdict as none:
            raise JudgeFailure(none.kind, none.message, log, mend=none.mend) from none
        except Skip as skip:
            raise JudgeSkip(str(skip), log) from skip
        return Verdict(
            value=found.value,
            label=found.label,
            probability=found.probability,
            rationale=found.rationale,
            parts=found.parts,
            usage=log.usage,
            exchanges=log.exchanges,
        )

    async def judged(self, sample: Sample, response: Response, max_chars: int, log: Log) -> Verdict:
        """The verdict without its record, which goes to `log`. Raises ModelFailure, NoVerdict or Skip."""
        rubric = self.rubric
        fields = shown_fields(rubric, sample, response)
        passages = passages_in(fields.get("contexts", ()))
        given = rubric.no_contexts if "contexts" in fields and not passages else None
        if given == "skip":
            raise Skip("nothing was retrieved")
        items = await self._items(fields, passages, log)
        if not items:
            raise Skip("nothing to judge")
        if given is not None:
            vote = Vote(label=given, reason="nothing was retrieved")
            return self._counted(items, [Ballot("", {item.id: vote for item in items})])
        if rubric.unit == "passages":
            questions = questions_about(passages, max_chars)
        else:
            questions = questions_of(items, passages, max_chars)
        self._refuse_too_long(questions, max_chars)
        row = _Row(fields, _evidence(rubric, fields, passages), log)
        ballots = await together([self._ballot(row, questions, number) for number in range(len(self.voters))])
        found = self._counted(items, ballots)
        if rubric.cut is not None:
            found = by_cut(rubric, found)
        return await self._held_against(found, sample, response, max_chars, log)

    async def _items(self, fields: Mapping[str, Any], passages: Sequence[Item], log: Log) -> Sequence[Item]:
        match self.rubric.unit:
            case "whole":
                return (WHOLE,)
            case "passages":
                return passages
            case "guidelines":
                return guidelines_in(fields["metadata.guidelines"])
        if self.rubric.claims_of == "golden" and "facts" in fields:
            return listed_claims(fields["facts"])
        answer = [] if self.rubric.claims_of == "golden" else [fields["answer"]]
        golden = [] if self.rubric.claims_of == "answer" else fields["reference"]
        claims = await claims_in([*answer, *golden], fields.get("question"), log, self.voters[0], step=self.step)
        return told_apart(claims) if self.rubric.claims_of == "both" else claims

    def _refuse_too_long(self, questions: Sequence[Question], max_chars: int) -> None:
        if self.rubric.unit == "whole" and self.rubric.split == "never" and len(questions) > 1:
            raise NoVerdict(
                "too_long",
                f"the passages are longer than max_chars={max_chars} and have to be seen together",
                mend="raise max_chars as far as the model's window allows, or judge claim by claim",
            )

    async def _ballot(self, row: "_Row", questions: Sequence[Question], number: int) -> Ballot:
        """The votes of one voter, who is asked all questions."""
        voter = self.voters[number]
        places = [(self.step + 1, number, place) for place in range(len(questions))]
        try:
            rounds = await together(
                [self._votes(row, question, voter, place) for question, place in zip(questions, places, strict=True)]
            )
        except ModelFailure as failure:
            return Ballot(voter.name, failure=failure)
        if len(rounds) == 1:
            return Ballot(voter.name, rounds[0])
        ids = dict.fromkeys(id for votes in rounds for id in votes)
        return Ballot(voter.name, {id: self._merged([votes[id] for votes in rounds if id in votes]) for id in ids})

    async def _votes(self, row: "_Row", question: Question, voter: Voter, place: Place) -> dict[str, Vote]:
        rubric, whole = self.rubric, self.rubric.unit == "whole"
        ids = () if whole else tuple(item.id for item in question.items)
        messages = self.prompt.messages(_blocks(rubric, question, row.fields), ids)
        labels = tuple(rubric.labels) if whole else ()
        if (schema := self.schemas.get(ids)) is None:
            schema = self.schemas[ids] = schema_of(rubric, ids)
        reply, completion = await row.log.ask(voter, messages, schema, about=rubric.name, place=place, labels=labels)
        if whole:
            require_label_mass(completion, self.least_label_mass)
            return {WHOLE.id: _whole_vote(rubric, reply, completion)}
        return {id: _item_vote(rubric, reply["verdicts"][id], row.evidence) for id in ids}

    def _merged(self, votes: Sequence[Vote]) -> Vote:
        """One vote on what may have come up in several questions: the label that stands first in the rubric."""
        rubric = self.rubric
        order = list(rubric.labels)
        first = min(votes, key=lambda vote: order.index(vote.label))
        if len(votes) == 1 or rubric.unit != "whole":
            return first
        if positive := next((vote for vote in votes if vote.label == rubric.positive), None):
            return positive
        if rubric.split == "positive_only":
            raise NoVerdict(
                "too_long",
                f"the passages needed {len(votes)} calls, none of which gave {rubric.positive!r} by itself",
                mend="raise max_chars as far as the model's window allows",
            )
        return first

    def _counted(self, items: Sequence[Item], ballots: Sequence[Ballot]) -> Verdict:
        """The verdict of all ballots."""
        rubric = self.rubric
        valid = [ballot for ballot in ballots if ballot.failure is None]
        rows = [row_verdict(rubric, items, {id: vote.label for id, vote in one.votes.items()}) for one in valid]
        votes = {item.id: self._elected(ballots, item) for item in items}
        elected = {id: vote for id, vote in votes.items() if vote is not None}
        if not self._averaged:
            value, label = row_verdict(rubric, items, {id: vote.label for id, vote in elected.items()})
        else:
            known = [value for value, _ in rows if value is not None]
            value = sum(known) / len(known) if known else None
            label = _majority([label for _, label in rows])
            if value is None and label is None and rubric.cut is None:
                raise NoVerdict(
                    "no_majority", "no label has more than half of the votes, and none of those has a value"
                )
        parts = [] if rubric.unit == "whole" else [self._part(item, votes[item.id], valid) for item in items]
        if len(ballots) > 1:
            parts.append(jury_part(ballots, rows, [item.id for item in items]))
        return Verdict(
            value=value,
            label=label,
            probability=self._probability(valid, rows, label),
            rationale=rationale_of(rubric, items, elected) if len(elected) == len(items) else None,
            parts=tuple(parts) or None,
        )

    def _part(self, item: Item, vote: Vote | None, valid: Sequence[Ballot]) -> dict[str, Any]:
        return part_of(self.rubric, item, vote, Counter(one.votes[item.id].label for one in valid))

    @property
    def _averaged(self) -> bool:
        """Whether the mean of all votes counts, be it of their values or of the probabilities that a cut decides on."""
        return self.combine == "mean" or self.rubric.cut is not None

    def _elected(self, ballots: Sequence[Ballot], item: Item) -> Vote | None:
        """The jury's vote on an item. The mean of a jury does without one, but not without a voter."""
        if self._averaged and (failed := next((one.failure for one in ballots if one.failure), None)):
            raise failed
        try:
            return elect(ballots, item.id, self.rubric.positive)
        except NoVerdict:
            if self._averaged:
                return None
            raise

    def _probability(
        self, valid: Sequence[Ballot], rows: Sequence[tuple[float | None, str | None]], label: str | None
    ) -> float | None:
        """How probable the row's positive label is, or `label` where the rubric has no positive one."""
        rubric = self.rubric
        if rubric.unit == "whole":
            wanted = rubric.positive or label
            return probability_of([one.votes[WHOLE.id] for one in valid], wanted) if wanted else None
        if rubric.overall is None or len(rows) < 2:
            return None
        return sum(one == rubric.overall[0] for _, one in rows) / len(rows)

    async def _held_against(
        self, found: Verdict, sample: Sample, response: Response, max_chars: int, log: Log
    ) -> Verdict:
        """The verdict with a part that says whether it was right, by the judge beside."""
        if self.beside is None or response.contexts is None:
            return found
        part: dict[str, Any] = {"kind": "right", "judge": self.beside.rubric.name}
        try:
            other = await self.beside.judged(sample, response, max_chars, log)
        except (ModelFailure, NoVerdict, Skip) as reason:
            part["unknown"] = str(reason).partition("\n")[0]
        else:
            part |= {"verdict": other.label, "reason": other.rationale}
            if found.label is None or other.label is None:
                part["unknown"] = "no majority"
            else:
                part["right"] = (found.label == self.rubric.positive) != (other.label == self.beside.rubric.positive)
        return replace(found, parts=(*(found.parts or ()), part))


@dataclass(frozen=True, slots=True)
class _Row:
    """What all questions about one row share. `evidence` are the texts, by id, that quotes have to be in."""

    fields: Mapping[str, Any]
    evidence: Mapping[str, str]
    log: Log


def _evidence(rubric: Rubric, fields: Mapping[str, Any], passages: Sequence[Item]) -> Mapping[str, str]:
    if rubric.evidence == "contexts":
        return {one.id: one.text for one in passages}
    return {"answer": fields["answer"]} if rubric.evidence == "answer" else {}


def _blocks(rubric: Rubric, question: Question, fields: Mapping[str, Any]) -> list[Block]:
    """The data of one question: the row's fields, then its passages, then what is to be judged."""
    blocks = [block for name in rubric.background if name in fields for block in blocks_of(name, fields[name])]
    blocks += [Block(item_heading("passage", one.id, one.part, one.parts), one.text) for one in question.pieces] or (
        blocks_of("contexts", ()) if "contexts" in fields else []
    )
    if rubric.unit in ("claims", "guidelines"):
        blocks += [Block(item_heading(one.kind, one.id, whose=one.whose), one.text) for one in question.items]
    return blocks


def _whole_vote(rubric: Rubric, reply: Mapping[str, Any], completion: Completion) -> Vote:
    shares = completion.label_probabilities or {}
    return Vote(
        label=reply["verdict"],
        reason=reply.get("rationale"),
        probability=shares.get(rubric.positive or reply["verdict"]),
    )


def _item_vote(rubric: Rubric, said: Mapping[str, Any], texts: Mapping[str, str]) -> Vote:
    quote = (said.get("quote") or "").strip()
    found = find_quote(quote, texts) if quote else None
    return Vote(
        label=said["verdict"],
        reason=said.get("reason"),
        quote=quote or None,
        quoted=found is not None if quote else None,
        found_in=found if rubric.evidence == "contexts" else None,
    )


def _majority(labels: Sequence[str | None]) -> str | None:
    """The label that more than half have."""
    label, most = Counter(labels).most_common(1)[0]
    return label if 2 * most > len(labels) else None
