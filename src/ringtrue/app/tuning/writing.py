"""A rubric as a YAML file, which reads back as the very same rubric."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import yaml

from ringtrue.errors import OutputError, UsageError
from ringtrue.judges.rubric import Rubric

__all__ = ["check_rubric_output", "rubric_yaml", "write_rubric"]

_WIDTH = 110
_BREAKS = frozenset("\r\x85\u2028\u2029")  # YAML reads these as line feeds, unless they stand escaped in quotes


class _Dumper(yaml.SafeDumper):
    """Texts of several lines stand as they are."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if _BREAKS & set(text) else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def rubric_yaml(rubric: Rubric, header: Sequence[str] = ()) -> str:
    """The rubric, only what differs from the defaults, under a comment of the lines in `header`."""
    comment = "".join(f"# {line}\n" for one in header for line in one.splitlines())
    text: str = yaml.dump(_plain(rubric), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDTH)
    return comment + text


def write_rubric(rubric: Rubric, path: Path, header: Sequence[str] = ()) -> None:
    """Write the file. Raises OutputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rubric_yaml(rubric, header), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}", mend="name another file") from error


def check_rubric_output(path: Path) -> None:
    """Raise UsageError where a rubric would not be found again under this name."""
    if path.suffix.casefold() not in (".yaml", ".yml"):
        raise UsageError(f"{path} is no name of a rubric file", mend="end it with .yaml")


def _plain(value: Any) -> Any:
    """Mappings, lists, texts and numbers; fields that have their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        given = {one.name: getattr(value, one.name) for one in fields(value) if not _is_default(one, value)}
        return {name: _plain(one) for name, one in given.items()}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _is_default(field: Any, owner: Any) -> bool:
    return field.default is not MISSING and getattr(owner, field.name) == field.default
