"""`ringtrue metrics`: the catalogue."""

from typing import Annotated, Any

import orjson
import typer

from ringtrue.app.commands.options import AsJson
from ringtrue.catalogue import Metric, catalogue, find_metric

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def metrics(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Explain this one.")] = None, json: AsJson = False
) -> None:
    """List the metrics, or explain one."""
    shown = [find_metric(name)] if name else list(catalogue().values())
    if json:
        records = [_record(one) for one in shown]
        typer.echo(orjson.dumps(records[0] if name else records, option=orjson.OPT_INDENT_2).decode())
    elif name:
        typer.echo(_explained(shown[0]))
    else:
        width = max(len(one.name) for one in shown)
        for one in shown:
            typer.echo(f"{one.name:<{width}}  {one.summary}")


def _explained(metric: Metric) -> str:
    lines = [metric.name, "", metric.doc, ""]
    facts = {
        "needs": ", ".join(metric.needs) or "nothing",
        "range": _range(metric),
        "better": metric.better or "neither way",
        "source": metric.source,
        "signature": metric.bind().signature,
    }
    lines += [f"{key + ':':<11}{value}" for key, value in facts.items()]
    if metric.params:
        lines += ["", "parameters:"]
        for param in metric.params:
            choices = f" (known: {', '.join(map(str, param.choices))})" if param.choices else ""
            lines.append(f"  {param.name} = {param.default}{choices}")
        lines += ["", f"  --metric '{metric.name}({metric.params[0].name}=…)'"]
    return "\n".join(lines)


def _range(metric: Metric) -> str:
    low, high = metric.range
    bounds = f"from {low:g}" if high is None else f"{low:g} to {high:g}" if low is not None else "any number"
    return f"{bounds} {metric.unit}".strip()


def _record(metric: Metric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "summary": metric.summary,
        "doc": metric.doc,
        "needs": list(metric.needs),
        "range": list(metric.range),
        "better": metric.better,
        "unit": metric.unit,
        "source": metric.source,
        "version": metric.version,
        "signature": metric.bind().signature,
        "params": [
            {"name": param.name, "default": param.default, "choices": list(param.choices)} for param in metric.params
        ],
    }
