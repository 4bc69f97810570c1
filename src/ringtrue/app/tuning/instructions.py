"""Instructions that DSPy's COPRO has a model propose, each tried as a rubric of ours on labelled rows.

DSPy writes and ranks; the judging is an ordinary run, and its model is ours, so that caching, throttling and budgets
hold for every call. COPRO: Khattab et al. 2023, arXiv:2310.03714 (its ancestor OPRO: Yang et al. 2023,
arXiv:2309.03409).
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.app.agreeing.service import OWN
from ringtrue.app.tuning.bench import Bench, kappa_on, verdicts_on
from ringtrue.errors import MissingExtraError, RingtrueError
from ringtrue.judges.rubric import PLACEHOLDER, Rubric
from ringtrue.models.types import ChatModel, Message, ModelFailure, Request
from ringtrue.report.agreement.candidates import Person

__all__ = ["Proposed", "propose", "text_of", "with_text"]

_ROUNDS = 2
_TEMPERATURE = 1.0  # of the proposals, which are to differ; some endpoints take no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """The best rubric of `tried` proposals, ``None`` where none is better; and kappa on the rows they were tried on."""

    rubric: Rubric | None
    tried: int
    before: float
    after: float


async def propose(bench: Bench, rubric: Rubric, rows: Sequence[Person], *, trials: int) -> Proposed:
    """Have about `trials` instructions proposed, and choose by agreement on `rows`. Raises MissingExtraError."""
    dspy = _dspy()
    judging = bench.judging()
    judging.use(bench.store.replies)
    trial = _Trial(bench, rubric, rows, judging.model(OWN), asyncio.get_running_loop())
    try:
        best = await asyncio.to_thread(_compiled, dspy, trial, max(2, trials // _ROUNDS))
    except asyncio.CancelledError:
        trial.failure = bench.stopped()  # its thread ends at the next question
        raise
    finally:
        judging.close()
    if trial.failure is not None:
        raise trial.failure
    own = text_of(rubric)
    for text in (own, best):
        if text not in trial.kappas:  # DSPy may have trimmed it
            await trial.judge(text)
    before, after = trial.kappas[own], trial.kappas[best]
    better = with_text(rubric, best) if after > before else None
    return Proposed(rubric=better, tried=len(trial.kappas) - 1, before=before, after=after)


def text_of(rubric: Rubric) -> str:
    """Task and criteria as one text, which `with_text` takes apart again."""
    return "\n".join([rubric.task.strip(), *(f"- {' '.join(one.split())}" for one in rubric.criteria)])


def with_text(rubric: Rubric, text: str) -> Rubric:
    """The rubric with the task and the criteria (its lines that begin with a dash) of `text`.

    Braces around what the rubric is not shown are plain braces.
    """
    lines = [line.strip() for line in PLACEHOLDER.sub(lambda found: _plain(found, rubric), text).splitlines()]
    criteria = tuple(line[1:].strip() for line in lines if line.startswith(("-", "*", "•")) and line[1:].strip())
    task = " ".join(line for line in lines if line and not line.startswith(("-", "*", "•")))
    return replace(rubric, task=task or rubric.task, criteria=criteria)


def _plain(found: Any, rubric: Rubric) -> str:
    known = found["plain"] or (found["double"] or found["name"]) in rubric.fields
    return str(found[0]) if known else f"\\{found[0]}"


class _Trial:
    """What DSPy's thread asks for: verdicts by an instruction, and replies of the model. Both come from our loop.

    The first failure ends everything; DSPy would count it as a wrong verdict.
    """

    def __init__(
        self,
        bench: Bench,
        rubric: Rubric,
        rows: Sequence[Person],
        model: ChatModel,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.bench, self.rubric, self.rows, self.model, self._loop = bench, rubric, rows, model, loop
        self.kappas: dict[str, float] = {}
        self.failure: RingtrueError | None = None
        self._verdicts: dict[str, Mapping[str, str | None]] = {}
        self._replies = 0

    def verdict(self, text: str, id: str) -> str | None:
        """The label of a row by these instructions. All rows are judged when the first is asked for."""
        if self.failure is None and text not in self._verdicts:
            try:
                asyncio.run_coroutine_threadsafe(self.judge(text), self._loop).result()
            except RingtrueError as failure:
                self.failure = failure
        return self._verdicts.get(text, {}).get(id)

    def reply(self, messages: Sequence[Message], params: Mapping[str, Any]) -> str:
        """What the model says. Each call counts as another repeat: the same question is to bring another proposal."""
        if self.failure is not None:
            raise self.failure
        request = Request(messages=tuple(messages), params=params, repeat=self._replies)
        self._replies += 1
        try:
            return asyncio.run_coroutine_threadsafe(self.model.complete(request), self._loop).result().text
        except ModelFailure as failure:
            self.failure = self.bench.stopped() if failure.kind == "budget" else failure
            raise

    async def judge(self, text: str) -> None:
        """Have all rows judged by these instructions; the rubric's own stand for the rubric as it is."""
        own = text == text_of(self.rubric)
        rubric = self.rubric if own else with_text(self.rubric, text)
        found = (await self.bench.tried({"proposal": rubric}, self.rows))["proposal"]
        verdicts = verdicts_on(found, self.rows, self.bench.labels)
        self._verdicts[text] = {row.id: said for row, said in zip(self.rows, verdicts, strict=True)}
        self.kappas[text] = kappa_on(found, self.rows, self.bench.labels)


def _compiled(dspy: Any, trial: _Trial, breadth: int) -> str:
    """The best instructions that COPRO finds. Runs in a thread of its own."""

    class Program(dspy.Module):  # type: ignore[misc]
        """One predictor, whose instructions COPRO changes; the verdict is that of our judge by them."""

        def __init__(self) -> None:
            super().__init__()
            self.judge = dspy.Predict(dspy.Signature("row -> verdict", text_of(trial.rubric)))

        def forward(self, row: str) -> Any:
            return dspy.Prediction(verdict=trial.verdict(self.judge.signature.instructions, row))

    def agrees(example: Any, prediction: Any, *_: Any) -> float:
        return float(example.verdict == prediction.verdict)

    class Engine:
        """Our model, as DSPy calls one."""

        def complete(self, request: Any) -> Any:
            text = trial.reply(_messages(request), {"temperature": _TEMPERATURE})
            return dspy.lm15.Response(
                id=None,
                model=trial.model.id,
                message=dspy.lm15.Message.assistant(text),
                finish_reason="stop",
                usage=dspy.lm15.Usage(),
            )

    lm = dspy.LM(trial.model.id, engine=Engine(), cache=False, num_retries=0)
    rows = [dspy.Example(row=one.id, verdict=one.label).with_inputs("row") for one in trial.rows]
    search = dspy.COPRO(metric=agrees, breadth=breadth, depth=_ROUNDS, init_temperature=_TEMPERATURE)
    told = logging.getLogger("dspy")
    level = told.level
    told.setLevel(logging.WARNING)
    try:
        with dspy.context(lm=lm):
            best = search.compile(Program(), trainset=rows, eval_kwargs={"num_threads": 1, "display_progress": False})
    except dspy.utils.exceptions.DSPyError as error:
        raise trial.failure or _could_not(error) from error
    finally:
        told.setLevel(level)
    return str(best.judge.signature.instructions)


def _could_not(error: Exception) -> RingtrueError:
    return RingtrueError(
        f"DSPy could not go on: {error}",
        mend="proposals need a model that keeps to a form; take a larger one, or tune by examples: --by examples",
    )


def _messages(request: Any) -> list[Message]:
    """DSPy's request in our messages: the system's text, then what was said in turn."""
    system = request.system
    texts = [system] if isinstance(system, str) else [part.text for part in system or ()]
    said = [Message("system", text) for text in texts]
    return said + [
        Message("assistant" if one.role == "assistant" else "user", "\n".join(_texts(one))) for one in request.messages
    ]


def _texts(message: Any) -> list[str]:
    return [part.text for part in message.parts if hasattr(part, "text")]


def _dspy() -> Any:
    try:
        import dspy
    except ImportError as error:
        raise MissingExtraError("tuning by instructions", "optimize") from error
    return dspy
