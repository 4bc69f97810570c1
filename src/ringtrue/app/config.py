"""The configuration of a run: what a YAML file or the command line says, checked once at the door.

`${NAME}` in any text stands for an environment variable (`$${NAME}` for itself). It is expanded here and nowhere else;
the store keeps the unexpanded form, so that no secret is written down.
"""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ringtrue.app.diagnosing.settings import DiagnosisConfig, ReadingsConfig
from ringtrue.app.gates import threshold_of
from ringtrue.app.yaml_marks import Marks
from ringtrue.errors import ConfigError, did_you_mean

__all__ = [
    "PIPELINE_KEYS",
    "CallableConfig",
    "CommandConfig",
    "DatasetConfig",
    "HttpConfig",
    "JudgeConfig",
    "KnowledgeBaseConfig",
    "ModelConfig",
    "PipelineConfig",
    "RecordedConfig",
    "RunConfig",
    "RunOptions",
    "ThresholdConfig",
    "config_schema",
    "expand",
    "parse_config",
]

# The key that only one type of pipeline has, from which it is plain.
PIPELINE_KEYS = {
    "target": "callable",
    "command": "command",
    "url": "http",
    "knowledge_base_id": "bedrock_knowledge_base",
    "path": "recorded",
}


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False)


class DatasetConfig(_Model):
    """The golden dataset: a file, and how to read it."""

    path: str = Field(description="a .jsonl, .json, .csv, .tsv, .yaml or .parquet file")
    name: str | None = Field(default=None, description="default: what the file says, or its name")
    map: dict[str, str] = Field(default={}, description="column of the file: field of ringtrue")
    filter: str | None = Field(default=None, description="JMESPath over a sample; rows where it holds are kept")
    limit: int | None = Field(default=None, ge=1, description="the first rows only")
    strict: bool = Field(default=False, description="refuse guessed columns")
    skip_bad_rows: bool = Field(default=False, description="leave unreadable rows out instead of stopping")
    encoding: str | None = Field(default=None, description="where the file is not UTF-8")


class RecordedConfig(_Model):
    """Answers read from a file."""

    type: Literal["recorded"] = "recorded"
    path: str
    map: dict[str, str] = Field(default={}, description="column of the file: field of ringtrue")
    encoding: str | None = Field(default=None, description="where the file is not UTF-8")


class CallableConfig(_Model):
    """A Python function, plain or async, called with the question."""

    type: Literal["callable"]
    target: str = Field(description="module:function; the config's folder is on the path")
    timeout: float | None = Field(default=None, gt=0, description="seconds")


class CommandConfig(_Model):
    """A program: one process a question, JSON on its standard input, the answer on its standard output."""

    type: Literal["command"]
    command: list[str] = Field(min_length=1)
    timeout: float = Field(default=60, gt=0, description="seconds")
    cwd: str | None = None
    env: dict[str, str] = {}


class HttpConfig(_Model):
    """A web service: a JSON body with {{ question }} in it; JMESPath finds the answer in the reply."""

    type: Literal["http"]
    url: str
    method: str = "POST"
    body: Any = None
    headers: dict[str, str] = {}
    params: dict[str, str] = {}
    answer: str | None = Field(
        default=None, description="JMESPath; default: answer, or the whole of a plain-text reply"
    )
    contexts: str | None = Field(default=None, description="JMESPath")
    input_tokens: str | None = None
    output_tokens: str | None = None
    cost: str | None = None
    model: str | None = None
    timeout: float = Field(default=60, gt=0, description="seconds")
    retries: int = Field(default=2, ge=0)
    concurrency: int | None = Field(default=None, ge=1)


class KnowledgeBaseConfig(_Model):
    """A knowledge base of Amazon Bedrock, asked by RetrieveAndGenerate. Needs the extra bedrock."""

    type: Literal["bedrock_knowledge_base"]
    knowledge_base_id: str
    model_arn: str = Field(description="of the model or inference profile that answers")
    region: str | None = Field(default=None, description="default: what the AWS settings say")
    endpoint_url: str | None = Field(default=None, description="where it is not the region's own")
    number_of_results: int | None = Field(default=None, ge=1, le=100, description="passages retrieved; default 5")
    prompt_template: str | None = Field(
        default=None, description="instead of Bedrock's own; with $search_results$ and $output_format_instructions$"
    )
    timeout: float = Field(default=60, gt=0, description="seconds for one try")
    retries: int = Field(default=4, ge=0)
    concurrency: int | None = Field(default=None, ge=1)


PipelineConfig: TypeAlias = Annotated[
    RecordedConfig | CallableConfig | CommandConfig | HttpConfig | KnowledgeBaseConfig, Field(discriminator="type")
]


class ModelConfig(_Model):
    """A language model to judge with, and how it is asked."""

    model: str = Field(description="provider:model, such as openai:gpt-4o-mini or openai-compatible:qwen")
    base_url: str | None = Field(default=None, description="of an OpenAI-compatible server")
    params: dict[str, Any] = Field(default={}, description="sent with every request, such as temperature")
    concurrency: int = Field(default=50, ge=1, strict=True, description="calls under way at once, at most")
    requests_per_minute: float | None = Field(default=None, gt=0)
    tokens_per_minute: float | None = Field(default=None, gt=0)
    timeout: float = Field(default=120, gt=0, description="seconds for one try")
    deadline: float = Field(default=600, gt=0, description="seconds for all tries of one call")


class JudgeConfig(_Model):
    """Who judges a metric: one model or a jury. With `rubric`, a judge of your own from a YAML file."""

    metric: str | None = Field(default=None, description="a built-in judge; without it and `rubric`, all judges")
    name: str | None = Field(
        default=None,
        min_length=1,
        description="what tables call it; default the metric, with the model where two have it",
    )
    rubric: str | None = Field(default=None, description="a rubric file")
    model: list[str] = Field(
        default=[],
        description="names in `models`, provider:model, or local (networks on this machine); several are a jury",
    )
    repeats: int = Field(default=1, ge=1, strict=True, description="how often each model is asked")
    combine: Literal["majority", "mean", "cascade"] = Field(
        default="majority", description="how votes are combined; cascade: local decides clear cases, the model the rest"
    )
    band: float = Field(
        default=0.2, ge=0, lt=0.5, description="of a cascade: the model is asked within so much of even odds"
    )
    params: dict[str, Any] = {}
    least_label_mass: float = Field(default=0, ge=0, le=1)
    rationale: bool = Field(default=True, description="whether the model says why; without it, it is quicker")


class ThresholdConfig(_Model):
    """One gate. Without a pipeline it holds for each; `where` is JMESPath over a sample."""

    metric: str
    require: str = Field(description="such as '>= 0.8'")
    pipeline: str | None = None
    where: str | None = None


class RunOptions(_Model):
    """How to run."""

    max_concurrency: int = Field(default=8, ge=1, strict=True, description="questions under way at once")
    repeats: int = Field(default=1, ge=1, strict=True, description="how often each question is asked")
    seed: int = Field(default=7, description="for whatever is drawn by chance")
    max_failed: float = Field(
        default=0.05, ge=0, le=1, description="greatest share of failed scores before the run counts as incomplete"
    )
    max_calls: int | None = Field(default=None, ge=0, description="calls of judges' models, then the run stops")
    max_cost: float | None = Field(default=None, ge=0, description="US dollars for judges' models, then the run stops")
    cache: bool = Field(default=True, description="whether replies of models are kept and used again")
    tags: list[str] = Field(default=[], description="names of the run, such as baseline")


class RunConfig(_Model):
    """A run: a golden dataset, pipelines, metrics, gates, outputs."""

    dataset: DatasetConfig
    pipelines: dict[Annotated[str, Field(min_length=1)], PipelineConfig] = {}
    metrics: list[str | dict[str, Any]] = Field(
        default=[], description="names, or {name: …, parameter: value}; where none is named, all that the data allow"
    )
    thresholds: list[ThresholdConfig] = Field(
        default=[], description="{metric: '>= 0.8'}, {metric: {pipeline: '>= 0.8'}}, or a list of gates"
    )
    models: dict[str, ModelConfig] = Field(default={}, description="language models by a name of your own")
    judges: list[JudgeConfig] = Field(default=[], description="who judges which metric")
    prices: dict[str, dict[str, float]] = Field(
        default={}, description="US dollars for a million tokens: {'provider:model': {input: …, output: …}}"
    )
    readings: ReadingsConfig = ReadingsConfig()
    diagnosis: DiagnosisConfig = DiagnosisConfig()
    run: RunOptions = RunOptions()
    report: list[str] = Field(default=[], description="files to write, by ending")
    store: str | None = Field(default=None, description="database file or URL; default .ringtrue/ringtrue.db")

    @model_validator(mode="before")
    @classmethod
    def _read_short_forms(cls, given: Any) -> Any:
        """A path for a dataset or a pipeline, one output, and thresholds by metric."""
        if not isinstance(given, Mapping):
            return given
        full = dict(given)
        if isinstance(full.get("dataset"), str):
            full["dataset"] = {"path": full["dataset"]}
        if isinstance(full.get("report"), str):
            full["report"] = [full["report"]]
        if isinstance(full.get("metrics"), str):
            full["metrics"] = [full["metrics"]]
        if isinstance(models := full.get("models"), Mapping):
            full["models"] = {name: {"model": one} if isinstance(one, str) else one for name, one in models.items()}
        if isinstance(judges := full.get("judges"), list):
            full["judges"] = [_full_judge(one) for one in judges]
        if isinstance(pipelines := full.get("pipelines"), Mapping):
            full["pipelines"] = {name: _full_pipeline(one) for name, one in pipelines.items()}
        if isinstance(thresholds := full.get("thresholds"), Mapping):
            full["thresholds"] = [gate for metric, wanted in thresholds.items() for gate in _gates(metric, wanted)]
        elif isinstance(thresholds, list):
            full["thresholds"] = [threshold_of(one) if isinstance(one, str) else one for one in thresholds]
        for key in ("pipelines", "metrics", "readings", "diagnosis", "models", "judges", "thresholds", "report", "run"):
            if key in full and full[key] is None:
                del full[key]
        return full


def parse_config(
    raw: Mapping[str, Any], *, where: str = "config", marks: Marks | None = None, in_use: bool = True
) -> RunConfig:
    """Check a configuration that is there as a dict; one that is only looked at keeps its `${NAME}` as they are."""
    expanded = expand(raw, where=where, marks=marks or {}) if in_use else raw
    try:
        return RunConfig.model_validate(expanded)
    except ValidationError as error:
        raise _told(error, where, marks or {}) from error


def config_schema() -> dict[str, Any]:
    """The JSON Schema of a config file, the short forms included."""
    schema = RunConfig.model_json_schema()
    properties = schema["properties"]
    text = {"type": "string"}
    gate = {"anyOf": [text, {"type": "object"}]}
    properties["dataset"] = {"anyOf": [text, properties["dataset"]]}
    properties["report"] = {"anyOf": [text, properties["report"]]}
    properties["metrics"] = {"anyOf": [text, properties["metrics"]]}
    properties["thresholds"] = {"anyOf": [properties["thresholds"], {"type": "object", "additionalProperties": gate}]}
    kinds = properties["pipelines"]["additionalProperties"]
    kinds.pop("discriminator", None)
    properties["pipelines"]["additionalProperties"] = {"anyOf": [text, *kinds["oneOf"]]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def expand(value: Any, *, where: str, marks: Marks, path: tuple[str | int, ...] = ()) -> Any:
    """Put environment variables in for `${NAME}`. Raises ConfigError that names the variable and the key."""

    def put(found: re.Match[str]) -> str:
        escaped, name = found.groups()
        if escaped:
            return "${" + name + "}"
        if name not in os.environ:
            raise ConfigError(
                f"the environment variable {name} is not set",
                where=_place(where, path, marks),
                mend=f"set it with: export {name}=…, or write $${{{name}}} for the text itself",
            )
        return os.environ[name]

    match value:
        case str():
            return re.sub(r"(\$?)\$\{(\w+)\}", put, value)
        case Mapping():
            return {key: expand(one, where=where, marks=marks, path=(*path, key)) for key, one in value.items()}
        case list() | tuple():
            return [expand(one, where=where, marks=marks, path=(*path, place)) for place, one in enumerate(value)]
    return value


def _full_pipeline(given: Any) -> Any:
    if isinstance(given, str):
        return {"type": "recorded", "path": given}
    if not isinstance(given, Mapping) or "type" in given:
        return given
    kind = next((kind for key, kind in PIPELINE_KEYS.items() if key in given), None)
    return {"type": kind, **given} if kind else given


def _full_judge(given: Any) -> Any:
    if isinstance(given, Mapping) and isinstance(given.get("model"), str):
        return {**given, "model": [given["model"]]}
    return given


def _gates(metric: str, wanted: Any) -> list[dict[str, Any]]:
    if isinstance(wanted, Mapping) and not {"require", "where"} & set(wanted):
        return [{"metric": metric, "pipeline": name, "require": require} for name, require in wanted.items()]
    return [{"metric": metric, **wanted} if isinstance(wanted, Mapping) else {"metric": metric, "require": wanted}]


def _told(error: ValidationError, where: str, marks: Marks) -> ConfigError:
    """What pydantic found, in our words: an unknown key first, since what is missing is often only misspelled."""
    errors = error.errors()
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    loc = first["loc"]
    if loc[:1] == ("pipelines",) and loc[2:3] and loc[2] in _KINDS:  # pydantic puts the pipeline's type in the way
        loc = (*loc[:2], *loc[3:])
    path = tuple(part for part in loc if part not in ("str", "[key]"))
    place, key = _place(where, path, marks), str(path[-1]) if path else "configuration"
    match first["type"]:
        case "extra_forbidden":
            return ConfigError(f"unknown key {key!r}", where=place, mend=did_you_mean(key, _keys_at(first["loc"])))
        case "missing":
            return ConfigError(f"{key!r} is missing", where=place, mend=_example(key) or f"give a {key}")
        case "union_tag_invalid":
            kind = str(first["ctx"]["tag"])
            return ConfigError(f"unknown type {kind!r}", where=place, mend=did_you_mean(kind, _KINDS))
        case "union_tag_not_found":
            known = ", ".join(f"{kind} ({key})" for key, kind in PIPELINE_KEYS.items())
            return ConfigError("a pipeline needs a type", where=place, mend=f"known: {known}")
    examples = (_example(part) for part in reversed(path) if isinstance(part, str))
    return ConfigError(
        f"{_shown(first['input'])} does not belong here: {first['msg'].lower()}",
        where=place,
        mend=next((one for one in examples if one), None),
    )


# What a key may look like, for messages.
_EXAMPLES = {
    "dataset": "golden.jsonl",
    "pipelines": "{base: answers.jsonl}",
    "command": "[python, app.py]",
    "metrics": "[facts_matched, f1_over_words]",
    "thresholds": "{facts_matched: '>= 0.8'}",
    "require": "'>= 0.8'",
    "report": "[report.html]",
    "run": "{repeats: 1, max_concurrency: 8}",
    "repeats": "1",
    "max_concurrency": "8",
    "max_failed": "0.05",
    "map": "{your_column: question}",
    "headers": "{Authorization: 'Bearer ${TOKEN}'}",
    "path": "answers.jsonl",
    "timeout": "60",
}
_KINDS: dict[str, type[BaseModel]] = {
    "recorded": RecordedConfig,
    "callable": CallableConfig,
    "command": CommandConfig,
    "http": HttpConfig,
    "bedrock_knowledge_base": KnowledgeBaseConfig,
}


def _example(key: str) -> str | None:
    return f"write for example: {key}: {_EXAMPLES[key]}" if key in _EXAMPLES else None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _keys_at(path: tuple[str | int, ...]) -> list[str]:
    """The keys known at the place where an unknown one was found."""
    model: type[BaseModel] = RunConfig
    for part in path[:-1]:
        kind = model.model_fields[str(part)].annotation if part in model.model_fields else None
        inner = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, BaseModel)]
        model = inner[0] if inner else _KINDS.get(str(part), model)
    return list(model.model_fields)


def _place(where: str, path: tuple[str | int, ...], marks: Marks) -> str:
    line = next((marks[path[:length]] for length in range(len(path), 0, -1) if path[:length] in marks), None)
    key = ".".join(map(str, path))
    return ": ".join(part for part in (f"{where}:{line}" if line else where, key) if part)
