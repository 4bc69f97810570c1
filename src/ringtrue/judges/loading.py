"""Rubrics from YAML files: a user's through the door that checks everything, the built-in ones straight in.

The built-in ones are held to the door by the tests, so that using them does not cost pydantic's import.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ringtrue.errors import ConfigError, UnknownNameError, did_you_mean
from ringtrue.judges.checks import problems
from ringtrue.judges.marked_yaml import Marks, line_of, read_marked
from ringtrue.judges.marked_yaml import Path as Place
from ringtrue.judges.rubric import EdgeCase, Example, Rubric
from ringtrue.stats.platt import Platt

__all__ = [
    "builtin_rubric",
    "builtin_rubrics",
    "check_rubric",
    "load_rubric",
    "plain_rubric",
    "prompt_file",
    "rubric_text",
]

_KEYS = tuple(field.name for field in fields(Rubric))
# What a cheaper form does not take over from its rubric, since it says how items are judged.
_OF_ITEMS = ("unit", "claims_of", "combine", "fatal", "overall", "evidence", "examples", "one_call")
# Nor what was fitted to people's labels.
_FITTED = ("cut", "calibration", "provenance")


def load_rubric(path: str | Path) -> Rubric:
    """The rubric in a YAML file. Raises ConfigError that names file, line, key, what is known and the mend."""
    where = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(
            "no such file", where=where, mend="begin with: ringtrue judge show answer_relevance"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", where=where, mend="give a UTF-8 file") from error
    content, marks = read_marked(text, where)
    for place, message, mend in _unknown_keys(content):
        raise _error(message, where, place, marks, mend)
    rubric = _validated(_whole(content), where, marks)
    check_rubric(rubric, where=where, marks=marks)
    return rubric


def check_rubric(rubric: Rubric, *, where: str = "rubric", marks: Marks | None = None) -> None:
    """Raise ConfigError for the first thing that is wrong with a rubric, wherever it was made."""
    for place, message, mend in problems(rubric, _builtin_names()):
        raise _error(message, where, place, marks or {}, mend)


@cache
def builtin_rubrics() -> Mapping[str, Rubric]:
    """The rubrics that come with ringtrue, by name."""
    found = [plain_rubric(_read(one)) for one in _builtin_files()]
    return {rubric.name: rubric for rubric in sorted(found, key=lambda one: one.name)}


def builtin_rubric(name: str) -> Rubric:
    """The built-in rubric of that name. Raises UnknownNameError."""
    known = builtin_rubrics()
    if name not in known:
        raise UnknownNameError("judge", name, known)
    return known[name]


def rubric_text(name: str) -> str:
    """A built-in rubric as its file says it, for people who begin one of their own from it."""
    builtin_rubric(name)
    return files("ringtrue.judges").joinpath("rubrics", f"{name}.yaml").read_text(encoding="utf-8")


def prompt_file(name: str) -> Traversable:
    """A file of the words that stand around every rubric."""
    return files("ringtrue.judges").joinpath("prompts", name)


def plain_rubric(content: Mapping[str, Any]) -> Rubric:
    """The rubric that a file of this package holds, taken as it is."""
    given: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in content.items()}
    given["edge_cases"] = tuple(EdgeCase(**one) for one in given.get("edge_cases", ()))
    given["examples"] = tuple(Example(**one) for one in given.get("examples", ()))
    given["labels"] = {label: None if value is None else float(value) for label, value in content["labels"].items()}
    if "one_call" in content:
        given["one_call"] = plain_rubric(_cheaper(content))
    return Rubric(**given)


def _read(file: Traversable) -> dict[str, Any]:
    return read_marked(file.read_text(encoding="utf-8"), file.name)[0]


def _builtin_files() -> list[Traversable]:
    folder = files("ringtrue.judges").joinpath("rubrics")
    return [one for one in folder.iterdir() if one.name.endswith(".yaml")]


@cache
def _builtin_names() -> tuple[str, ...]:
    return tuple(one.name.removesuffix(".yaml") for one in _builtin_files())


def _cheaper(content: Mapping[str, Any]) -> dict[str, Any]:
    """The whole of a cheaper form: what it says, and what it takes over."""
    own: dict[str, Any] = content["one_call"]
    left = (*_OF_ITEMS, *_FITTED, *(("labels", "positive") if "labels" in own else ()))
    return {key: value for key, value in content.items() if key not in left} | own


def _whole(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its short forms written out: a cheaper form, and labels that are a plain list."""
    full = dict(content)
    if isinstance(labels := full.get("labels"), list):
        full["labels"] = {str(label): None for label in labels}
    if isinstance(full.get("one_call"), dict):
        full["one_call"] = _whole(_cheaper(full))
    return full


def _unknown_keys(content: Mapping[str, Any], at: Place = ()) -> Iterator[tuple[Place, str, str]]:
    for key, value in content.items():
        if key not in _KEYS:
            yield (*at, key), f"unknown key {key!r}", did_you_mean(key, _KEYS, limit=len(_KEYS))
        if key == "one_call" and isinstance(value, dict):
            yield from _unknown_keys(value, (*at, key))
        if key == "calibration" and isinstance(value, dict):
            known = [field.name for field in fields(Platt)]
            for inner in value.keys() - known:
                yield (*at, key, inner), f"unknown key {inner!r}", did_you_mean(inner, known)
        for kind, name in ((EdgeCase, "edge_cases"), (Example, "examples")):
            if key == name and isinstance(value, list):
                known = [field.name for field in fields(kind)]
                for place, one in enumerate(value):
                    for inner in one if isinstance(one, dict) else ():
                        if inner not in known:
                            yield (*at, key, place, inner), f"unknown key {inner!r}", did_you_mean(inner, known)


def _validated(content: Mapping[str, Any], where: str, marks: Marks) -> Rubric:
    from pydantic import TypeAdapter, ValidationError  # 0.15 CPU seconds: only a user's file pays for it

    try:
        return TypeAdapter(Rubric).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = tuple(part for part in first["loc"] if part not in ("float", "int", "none"))
        if first["type"] == "missing":
            told = f"{place[-1]!r} is missing"
            needed = f"needed are: {', '.join(_required())}" if len(place) == 1 else None
            raise _error(told, where, place[:-1], marks, needed) from error
        shown = repr(first["input"])
        shown = shown if len(shown) <= 80 else shown[:79] + "…"
        raise _error(f"{shown}: {first['msg'].lower()}", where, place, marks, None) from error


def _required() -> Sequence[str]:
    return [field.name for field in fields(Rubric) if field.default is MISSING]


def _error(message: str, where: str, place: Place, marks: Marks, mend: str | None) -> ConfigError:
    line = line_of(place, marks)
    key = ".".join(map(str, place))
    return ConfigError(message, where=": ".join(filter(None, (f"{where}:{line}" if line else where, key))), mend=mend)
