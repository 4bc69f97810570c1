"""Placeholders in the templates of an HTTP request: ``{{ question }}``, ``{{ id }}``, ``{{ metadata.KEY }}``.

What is filled in is data: it is never read for placeholders again.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ringtrue.data.scalars import json_ready, to_text
from ringtrue.errors import ConfigError, PipelineError
from ringtrue.types import Sample

__all__ = ["check_template", "fill_json", "fill_text"]

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_OPEN = re.compile(r"\{\{\s*(question|id|metadata)\b")
_METADATA = "metadata."


def check_template(template: Any, where: str) -> None:
    """Refuse a placeholder of an unknown name, or one that is not closed, wherever in the template it is."""
    for path, text in _strings(template):
        if _OPEN.search(_PLACEHOLDER.sub("", text)):
            raise ConfigError(
                f"a placeholder in {text!r} is not closed", where=where + path, mend="write it as {{ question }}"
            )
        for name in _PLACEHOLDER.findall(text):
            if name not in ("question", "id") and not (name.startswith(_METADATA) and name != _METADATA):
                raise ConfigError(
                    f"unknown placeholder {{{{ {name} }}}}",
                    where=where + path,
                    mend="known: {{ question }}, {{ id }}, {{ metadata.KEY }}",
                )


def fill_json(template: Any, sample: Sample) -> Any:
    """The template with its strings filled; a string that is one placeholder and nothing else becomes its value."""
    match template:
        case str():
            alone = _PLACEHOLDER.fullmatch(template)
            return json_ready(_value(alone[1], sample)) if alone else fill_text(template, sample)
        case Mapping():
            return {key: fill_json(item, sample) for key, item in template.items()}
        case list() | tuple():
            return [fill_json(item, sample) for item in template]
    return json_ready(template)


def fill_text(template: str, sample: Sample, encode: Callable[[str], str] = str) -> str:
    """The text with its placeholders filled, each value passed through `encode`; PipelineError where one is missing."""

    def text(found: re.Match[str]) -> str:
        if (value := to_text(_value(found[1], sample))) is None:
            raise PipelineError(f"sample {sample.id!r} has nothing to put for {found[0]}")
        return encode(value)

    return _PLACEHOLDER.sub(text, template)


def _value(name: str, sample: Sample) -> Any:
    if name == "question":
        return sample.question
    if name == "id":
        return sample.id
    key = name.removeprefix(_METADATA)
    if key not in sample.metadata:
        known = ", ".join(map(str, sample.metadata)) or "none"
        raise PipelineError(f"sample {sample.id!r} has no metadata {key!r} for the request; it has: {known}")
    return sample.metadata[key]


def _strings(template: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string of the template with its path, such as ``.messages[0].content``."""
    match template:
        case str():
            yield path, template
        case Mapping():
            for key, item in template.items():
                yield from _strings(item, f"{path}.{key}")
        case list() | tuple():
            for index, item in enumerate(template):
                yield from _strings(item, f"{path}[{index}]")
