"""One model of one endpoint, and a question's way through it: put, sent, read, and put again where that may help."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any

from ringtrue.models.budget import Budget, estimate_tokens
from ringtrue.models.faults import Fault
from ringtrue.models.prices import Price
from ringtrue.models.providers.capabilities import Capabilities, Kind, adapt, next_form, too_long
from ringtrue.models.providers.reading import read_reply
from ringtrue.models.providers.wire import Dialect, How, Reply, Transport
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.structured import has_bounds
from ringtrue.models.throttle import Throttle
from ringtrue.models.types import Completion, FailureKind, ModelFailure, Request, Usage

__all__ = ["Endpoint"]

_ENLARGED = 3  # times that a truncated reply is asked for with twice the budget
_LEAST_BUDGET, _FIRST_BUDGET = 512, 2048  # tokens: the least larger budget, and the first one where none was known


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A ChatModel over any dialect and transport.

    `key` names the endpoint and model in what is shared and learnt, `key_name` the variable that holds the key.
    `address` is the base URL where `id` alone does not say who answers.
    """

    id: str
    key: str
    dialect: Dialect
    transport: Transport
    scheduler: Scheduler
    throttle: Throttle
    capabilities: Capabilities
    budget: Budget
    price: Price | None
    params: Mapping[str, Any] = field(default_factory=dict)
    address: str | None = None
    read_reasoning: bool = False
    key_name: str | None = None

    async def complete(self, request: Request) -> Completion:
        """The reply to `request`; ModelFailure where there is none that can be used."""
        merged = replace(request, params={**self.params, **request.params}) if self.params else request
        return await self.scheduler.run(_Call(self, merged).completion())


class _Call:
    """One question on its way. It counts what all its tries take."""

    _how: How

    def __init__(self, endpoint: Endpoint, request: Request) -> None:
        self._endpoint, self._request = endpoint, request
        shape = "text" if request.schema is None else "bounds" if has_bounds(request.schema) else "schema"
        shape += "+labels" if request.labels else ""
        self._kind: Kind = (endpoint.key, shape, frozenset(request.params))
        guess = estimate_tokens(request)
        self._guess = sum(guess)
        self._guessed_cost = (endpoint.price.cost(*guess) if endpoint.price else None) or 0.0
        self._calls = self._enlarged = self._asked_again = 0
        self._input: int | None = 0
        self._output: int | None = 0
        self._seconds = 0.0
        self._adapted = False

    async def completion(self) -> Completion:
        endpoint, request = self._endpoint, self._request
        capabilities = endpoint.capabilities
        first = not capabilities.knows(self._kind) and await capabilities.go_first(self._kind)
        begun = self._how = capabilities.first_how(self._kind, endpoint.id, endpoint.dialect, request)
        try:
            while True:
                reply = await self._ask()
                if not capabilities.knows(self._kind):
                    capabilities.keep(endpoint.key, self._how, request, adapted=self._adapted)
                    capabilities.found_out(self._kind)
                try:
                    found = read_reply(reply, request, self._how, reasoning=endpoint.read_reasoning)
                except ModelFailure as failure:
                    self._again(failure, reply)
                    continue
                if self._how is not begun or not capabilities.of(endpoint.key).proven:
                    capabilities.keep(endpoint.key, self._how, request, adapted=self._adapted, proven=True)
                return Completion(
                    text=found.text,
                    parsed=found.parsed,
                    finish_reason=reply.finish_reason,
                    usage=self._usage(),
                    model=reply.model or endpoint.id.partition(":")[2],
                    raw=reply.raw,
                    label_probabilities=found.probabilities,
                    label_mass=found.mass,
                )
        finally:
            if first:
                capabilities.give_way(self._kind)

    async def _ask(self) -> Reply:
        """A reply, after the request was put in whatever way the endpoint takes."""
        endpoint = self._endpoint
        while True:
            body = endpoint.dialect.body(self._request, self._how)
            answer = endpoint.throttle.call(partial(self._send, body), tokens=self._guess)
            outcome = await (answer if (left := endpoint.budget.seconds_left) is None else self._in_time(answer, left))
            if isinstance(outcome, Reply):
                return outcome
            known = endpoint.capabilities.knows(self._kind)
            adapted = adapt(self._how, outcome, endpoint.dialect.forms, tuple(self._request.params), known=known)
            if adapted is None:
                raise self._refused(outcome)
            self._adapted = True
            self._how, told = adapted
            if told:
                endpoint.capabilities.note(f"{endpoint.id}: {told}")

    async def _in_time(self, answer: Awaitable[Reply | Fault], left: float) -> Reply | Fault:
        """The answer, unless the seconds that are left of the run's time are over before."""
        try:
            async with asyncio.timeout(left) as limit:
                return await answer
        except TimeoutError:
            if not limit.expired():
                raise
            raise self._failure("budget", self._endpoint.budget.spent or "the run's time is over") from None

    async def _send(self, body: Any, timeout_s: float) -> Reply | Fault:
        """One try: let through by the budget, timed and counted."""
        endpoint = self._endpoint
        try:
            endpoint.budget.admit(self._guessed_cost)
        except ModelFailure as failure:
            raise self._failure(failure.kind, failure.message, mend=failure.mend) from None
        cost: float | None = None
        began = perf_counter()
        try:
            answer = await endpoint.transport.send(body, timeout_s)
            reply = answer if isinstance(answer, Fault) else endpoint.dialect.read(answer)
            if isinstance(reply, Reply):
                cost = self._count(reply)
            elif reply.kind != "timed_out":
                cost = 0.0  # no endpoint charges for a refusal; whether it does for a late reply nobody knows
            return reply
        finally:
            self._seconds += perf_counter() - began
            self._calls += 1
            endpoint.budget.settle(self._guessed_cost, cost)

    def _count(self, reply: Reply) -> float | None:
        """Count a reply's tokens, and give its cost."""
        read, written = reply.input_tokens, reply.output_tokens
        self._input = None if read is None or self._input is None else self._input + read
        self._output = None if written is None or self._output is None else self._output + written
        if read is not None and written is not None:
            self._endpoint.throttle.correct(read + written - self._guess)
        price = self._endpoint.price
        return price.cost(read, written) if price else None

    def _again(self, failure: ModelFailure, reply: Reply) -> None:
        """Prepare to ask again after a reply that cannot be used, or raise its failure with what it took."""
        how, endpoint = self._how, self._endpoint
        if failure.kind == "truncated" and self._enlarged < _ENLARGED:
            self._enlarged += 1
            self._how = replace(how, max_tokens=self._larger_budget(reply))
            return
        lower = next_form(how.form, endpoint.dialect.forms)
        if failure.kind == "unparsed" and lower and not endpoint.capabilities.of(endpoint.key).proven:
            self._how = replace(how, form=lower)  # perhaps the endpoint passes over the asked shape
            return
        once_more = self._asked_again < endpoint.throttle.limits.asks_again
        if failure.kind in ("unparsed", "bad_label", "empty") and once_more:
            self._asked_again += 1
            return
        raise self._failure(failure.kind, failure.message, raw=failure.raw)

    def _larger_budget(self, reply: Reply) -> int:
        """Twice the budget that did not do."""
        params = self._request.params
        sent = self._how.max_tokens or params.get("max_tokens") or params.get("max_completion_tokens")
        used = sent if isinstance(sent, int) else reply.output_tokens
        return max(2 * used, _LEAST_BUDGET) if used else _FIRST_BUDGET

    def _usage(self) -> Usage:
        price = self._endpoint.price
        return Usage(
            input_tokens=self._input,
            output_tokens=self._output,
            calls=self._calls,
            cost=price.cost(self._input, self._output) if price else None,
            latency_s=self._seconds,
        )

    def _refused(self, fault: Fault) -> ModelFailure:
        """The failure that a Fault is in the end; a larger budget that is too large leaves the reply truncated."""
        kind: FailureKind = "truncated" if self._enlarged and fault.kind == "bad_request" else fault.kind
        mend = None
        if kind == "auth" and self._endpoint.key_name:
            mend = f"is the key in {self._endpoint.key_name} right, and may it use this model?"
        elif fault.status == 404:
            mend = "are the model's name and the base URL right?"
        elif kind == "bad_request" and too_long(fault):
            mend = "show fewer characters of passages at once (max_chars), or use a model with a larger window"
        return self._failure(kind, fault.message, raw=fault.body or None, mend=mend)

    def _failure(
        self, kind: FailureKind, message: str, *, raw: str | None = None, mend: str | None = None
    ) -> ModelFailure:
        return ModelFailure(kind, f"{self._endpoint.id}: {message}", raw=raw, usage=self._usage(), mend=mend)
