"""`ringtrue run --plan` at the terminal: read, rehearse, show; nothing is asked and nothing is kept."""

import asyncio
import sys
from contextlib import ExitStack, closing, redirect_stdout

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ringtrue.app.judging import open_judging
from ringtrue.app.planning.estimate import Estimate, Expected, Fit, Share, estimate, estimate_json
from ringtrue.app.planning.rehearsal import stand_in
from ringtrue.app.service import Job, prepare
from ringtrue.app.terminal.console import say, say_mappings
from ringtrue.data.store import Store
from ringtrue.report.json_report import dumps
from ringtrue.report.judging.summary import money_text
from ringtrue.report.plain import count, joined

__all__ = ["plan_session"]

_TITLES = ("scores", "stored", "free", "calls", "tokens in", "out", "cost")


def plan_session(job: Job, *, as_json: bool) -> int:
    """Show what judging would take; the exit code."""
    prepared = prepare(job, judging=open_judging(job.config, job.folder, opened=stand_in))
    say_mappings(prepared.mappings, aside=as_json)
    with ExitStack() as stack:
        stack.callback(prepared.judging.close)
        store = Store.open_as_it_is(job.config.store)
        if store is not None:
            stack.enter_context(closing(store))
        with redirect_stdout(sys.stderr):  # a metric of the user's own may print
            found = asyncio.run(estimate(prepared, store))
    if as_json:
        say(dumps(estimate_json(found), indent=True).decode())
    else:
        _print(found, Console())
    return 0


def _print(found: Estimate, console: Console) -> None:
    recorded, live = found.recorded, found.live
    if recorded.pipelines:
        told = f"Judging the answers of {joined(recorded.pipelines)} would take {_in_words(recorded.total)}."
        _print_share(told, recorded, console)
    if live is not None:
        told = f"Judging the answers that {joined(live.pipelines)} will give may take about {_in_words(live.total)}."
        _print_share(told, live, console)
    if found.budget is not None:
        _say(console, _fit_text(found.budget))
    for note in found.notes:
        _say(console, note)
    _say(console, "Nothing was asked, and nothing was kept.")


def _print_share(told: str, share: Share, console: Console) -> None:
    _say(console, told)
    console.print()
    if not share.judges:
        return
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, show_edge=False, pad_edge=False)
    table.add_column("judge", overflow="fold")
    for title in _TITLES:
        table.add_column(title, justify="right", no_wrap=True)
    for label, one in share.judges.items():
        table.add_row(Text(label), *_figures(one))
    if len(share.judges) > 1:
        table.add_row("total", *_figures(share.total))
    console.print(table)
    console.print()


def _figures(one: Expected) -> list[str]:
    counts = (one.scores, one.stored, one.cached + one.repeated, one.calls, one.input_tokens, one.output_tokens)
    return [*(f"{each:,}" for each in counts), "unknown" if one.cost is None else money_text(one.cost)]


def _in_words(total: Expected) -> str:
    """``12 calls, 3,400 tokens in, 560 out, $0.0012``, and what is free."""
    cost = "cost unknown" if total.cost is None else money_text(total.cost)
    told = f"{count(total.calls, 'call')}, {total.input_tokens:,} tokens in, {total.output_tokens:,} out, {cost}"
    free = [
        *([f"{count(total.stored, 'score')} stored"] if total.stored else []),
        *([f"{count(total.cached, 'question')} with a kept reply"] if total.cached else []),
    ]
    return f"{told} (free: {joined(free)})" if free else told


def _fit_text(fit: Fit) -> str:
    limits = [
        *([f"{fit.max_calls:,} calls"] if fit.max_calls is not None else []),
        *([money_text(fit.max_cost)] if fit.max_cost is not None else []),
    ]
    budget = f"the run's budget of {joined(limits)}"
    match fit.fits:
        case True:
            return f"That is within {budget}."
        case False:
            return f"That is more than {budget}: the run would stop when it is spent, and ringtrue resume would go on."
    return f"Whether that is within {budget} cannot be told."


def _say(console: Console, text: str) -> None:
    console.print(Text(text), soft_wrap=not console.is_terminal)
