"""Texts taken apart into claims: a golden answer once, whoever is judged by it, and an answer before it is judged."""

from collections.abc import Sequence
from functools import cache

from ringtrue.data.facts import terms
from ringtrue.errors import Skip
from ringtrue.judges.asking import Log, Place, Voter, together
from ringtrue.judges.evidence import is_quoted
from ringtrue.judges.items import Item
from ringtrue.judges.loading import plain_rubric, prompt_file
from ringtrue.judges.marked_yaml import read_marked
from ringtrue.judges.prompts.render import Prompt, blocks_of, fact_text, prompt_of
from ringtrue.judges.prompts.shape import CLAIMS, id_of
from ringtrue.types import Facts

__all__ = ["claims_in", "listed_claims", "told_apart"]


async def claims_in(
    texts: Sequence[str], question: str | None, log: Log, voter: Voter, *, step: int = 0
) -> tuple[Item, ...]:
    """The claims of each text, asked for one by one; their `group` is the place of the text, from 1.

    Each text with its question is a request of its own, so that the models' cache keeps it for every answer that is
    judged by it. Raises ModelFailure, or Skip where no text makes a claim.
    """
    found = await together([_claims(text, question, log, voter, (step, 0, place)) for place, text in enumerate(texts)])
    if not any(found):
        raise Skip("no claim that could be checked")
    items = [(group, claim) for group, claims in enumerate(found, 1) for claim in claims]
    return tuple(
        Item(
            id=id_of("claims", place),
            kind="claim",
            text=claim["claim"],
            source=claim["source"],
            in_source=is_quoted(claim["source"], texts[group - 1]),
            required=claim["kind"] == "essential",
            group=group,
        )
        for place, (group, claim) in enumerate(items, 1)
    )


def told_apart(claims: Sequence[Item]) -> tuple[Item, ...]:
    """Claims of which group 1 is the answer's and the others are the golden answers', each marked with its side."""
    return tuple(one._replace(whose="answer" if one.group == 1 else "reference") for one in claims)


def listed_claims(facts: Facts) -> tuple[Item, ...]:
    """The golden facts that are all needed, as claims; nothing has to be asked for them."""
    texts = [fact_text(term) for term in terms(facts.tree)]
    return tuple(
        Item(id=id_of("claims", place), kind="claim", text=text, source=text) for place, text in enumerate(texts, 1)
    )


async def _claims(text: str, question: str | None, log: Log, voter: Voter, place: Place) -> list[dict[str, str]]:
    blocks = [*(blocks_of("question", question) if question else ()), *blocks_of("text", text)]
    reply, _ = await log.ask(voter, _prompt().messages(blocks), CLAIMS, about="claims", place=place)
    return [one for one in reply["claims"] if one["claim"].strip()]


@cache
def _prompt() -> Prompt:
    rubric = plain_rubric(read_marked(prompt_file("claims.yaml").read_text(encoding="utf-8"), "claims.yaml")[0])
    return prompt_of(rubric, ask="claims")
