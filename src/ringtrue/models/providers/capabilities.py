"""What each endpoint and model was found to take: learnt from its refusals, by use, and kept for the next call."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ringtrue.models.faults import Fault
from ringtrue.models.providers.wire import Dialect, Form, How
from ringtrue.models.structured import has_bounds
from ringtrue.models.types import Request

__all__ = ["Capabilities", "Kind", "Learnt", "adapt", "too_long"]

# What endpoints say of a parameter that they do not have. A wrong value ("must be at most 2") is the user's to mend.
_UNSUPPORTED = re.compile(
    r"unsupported|not (?:yet )?support|n['’]t support|not (?:permitted|allowed|available)"
    r"|un(?:recognized|known|expected)|deprecated|extra inputs|extra_forbidden|only the default"
    r"|no longer|not a valid (?:parameter|argument)|removed",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window|size)|too (?:long|many tokens)|maximum.{0,20}tokens", re.IGNORECASE
)
_FORM_WORDS = {
    "schema": re.compile(
        r"response_?format|json_?schema|output_?(?:config|format)|textFormat|structured|grammar|schema", re.I
    ),
    "tool": re.compile(r"tool|function", re.I),
    "object": re.compile(r"response_?format|json_?(?:object|mode)", re.I),
}
_FORM_NAMES = {"tool": "a forced tool call", "object": "JSON mode", "prompt": "the prompt alone"}
_BUDGETS = ("max_tokens", "max_completion_tokens")
_REFUSING = frozenset({400, 404, 405, 415, 422, 500, 501})
_LESS_LOGPROBS = {20: 5, 5: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What is known of one endpoint and model.

    `form` is the surest one that it takes, `proven` where a reply had the asked shape; `max_tokens` is a budget that
    did. `bounds` says whether a schema may have them.
    """

    form: Form | None = None
    proven: bool = False
    left_out: frozenset[str] = frozenset()
    budget_name: str = "max_tokens"
    max_tokens: int | None = None
    top_logprobs: int | None = None
    bounds: bool = True


_NOTHING = Learnt()

# Calls that meet the same refusals: an endpoint and model, the shape asked for, and the parameters' names.
Kind: TypeAlias = tuple[str, str, frozenset[str]]


class Capabilities:
    """What was learnt, by endpoint and model. Used from the scheduler's loop only; `notes` may be read anywhere."""

    def __init__(self) -> None:
        self._learnt: dict[str, Learnt] = {}
        self._known: set[Kind] = set()
        self._first: dict[Kind, asyncio.Event] = {}
        self._ways: dict[Kind, How] = {}  # to begin with, after all that is known
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know: parameters that were left out, looser ways to ask for JSON."""
        return tuple(self._notes)

    def note(self, text: str) -> None:
        """Tell a person, once."""
        self._notes.setdefault(text)

    def of(self, endpoint: str) -> Learnt:
        """What is known of an endpoint and model."""
        return self._learnt.get(endpoint, _NOTHING)

    def first_how(self, kind: Kind, model_id: str, dialect: Dialect, request: Request) -> How:
        """The way to put a request of this kind at first, after all that is known."""
        if (found := self._ways.get(kind)) is None:
            found = self._ways[kind] = self._first_how(kind[0], model_id, dialect, request)
        return found

    def _first_how(self, endpoint: str, model_id: str, dialect: Dialect, request: Request) -> How:
        learnt = self.of(endpoint)
        never = dialect.never.intersection(request.params)
        for name in sorted(never) if never else ():
            self.note(f"{model_id}: {name} is not supported and is left out")
        offered = dialect.top_logprobs if learnt.top_logprobs is None else learnt.top_logprobs
        shaped = request.schema is not None
        return How(
            form=(learnt.form or dialect.forms[0]) if shaped else "text",
            left_out=learnt.left_out | never,
            budget_name=learnt.budget_name,
            max_tokens=learnt.max_tokens if shaped else None,
            top_logprobs=offered if request.labels else 0,
            bounds=dialect.bounds and learnt.bounds and request.schema is not None and has_bounds(request.schema),
        )

    def keep(self, endpoint: str, how: How, request: Request, *, adapted: bool, proven: bool = False) -> None:
        """Keep a way that the endpoint took; `proven` where its reply had the asked shape, `adapted` after a refusal.

        A looser form that was tried without a refusal does not take the place of one that is proven.
        """
        learnt = self.of(endpoint)
        found = replace(learnt, left_out=learnt.left_out | how.left_out, budget_name=how.budget_name)
        if request.schema is not None:
            found = replace(
                found,
                form=learnt.form if learnt.proven and not adapted else how.form,
                proven=learnt.proven or proven,
                max_tokens=max(how.max_tokens or 0, learnt.max_tokens or 0) or None,
                bounds=learnt.bounds and (how.bounds or not has_bounds(request.schema)),
            )
        if request.labels:
            found = replace(found, top_logprobs=how.top_logprobs)
        self._learnt[endpoint] = found
        self._ways.clear()

    def knows(self, kind: Kind) -> bool:
        """Whether the endpoint answered such a call before."""
        return kind in self._known

    async def go_first(self, kind: Kind) -> bool:
        """Whether this call is to find out for its kind; the others wait, so that refusals are not met in masses.

        Where it fails, those that waited go on together: an endpoint that does not answer holds nobody up for long.
        """
        if kind in self._known:
            return False
        if (first := self._first.get(kind)) is not None:
            await first.wait()
            return False
        self._first[kind] = asyncio.Event()
        return True

    def found_out(self, kind: Kind) -> None:
        """The endpoint answered such a call."""
        self._known.add(kind)
        self.give_way(kind)

    def give_way(self, kind: Kind) -> None:
        """Let those go on that wait for the first call."""
        if (first := self._first.pop(kind, None)) is not None:
            first.set()


def adapt(
    how: How, fault: Fault, forms: Sequence[Form], params: Sequence[str], *, known: bool
) -> tuple[How, str] | None:
    """Another way to put a request that was refused, with what to tell of it; ``None`` where the request itself is off.

    `params` are the user's. Where the endpoint took this kind of request before (`known`), a refusal that names nothing
    is about this one request.
    """
    if fault.status not in _REFUSING or fault.kind not in ("bad_request", "transport"):
        return None
    said = f"{fault.param or ''} {fault.body or fault.message}"
    unsupported = _UNSUPPORTED.search(said) is not None
    if unsupported and (renamed := _other_budget(how, fault, said)):
        return replace(how, budget_name=renamed), f"{how.budget_name} is sent as {renamed}"
    if how.top_logprobs and "logprobs" in said:
        fewer = _LESS_LOGPROBS.get(how.top_logprobs, 0)
        return replace(how, top_logprobs=fewer), "token probabilities are not offered" if not fewer else ""
    for name in params:
        if unsupported and name not in how.left_out and _names(said, name, fault.param):
            return replace(how, left_out=how.left_out | {name}), f"{name} is not supported and is left out"
    named = how.form in _FORM_WORDS and _FORM_WORDS[how.form].search(said) is not None
    if too_long(fault) and not named:
        return None
    if not (named or (fault.kind == "bad_request" and not known)):
        return None
    if how.bounds:
        return replace(how, bounds=False), ""  # strict endpoints take none, and need none
    if (lower := next_form(how.form, forms)) is None:
        return None
    return replace(how, form=lower), f"JSON is asked for by {_FORM_NAMES[lower]}"


def too_long(fault: Fault) -> bool:
    """Whether an endpoint refused a prompt since it does not fit into the model's window."""
    return _TOO_LONG.search(f"{fault.body} {fault.message}") is not None


def next_form(form: Form, forms: Sequence[Form]) -> Form | None:
    """The next looser way to ask for a shape."""
    later = list(forms)[list(forms).index(form) + 1 :] if form in forms else []
    return later[0] if later else None


def _other_budget(how: How, fault: Fault, said: str) -> str | None:
    """The other name of the token budget, where the endpoint refuses the one in use."""
    other = _BUDGETS[how.budget_name == _BUDGETS[0]]
    refused = fault.param == how.budget_name or re.search(rf"(?<!\w){how.budget_name}\b", said)
    return other if refused and re.search(rf"\b{other}\b", said) else None


def _names(said: str, name: str, param: str | None) -> bool:
    """Whether a refusal is about the parameter, in either spelling (``top_p``, ``topP``)."""
    if param is not None:
        return param == name
    spelled = re.escape(name).replace("_", "_?")
    return re.search(rf"(?i)(?<![a-z0-9_]){spelled}(?![a-z0-9_])", said) is not None
