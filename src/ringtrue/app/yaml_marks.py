"""YAML with the line of every key, so that a message can say where the mistake stands."""

from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ringtrue.errors import ConfigError

__all__ = ["Marks", "read_yaml"]

Marks: TypeAlias = dict[tuple[str | int, ...], int]


def read_yaml(path: Path) -> tuple[dict[str, Any], Marks]:
    """The mapping in a YAML file, and the line (from 1) of every key and item in it.

    Raises ConfigError for a file that is missing, no YAML, no mapping, or has a key twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError("no such file", where=str(path), mend="begin one with: ringtrue init") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", where=str(path), mend="give a UTF-8 file") from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        content = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"is no YAML: {error.problem}", where=f"{path}{line}", mend="mend the line named") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"is no YAML: {error}", where=str(path)) from error
    if not isinstance(content, dict):
        raise ConfigError("holds no keys", where=str(path), mend="it begins with: dataset: golden.jsonl")
    marks: Marks = {}
    _mark(node, (), marks, str(path))
    return content, marks


def _mark(node: yaml.Node | None, at: tuple[str | int, ...], marks: Marks, where: str) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            path = (*at, key.value)
            line = key.start_mark.line + 1
            if path in marks:
                raise ConfigError(
                    f"the key {key.value!r} stands twice, first in line {marks[path]}",
                    where=f"{where}:{line}",
                    mend="keep one of them",
                )
            marks[path] = line
            _mark(value, path, marks, where)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            marks[(*at, place)] = value.start_mark.line + 1
            _mark(value, (*at, place), marks, where)
