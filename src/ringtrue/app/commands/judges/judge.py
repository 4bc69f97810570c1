"""`ringtrue judge`: the judges, their prompts, one of them at work, and one tuned to people."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from ringtrue.app.commands.options import AsJson, JudgeBaseUrl
from ringtrue.app.commands.people.tune import tune_judge
from ringtrue.app.config import JudgeConfig, ModelConfig, parse_config
from ringtrue.app.judging import open_judging
from ringtrue.app.terminal.console import say
from ringtrue.catalogue import Metric, MetricUse, catalogue, find_metric
from ringtrue.data.load import dataset_of
from ringtrue.engine.plan import Call
from ringtrue.engine.runner import score_async
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.judges.loading import rubric_text
from ringtrue.judges.local.catalogue import LOCAL, has_local
from ringtrue.pipelines.replies import response_from
from ringtrue.types import Answered, Score

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A judge, or a rubric file of your own.")]
Text = Annotated[str | None, typer.Option(metavar="TEXT")]


@app.callback()
def judge() -> None:
    """List judges, show one, try one on a question and an answer, or tune one to people's labels.

    A judge is a rubric and a language model, or `local`: networks and rules on this machine, for some. The model is
    named as PROVIDER:MODEL: openai:gpt-4o-mini, anthropic:…, openai-compatible:NAME with a base URL (vLLM, Ollama,
    llama.cpp, LM Studio …), gguf:FILE, python:module:function.
    """


@app.command("list")
def list_() -> None:
    """List the judges."""
    judges = [one for one in catalogue().values() if one.kind == "judge"]
    width = max(len(one.name) for one in judges)
    for one in judges:
        say(f"{one.name:<{width}}  {'local' if has_local(one.name) else '     '}  {one.summary}")
    say("\nlocal: judged on this machine where no model is named, by networks and rules; all by a model.")


@app.command()
def show(name: Name) -> None:
    """Show a judge's rubric, as the file that a judge of your own may begin from."""
    say(rubric_text(_judge(name).name) if not _is_file(name) else Path(name).read_text(encoding="utf-8"))


@app.command("try")
def try_(
    name: Name,
    question: Text = None,
    answer: Text = None,
    context: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="A retrieved passage. Repeatable.")] = None,
    reference: Text = None,
    facts: Text = None,
    model: Annotated[str | None, typer.Option(metavar="PROVIDER:MODEL", help="Who judges; default local.")] = None,
    base_url: JudgeBaseUrl = None,
    json: AsJson = False,
) -> None:
    """Ask a judge about one answer, and print what it was asked, what it replied and what it decided."""
    if model is None and (_is_file(name) or not has_local(_judge(name).name)):
        raise UsageError("no model is named", mend="name it: --model PROVIDER:MODEL")
    given = {"question": question, "reference": reference, "facts": facts}
    row = {key: value for key, value in given.items() if value is not None}
    if not row:
        raise UsageError("nothing to judge", mend="give --question and --answer, and what else the judge needs")
    own = ModelConfig(model=model, base_url=base_url) if model and model != LOCAL else None
    score = _asked(name, row, {"answer": answer, "contexts": context}, own)
    if json:
        say(orjson.dumps(_record(score), option=orjson.OPT_INDENT_2).decode())
        return
    for exchange in score.exchanges or ():
        for message in exchange["messages"]:
            say(f"--- {message['role']}\n{message['content']}\n")
        say(f"--- reply of {exchange['model']}\n{exchange.get('reply')}\n")
    said = score.label if score.label is not None else score.value if score.value is not None else score.status
    say(f"{score.metric}: {said}" + (f" ({score.error})" if score.error else ""))
    if score.rationale:
        say(f"because: {score.rationale}")
    for part in score.parts or ():
        say(f"  {orjson.dumps(part).decode()}")


app.command("tune")(tune_judge)


def _asked(name: str, row: dict[str, Any], answer: dict[str, Any], model: ModelConfig | None) -> Score:
    config = parse_config({"dataset": "none"}, in_use=False)
    own = JudgeConfig(rubric=str(Path(name).resolve())) if _is_file(name) else None
    models = {"judge": model} if model else {}
    config = config.model_copy(update={"models": models, "judges": [own] if own else []})
    judging = open_judging(config, Path())
    try:
        (use,) = judging.bind([] if own else [_judge(name).bind()])
        (sample,) = dataset_of([row]).dataset
        answered = Answered(pipeline="try", sample_id=sample.id, repeat=0, response=response_from(answer))
        return asyncio.run(_score(use, sample, answered))
    finally:
        judging.close()


async def _score(use: MetricUse, sample: Any, answered: Answered) -> Score:
    return await score_async(sample, answered, Call.of(use.metric.name, use))


def _judge(name: str) -> Metric:
    found = find_metric(name)
    if found.kind != "judge":
        raise UnknownNameError("judge", name, [one.name for one in catalogue().values() if one.kind == "judge"])
    return found


def _is_file(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _record(score: Score) -> dict[str, Any]:
    fields = ("metric", "status", "value", "label", "probability", "rationale", "parts", "usage", "exchanges", "error")
    return {name: getattr(score, name) for name in (*fields, "signature")}
