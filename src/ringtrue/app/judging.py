"""Judges of a run: which models judge which metric, opened on one scheduler, with the run's budget and reply cache."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ringtrue.app.config import JudgeConfig, ModelConfig, RunConfig
from ringtrue.catalogue import MetricUse
from ringtrue.errors import ConfigError, UsageError
from ringtrue.judges.catalogue import judge_metric, with_models
from ringtrue.judges.loading import load_rubric
from ringtrue.judges.local.cascade import BAND, with_cascade
from ringtrue.judges.local.catalogue import LOCAL, with_local, without_model
from ringtrue.models.budget import Budget
from ringtrue.models.cache import ReplyCache
from ringtrue.models.opening import capabilities_of, open_model
from ringtrue.models.scheduler import Scheduler
from ringtrue.models.throttle import Limits
from ringtrue.models.types import ChatModel

__all__ = ["Combined", "Judging", "Opened", "open_judging"]

_LOCAL_ROWS = 32

Opened: TypeAlias = Callable[[ChatModel], ChatModel]
Combined: TypeAlias = Literal["majority", "mean", "cascade"]


class _LateCache:
    """The reply cache of a store that is opened after the models are."""

    def __init__(self) -> None:
        self.replies: ReplyCache | None = None

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return self.replies.get(keys) if self.replies else {}

    def put(self, replies: Mapping[bytes, bytes]) -> None:
        if self.replies:
            self.replies.put(replies)


@dataclass(frozen=True, slots=True)
class Judging:
    """The scheduler, budget and cache that all models of a run share. `opened` is what becomes of each model."""

    config: RunConfig
    folder: Path
    opened: Opened = lambda model: model
    scheduler: Scheduler = field(default_factory=Scheduler)
    budget: Budget = field(default_factory=Budget)
    cache: _LateCache = field(default_factory=_LateCache)
    _at_once: dict[str, int] = field(default_factory=dict)

    def bind(self, uses: Sequence[MetricUse]) -> list[MetricUse]:
        """Give each judge among the metrics its models, and add the judges that the config makes of rubrics."""
        named = {use.metric.name for use in uses}
        bound = [one for use in uses for one in self._bound(use)]
        for judge in self.config.judges:
            if judge.name is not None and judge.metric is None and judge.rubric is None:
                raise ConfigError(
                    f"the name {judge.name!r} would stand for every judge",
                    where="judges",
                    mend=f"say which one: {{metric: …, name: {judge.name}}}",
                )
            if judge.rubric is not None:
                bound.append(self._of_rubric(judge, judge.rubric))
            elif judge.metric is not None and judge.metric not in named:
                raise ConfigError(
                    f"judge for {judge.metric!r}, which is not among the metrics of this run",
                    where="judges",
                    mend=f"add it: metrics: [{judge.metric}]",
                )
        return bound

    def use(self, replies: ReplyCache) -> None:
        """Keep replies here, unless the run wants none kept."""
        self.cache.replies = replies if self.config.run.cache else None

    @property
    def at_once(self) -> int:
        """How many calls may be under way at all models together; 0 where no model is asked."""
        return sum(self._at_once.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was learnt of the models' endpoints."""
        return tuple(capabilities_of(self.scheduler).notes)

    def close(self) -> None:
        self.scheduler.close()

    def _bound(self, use: MetricUse) -> list[MetricUse]:
        """The metric by each judge that is named for it; by none, and what needs no model (any more), as it is."""
        if use.metric.kind != "judge" or use.metric.models:
            return [use]
        judges = self._judges_of(use.metric.name)
        if not judges:
            return [self.local(without_model(use))]
        return [replace(self.judged(use, judge.model, **_jury(judge)), label=judge.name) for judge in judges]

    def judged(
        self, use: MetricUse, names: Sequence[str], *, combine: Combined = "majority", band: float = BAND, **jury: Any
    ) -> MetricUse:
        """The built-in judge by the models of these names; ``local`` is the one that needs none."""
        models = [self.model(name) for name in names if name != LOCAL]
        if combine == "cascade" and LOCAL in names and models:
            return self.local(with_cascade(use, models, band=band, **jury))
        if combine == "cascade":
            raise UsageError(
                f"judge {use.metric.name}: a cascade goes from the local judge to a model",
                mend="name both: model: [local, PROVIDER:MODEL]",
            )
        if LOCAL not in names:
            return with_models(use, models, combine=combine, **jury)
        if models:
            raise UsageError(
                f"judge {use.metric.name}: the local judge is no member of a jury",
                mend="combine: cascade lets it decide the clear cases; or make two judges of them",
            )
        return self.local(with_local(use))

    def local(self, use: MetricUse) -> MetricUse:
        """The same; where it judges on this machine, enough rows are in work to fill a network's batches."""
        if LOCAL in use.metric.models:
            self._at_once[LOCAL] = _LOCAL_ROWS
        return use

    def _of_rubric(self, judge: JudgeConfig, path: str) -> MetricUse:
        judge = judge if judge.model else _with_models(judge, self._default_models())
        if LOCAL in judge.model:
            raise ConfigError(
                f"the rubric {path} has no local form", where="judges", mend="name a model: a rubric is asked of one"
            )
        jury = {name: value for name, value in _jury(judge).items() if name != "band"}
        made = judge_metric(load_rubric(self.folder / path), [self.model(name) for name in judge.model], **jury)
        return replace(made.bind(), label=judge.name)

    def _judges_of(self, metric: str) -> list[JudgeConfig]:
        """The judges named for the metric, else those for all, else the only model there is."""
        listed = [one for one in self.config.judges if one.rubric is None]
        own = [one for one in listed if one.metric == metric]
        for_all = [one for one in listed if one.metric is None]
        default = next((one.model for one in for_all if one.model), None) or self._default_models()
        found = own or for_all or ([JudgeConfig()] if default else [])
        return [one if one.model else _with_models(one, default) for one in found]

    def _default_models(self) -> list[str]:
        return list(self.config.models) if len(self.config.models) == 1 else []

    def model(self, name: str) -> ChatModel:
        """The model of that name in the config, or by its id."""
        config = self.config.models.get(name) or ModelConfig(model=name)
        self._at_once[name] = config.concurrency
        model = open_model(
            config.model,
            scheduler=self.scheduler,
            environ=os.environ,
            base_url=config.base_url,
            params=config.params,
            limits=Limits(
                concurrency=config.concurrency,
                requests_per_minute=config.requests_per_minute,
                tokens_per_minute=config.tokens_per_minute,
                timeout_s=config.timeout,
                deadline_s=config.deadline,
            ),
            prices=self.config.prices,
            budget=self.budget,
            cache=self.cache,
        )
        return self.opened(model)


def open_judging(config: RunConfig, folder: Path, *, opened: Opened = lambda model: model) -> Judging:
    """What the judges of this configuration share; nothing is started before the first question."""
    budget = Budget(max_calls=config.run.max_calls, max_cost=config.run.max_cost)
    return Judging(config, folder, opened, budget=budget)


def _jury(judge: JudgeConfig) -> dict[str, Any]:
    """How a judge's models are asked, and how their votes are counted."""
    return judge.model_dump(include={"repeats", "combine", "params", "least_label_mass", "rationale", "band"})


def _with_models(judge: JudgeConfig, models: Sequence[str]) -> JudgeConfig:
    return judge.model_copy(update={"model": list(models)})
