"""What the local judges take of a row: its claims, the words for them, and whether it declines to answer."""

import regex

from ringtrue.judges.items import Item
from ringtrue.judges.prompts.shape import id_of
from ringtrue.text.words import sentences, words

__all__ = ["claims_of", "declines", "evidence_in"]

_FEW = 4  # sentences; the last of a longer answer is an offer of more help, or a caveat
_BARE = 2  # words; a shorter sentence is a heading or an aside, where others stand beside it

# Phrases by which an application says that it has no answer, in the form that `_plain` gives them. Each is about the
# speaker, the text, or the answer itself, so that "he could not find the way home" is none.
_FIND = "(?:know|have|find|answer|determine|tell|say|provide|locate|see|recall|give|help|confirm|verify|identify)"
_HOLD = "(?:say|mention|contain|provide|specify|state|include|answer|indicate|give|have|offer|cover|discuss)"
_HELD = "(?:answered|determined|found|inferred|mentioned|specified|stated|provided|given|included|available)"
_TEXT = (
    r"(?:the|this|these|my|provided|given) (?:\w+ ){0,2}(?:contexts?|texts?|passages?|documents?|articles?|sources?)"
)
_WHAT = r"(?:\w+ )?(?:information|data|mention|answers?|evidence|details?)"
_ADVERB = r"(?:\w+ly )?"
_DECLINES = regex.compile(
    "|".join(
        (
            rf"\b(?:i|we) {_ADVERB}(?:do|did|can|could|will) not {_ADVERB}{_FIND}\b",
            rf"\b(?:i|we) (?:am|are|was|were) {_ADVERB}(?:not able|unable) to {_FIND}\b",
            r"\b(?:i|we) (?:am|are) (?:\w+ )?sorry but (?:i|we)\b",
            r"\bi am (?:not (?:sure|certain)|unsure)\b",
            rf"\b(?:there is|i have|we have) (?:no|not enough|insufficient) {_WHAT}\b",
            rf"\bno {_WHAT} (?:(?:is|are|was|were|could be|can be) {_HELD}|about|on|available|found|provided)\b",
            rf"\b{_TEXT} (?:\w+ ){{0,3}}?(?:does|do|did) not (?:\w+ )?{_HOLD}\b",
            rf"\b(?:is|are|was|were) not {_HELD} in {_TEXT}\b",
            rf"\b(?:can|could) not be {_HELD}\b",
            r"\bas an ai(?: language)?(?: model| assistant)? i\b",
            r"\bit is (?:not possible|impossible) to (?:answer|say|tell|determine|know)\b",
            r"\bunanswerable\b",
        )
    )
)
_MORE = regex.compile(r"\b(?:more|other|further|additional|exact|else)\b")
_ALL_THE_SAME = regex.compile(r"(?:however|but|that said|nevertheless|still|based on what|as of) (?:\w+ ){4}")
_ONLY_DECLINES = regex.compile(
    r"unknown|na|n a|none|no answer|no idea|idk|unsure|unclear|sorry"
    r"|not (?:known|available|specified|mentioned|provided|enough information)|i do not know"
)
# What is said for politeness and claims nothing.
_POLITE = regex.compile(
    r"(?:sure|certainly|of course|great question|good question|hello|hi|thanks?|thank you|you are welcome)\b.{0,60}"
    r"|(?:i )?hope (?:this|that|it) helps.{0,40}|let me know if.*|(?:please )?feel free to.*|is there anything else.*"
    r"|here (?:is|are) (?:the|an?|your|what|some).{0,80}"
    r"|based on the (?:\w+ )?(?:contexts?|passages?|information|documents?|sources?)(?: provided| given)?"
)
_SAME = (("’", "'"), ("n't", " not"), ("cannot", "can not"), ("'m ", " am "), ("'re ", " are "), ("'s ", " is "))
_UNSAID = regex.compile(r"[^\p{L}\p{N}]+")


def _plain(text: str) -> str:
    """The text in lower case without contractions and punctuation: "I can’t say." is "i can not say"."""
    text = text.casefold()
    for written, meant in _SAME:
        text = text.replace(written, meant)
    return _UNSAID.sub(" ", text.replace("ca not", "can not").replace("wo not", "will not")).strip()


def declines(answer: str) -> bool:
    """Whether the answer says that it has none, in its first sentence, or at the end of a short one."""
    if _ONLY_DECLINES.fullmatch(_plain(answer)):
        return True
    said = [_plain(one) for one in sentences(answer)]
    if any(_ALL_THE_SAME.match(one) and not _claims_nothing(one) for one in said[1:]):
        return False
    last = [one for one in said[-1:] if len(said) < _FEW and not _MORE.search(one)]
    return any(_DECLINES.search(one) for one in (*said[:1], *last))


def claims_of(text: str, *, group: int = 1, first: int = 1) -> list[Item]:
    """The sentences of a text that claim something, as items numbered from `first`."""
    said = [one.strip(" -*•\t") for one in sentences(text)]
    said = [one for one in said if words(one) and not _claims_nothing(_plain(one))]
    long = [one for one in said if len(words(one)) > _BARE]
    return [
        Item(id=id_of("claims", place), kind="claim", text=one, source=one, in_source=True, group=group)
        for place, one in enumerate(long or said, first)
    ]


def _claims_nothing(sentence: str) -> bool:
    return _POLITE.fullmatch(sentence) is not None or _DECLINES.search(sentence) is not None


def evidence_in(text: str, claim: str) -> str | None:
    """The sentence of the text that shares most words with the claim; ``None`` where none shares one."""
    wanted = set(words(claim))
    best = max(sentences(text), key=lambda one: len(wanted & set(words(one))) / (8 + len(words(one))), default=None)
    return best.strip() if best and wanted & set(words(best)) else None
