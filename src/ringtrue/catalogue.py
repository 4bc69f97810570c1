"""The catalogue of metrics: what a metric says of itself, how it is registered, found, bound to parameters and signed.

A metric is one function in one file::

    @metric(needs=("answer", "reference"), range=(0, 1), better="higher", source="arXiv:1606.05250")
    def exact_match(sample, response):
        \"\"\"Whether the answer is a golden answer to the letter.\"\"\"

Built-ins and third parties come in by the same door, the entry-point group ``ringtrue.metrics``: each entry names a
module (all metrics in it are taken) or one metric.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Literal, TypeAlias, get_args, get_origin

from ringtrue.errors import RingtrueError, UnknownNameError, UsageError
from ringtrue.types import Response, Sample, Verdict

__all__ = [
    "FIELDS",
    "Explanation",
    "Metric",
    "MetricUse",
    "Param",
    "Scorer",
    "catalogue",
    "find_metric",
    "metric",
    "missing_field",
    "parse_metric",
]

GROUP = "ringtrue.metrics"
Better: TypeAlias = Literal["higher", "lower"]
Outcome: TypeAlias = "float | int | bool | str | Verdict | None"
Scorer: TypeAlias = Callable[..., "Outcome | Awaitable[Outcome]"]

# What a metric can need. The plan checks it, so that a metric never tests for a missing field.
_SAMPLE_FIELDS = ("question", "reference", "facts", "reference_contexts")
_RESPONSE_FIELDS = ("answer", "contexts", "latency_s", "input_tokens", "output_tokens", "cost", "model")
FIELDS = (*_SAMPLE_FIELDS, *_RESPONSE_FIELDS)


@dataclass(frozen=True, slots=True)
class Param:
    """A keyword parameter of a metric: `choices` is empty where any value of type `kind` will do."""

    name: str
    kind: type
    default: Any
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a row got its value: the parts that matched, were extra in the answer, and were missing from it."""

    matched: tuple[str, ...]
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """A documented, named, pure rule over (Sample, Response). Calling it calls the function.

    `range` holds the least and greatest value (``None`` where there is no bound); `better` is ``None`` where neither
    direction is. `params` are the keyword parameters; `explain` tells what matched, where the metric can. `made_by` is
    what else decides about a judge's verdict (model, rubric, sampling) and stands in the signature. `labels` are those
    that a row may get, and `positive` the one of them that is the good case (yes, factual), where there is one.
    `models` are the ids of the models that a judge asks.
    """

    name: str
    function: Scorer
    summary: str
    doc: str
    needs: tuple[str, ...]
    range: tuple[float | None, float | None]
    better: Better | None
    source: str
    version: int
    unit: str
    params: tuple[Param, ...]
    explain: Callable[..., Explanation] | None
    kind: Literal["code", "judge"] = "code"
    made_by: tuple[tuple[str, str], ...] = ()
    labels: tuple[str, ...] = ()
    positive: str | None = None
    models: tuple[str, ...] = ()

    def __call__(self, sample: Sample, response: Response, **params: Any) -> Any:
        return self.function(sample, response, **params)

    def bind(self, **given: Any) -> "MetricUse":
        """This metric with these parameters. Raises UnknownNameError or UsageError where one is off."""
        known = {param.name: param for param in self.params}
        for name, value in given.items():
            if name not in known:
                raise UnknownNameError("parameter", name, known, where=f"metric {self.name}")
            _check(self.name, known[name], value)
            if known[name].kind is float:
                given[name] = float(value)  # 1 and 1.0 are one parameter, hence one signature
        return MetricUse(self, tuple(sorted(given.items())))


@dataclass(frozen=True, slots=True)
class MetricUse:
    """A Metric with its parameters: a value that can be written and read back (``f1_over_words(mode=squad)``).

    `label` is what tables call it, where the user said so.
    """

    metric: Metric
    given: tuple[tuple[str, Any], ...] = ()
    label: str | None = None

    def __call__(self, sample: Sample, response: Response) -> Any:
        return self.metric.function(sample, response, **dict(self.given))

    def __str__(self) -> str:
        inner = ", ".join(f"{name}={_plain(value)}" for name, value in self.changed)
        return f"{self.metric.name}({inner})" if inner else self.metric.name

    @property
    def params(self) -> dict[str, Any]:
        """All parameters, the defaults filled in."""
        return {param.name: param.default for param in self.metric.params} | dict(self.given)

    @property
    def changed(self) -> tuple[tuple[str, Any], ...]:
        """The parameters that differ from their defaults."""
        defaults = {param.name: param.default for param in self.metric.params}
        return tuple((name, value) for name, value in self.given if value != defaults[name])

    @property
    def signature(self) -> str:
        """Name, every parameter and the version: two Scores are comparable exactly where their signatures are equal."""
        made_of = (*sorted(self.params.items()), *self.metric.made_by, ("version", self.metric.version))
        return "|".join([self.metric.name, *(f"{name}:{_plain(value)}" for name, value in made_of)])

    def explain(self, sample: Sample, response: Response) -> Explanation | None:
        """What matched, was extra and was missing, where the metric can tell."""
        return self.metric.explain(sample, response, **dict(self.given)) if self.metric.explain else None


def metric(
    *,
    needs: Sequence[str],
    range: tuple[float | None, float | None],
    better: Better | None,
    source: str,
    version: int = 1,
    unit: str = "",
    explain: Callable[..., Explanation] | None = None,
) -> Callable[[Scorer], Metric]:
    """Make a function a Metric: its name from the function, its summary from the docstring's first line.

    The function takes (sample, response) and keyword-only parameters with defaults, and gives a number, a bool, a
    label, a Verdict, or ``None`` where it does not apply. Raise the version when the same input gives another value
    than before. `explain` takes the same arguments. Raises UsageError where docstring, source or a default is missing.
    """

    def register(function: Scorer) -> Metric:
        name, doc = function.__name__, inspect.cleandoc(function.__doc__ or "")
        if not doc or not source.strip():
            lacks = "docstring" if not doc else "source"
            raise UsageError(f"metric {name!r} has no {lacks}", mend="a metric says what it means and where it is from")
        for need in needs:
            if need not in FIELDS:
                raise UnknownNameError("field", need, FIELDS, where=f"needs of metric {name!r}")
        return Metric(
            name=name,
            function=function,
            summary=doc.split("\n\n")[0].replace("\n", " "),
            doc=doc,
            needs=tuple(needs),
            range=range,
            better=better,
            source=source,
            version=version,
            unit=unit,
            params=tuple(_params(function)),
            explain=explain,
        )

    return register


@cache
def catalogue() -> Mapping[str, Metric]:
    """All installed metrics by name. Raises RingtrueError where two share a name or an entry point cannot be loaded."""
    found: dict[str, Metric] = {}
    origin: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
        try:
            loaded = entry.load()
        except (ImportError, AttributeError) as error:
            raise RingtrueError(
                f"the metrics of entry point {entry.name} = {entry.value} cannot be loaded: {error}",
                mend="mend or uninstall the package that declares it",
            ) from error
        for one in _metrics_in(loaded):
            if one.name in found and found[one.name] is not one:
                raise RingtrueError(
                    f"two metrics are named {one.name!r}, one of {origin[one.name]}, one of {entry.value}",
                    mend="rename one of them, or uninstall the package that you do not need",
                )
            found[one.name], origin[one.name] = one, entry.value
    return dict(sorted(found.items()))


def find_metric(name: str) -> Metric:
    """The metric of that name; case, ``_`` and ``-`` do not matter. ``module:function`` finds one of the user's own."""
    if ":" in name:
        return _imported(name)
    known = catalogue()
    if name in known:
        return known[name]
    folded = {_fold(one): one for one in known}
    if (match := folded.get(_fold(name))) is None:
        raise UnknownNameError("metric", name, known)
    return known[match]


def parse_metric(written: "str | Mapping[str, Any] | Metric | MetricUse | Callable[..., Any]") -> MetricUse:
    """Read a metric as written on the command line, in a config or in Python.

    ``"f1_over_words"``, ``"f1_over_words(mode=squad)"``, ``{"name": "f1_over_words", "mode": "squad"}``, a Metric, or a
    MetricUse.
    """
    match written:
        case MetricUse():
            return written
        case Metric():
            return written.bind()
        case str():
            shape = re.fullmatch(r"\s*([\w.:-]+)\s*(?:\((.*)\))?\s*", written, re.DOTALL)
            if shape is None:
                raise UsageError(f"{written!r} is no metric", mend="write NAME or NAME(parameter=value, …)")
            name, inner = shape.groups()
            pairs = [part.partition("=") for part in (inner or "").split(",") if part.strip()]
            found = find_metric(name)
            return found.bind(**{key.strip(): _read(found, key.strip(), value.strip()) for key, _, value in pairs})
        case Mapping():
            rest = {str(key): value for key, value in written.items() if key != "name"}
            if not isinstance(written.get("name"), str):
                raise UsageError(
                    f"a metric without a name: {dict(written)!r}", mend="write {name: …, parameter: value}"
                )
            return find_metric(written["name"]).bind(**rest)
    raise UsageError(
        f"{written!r} is no metric", mend="decorate the function with @ringtrue.metric(...), or give a metric's name"
    )


def missing_field(needs: Iterable[str], sample: Sample, response: Response) -> str | None:
    """The first needed field that the row lacks. An empty list of passages is known, hence not missing."""
    for need in needs:
        value = getattr(sample if need in _SAMPLE_FIELDS else response, need)
        if value is None or (value == () and need == "reference"):
            return need
    return None


def _metrics_in(loaded: object) -> list[Metric]:
    if isinstance(loaded, ModuleType):
        return [one for one in vars(loaded).values() if isinstance(one, Metric)]
    return [loaded] if isinstance(loaded, Metric) else []


def _imported(name: str) -> Metric:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"metric {name!r} cannot be imported: {error}", mend="is its folder on PYTHONPATH?") from error
    if not isinstance(found, Metric):
        raise UsageError(f"{name!r} is no metric", mend="decorate the function with @ringtrue.metric(...)")
    return found


def _params(function: Scorer) -> Iterable[Param]:
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    for parameter in list(parameters)[2:]:
        if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
            raise UsageError(
                f"parameter {parameter.name!r} of metric {function.__name__!r} has no default or is no keyword",
                mend="write the parameters after a *, each with a default",
            )
        choices = get_args(parameter.annotation) if get_origin(parameter.annotation) is Literal else ()
        yield Param(parameter.name, type(parameter.default), parameter.default, choices)


def _check(name: str, param: Param, value: Any) -> None:
    flag = isinstance(value, bool) and param.kind is not bool  # Python takes True for 1
    if param.choices and (flag or value not in param.choices):
        known = ", ".join(map(str, param.choices))
        raise UsageError(f"metric {name}: {param.name} cannot be {value!r}", mend=f"known: {known}")
    kinds = (int, float) if param.kind is float else (param.kind,)
    if not param.choices and (flag or not isinstance(value, kinds)):
        raise UsageError(f"metric {name}: {param.name} cannot be {value!r}", mend=f"give a {param.kind.__name__}")


def _read(found: Metric, key: str, text: str) -> Any:
    """A parameter's value from the command line, by the type of its default."""
    kind = next((param.kind for param in found.params if param.name == key), str)
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    try:
        return kind(text) if kind in (int, float) else text.strip("'\"")
    except ValueError:
        return text


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fold(name: str) -> str:
    return re.sub(r"[_\-\s]", "", name).lower()
