"""From the words of the command line, and a config file where there is one, to a Job."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.app.config import PIPELINE_KEYS, parse_config
from ringtrue.app.service import Job
from ringtrue.app.yaml_marks import Marks, read_yaml
from ringtrue.errors import UsageError

__all__ = ["CONFIG_NAME", "Overrides", "job_of", "pair", "pipeline_spec"]

CONFIG_NAME = "ringtrue.yaml"
COMMAND_LINE = "judge"  # what the command line's model is called among the config's


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What the command line says over the config. Options that are ``None`` were not given."""

    dataset: Path | None = None
    pipelines: Sequence[str] = ()
    metrics: Sequence[str] = ()
    thresholds: Sequence[str] = ()
    columns: Sequence[str] = ()
    outputs: Sequence[Path] = ()
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    run_options: Mapping[str, Any] = field(default_factory=dict)
    judge: Mapping[str, Any] = field(default_factory=dict)
    store: str | None = None


def job_of(config: Path | None, over: Overrides) -> Job:
    """Read the config, if any, and lay the command line over it.

    Paths in the config start from its folder, paths on the command line from the current one.
    """
    if config is None and over.dataset is None:
        if not Path(CONFIG_NAME).is_file():
            raise UsageError(
                f"neither a config nor a dataset is named, and there is no {CONFIG_NAME} here",
                mend="try: ringtrue run --dataset golden.csv --pipeline base=answers.jsonl, or: ringtrue init",
            )
        config = Path(CONFIG_NAME)
    raw: dict[str, Any] = {}
    marks: Marks = {}
    folder = Path.cwd()
    if config is not None:
        raw, marks = read_yaml(config)
        folder = config.resolve().parent
    raw = _overlaid(raw, over)
    return Job(config=parse_config(raw, where=str(config or "command line"), marks=marks), raw=raw, folder=folder)


def _overlaid(raw: Mapping[str, Any], over: Overrides) -> dict[str, Any]:
    full = dict(raw)
    _lay_dataset(full, over)
    _lay_pipelines(full, over)
    _lay_judge(full, over)
    if over.metrics:
        full["metrics"] = list(over.metrics)
    if over.thresholds:
        full["thresholds"] = list(over.thresholds)
    if over.outputs:
        full["report"] = [_literal(one.resolve()) for one in over.outputs]
    if options := _given(over.run_options):
        full["run"] = dict(full.get("run") or {}) | options
    if over.store is not None:
        full["store"] = _literal(over.store)
    return full


def _lay_dataset(full: dict[str, Any], over: Overrides) -> None:
    dataset = full.get("dataset")
    if dataset is not None and not isinstance(dataset, str | Mapping):
        return  # the check of the configuration tells
    dataset = {"path": dataset} if isinstance(dataset, str) else dict(dataset or {})
    if over.dataset is not None:
        dataset = {"path": _literal(over.dataset.resolve())}
    dataset |= _given(over.dataset_options)
    if over.columns:
        dataset["map"] = dict(dataset.get("map") or {}) | dict(pair(one, "--map column=field") for one in over.columns)
    if dataset:
        full["dataset"] = dataset


def _lay_pipelines(full: dict[str, Any], over: Overrides) -> None:
    named = [_pipeline(one) for one in over.pipelines]
    twice = [name for name, count in Counter(name for name, _ in named).items() if count > 1]
    if twice:
        raise UsageError(f"two pipelines are named {twice[0]!r}", mend="give each --pipeline a name of its own")
    if named:
        full["pipelines"] = dict(full.get("pipelines") or {}) | dict(named)


def _lay_judge(full: dict[str, Any], over: Overrides) -> None:
    """The command line's model judges every metric, whoever judged it in the config; rubric files keep theirs."""
    judge = _given(over.judge)
    if not judge:
        return
    if "model" not in judge:
        raise UsageError("a judge's address without a model", mend="name it: --judge-model PROVIDER:MODEL")
    full["models"] = dict(full.get("models") or {}) | {COMMAND_LINE: judge}
    kept = [one for one in full.get("judges") or [] if isinstance(one, Mapping) and one.get("rubric")]
    full["judges"] = [*kept, {"model": [COMMAND_LINE]}]


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


def pipeline_spec(given: Any) -> dict[str, Any] | None:
    """What a config would say of a file, ``module:function``, a URL or a config; ``None`` for anything else."""
    if isinstance(given, Mapping) and {"type", *PIPELINE_KEYS} & set(given):
        return dict(given)
    if not isinstance(given, str | Path):
        return None
    text = str(given)
    if re.match(r"https?://", text):
        return {"type": "http", "url": text, "body": {"question": "{{ question }}"}}
    if re.fullmatch(r"[\w.]+:[\w.]+", text) and not Path(text).exists():
        return {"type": "callable", "target": text}
    return {"type": "recorded", "path": _literal(Path(text).resolve())}


def _pipeline(written: str) -> tuple[str, dict[str, Any] | None]:
    name, value = pair(written, "--pipeline NAME=FILE")
    return name, pipeline_spec(value)


def pair(written: str, usage: str) -> tuple[str, str]:
    """``NAME=VALUE`` from the command line; `usage` is how to write it, for the message."""
    name, equals, value = written.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise UsageError(f"{written!r} is no pair", mend=f"write {usage}")
    return name.strip(), value.strip()


def _literal(path: Path | str) -> str:
    """A path from the command line, in which the shell has expanded what was to be expanded."""
    return re.sub(r"\$\{", "$${", str(path))
