"""YAML with the line of every key. ``yes``, ``no``, ``on`` and ``off`` are texts, as labels want them to be."""

from typing import Any, TypeAlias

import yaml

from ringtrue.errors import ConfigError

__all__ = ["Marks", "Path", "line_of", "read_marked"]

Path: TypeAlias = tuple[str | int, ...]
Marks: TypeAlias = dict[Path, int]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, where PyYAML was built with it
_CORE = "tag:yaml.org,2002:"
_NUMBERS = {_CORE + "int": int, _CORE + "float": float}


def read_marked(text: str, where: str) -> tuple[dict[str, Any], Marks]:
    """The mapping that `text` holds, and the line (from 1) of every key and item in it.

    Raises ConfigError for what is no YAML, no mapping, or has a key twice.
    """
    marks: Marks = {}
    try:
        node = yaml.compose(text, Loader=_Loader)
        content = _value(node, (), marks, where)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"is no YAML: {error.problem}", where=f"{where}{line}", mend="mend the line named") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"is no YAML: {' '.join(str(error).split())}", where=where) from error
    except RecursionError as error:
        raise ConfigError(
            "is nested too deeply", where=where, mend="see how one looks: ringtrue judge show refusal"
        ) from error
    if not isinstance(content, dict):
        raise ConfigError("holds no keys", where=where, mend="it begins with: name: NAME")
    return content, marks


def line_of(path: Path, marks: Marks) -> int | None:
    """The line of the key at `path`, else of what holds it."""
    return next((marks[path[:length]] for length in range(len(path), 0, -1) if path[:length] in marks), None)


def _value(node: yaml.Node | None, at: Path, marks: Marks, where: str) -> Any:
    match node:
        case yaml.MappingNode():
            return _mapping(node, at, marks, where)
        case yaml.SequenceNode():
            for place, item in enumerate(node.value):
                marks[(*at, place)] = item.start_mark.line + 1
            return [_value(item, (*at, place), marks, where) for place, item in enumerate(node.value)]
        case yaml.ScalarNode():
            return _scalar(node)
    return None


def _mapping(node: yaml.MappingNode, at: Path, marks: Marks, where: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in node.value:
        line, name = key.start_mark.line + 1, key.value
        if not isinstance(name, str):
            raise ConfigError("a key that is no text", where=f"{where}:{line}", mend="put it in quotes")
        path = (*at, name)
        if name in values:
            raise ConfigError(
                f"the key {name!r} stands twice, first in line {marks[path]}",
                where=f"{where}:{line}",
                mend="keep one of them",
            )
        marks[path] = line
        values[name] = _value(value, path, marks, where)
    return values


def _scalar(node: yaml.ScalarNode) -> Any:
    """A number, ``true``, ``false`` or ``null`` where it is written so without quotes, else the text."""
    text = str(node.value)
    if node.tag == _CORE + "null":
        return None
    if node.tag == _CORE + "bool" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if node.tag in _NUMBERS:
        try:
            return _NUMBERS[node.tag](text)
        except ValueError:  # YAML 1.1 has numbers that Python has not, such as 12:30
            return text
    return text
