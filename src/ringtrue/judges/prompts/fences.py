"""Fences around data, so that no text of an application or dataset can pass for a part of the prompt.

Each text stands between ``<data-CODE>`` and ``</data-CODE>``. The code is made of the texts themselves, so that equal
calls stay equal, and it is in none of them. Inside a text, what looks like a tag, a control token or a speaker's mark
has a "·" put into it; nothing else is changed, and no text is rendered a second time.
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import count

__all__ = ["MARK", "fence", "fence_code", "neutralise"]

MARK = "·"

_CODE_BYTES = 6
_ROLES = "system|assistant|user|human|developer|tool|judge|evaluator"
_PARTS = (
    "data|question|answer|response|reference|facts?|contexts?|passages?|documents?|claims?|guidelines?|instructions?|prompt"
    "|rubric|criteria|task|verdicts?|labels?|examples?|conversation|message"
)
# What chat templates, tools and thinking are marked with.
_CONTROLS = (
    r"s|bos|eos|pad|unk|sys|inst|think(?:ing)?|(?:start|end)_of_turn|begin_of_text|end_?of_?text|turn"
    r"|(?:tool|function)_?(?:calls?|results?|response|outputs?)"
)
_OPENING = re.compile("[<＜﹤‹〈⟨《[［【]")  # what _TAG begins with
_GAP = r"[\s\u00ad\u200b-\u200f\u2060\ufeff]*+"
_TAG = re.compile(
    rf"[<＜﹤‹〈⟨《]{_GAP}(?:[|｜]|[/／⁄∕]?{_GAP}(?:{_ROLES}|{_PARTS}|{_CONTROLS})(?![^\W_]))"
    rf"|[\[［【]{_GAP}[/／]?{_GAP}(?:{_ROLES}|{_CONTROLS}|system[_ ]prompt|available_tools|end[_ ]of[_ ]\w+)"
    rf"{_GAP}[\]］】]",
    re.IGNORECASE,
)
# A line that speaks as someone ("System:", "### Assistant:", "**User**:"), in the languages that are seen most.
_SPEAKER = re.compile(
    rf"^(?:[ \t>#*_=\-|]*+(?:{_ROLES}|sistema|système|systeme|система|النظام|系统|系統|システム|시스템)"
    r"(?:[ _](?:prompt|message|note|notice|override|instructions?|role))?"
    r"|[ \t>*_]*+#++[ ]*+(?:instructions?|response|input))[ \t*_\]]*+[:：]",
    re.IGNORECASE | re.MULTILINE,
)


def neutralise(text: str) -> str:
    """`text` with a "·" inside whatever looks like a tag, a control token or a speaker's mark."""
    if _OPENING.search(text):  # nearly no text has one, and to look for a whole tag takes long
        text = _TAG.sub(lambda found: found[0][0] + MARK + found[0][1:], text)
    if ":" in text or "：" in text:
        text = _SPEAKER.sub(lambda found: found[0][:-1] + MARK + found[0][-1], text)
    return text


def fence_code(texts: Sequence[str]) -> str:
    """A code that is in none of `texts`, in hexadecimal; equal texts have an equal one."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    content = b"".join([b"%d:%b" % (len(raw), raw) for raw in encoded])
    folded = "\n".join(texts).casefold()
    return next(code for code in _codes(content) if code not in folded)


def fence(text: str, code: str) -> str:
    """`text` between its two lines; it has been neutralised before."""
    return f"<data-{code}>\n{text}\n</data-{code}>"


def _codes(content: bytes) -> Iterable[str]:
    for attempt in count():
        yield blake2b(content, digest_size=_CODE_BYTES, salt=b"%d" % attempt).hexdigest()
